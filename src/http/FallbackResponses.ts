// src/http/FallbackResponses.ts: error responses when no endpoint answered: unknown route, unreadable body, defect.
import { Cause, Effect, Schema } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { BadRequest, Forbidden, InternalError, NotFound, RateLimited, RequestId } from "#schema/Errors.ts"
import { problemType } from "#schema/Problem.ts"
import { errorReply, type TextReply } from "#src/http/ErrorReply.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

const encode = Schema.encodeEffect(Schema.Union([BadRequest, Forbidden, NotFound, RateLimited, InternalError]))

const reply = (status: number, error: Parameters<typeof encode>[0]) =>
  Effect.map(Effect.all([Effect.orDie(encode(error)), RequestContext]), ([body, context]) =>
    errorReply(status, body, context)
  )

/** A status with a text, or a whole response, for example a stream. */
export type Reply = TextReply | HttpServerResponse.HttpServerResponse

/** Converts a reply to a response of the library. */
export const toResponse = (reply: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.isHttpServerResponse(reply)
    ? reply
    : HttpServerResponse.text(reply.text, { status: reply.status, contentType: reply.type ?? "application/json" })

/** An error of the contract for a request outside the contract's endpoints. */
export const envelope = (status: number, error: Parameters<typeof encode>[0]) =>
  Effect.map(reply(status, error), toResponse)

const replyOf = (status: number) => {
  if (status === 404) return reply(404, new NotFound({ message: "No such endpoint" }))
  if (status < 500) return reply(400, new BadRequest({ message: "Malformed request" }))
  return reply(500, new InternalError({ message: "Something broke on our side; try again later" }))
}

export const answer = (status: number) => Effect.map(replyOf(status), toResponse)

/** The answer to a request that is interrupted by a shutdown. */
const stopping = reply(
  500,
  new InternalError({
    message: "The server is being stopped and cannot answer; it resumes accepted work after its next start"
  })
)

/** Whether the response is complete: endpoints answer errors as JSON, so a bare error status comes from the router. */
export const isAnswered = ({ headers, status }: HttpServerResponse.HttpServerResponse) =>
  status < 400 || ["application/json", problemType].includes(headers["content-type"] ?? "")

/** The reply to a failed request, with the request's id. */
export const mend = <E>(context: RequestContext, cause: Cause.Cause<E>) =>
  Effect.gen(function* () {
    const { request_id, route } = context
    if (Cause.hasInterruptsOnly(cause)) {
      // A client that disconnected gets no answer.
      const hungUp = cause.reasons.some((reason) => reason.annotations.has(HttpServerError.ClientAbort.key))
      return hungUp ? yield* Effect.failCause(cause) : yield* stopping
    }
    const [{ status }] = yield* HttpServerError.causeResponse(cause)
    if (status >= 500) yield* Effect.logError("A request broke", { request_id, route }, cause)
    return yield* replyOf(status)
  }).pipe(Effect.provideService(RequestContext, context), Effect.provideService(RequestId, context.request_id))
