// src/http/Idempotent.ts: a handler's work under its caller's Idempotency-Key.
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Idempotency } from "#layers/Idempotency.ts"
import { CurrentKey } from "#schema/Auth.ts"
import type { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { Facts } from "#src/http/RequestLog.ts"

/** Wraps the work of a request; without the header it is done as it is. */
export const idempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const { digestHex } = yield* Digest.Digest
  const encoder = new TextEncoder()

  return <A, E, R>(
    asked: {
      readonly endpoint: HttpApiEndpoint.Top
      readonly headers: IdempotencyHeaders
      readonly request: HttpServerRequest.HttpServerRequest
    },
    work: Effect.Effect<A, E, R>
  ) => {
    const { endpoint, headers, request } = asked
    const key = headers["idempotency-key"]
    if (key === undefined) return work
    return Effect.gen(function* () {
      const { workspace_id } = yield* CurrentKey
      // A body that nobody asked for says nothing, and is not read.
      const body = endpoint.payload.size === 0 ? "" : yield* Effect.orDie(request.text)
      const { answer, replayed } = yield* idempotency.once(
        {
          workspace: workspace_id,
          operation: `${request.method} ${request.url.split("?", 1)[0]}`,
          key,
          fingerprint: yield* Effect.orDie(digestHex(Digest.sha256, encoder.encode(body)))
        },
        work
      )
      const facts = yield* Facts
      if (replayed && facts !== undefined) facts.headers = { ...facts.headers, "idempotent-replayed": "true" }
      return answer
    })
  }
}).pipe(Effect.provide(Digest.layerWebCrypto))
