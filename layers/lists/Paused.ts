// layers/lists/Paused.ts: lists that wait because the model could not be reached, and their resumption when it answers again.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { Queue } from "#layers/Queue.ts"
import { Backoff, pauseOf } from "#layers/model/Health.ts"
import { now } from "#layers/lib/Now.ts"
import { WorkspaceId } from "#schema/Auth.ts"

const Due = Schema.Struct({ id: Schema.String, workspace_id: WorkspaceId, resumes: Schema.Int })
type Due = typeof Due.Type

/** For the transaction that parks a batch: has its list resumed later. A single lead is not, since its caller got an error. */
export const pause = Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
  const sql = yield* SqlClient.SqlClient
  const [before] = yield* sql<{ readonly resumes: number }>`
    SELECT CASE WHEN leads_done > resumed_done THEN 0 ELSE resumes END AS resumes FROM lists
    WHERE id = ${list} AND workspace_id = ${workspace}`
  // A list that makes no progress is resumed less and less often, whatever the probe says.
  const resumes = before?.resumes ?? 0
  const resume_at = (yield* Clock.currentTimeMillis) + pauseOf(yield* Backoff, resumes)
  yield* sql`
    UPDATE lists SET paused_by = 'model', resumes = ${resumes}, resume_at = ${resume_at}
    WHERE id = ${list} AND workspace_id = ${workspace} AND kind = 'batch'`
})

export class PausedLists extends Context.Service<
  PausedLists,
  {
    /** Those whose pause is over. */
    readonly due: Effect.Effect<ReadonlyArray<Due>>
    /** Lets the batches of the list be taken again, unless a person was quicker. */
    readonly resume: (list: Due) => Effect.Effect<void>
  }
>()("overture/layers/lists/Paused") {
  static readonly layer = Layer.effect(
    PausedLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue

      const due = SqlSchema.findAll({
        Request: Schema.Struct({ at: Schema.Int, latest: Schema.Int }),
        Result: Due,
        execute: ({ at, latest }) => sql`
          SELECT id, workspace_id, resumes FROM lists
          WHERE paused_by = 'model' AND (resume_at <= ${at} OR resume_at > ${latest}) AND campaign_id IS NOT NULL`
      })

      return PausedLists.of({
        due: Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          return yield* due({ at, latest: at + (yield* Backoff).longestMillis })
        }).pipe(Effect.orDie),

        resume: Effect.fn("PausedLists.resume")(function* ({ id, workspace_id }) {
          const resumed = yield* sql`
            UPDATE lists SET processing_status = 'processing', paused_by = NULL, resumes = resumes + 1,
              resumed_done = leads_done, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${workspace_id} AND paused_by = 'model' RETURNING id`
          if (resumed.length > 0) yield* queue.resume(workspace_id, id)
        }, inTransaction(sql))
      })
    })
  )
}
