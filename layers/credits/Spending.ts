// layers/credits/Spending.ts: holds on credits, which become charges or are released, and charges without a hold with their refunds.
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Accounts from "#layers/credits/Account.ts"
import * as CreditStore from "#layers/credits/Store.ts"
import { inTransaction, joinTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import { add, creditsRefunded } from "#layers/Metrics.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** Leads are charged through holds, one for each lead. */
const makeHolds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { loadHolding, loadLocked, spend } = yield* CreditStore.make

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

    /**
     * Charges exactly once: deleting the hold and spending its credits are one transaction, and a repeated call finds no
     * hold.
     */
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
})

/** Previews and rewrites are charged at once, and refunded in part if less is written. */
const makeCharges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { append, countUsed, findEntries, loadLocked, spend } = yield* CreditStore.make

  return {
    charge: traced("Credits.charge")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* Effect.orDie(loadLocked(workspace))
      yield* Accounts.requireCovered(account, amount)
      yield* Effect.orDie(spend(workspace, [{ owner, amount }], { account, heldCredits: 0 }))
    }, inTransaction(sql)),

    /** Refunds up to `amount` of a charge, once: to the buckets that were spent last, and to `addon` where their period has ended. */
    refund: traced("Credits.refund")(function* (workspace: WorkspaceId, owner: string, amount: number) {
      const account = yield* loadLocked(workspace)
      if ((yield* findEntries(workspace, `refund:${owner}`)).length > 0) return
      const chargeEntries = yield* findEntries(workspace, `capture:${owner}`)
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
})

/** The part of `Credits` that holds, charges and refunds. */
export const make = Effect.gen(function* () {
  return { ...(yield* makeHolds), ...(yield* makeCharges) }
})
