// layers/lists/Waiting.ts: lists that wait for the build of their campaign, and pending lists until they are resumed.
import { Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { Queue } from "#layers/Queue.ts"
import { now } from "#layers/lib/Now.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"

const overtaken = "The campaign was changed before its build was done"

/** The reason why a list is pending. */
const Resting = Schema.Struct({
  /** Null once the campaign is deleted. */
  campaign_id: Schema.NullOr(Schema.String),
  /** Whether it has what it is written from. */
  briefed: Schema.BooleanFromBit,
  /** Batches that were laid aside. */
  pending: Schema.Int,
  /** Batches of the list. */
  total: Schema.Int
})
export type Resting = typeof Resting.Type

/** What `Lists` promises of these. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const queue = yield* Queue

  const resting = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: Resting,
    execute: ({ id, workspace }) => sql`
      SELECT campaign_id, CASE WHEN brief IS NULL THEN 0 ELSE 1 END AS briefed, count(j.id) AS total,
        COALESCE(sum(CASE WHEN j.status = 'parked' THEN 1 ELSE 0 END), 0) AS pending
      FROM lists l LEFT JOIN jobs j ON j.subject = l.id AND j.workspace_id = l.workspace_id
      WHERE l.id = ${id} AND l.workspace_id = ${workspace} GROUP BY l.id`
  })

  return {
    brief: Effect.fn("Lists.brief")(function* (workspace: WorkspaceId, campaign: string, brief: string) {
      yield* sql`
        UPDATE lists SET brief = ${brief}
        WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND brief IS NULL
          AND processing_status = 'processing'`
    }, Effect.orDie),

    rest: Effect.fn("Lists.rest")(function* (workspace: WorkspaceId, campaign: string) {
      const lists = yield* sql<{ readonly id: string }>`
        UPDATE lists SET processing_status = 'pending', updated_at = ${yield* now}
        WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND brief IS NULL
          AND processing_status = 'processing'
        RETURNING id`
      for (const { id } of lists) {
        const leads = yield* sql<{ readonly id: string }>`
          UPDATE leads SET error = ${overtaken}
          WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'pending' RETURNING id`
        yield* credits.release(
          workspace,
          leads.map((lead) => lead.id)
        )
      }
    }, Effect.orDie),

    resting: (workspace: WorkspaceId, id: string) =>
      resting({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(Effect.fromOption(() => NotFound.of("list")))),

    resume: Effect.fn("Lists.resume")(function* (workspace: WorkspaceId, id: string, gate: string | undefined) {
      // What it was accepted with stays what it is written from.
      const brief =
        gate === undefined
          ? sql`COALESCE(brief, (SELECT c.brief FROM campaigns c WHERE c.id = lists.campaign_id AND c.workspace_id = ${workspace}))`
          : sql`brief`
      yield* sql`
        UPDATE lists SET processing_status = 'processing', brief = ${brief}, paused_by = NULL, resumes = 0,
          updated_at = ${yield* now}
        WHERE id = ${id} AND workspace_id = ${workspace}`
      yield* queue.resume(workspace, id, gate)
    }, Effect.orDie)
  }
})
