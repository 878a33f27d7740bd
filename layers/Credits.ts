// layers/Credits.ts: an append-only ledger of credits, and holds on credits for work that is not finished.
import { Array as Arr, Context, Duration, Effect, flow, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import * as Accounts from "#layers/credits/Account.ts"
import * as CreditStore from "#layers/credits/Store.ts"
import { inTransaction, joinTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import { add, creditsRefunded } from "#layers/Metrics.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { CreditAccount, CreditCheck, CreditUsage, Tier } from "#schema/Credits.ts"
import { Forbidden, InsufficientCredits, NotFound } from "#schema/Errors.ts"

export const LedgerEntry = Schema.Struct({
  id: Schema.String,
  at: Schema.String,
  bucket: Schema.String,
  /** Signed: positive for credits received. */
  amount: Schema.Int,
  kind: Schema.String,
  ref: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String)
})
export type LedgerEntry = typeof LedgerEntry.Type

/** Leads are charged through holds, one for each lead. */
const makeHolds = (sql: SqlClient.SqlClient, { loadHolding, loadLocked, spend }: CreditStore.CreditStore) => {
  return {
    /** Covers as many owners as the credits allow: a worker writes those leads of its batch, and the others stay pending. */
    hold: traced("Credits.hold")(function* (
      workspace: WorkspaceId,
      owners: ReadonlyArray<string>,
      creditsPerOwner: number
    ) {
      const account = yield* loadLocked(workspace)
      const existingHolds = yield* sql<{ readonly owner: string }>`
        SELECT owner FROM credit_holds WHERE workspace_id = ${workspace} AND ${sql.in("owner", owners)}`
      const ownersWithHold = new Set(existingHolds.map((row) => row.owner))
      const withoutHold = [...new Set(owners)].filter((owner) => !ownersWithHold.has(owner))
      const coveredOwners = withoutHold.slice(0, Math.floor(Accounts.availableCredits(account) / creditsPerOwner))
      const created_at = yield* now
      if (Arr.isReadonlyArrayNonEmpty(coveredOwners)) {
        yield* sql`
          UPDATE credit_accounts SET held = held + ${coveredOwners.length * creditsPerOwner} WHERE workspace_id = ${workspace}`
        yield* sql`
          INSERT INTO credit_holds ${sql.insert(
            Arr.map(coveredOwners, (owner) => ({ owner, workspace_id: workspace, amount: creditsPerOwner, created_at }))
          )}`
      }
      const holders = new Set([...ownersWithHold, ...coveredOwners])
      return owners.filter((owner) => holders.has(owner))
    }, joinTransaction(sql)),

    /** All or nothing: a lead that is sent alone is refused if the account does not cover it. */
    reserve: traced("Credits.reserve")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* Effect.orDie(loadHolding(workspace, amount))
      yield* Accounts.requireCovered({ ...account, held: account.held - amount }, amount)
      yield* Effect.orDie(sql`
        INSERT INTO credit_holds (owner, workspace_id, amount, created_at)
        VALUES (${owner}, ${workspace}, ${amount}, ${yield* now})`)
    }),

    capture: Effect.fnUntraced(function* (workspace: WorkspaceId, owners: ReadonlyArray<string>) {
      const holds = yield* sql<{ readonly owner: string; readonly amount: number }>`
        DELETE FROM credit_holds WHERE workspace_id = ${workspace} AND ${sql.in("owner", owners)}
        RETURNING owner, amount`
      if (holds.length === 0) return
      const amounts = new Map(holds.map(({ amount, owner }) => [owner, amount]))
      const chargesToSpend = owners.flatMap((owner) => {
        const amount = amounts.get(owner)
        amounts.delete(owner)
        return amount === undefined ? [] : [{ owner, amount }]
      })
      const heldCredits = chargesToSpend.reduce((sum, { amount }) => sum + amount, 0)
      yield* spend(workspace, chargesToSpend, { account: yield* loadLocked(workspace), heldCredits })
    }, joinTransaction(sql)),

    release: traced("Credits.release")(function* (workspace: WorkspaceId, owners: ReadonlyArray<string>) {
      const released = yield* sql<{ readonly amount: number }>`
        DELETE FROM credit_holds WHERE workspace_id = ${workspace} AND ${sql.in("owner", owners)}
        RETURNING amount`
      const amount = released.reduce((sum, row) => sum + row.amount, 0)
      if (amount === 0) return
      yield* sql`UPDATE credit_accounts SET held = held - ${amount} WHERE workspace_id = ${workspace}`
    }, joinTransaction(sql))
  }
}

