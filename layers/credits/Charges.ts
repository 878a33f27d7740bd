// layers/credits/Charges.ts: charges without a hold, for previews, and their refunds. Leads are charged through Holds.ts.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Accounts from "#layers/credits/Account.ts"
import * as CreditStore from "#layers/credits/Store.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { add, creditsRefunded } from "#layers/Metrics.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** The part of `Credits` that is implemented here. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { append, countUsed, entered, loadLocked, spend } = yield* CreditStore.make

  return {
    charge: traced("Credits.charge")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* Effect.orDie(loadLocked(workspace))
      yield* Accounts.requireCovered(account, amount)
      yield* Effect.orDie(spend(workspace, [{ owner, amount }], { account, held: 0 }))
    }, inTransaction(sql)),

    refund: traced("Credits.refund")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* loadLocked(workspace)
      if ((yield* entered(workspace, `refund:${owner}`)).length > 0) return
      const charged = yield* entered(workspace, `capture:${owner}`)
      const back = Accounts.zeroBuckets()
      let left = amount
      let ofPeriod = 0
      for (const bucket of Accounts.buckets.toReversed()) {
        const entry = charged.find((entry) => entry.bucket === bucket)
        if (entry === undefined) continue
        const part = Math.min(left, -entry.amount)
        const current = entry.at >= account.period_start
        const ended = !current && (bucket === "monthly" || bucket === "rollover" || bucket === "payg")
        back[ended ? "addon" : bucket] += part
        if (current) {
          ofPeriod += part
          yield* countUsed(account, entry.at, -part)
        }
        left -= part
      }
      yield* sql`
        UPDATE credit_accounts
        SET monthly = monthly + ${back.monthly}, rollover = rollover + ${back.rollover},
            addon = addon + ${back.addon}, payg_used = payg_used - ${back.payg},
            used_period = used_period - ${ofPeriod}, used_total = used_total - ${amount - left}
        WHERE workspace_id = ${workspace}`
      yield* append(
        workspace,
        `refund:${owner}`,
        Accounts.buckets.map((bucket) => [bucket, back[bucket]] as const),
        { kind: "refund", ref: owner }
      )
      yield* sql.afterCommit(add(creditsRefunded, amount - left))
    }, inTransaction(sql))
  }
})
