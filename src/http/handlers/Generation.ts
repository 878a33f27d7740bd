// src/http/handlers/Generation.ts: asking for emails.
import { Effect } from "effect"
import { Generation } from "#layers/Generation.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BatchOfLeads, digest, type SkippedCounts } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import { decodeLong } from "#src/http/body/Decode.ts"
import { handlersOf } from "#src/http/Handlers.ts"

/** A batch may hold so many leads that decoding all of them at once would block other requests. */
const batch = decodeLong({ list: "leads", entry: Lead, digest, whole: BatchOfLeads })

const leadsOf = (count: number, skipped: SkippedCounts | undefined) => {
  const { client = 0, duplicate = 0, suppressed = 0, written = 0 } = skipped ?? {}
  const leftOut = client + duplicate + suppressed + written
  return leftOut === 0 ? `${count} leads` : `${count - leftOut} of ${count} leads`
}

export const GenerationHandlers = Effect.gen(function* () {
  const generation = yield* Generation

  return handlersOf("generation", {
    generateBatch: {
      decode: batch,
      handler: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { count, entries, rest } = payload
        const leads = { count, parts: entries }
        const { list_id, notices, skipped } = yield* generation.batch(workspace_id, params.id, leads, rest.options)
        return {
          list_id,
          sequence_id: list_id,
          status: "processing",
          leads_count: count,
          message: `Writing to ${leadsOf(count, skipped)}; follow GET /api/v1/lists/${list_id}`,
          ...(skipped !== undefined && { skipped }),
          ...(notices.length > 0 && { notices })
        }
      })
    },
    generate: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { notices, ...written } = yield* generation.single(workspace_id, params.id, payload.lead, payload.options)
      return { ...written, sequence_id: written.list_id, ...(notices.length > 0 && { notices }) }
    })
  })
})