/** Previews and rewrites are charged at once, and refunded in part if less is written. */
const makeCharges = (
  sql: SqlClient.SqlClient,
  { append, countUsed, entriesOf, loadLocked, spend }: CreditStore.CreditStore
) => {
  return {
    charge: traced("Credits.charge")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* Effect.orDie(loadLocked(workspace))
      yield* Accounts.requireCovered(account, amount)
      yield* Effect.orDie(spend(workspace, [{ owner, amount }], { account, heldCredits: 0 }))
    }, inTransaction(sql)),

    refund: traced("Credits.refund")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* loadLocked(workspace)
      if ((yield* entriesOf(workspace, `refund:${owner}`)).length > 0) return
      const chargeEntries = yield* entriesOf(workspace, `capture:${owner}`)
      const refundedCredits = Accounts.zeroBuckets()
      let remaining = amount
      let refundedThisPeriod = 0
      for (const bucket of Accounts.buckets.toReversed()) {
        const entry = chargeEntries.find((entry) => entry.bucket === bucket)
        if (entry === undefined) continue
        const bucketRefund = Math.min(remaining, -entry.amount)
        const isCurrentPeriod = entry.at >= account.period_start
        const expires = !isCurrentPeriod && (bucket === "monthly" || bucket === "rollover" || bucket === "payg")
        refundedCredits[expires ? "addon" : bucket] += bucketRefund
        if (isCurrentPeriod) {
          refundedThisPeriod += bucketRefund
          yield* countUsed(account, entry.at, -bucketRefund)
        }
        remaining -= bucketRefund
      }
      yield* sql`
        UPDATE credit_accounts
        SET monthly = monthly + ${refundedCredits.monthly}, rollover = rollover + ${refundedCredits.rollover},
            addon = addon + ${refundedCredits.addon}, payg_used = payg_used - ${refundedCredits.payg},
            used_period = used_period - ${refundedThisPeriod}, used_total = used_total - ${amount - remaining}
        WHERE workspace_id = ${workspace}`
      yield* append(
        workspace,
        `refund:${owner}`,
        Accounts.buckets.map((bucket) => [bucket, refundedCredits[bucket]] as const),
        { kind: "refund", ref: owner }
      )
      yield* sql.afterCommit(add(creditsRefunded, amount - remaining))
    }, inTransaction(sql))
  }
}

const dayMillis = Duration.toMillis("1 day")
const toDay = (timestamp: string) => timestamp.slice(0, 10)

/** The UTC days from `first` to `last`. */
const daysBetween = (firstDay: string, lastDay: string): ReadonlyArray<string> => {
  const start = Date.parse(firstDay)
  const length = (Date.parse(lastDay) - start) / dayMillis + 1
  return Array.from({ length }, (_, i) => toDay(new Date(start + i * dayMillis).toISOString()))
}

/** The credits spent in a period, by day. */
const makeUsage = (sql: SqlClient.SqlClient) => {
  const findDays = SqlSchema.findAll({
    Request: Schema.String,
    Result: Schema.Struct({ date: Schema.String, used: Schema.Int }),
    execute: (workspace) => sql`SELECT day AS date, used FROM credit_days WHERE workspace_id = ${workspace}`
  })

  return Effect.fnUntraced(function* ({ period_end, period_start, workspace_id }: Accounts.Account) {
    const spentByDay = yield* Effect.orDie(findDays(workspace_id))
    const usedByDate = new Map(spentByDay.map((day) => [day.date, day.used]))
    // If the clock was set back, there may be entries for days after today.
    const days = [period_start, yield* now]
      .map(toDay)
      .concat([...usedByDate.keys()])
      .toSorted()
    return {
      period: { start: period_start, end: period_end },
      days: daysBetween(toDay(period_start), days.at(-1) ?? toDay(period_start)).map((date) => ({
        date,
        used: usedByDate.get(date) ?? 0
      }))
    } satisfies CreditUsage
  })
}

