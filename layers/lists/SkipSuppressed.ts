// layers/lists/SkipSuppressed.ts: leaves out the leads of a batch that were suppressed after their list was accepted.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Now.ts"
import type { PendingLead } from "#layers/lists/LeadColumns.ts"
import { type Claim, Queue } from "#layers/Queue.ts"
import { Suppressions } from "#layers/Suppressions.ts"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const queue = yield* Queue
  const suppressions = yield* Suppressions

  const leaveOut = Effect.fnUntraced(function* (
    claim: Claim,
    leads: ReadonlyArray<{ readonly id: string; readonly reason: string }>
  ) {
    const { subject, workspace_id } = claim
    yield* queue.holding(claim)
    let count = 0
    for (const { id, reason } of leads) {
      const left = yield* sql`
        UPDATE leads
        SET status = 'skipped', skipped = ${reason}, error = ${`Left out: ${reason}`}, failure = NULL, suspect = 0
        WHERE id = ${id} AND workspace_id = ${workspace_id} AND status = 'pending' RETURNING id`
      count += left.length
    }
    yield* credits.release(
      workspace_id,
      leads.map(({ id }) => id)
    )
    yield* sql`
      UPDATE lists SET leads_skipped = leads_skipped + ${count}, updated_at = ${yield* now}
      WHERE id = ${subject} AND workspace_id = ${workspace_id}`
  }, inTransaction(sql))

  /** Returns the leads that may be written to. */
  return Effect.fnUntraced(function* (claim: Claim, leads: ReadonlyArray<PendingLead>) {
    const reasons = yield* suppressions.reasons(claim.workspace_id, leads)
    const left = leads.flatMap(({ id }, at) => {
      const reason = reasons[at]
      return reason === undefined ? [] : [{ id, reason }]
    })
    if (left.length === 0) return leads
    yield* leaveOut(claim, left)
    return leads.filter((_, at) => reasons[at] === undefined)
  })
})
