// src/http/IdempotentHandler.ts: wraps a handler so that a repeated Idempotency-Key gets the stored answer.
import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { createHash } from "node:crypto"
import type { Attempt } from "#layers/idempotency/KeyRows.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"
import type { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { addResponseHeader, RequestContext } from "#src/http/RequestContext.ts"

interface IdempotentRequest {
  readonly endpoint: HttpApiEndpoint.Top
  readonly headers: IdempotencyHeaders
  readonly params?: object
}

/** Method and path with decoded parameters, so that all spellings of a path are equal. */
const operationOf = ({ method, path }: HttpApiEndpoint.Top, params: object = {}) =>
  `${method} ${Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
    path
  )}`

/** Characters hashed before other fibers run; takes about a millisecond. */
const hashChunkSize = 512 * 1024

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** The SHA-256 of a text in UTF-8, as hex. Encodes in pieces, because a batch may have 32 MiB. */
const digestOf = (text: string): Effect.Effect<string> => {
  const hash = createHash("sha256")
  let from = 0
  const next: Effect.Effect<string> = Effect.suspend(() => {
    let to = from + hashChunkSize
    // Keeps surrogate pairs in one piece.
    if (isHighSurrogate(text.charCodeAt(to - 1))) to++
    hash.update(text.slice(from, to), "utf8")
    from = to
    return from < text.length ? Effect.andThen(Effect.yieldNow, next) : Effect.sync(() => hash.digest("hex"))
  })
  return next
}

/** The attempt that a request's Idempotency-Key identifies; undefined without the header. */
export const attemptOf = Effect.fnUntraced(function* ({ endpoint, headers, params }: IdempotentRequest) {
  const key = headers["idempotency-key"]
  if (key === undefined) return undefined
  const { workspace_id } = yield* CurrentPrincipal
  const { bytes, json } = (yield* RequestContext) ?? {}
  return {
    workspace: workspace_id,
    operation: operationOf(endpoint, params),
    key,
    fingerprint:
      bytes === undefined ? yield* digestOf(json?.text ?? "") : createHash("sha256").update(bytes).digest("hex")
  } satisfies Attempt
})

/** CONFLICT with `Retry-After` in seconds, while another request uses the key. */
export const refuseConcurrent = Effect.andThen(
  addResponseHeader({ "retry-after": "5" }),
  Effect.fail(new Conflict({ message: "The request with this Idempotency-Key is still being answered" }))
)

/** Wraps work with a preparation outside its transaction. Without the header, runs both without idempotency. */
export const idempotentAfter = Effect.gen(function* () {
  const idempotency = yield* Idempotency

  return Effect.fnUntraced(function* <P, A, E, R, E2, R2>(
    request: IdempotentRequest,
    prepare: Effect.Effect<P, E, R>,
    work: (prepared: P) => Effect.Effect<A, E2, R2>
  ) {
    const attempt = yield* attemptOf(request)
    if (attempt === undefined) return yield* Effect.flatMap(prepare, work)
    const outcome = yield* idempotency.onceWithPreparation(attempt, prepare, work)
    if (outcome === "in flight") return yield* refuseConcurrent
    const { answer, replayed } = outcome
    if (replayed) yield* addResponseHeader({ "idempotent-replayed": "true" })
    return answer
  })
})

/** Wraps the work of a request. Without the header, runs it without idempotency. */
export const idempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency

  return Effect.fnUntraced(function* <A, E, R>(request: IdempotentRequest, work: Effect.Effect<A, E, R>) {
    const attempt = yield* attemptOf(request)
    if (attempt === undefined) return yield* work
    const outcome = yield* idempotency.once(attempt, work)
    if (outcome === "in flight") return yield* refuseConcurrent
    const { answer, replayed } = outcome
    if (replayed) yield* addResponseHeader({ "idempotent-replayed": "true" })
    return answer
  })
})
