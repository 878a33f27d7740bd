// layers/credits/Store.ts: reads and writes accounts and their ledger, and starts new periods.
import { Array as Arr, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import * as Accounts from "#layers/credits/Account.ts"
import { add, creditsCaptured } from "#layers/Metrics.ts"
import { now } from "#layers/lib/Time.ts"
import { Events } from "#layers/webhooks/Events.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** Most periods granted to an account at once; after a long pause or a clock jump there could be thousands. */
const maxPeriods = 24

export type CreditStore = Effect.Success<typeof make>

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const events = yield* Events

  const columns = sql.literal(Object.keys(Accounts.Account.fields).join(", "))
  const findAccount = SqlSchema.findOne({
    Request: Schema.String,
    Result: Accounts.Account,
    execute: (workspace) => sql`SELECT ${columns} FROM credit_accounts WHERE workspace_id = ${workspace}`
  })

  const increaseHeld = SqlSchema.findOne({
    Request: Schema.Struct({ workspace: Schema.String, more: Schema.Int }),
    Result: Accounts.Account,
    execute: ({ more: amount, workspace }) => sql`
      UPDATE credit_accounts SET held = held + ${amount} WHERE workspace_id = ${workspace} RETURNING *`
  })

  // Locks the account's row until the commit. SQLite has a single writer, so reading is enough; on PostgreSQL, an
  // update without a change takes the lock.
  const lock = sql.onDialectOrElse({
    pg: () => (workspace: WorkspaceId) => increaseHeld({ workspace, more: 0 }),
    orElse: () => findAccount
  })

  const insertEntries = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    timestamp: string,
    entries: ReadonlyArray<{
      readonly operation: string
      readonly bucket: Accounts.Bucket
      readonly amount: number
      readonly kind: string
      readonly ref?: string
      readonly note?: string | null
    }>
  ) {
    const rows = yield* Effect.forEach(
      entries.filter(({ amount }) => amount !== 0),
      ({ amount, bucket, kind, note, operation, ref }) =>
        Effect.map(random.uuidV7(), (id) => ({
          id,
          workspace_id: workspace,
          at: timestamp,
          bucket,
          amount,
          kind,
          ref: ref ?? null,
          note: note ?? null,
          operation: `${operation}:${bucket}`
        }))
    )
    if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO credit_entries ${sql.insert(rows)}`
  })

  const append = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    operation: string,
    entries: ReadonlyArray<readonly [bucket: Accounts.Bucket, amount: number]>,
    details: { readonly kind: string; readonly ref?: string; readonly note?: string | null }
  ) {
    yield* insertEntries(
      workspace,
      yield* now,
      entries.map(([bucket, amount]) => ({ operation, bucket, amount, ...details }))
    )
  })

  /** Adds `used` to the sum of the day. The caller must have locked the account. */
  const countUsed = Effect.fnUntraced(function* (account: Accounts.Account, timestamp: string, credits: number) {
    // If the clock was set back, the time can be before the period.
    if (credits === 0 || timestamp < account.period_start) return
    yield* sql`
      INSERT INTO credit_days (workspace_id, day, used) VALUES (${account.workspace_id}, ${timestamp.slice(0, 10)}, ${credits})
      ON CONFLICT (workspace_id, day) DO UPDATE SET used = credit_days.used + excluded.used`
  })

  /** Stores the account. The caller must have locked it. */
  const save = Effect.fnUntraced(function* (account: Accounts.Account) {
    yield* sql`
      UPDATE credit_accounts SET ${sql.update(Accounts.encodeAccount(account), ["workspace_id"])}
      WHERE workspace_id = ${account.workspace_id}`
    return account
  })

  /**
   * Closes each ended period and grants the next. Beyond `maxPeriods`, skips those in the middle, because each would
   * only replace the one before.
   */
  const startDuePeriods = Effect.fnUntraced(function* (workspace: WorkspaceId, account: Accounts.Account) {
    const timestamp = yield* now
    let current = account
    const starts: Array<string> = []
    for (let end = account.period_end; end <= timestamp; end = Accounts.periodEnd(end, account.anchor_day))
      starts.push(end)
    for (const start of starts.length > maxPeriods
      ? [...starts.slice(0, 1), ...starts.slice(1 - maxPeriods)]
      : starts) {
      const next = Accounts.renewPeriod(current, start)
      yield* append(workspace, `expire:${start}`, [["rollover", -current.rollover]], { kind: "expire" })
      yield* append(
        workspace,
        `rollover:${start}`,
        [
          ["monthly", -current.monthly],
          ["rollover", next.rollover]
        ],
        { kind: "rollover" }
      )
      yield* append(workspace, `period:${start}`, [["monthly", next.monthly]], { kind: "grant" })
      current = next
    }
    yield* sql`DELETE FROM credit_days WHERE workspace_id = ${workspace}`
    return yield* save(current)
  })

  const renewIfDue = Effect.fnUntraced(function* (workspace: WorkspaceId, account: Accounts.Account) {
    return account.period_end > (yield* now) ? account : yield* startDuePeriods(workspace, account)
  })

  /** The account in its current period, locked until the caller's transaction ends. */
  const loadLocked = (workspace: WorkspaceId) =>
    Effect.flatMap(lock(workspace), (account) => renewIfDue(workspace, account))

  /** The account in its current period with `more` credits held, even if it does not cover them. */
  const loadHolding = (workspace: WorkspaceId, addedCredits: number) =>
    Effect.flatMap(increaseHeld({ workspace, more: addedCredits }), (account) => renewIfDue(workspace, account))

  const load = Effect.fnUntraced(function* (workspace: WorkspaceId) {
    const account = yield* findAccount(workspace)
    return account.period_end > (yield* now) ? account : yield* sql.withTransaction(loadLocked(workspace))
  })

  /** Records a charge for each owner, in order, and releases `held` credits. */
  const spend = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    charges: ReadonlyArray<{ readonly owner: string; readonly amount: number }>,
    { account, heldCredits }: { readonly account: Accounts.Account; readonly heldCredits: number }
  ) {
    let balance = account
    const entries = charges.flatMap(({ amount, owner }) => {
      const parts = Accounts.splitAmount(balance, amount)
      balance = Accounts.afterSpending(balance, parts)
      return parts.map(([bucket, part]) => ({
        operation: `capture:${owner}`,
        bucket,
        amount: -part,
        kind: "capture",
        ref: owner
      }))
    })
    const total = charges.reduce((sum, { amount }) => sum + amount, 0)
    yield* sql`
      UPDATE credit_accounts
      SET held = held - ${heldCredits}, monthly = ${balance.monthly}, rollover = ${balance.rollover}, addon = ${balance.addon},
          payg_used = ${balance.payg_used}, used_period = used_period + ${total}, used_total = used_total + ${total}
      WHERE workspace_id = ${workspace}`
    const timestamp = yield* now
    yield* insertEntries(workspace, timestamp, entries)
    yield* countUsed(account, timestamp, total)
    yield* sql.afterCommit(add(creditsCaptured, total))
    const low = Accounts.crossedThreshold(account, balance)
    if (low !== undefined) yield* events.record(workspace, "credits.low", low)
  })

  /** The entries of one operation, by bucket. */
  const findEntries = (workspace: WorkspaceId, operation: string) =>
    sql<{ readonly bucket: Accounts.Bucket; readonly amount: number; readonly at: string }>`
      SELECT bucket, amount, at FROM credit_entries
      WHERE workspace_id = ${workspace}
        AND ${sql.in(
          "operation",
          Accounts.buckets.map((bucket) => `${operation}:${bucket}`)
        )}`

  return { append, countUsed, entriesOf: findEntries, load, loadHolding, loadLocked, save, spend }
})
