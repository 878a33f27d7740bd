// layers/credits/Holds.ts: holds on credits, which become charges or are released.
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Accounts from "#layers/credits/Account.ts"
import * as CreditStore from "#layers/credits/Store.ts"
import { joinTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** The part of `Credits` that is implemented here. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { loadHolding, loadLocked, spend } = yield* CreditStore.make

  return {
    hold: traced("Credits.hold")(function* (workspace: WorkspaceId, owners: ReadonlyArray<string>, each: number) {
      const account = yield* loadLocked(workspace)
      const standing = yield* sql<{ readonly owner: string }>`
        SELECT owner FROM credit_holds WHERE workspace_id = ${workspace} AND ${sql.in("owner", owners)}`
      const held = new Set(standing.map((row) => row.owner))
      const wanting = [...new Set(owners)].filter((owner) => !held.has(owner))
      const covered = wanting.slice(0, Math.floor(Accounts.availableCredits(account) / each))
      const created_at = yield* now
      if (Arr.isReadonlyArrayNonEmpty(covered)) {
        yield* sql`
          UPDATE credit_accounts SET held = held + ${covered.length * each} WHERE workspace_id = ${workspace}`
        yield* sql`
          INSERT INTO credit_holds ${sql.insert(
            Arr.map(covered, (owner) => ({ owner, workspace_id: workspace, amount: each, created_at }))
          )}`
      }
      const all = new Set([...held, ...covered])
      return owners.filter((owner) => all.has(owner))
    }, joinTransaction(sql)),

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
      const owed = owners.flatMap((owner) => {
        const amount = amounts.get(owner)
        amounts.delete(owner)
        return amount === undefined ? [] : [{ owner, amount }]
      })
      const held = owed.reduce((sum, { amount }) => sum + amount, 0)
      yield* spend(workspace, owed, { account: yield* loadLocked(workspace), held })
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
})
