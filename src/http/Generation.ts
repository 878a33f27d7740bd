// src/http/Generation.ts: asking for emails.
import { Effect, type Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { Generation } from "#layers/Generation.ts"
import { Api } from "#schema/Api.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BatchOfLeads, glance } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import { decodeBody } from "#src/http/body/Decode.ts"
import { group } from "#src/http/Group.ts"

/** A batch may hold so many leads that to decode all of them at once would keep everybody else waiting. */
const batch = decodeBody({ list: "leads", entry: Lead, glance, whole: BatchOfLeads })

/** As any endpoint's body that does not decode; handlers are not said to fail so, but src/http/RequestErrors.ts hears it. */
const notDecoded = (cause: Schema.SchemaError) =>
  Effect.fail(new HttpApiError.HttpApiSchemaError({ kind: "Payload", cause }) as never)

export const GenerationHandlers = group(
  Api,
  "generation",
  Effect.fnUntraced(function* (handlers) {
    const generation = yield* Generation

    return handlers
      .handleRaw(
        "generateBatch",
        Effect.fnUntraced(function* ({ params, request }) {
          const { workspace_id } = yield* CurrentPrincipal
          const { count, entries, rest } = yield* Effect.catchTag(batch(request), "SchemaError", notDecoded)
          const leads = { count, parts: entries }
          const { list_id, notices } = yield* generation.batch(workspace_id, params.id, leads, rest.options)
          return {
            list_id,
            sequence_id: list_id,
            status: "processing",
            leads_count: count,
            message: `Writing to ${count} leads; follow GET /api/v1/lists/${list_id}`,
            ...(notices.length > 0 && { notices })
          }
        })
      )
      .handleAll({
        generate: Effect.fnUntraced(function* ({ params, payload }) {
          const { workspace_id } = yield* CurrentPrincipal
          const { notices, ...written } = yield* generation.single(
            workspace_id,
            params.id,
            payload.lead,
            payload.options
          )
          return { ...written, sequence_id: written.list_id, ...(notices.length > 0 && { notices }) }
        })
      })
  })
)
