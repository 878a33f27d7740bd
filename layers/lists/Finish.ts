// layers/lists/Finish.ts: ends a list after its last job, and queues its files and the completion mail.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Claim, Queue } from "#layers/Queue.ts"
import { order, short } from "#layers/lists/Exports.ts"
import { now } from "#layers/lib/Now.ts"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue

  /** Runs in the transaction that ends a job of the list. */
  return Effect.fnUntraced(function* (claim: Claim) {
    const { subject, workspace_id } = claim
    const at = yield* now
    const ofList = sql`SELECT id FROM jobs WHERE subject = ${subject} AND workspace_id = ${workspace_id}`
    // Reads one row: counting all jobs after each would be quadratic for a long list.
    const [rest] = yield* sql<{ readonly is: "open" | "parked" | "ended" }>`
      SELECT CASE
        WHEN EXISTS (${ofList} AND status IN ('waiting', 'pending', 'processing')) THEN 'open'
        WHEN EXISTS (${ofList} AND status = 'parked') THEN 'parked'
        ELSE 'ended' END AS "is"`
    if (rest?.is === "open") return
    if (rest?.is === "parked") {
      yield* sql`
        UPDATE lists SET processing_status = 'pending', updated_at = ${at}
        WHERE id = ${subject} AND workspace_id = ${workspace_id}`
      return
    }
    const [finished] = yield* sql<{ readonly recipient: string | null; readonly leads_done: number }>`
      UPDATE lists SET
        processing_status = CASE WHEN leads_done > 0 THEN 'completed' ELSE 'failed' END,
        completed_at = CASE WHEN leads_done > 0 THEN ${at} END,
        failed_at = CASE WHEN leads_done > 0 THEN NULL ELSE ${at} END,
        updated_at = ${at}
      WHERE id = ${subject} AND workspace_id = ${workspace_id} AND processing_status NOT IN ('completed', 'failed')
      RETURNING recipient, leads_done`
    if (finished !== undefined && finished.leads_done > short) yield* queue.enqueue([order(workspace_id, subject)])
    if (typeof finished?.recipient !== "string") return
    yield* queue.enqueue([{ workspace: workspace_id, type: "mail.completion", subject }])
  }, Effect.orDie)
})
