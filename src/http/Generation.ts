// src/http/Generation.ts: asking for emails, and what became of it.
import { Effect } from "effect"
import { group } from "#src/http/Lean.ts"
import { Generation } from "#layers/Generation.ts"
import { Jobs } from "#layers/Jobs.ts"
import { Api } from "#schema/Api.ts"
import { CurrentKey } from "#schema/Auth.ts"

export const GenerationHandlers = group(
  Api,
  "generation",
  Effect.fnUntraced(function* (handlers) {
    const generation = yield* Generation

    return handlers.handleAll({
      generate: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentKey
        const written = yield* generation.single(workspace_id, params.id, payload.lead, payload.options)
        return { ...written, sequence_id: written.list_id }
      }),
      generateBatch: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentKey
        const list_id = yield* generation.batch(workspace_id, params.id, payload.leads, payload.options)
        return {
          list_id,
          sequence_id: list_id,
          status: "processing",
          leads_count: payload.leads.length,
          message: `Writing to ${payload.leads.length} leads; follow GET /api/v1/lists/${list_id}`
        }
      })
    })
  })
)

export const JobsHandlers = group(
  Api,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs

    return handlers.handle(
      "getJob",
      Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return yield* jobs.find(workspace_id, params.id)
      })
    )
  })
)
