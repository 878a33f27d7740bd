// src/http/Replies.ts: replies as transports send them: errors in the format that the caller prefers, and error replies
// for requests that no endpoint answered: an unknown route, an unreadable body, a defect.
import { Cause, Effect, Schema } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { BadRequest, Forbidden, InternalError, NotFound, RateLimited, RequestId } from "#schema/Errors.ts"
import { isEnvelope, problemOf, problemType } from "#schema/Problem.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

const encode = Schema.encodeEffect(Schema.Union([BadRequest, Forbidden, NotFound, RateLimited, InternalError]))

const encodeReply = (status: number, error: Parameters<typeof encode>[0]) =>
  Effect.map(Effect.all([Effect.orDie(encode(error)), RequestContext]), ([body, context]) =>
    errorReply(status, body, context)
  )

/** A status and its text, or a response that a handler made itself, such as a stream. */
export type Reply = TextReply | HttpServerResponse.HttpServerResponse

/** A reply as the library's routers take it. */
export const toResponse = (reply: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.isHttpServerResponse(reply)
    ? reply
    : HttpServerResponse.text(reply.text, { status: reply.status, contentType: reply.type ?? "application/json" })

/** An error of the contract as a response. */
export const errorResponse = (status: number, error: Parameters<typeof encode>[0]) =>
  Effect.map(encodeReply(status, error), toResponse)

const defaultReply = (status: number) => {
  if (status === 404) return encodeReply(404, new NotFound({ message: "No such endpoint" }))
  if (status < 500) return encodeReply(400, new BadRequest({ message: "Malformed request" }))
  return encodeReply(500, new InternalError({ message: "Something broke on our side; try again later" }))
}

export const defaultResponse = (status: number) => Effect.map(defaultReply(status), toResponse)

/** The reply to a request that is interrupted because the server stops. */
const shuttingDownReply = encodeReply(
  500,
  new InternalError({
    message: "The server is being stopped and cannot answer; it resumes accepted work after its next start"
  })
)

/** Whether the response has a body for the caller; the router's own errors have none. */
export const hasAnswerBody = ({ headers, status }: HttpServerResponse.HttpServerResponse) =>
  status < 400 || ["application/json", problemType].includes(headers["content-type"] ?? "")

/** The reply to a request that failed or was interrupted, with the request's id. */
export const replyToFailure = <E>(context: RequestContext, cause: Cause.Cause<E>) =>
  Effect.gen(function* () {
    const { request_id, route } = context
    if (Cause.hasInterruptsOnly(cause)) {
      // A disconnected client gets nothing; others get the reason.
      const clientDisconnected = cause.reasons.some((reason) => reason.annotations.has(HttpServerError.ClientAbort.key))
      return clientDisconnected ? yield* Effect.failCause(cause) : yield* shuttingDownReply
    }
    const [{ status }] = yield* HttpServerError.causeResponse(cause)
    if (status >= 500) yield* Effect.logError("A request broke", { request_id, route }, cause)
    return yield* defaultReply(status)
  }).pipe(Effect.provideService(RequestContext, context), Effect.provideService(RequestId, context.request_id))

export interface TextReply {
  readonly status: number
  /** JSON. */
  readonly text: string
  /** The media type, `application/json` by default. */
  readonly type?: typeof problemType
}

/** `body` is the encoded error. Adds `Vary: Accept`, because caches must keep both formats apart. */
export const errorReply = (status: number, body: unknown, context: RequestContext | undefined): TextReply => {
  if (!isEnvelope(body)) return { status, text: JSON.stringify(body) }
  if (context !== undefined) context.headers = { ...context.headers, vary: "Accept" }
  return prefersProblem(context?.accept)
    ? { status, type: problemType, text: JSON.stringify(problemOf(status, body)) }
    : { status, text: JSON.stringify(body) }
}

/** Weights from 0 to 1 by name, for example `gzip`, `application/json` or `*`. */
type Weights = ReadonlyMap<string, number>

/** The weight of `q=0.5` is 0.5; a malformed weight counts as 0. */
const weightOf = (parameters: ReadonlyArray<string>) => {
  const quality = parameters.find((parameter) => parameter.startsWith("q="))
  if (quality === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0
}

/** Parses a header by RFC 9110, sections 12.4.2 and 12.5. A repeated name gets its largest weight. */
export const weightsOf = (header: string | undefined): Weights => {
  const weights = new Map<string, number>()
  for (const part of header?.split(",") ?? []) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
    weights.set(name, Math.max(weights.get(name) ?? 0, weightOf(parameters)))
  }
  return weights
}

/** The weight of a media type by the most specific range that matches; 0 if none does. */
const weightIn = (weights: Weights, type: string) =>
  weights.get(type) ?? weights.get(`${type.split("/", 1)[0]}/*`) ?? weights.get("*/*") ?? 0

/**
 * Whether the header contains `application/problem+json` with at least the weight of `application/json`. Wildcards do
 * not count.
 */
const prefersProblem = (accept: string | undefined): boolean => {
  // A fast path, because most requests do not contain it.
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const weights = weightsOf(accept)
  const weight = weights.get(problemType) ?? 0
  return weight > 0 && weight >= weightIn(weights, "application/json")
}
