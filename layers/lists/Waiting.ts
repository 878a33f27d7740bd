// layers/lists/Waiting.ts: lists that wait for the build of their campaign, and what becomes of them.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { buildGate, overall, State } from "#layers/campaigns/State.ts"
import { Credits } from "#layers/Credits.ts"
import { Jobs } from "#layers/Jobs.ts"
import { now } from "#layers/Now.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Unprocessable } from "#schema/Errors.ts"

const overtaken = "The campaign was changed before its build was done"

/** Each is part of the caller's transaction. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const jobs = yield* Jobs

  const { build, options, research, selected } = State.fields
  const progress = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
    Result: Schema.Struct({ build, options, research, selected }),
    execute: ({ campaign, workspace }) => sql`
      SELECT build, options, research, selected FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace}`
  })

  return {
    /** Gives them what they are written from, whatever is changed before their turn, and lets them go on. */
    brief: Effect.fn("Waiting.brief")(function* (workspace: WorkspaceId, campaign: string, brief: string) {
      yield* sql`
        UPDATE lists SET brief = ${brief}
        WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND brief IS NULL
          AND processing_status = 'processing'`
      yield* jobs.open(workspace, buildGate(campaign))
    }, Effect.orDie),

    /** Lays them aside: a change has overtaken the build, and it may be long until there is another. */
    rest: Effect.fn("Waiting.rest")(function* (workspace: WorkspaceId, campaign: string) {
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
      yield* jobs.layAside(workspace, buildGate(campaign))
    }, Effect.orDie),

    /** Lets one that rests go on: now from the build that is there, or after the one under way. Else UNPROCESSABLE. */
    goOn: Effect.fn("Waiting.goOn")(function* (workspace: WorkspaceId, campaign: string, list: string) {
      const state = Option.getOrUndefined(yield* Effect.orDie(progress({ workspace, campaign })))
      const far = state === undefined ? "draft" : overall(state)
      if (far === "building") return yield* jobs.resume(workspace, list, buildGate(campaign))
      if (far !== "ready") {
        return yield* new Unprocessable({
          message: "This list has nothing to be written from until its campaign's value propositions are selected anew"
        })
      }
      yield* Effect.orDie(sql`
        UPDATE lists SET brief = (SELECT c.brief FROM campaigns c WHERE c.id = ${campaign} AND c.workspace_id = ${workspace})
        WHERE id = ${list} AND workspace_id = ${workspace}`)
      yield* jobs.resume(workspace, list)
    })
  }
})