export class Credits extends Context.Service<
  Credits,
  {
    /** Opens the account of a new workspace and grants the credits of its first period. */
    readonly openAccount: (workspace: WorkspaceId, tier: Tier) => Effect.Effect<void>
    /** NOT_FOUND when the workspace has no subscription. */
    readonly account: (workspace: WorkspaceId) => Effect.Effect<CreditAccount, NotFound>
    /** Credits spent in this period, by day. NOT_FOUND when the workspace has no subscription. */
    readonly usage: (workspace: WorkspaceId) => Effect.Effect<CreditUsage, NotFound>
    /** The credits that are available, and whether they cover `required`. */
    readonly check: (workspace: WorkspaceId, required: number) => Effect.Effect<typeof CreditCheck.Type>
    /** Fails unless the account has `required` credits available. Holds nothing. */
    readonly require: (workspace: WorkspaceId, required: number) => Effect.Effect<void, InsufficientCredits>
    /**
     * Holds `each` credits for every owner, in order, until no credits are available; returns the owners that have a
     * hold. An existing hold is kept and costs nothing more.
     */
    readonly hold: (
      workspace: WorkspaceId,
      owners: ReadonlyArray<string>,
      creditsPerOwner: number
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Holds `amount` credits for a new owner in the caller's transaction, which must roll back if this fails. */
    readonly reserve: (
      workspace: WorkspaceId,
      owner: string,
      amount: number
    ) => Effect.Effect<void, InsufficientCredits>
    /** Turns the owners' holds into charges. Skips owners without a hold: they were captured before. */
    readonly capture: (workspace: WorkspaceId, owners: ReadonlyArray<string>) => Effect.Effect<void>
    /** Charges `owner` for `amount` credits at once; `refund` returns the unused ones. */
    readonly charge: (workspace: WorkspaceId, owner: string, amount: number) => Effect.Effect<void, InsufficientCredits>
    /**
     * Returns up to `amount` credits of the owner's charge, once: a second refund does nothing. Refunds the last bucket
     * charged first. Credits of a period that has ended become addon credits, which do not expire.
     */
    readonly refund: (workspace: WorkspaceId, owner: string, amount: number) => Effect.Effect<void>
    /** Deletes the owners' holds. Owners without a hold are skipped. */
    readonly release: (workspace: WorkspaceId, owners: ReadonlyArray<string>) => Effect.Effect<void>
    /** Counts one campaign build. FORBIDDEN when the period's builds are used up. */
    readonly countBuild: (workspace: WorkspaceId) => Effect.Effect<void, Forbidden>
    /** Whether the plan never refuses. */
    readonly isUnlimited: (workspace: WorkspaceId) => Effect.Effect<boolean>
    readonly concurrentLists: (workspace: WorkspaceId) => Effect.Effect<number>
    /** Adds addon credits, as an operator. */
    readonly grant: (workspace: WorkspaceId, amount: number, note: string | null) => Effect.Effect<CreditAccount>
    /** Changes the plan within its period, and grants what the new one allows beyond the old. */
    readonly setPlan: (workspace: WorkspaceId, change: Accounts.PlanChange) => Effect.Effect<CreditAccount>
    /**
     * Starts a new period for every account whose period has ended. Reading an account does the same for that account.
     */
    readonly renew: Effect.Effect<void>
    /** The ledger, oldest first. */
    readonly ledger: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  }
>()("overture/layers/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const store = yield* CreditStore.make
      const { append, load, loadLocked, save } = store
      const usage = makeUsage(sql)

      const requireSubscription = Effect.fnUntraced(function* (workspace: WorkspaceId) {
        const account = yield* Effect.orDie(load(workspace))
        return account.tier === "none"
          ? yield* new NotFound({ message: "This workspace has no subscription" })
          : account
      })

      return Credits.of({
        ...makeHolds(sql, store),
        ...makeCharges(sql, store),

        openAccount: traced("Credits.open")(function* (workspace, tier) {
          const account = Accounts.openAccount(workspace, tier, yield* now)
          yield* sql`INSERT INTO credit_accounts ${sql.insert(Accounts.encodeAccount(account))}`
          const { monthly, period_start } = account
          yield* append(workspace, `period:${period_start}`, [["monthly", monthly]], { kind: "grant" })
        }, Effect.orDie),

        account: traced("Credits.account")(function* (workspace) {
          return Accounts.toCreditAccount(yield* requireSubscription(workspace))
        }),

        usage: traced("Credits.usage")(function* (workspace) {
          return yield* usage(yield* requireSubscription(workspace))
        }),

        check: traced("Credits.check")(function* (workspace, required) {
          const account = yield* load(workspace)
          return {
            ...Accounts.shortfall(account, required),
            sufficient: Accounts.availableCredits(account) >= required
          }
        }, Effect.orDie),

        require: traced("Credits.require")(function* (workspace, required) {
          yield* Accounts.requireCovered(yield* Effect.orDie(load(workspace)), required)
        }),

        isUnlimited: (workspace) => Effect.orDie(Effect.map(load(workspace), ({ is_unlimited }) => is_unlimited)),

        countBuild: traced("Credits.countBuild")(function* (workspace) {
          const account = yield* Effect.orDie(load(workspace))
          const limit = Accounts.buildLimit(account)
          const updatedRows = yield* Effect.orDie(sql`
            UPDATE credit_accounts SET builds_used = builds_used + 1
            WHERE workspace_id = ${workspace} AND builds_used < ${limit} RETURNING builds_used`)
          if (updatedRows.length === 0) {
            return yield* new Forbidden({
              message: `The plan allows ${limit} campaign builds a period, and all are used`,
              detail: { reason: "campaign_build_limit", limit, used: account.builds_used }
            })
          }
        }),

        concurrentLists: (workspace) =>
          Effect.orDie(Effect.map(load(workspace), (account) => Accounts.planOf(account).concurrent_lists)),

        grant: traced("Credits.grant")(function* (workspace, amount, note) {
          const account = yield* loadLocked(workspace)
          const operation = `grant:${yield* random.uuidV7()}`
          yield* append(workspace, operation, [["addon", amount]], { kind: "grant", note })
          return Accounts.toCreditAccount(yield* save({ ...account, addon: account.addon + amount }))
        }, inTransaction(sql)),

        setPlan: traced("Credits.setPlan")(function* (workspace, change) {
          const account = yield* loadLocked(workspace)
          const changedAccount = Accounts.changePlan(account, change)
          const operation = `plan:${yield* random.uuidV7()}`
          const additionalCredits = changedAccount.monthly - account.monthly
          yield* append(workspace, operation, [["monthly", additionalCredits]], {
            kind: "grant",
            note: `plan ${changedAccount.tier}`
          })
          return Accounts.toCreditAccount(yield* save(changedAccount))
        }, inTransaction(sql)),

        renew: Effect.gen(function* () {
          const expiredAccounts = yield* sql<{ readonly workspace_id: WorkspaceId }>`
            SELECT workspace_id FROM credit_accounts WHERE period_end <= ${yield* now}`
          yield* Effect.forEach(expiredAccounts, ({ workspace_id }) => load(workspace_id), { discard: true })
        }).pipe(Effect.orDie),

        ledger: flow(
          SqlSchema.findAll({
            Request: Schema.String,
            Result: LedgerEntry,
            execute: (workspace) => sql`
              SELECT id, at, bucket, amount, kind, ref, note FROM credit_entries
              WHERE workspace_id = ${workspace} ORDER BY at, id`
          }),
          Effect.orDie
        )
      })
    })
  )
}
