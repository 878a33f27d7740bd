// src/http/FallbackResponses.ts: an answer in the service's own form where no endpoint gave one: no such route, a body that cannot
// be read, a defect.
import { Cause, Effect } from "effect"
import { HttpServerError, type HttpServerResponse } from "effect/http"
import { BadRequest, InternalError, NotFound } from "#schema/Errors.ts"
import { envelope } from "#src/http/Envelope.ts"
import type { RequestContext } from "#src/http/RequestContext.ts"

export const answer = (status: number) => {
  if (status === 404) return envelope(404, new NotFound({ message: "No such endpoint" }))
  if (status < 500) return envelope(400, new BadRequest({ message: "Malformed request" }))
  return envelope(500, new InternalError({ message: "Something broke on our side; try again later" }))
}

const stopping = envelope(
  500,
  new InternalError({
    message: "The server is being stopped and cannot answer; what it has accepted it goes on with after its next start"
  })
)

/** Endpoints answer errors as JSON; a bare status comes from below them. */
export const isAnswered = (response: HttpServerResponse.HttpServerResponse) =>
  response.status < 400 || response.headers["content-type"] === "application/json"

/** The answer to a request that came to nothing. */
export const mend = Effect.fnUntraced(function* <E>({ request_id, route }: RequestContext, cause: Cause.Cause<E>) {
  if (Cause.hasInterruptsOnly(cause)) {
    // A disconnected client gets nothing; others get the reason.
    const hungUp = cause.reasons.some((reason) => reason.annotations.has(HttpServerError.ClientAbort.key))
    return hungUp ? yield* Effect.failCause(cause) : yield* stopping
  }
  const [{ status }] = yield* HttpServerError.causeResponse(cause)
  if (status >= 500) yield* Effect.logError("A request broke", { request_id, route }, cause)
  return yield* answer(status)
})
