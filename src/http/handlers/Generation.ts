// src/http/handlers/Generation.ts: writes emails to one lead or to a batch of leads.
import { Effect, Schema } from "effect"
import { Generation } from "#layers/Generation.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { BatchOfLeads, researchStub, type SkippedCounts } from "#schema/Generation.ts"
import { type IdempotencyHeaders, IdempotencyKey } from "#schema/Idempotency.ts"
import { Lead } from "#schema/Lead.ts"
import { decodeLong } from "#src/http/Body.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"
import { handlersOf } from "#src/http/Handlers.ts"

/** Decoded in pieces, because decoding 50,000 leads at once would block other requests. */
const decodeBatch = decodeLong({ list: "leads", entry: Lead, digest: researchStub, wholeBody: BatchOfLeads })

const describeLeads = (count: number, skipped: SkippedCounts | undefined) => {
  const { client = 0, duplicate = 0, suppressed = 0, written = 0 } = skipped ?? {}
  const skippedCount = client + duplicate + suppressed + written
  return skippedCount === 0 ? `${count} leads` : `${count - skippedCount} of ${count} leads`
}

const isKey = Schema.is(IdempotencyKey)

/** generate-batch ignores the key by contract unless `options.idempotent` is set; the key is then required. */
const requireKey = Effect.fnUntraced(function* (headers: IdempotencyHeaders) {
  const key = headers["idempotency-key"]
  if (key === undefined) return yield* BadRequest.at("idempotency-key", "is required with options.idempotent")
  if (!isKey(key)) return yield* BadRequest.at("idempotency-key", "must be 1 to 255 visible ASCII characters")
  return headers
})

export const GenerationHandlers = Effect.gen(function* () {
  const generation = yield* Generation
  const runOnce = yield* idempotent

  return handlersOf("generation", {
    generateBatch: {
      decode: decodeBatch,
      handler: Effect.fnUntraced(function* ({ endpoint, headers, params, payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { body, count, entries } = payload
        const leads = { count, parts: entries }
        const accept = generation.acceptBatch(workspace_id, params.id, leads, body.options)
        const { list_id, notices, skipped } = yield* body.options.idempotent === true
          ? runOnce({ endpoint, params, headers: yield* requireKey(headers) }, accept)
          : accept
        return {
          list_id,
          sequence_id: list_id,
          status: "processing",
          leads_count: count,
          message: `Writing to ${describeLeads(count, skipped)}; follow GET /api/v1/lists/${list_id}`,
          ...(skipped !== undefined && { skipped }),
          ...(notices.length > 0 && { notices })
        }
      })
    },
    generate: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { marks, notices, ...written } = yield* generation.writeOne(
        workspace_id,
        params.id,
        payload.lead,
        payload.options
      )
      return { ...written, sequence_id: written.list_id, ...marks, ...(notices.length > 0 && { notices }) }
    })
  })
})
