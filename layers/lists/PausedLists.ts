// layers/lists/PausedLists.ts: pending lists, which wait for their campaign's build, for a person to resume them, or
// for the model.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { Queue } from "#layers/Queue.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import * as ListEvents from "#layers/lists/ListEvents.ts"
import { Backoff, backoffDelay } from "#layers/model/Health.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"

const DueList = Schema.Struct({ id: Schema.String, workspace_id: WorkspaceId, resumes: Schema.Int })
type DueList = typeof DueList.Type

/**
 * Schedules a list to resume, in the transaction that parks its batch. Skips single leads, whose caller got an error.
 */
export const pauseList = Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
  const sql = yield* SqlClient.SqlClient
  const [currentRow] = yield* sql<{ readonly resumes: number }>`
    SELECT CASE WHEN leads_done > resumed_done THEN 0 ELSE resumes END AS resumes FROM lists
    WHERE id = ${list} AND workspace_id = ${workspace}`
  // Backs off for a list that makes no progress, even if probes of the model succeed.
  const resumes = currentRow?.resumes ?? 0
  const resume_at = (yield* Clock.currentTimeMillis) + backoffDelay(yield* Backoff, resumes)
  yield* sql`
    UPDATE lists SET paused_by = 'model', resumes = ${resumes}, resume_at = ${resume_at}
    WHERE id = ${list} AND workspace_id = ${workspace} AND kind = 'batch'`
})

export class PausedLists extends Context.Service<
  PausedLists,
  {
    /** The lists whose pause has ended. */
    readonly findDue: Effect.Effect<ReadonlyArray<DueList>>
    /** Makes the list's batches pending, unless the list was resumed already. */
    readonly resume: (list: DueList) => Effect.Effect<void>
  }
>()("overture/layers/lists/Pending") {
  static readonly layer = Layer.effect(
    PausedLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const record = yield* ListEvents.make

      const findDueLists = SqlSchema.findAll({
        Request: Schema.Struct({ at: Schema.Int, latest: Schema.Int }),
        Result: DueList,
        execute: ({ at, latest }) => sql`
          SELECT id, workspace_id, resumes FROM lists
          WHERE paused_by = 'model' AND (resume_at <= ${at} OR resume_at > ${latest}) AND campaign_id IS NOT NULL`
      })

      return PausedLists.of({
        findDue: Effect.gen(function* () {
          const currentMillis = yield* Clock.currentTimeMillis
          return yield* findDueLists({ at: currentMillis, latest: currentMillis + (yield* Backoff).longestMillis })
        }).pipe(Effect.orDie),

        resume: Effect.fn("PausedLists.resume")(function* ({ id, workspace_id }) {
          const resumedRows = yield* sql`
            UPDATE lists SET processing_status = 'processing', paused_by = NULL, resumes = resumes + 1,
              resumed_done = leads_done, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${workspace_id} AND paused_by = 'model' RETURNING id`
          if (resumedRows.length === 0) return
          yield* queue.resume(workspace_id, id)
          yield* record(workspace_id, "list.resumed", id)
        }, inTransaction(sql))
      })
    })
  )
}

const buildReplaced = "The campaign was changed before its build was done"

/** The state that decides whether and how a list can be resumed. */
const PendingState = Schema.Struct({
  /** Null if the campaign was deleted. */
  campaign_id: Schema.NullOr(Schema.String),
  /** Whether the list has a brief. */
  briefed: Schema.BooleanFromBit,
  /** Number of parked batches. */
  pending: Schema.Int,
  /** Number of batches. */
  total: Schema.Int
})
export type PendingState = typeof PendingState.Type

/** The part of `Lists` that makes lists pending and resumes them. */
export const makePendingLists = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const queue = yield* Queue
  const record = yield* ListEvents.make

  const findPendingState = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: PendingState,
    execute: ({ id, workspace }) => sql`
      SELECT campaign_id, CASE WHEN brief IS NULL AND brief_id IS NULL THEN 0 ELSE 1 END AS briefed, count(j.id) AS total,
        COALESCE(sum(CASE WHEN j.status = 'parked' THEN 1 ELSE 0 END), 0) AS pending
      FROM lists l LEFT JOIN jobs j ON j.subject = l.id AND j.workspace_id = l.workspace_id
      WHERE l.id = ${id} AND l.workspace_id = ${workspace} GROUP BY l.id`
  })

  return {
    brief: Effect.fn("Lists.brief")(function* (workspace: WorkspaceId, campaign: string, brief: string) {
      yield* sql`
        UPDATE lists SET brief = ${brief}
        WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND brief IS NULL
          AND brief_id IS NULL AND processing_status = 'processing'`
    }, Effect.orDie),

    makePending: Effect.fn("Lists.makePending")(function* (workspace: WorkspaceId, campaign: string) {
      const lists = yield* sql<{ readonly id: string }>`
        UPDATE lists SET processing_status = 'pending', updated_at = ${yield* now}
        WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND brief IS NULL
          AND brief_id IS NULL AND processing_status = 'processing'
        RETURNING id`
      for (const { id } of lists) {
        const leads = yield* sql<{ readonly id: string }>`
          UPDATE leads SET error = ${buildReplaced}
          WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'pending' RETURNING id`
        yield* credits.release(
          workspace,
          leads.map((lead) => lead.id)
        )
        yield* record(workspace, "list.paused", id)
      }
    }, Effect.orDie),

    pendingState: (workspace: WorkspaceId, id: string) =>
      findPendingState({ workspace, id }).pipe(
        Effect.orDie,
        Effect.flatMap(Effect.fromOption(() => NotFound.of("list")))
      ),

    resume: Effect.fn("Lists.resume")(function* (workspace: WorkspaceId, id: string, gate: string | undefined) {
      // A list that was accepted with a brief keeps it.
      const brief =
        gate === undefined
          ? sql`CASE WHEN brief_id IS NULL
              THEN COALESCE(brief, (SELECT c.brief FROM campaigns c WHERE c.id = lists.campaign_id AND c.workspace_id = ${workspace}))
              ELSE brief END`
          : sql`brief`
      yield* sql`
        UPDATE lists SET processing_status = 'processing', brief = ${brief}, paused_by = NULL, resumes = 0,
          updated_at = ${yield* now}
        WHERE id = ${id} AND workspace_id = ${workspace}`
      yield* queue.resume(workspace, id, gate)
      yield* record(workspace, "list.resumed", id)
    }, Effect.orDie)
  }
})
