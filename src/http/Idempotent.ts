// src/http/Idempotent.ts: a handler's work under its caller's Idempotency-Key.
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Attempt } from "#layers/idempotency/Keys.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"
import type { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { addResponseHeader, RequestContext } from "#src/http/RequestContext.ts"

interface Asked {
  readonly endpoint: HttpApiEndpoint.Top
  readonly headers: IdempotencyHeaders
  readonly params?: object
}

/** The same for every spelling of a path. */
const operationOf = ({ method, path }: HttpApiEndpoint.Top, params: object = {}) =>
  `${method} ${Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
    path
  )}`

/** What a request asks to be done once; nothing without the header. */
export const attempts = Effect.gen(function* () {
  const { digestHex } = yield* Digest.Digest
  const encoder = new TextEncoder()

  return Effect.fnUntraced(function* ({ endpoint, headers, params }: Asked) {
    const key = headers["idempotency-key"]
    if (key === undefined) return undefined
    const { workspace_id } = yield* CurrentPrincipal
    const context = yield* RequestContext
    const body = context?.bytes ?? encoder.encode(context?.json?.text)
    return {
      workspace: workspace_id,
      operation: operationOf(endpoint, params),
      key,
      fingerprint: yield* Effect.orDie(digestHex(Digest.sha256, body))
    } satisfies Attempt
  })
}).pipe(Effect.provide(Digest.layerWebCrypto))

/** A concurrent retry gets the time after which to retry. */
export const refuseTwin = Effect.andThen(
  addResponseHeader({ "retry-after": "5" }),
  Effect.fail(new Conflict({ message: "The request with this Idempotency-Key is still being answered" }))
)

/** Wraps the work of a request; without the header it is done as it is. */
export const idempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const attemptOf = yield* attempts

  return Effect.fnUntraced(function* <A, E, R>(asked: Asked, work: Effect.Effect<A, E, R>) {
    const attempt = yield* attemptOf(asked)
    if (attempt === undefined) return yield* work
    const outcome = yield* idempotency.once(attempt, work)
    if (outcome === "in flight") return yield* refuseTwin
    const { answer, replayed } = outcome
    if (replayed) yield* addResponseHeader({ "idempotent-replayed": "true" })
    return answer
  })
})
