// src/http/Shell.ts: what surrounds every request. It gets an id, and an answer in the service's own form even where no
// endpoint gave one: no such route, a body that cannot be read, a defect.
import { Cause, Clock, Context, Effect, flow, Predicate, References } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { path as readyz } from "#src/http/Readyz.ts"
import { elapsedOf } from "#layers/Elapsed.ts"
import { Facts, RequestLog } from "#src/http/RequestLog.ts"
import { measure } from "#src/http/Measure.ts"
import { BadRequest, InternalError, NotFound, RequestId } from "#schema/Errors.ts"

const badRequest = flow(HttpServerResponse.schemaJson(BadRequest), Effect.orDie)
const notFound = flow(HttpServerResponse.schemaJson(NotFound), Effect.orDie)
const internalError = flow(HttpServerResponse.schemaJson(InternalError), Effect.orDie)

const answer = (status: number) => {
  if (status === 404) return notFound(new NotFound({ message: "No such endpoint" }), { status })
  if (status < 500) return badRequest(new BadRequest({ message: "Malformed request" }), { status: 400 })
  return internalError(new InternalError({ message: "Something broke on our side; try again later" }), { status: 500 })
}

const stopping = internalError(
  new InternalError({
    message: "The server is being stopped and cannot answer; what it has accepted it goes on with after its next start"
  }),
  { status: 500 }
)

/** Endpoints answer errors as JSON; a bare status comes from below them. */
const isOurs = (response: HttpServerResponse.HttpServerResponse) =>
  response.status < 400 || response.headers["content-type"] === "application/json"

/** What the page at /docs may do: nothing with any other server, since its reader types a key into it. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Nobody guesses at what an answer is, keeps it, or learns from a link in it where it stood. */
export const guards = ({ headers }: Pick<HttpServerResponse.HttpServerResponse, "headers">) => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": headers["cache-control"] ?? "no-store",
  ...(headers["content-type"]?.startsWith("text/html") === true
    ? { "content-security-policy": headers["content-security-policy"] ?? pagePolicy }
    : undefined)
})

/** HTTP/1.1 asks for a Host in every request: without one, those on the way to here may disagree about whose it is. */
const isHostless = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] === undefined && Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"

/** The router would read what follows a `;` as a query, and so answer for paths that are none. */
export const hasParameters = (url: string) => {
  const at = url.indexOf(";")
  return at !== -1 && !url.slice(0, at).includes("?")
}

/** Set by its handler, however the address was spelt. */
const health = "/api/v1/health"

/** A UUID of version 7. Node draws the random bytes of `randomUUID` many at a time. */
export const requestId = (millis: number) => {
  const time = millis.toString(16).padStart(12, "0")
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const mend = Effect.fnUntraced(function* <E>({ request_id, route }: Facts, cause: Cause.Cause<E>) {
  if (Cause.hasInterruptsOnly(cause)) {
    // Whoever hung up hears nothing more; others are told why there is no answer.
    const hungUp = cause.reasons.some((reason) => reason.annotations.has(HttpServerError.ClientAbort.key))
    return hungUp ? yield* Effect.failCause(cause) : yield* stopping
  }
  const [{ status }] = yield* HttpServerError.causeResponse(cause)
  if (status >= 500) yield* Effect.logError("A request broke", { request_id, route }, cause)
  return yield* answer(status)
})

export const Shell = HttpRouter.middleware(
  Effect.gen(function* () {
    const log = yield* RequestLog
    const clock = yield* Clock.Clock
    const measured = yield* measure
    const traced = yield* References.TracerEnabled

    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const began = clock.currentTimeMillisUnsafe()
        const started = elapsedOf(clock)
        const request_id = requestId(began)
        const facts: Facts = {
          request_id,
          method: request.method,
          route: undefined,
          workspace: undefined,
          key: undefined,
          headers: undefined
        }
        const asked = isHostless(request) ? answer(400) : hasParameters(request.url) ? answer(404) : httpEffect
        const answered = traced ? Effect.andThen(Effect.annotateCurrentSpan({ request_id }), asked) : asked
        const close = (response: HttpServerResponse.HttpServerResponse) => {
          const { method, key, route, workspace } = facts
          const ms = elapsedOf(clock) - started
          measured(method, route, response.status)(ms)
          // Those who probe do so all the time; what changes for them is logged where it is found.
          if (route !== readyz) {
            log.note({ at: began, request_id, method, route, status: response.status, ms, workspace, key })
          }
          if (route === health) return HttpServerResponse.setHeaders(response, guards(response))
          return HttpServerResponse.setHeaders(response, {
            ...guards(response),
            "x-request-id": request_id,
            // A limit that is not one of time has no better guess.
            ...(response.status === 429 ? { "retry-after": "10" } : undefined),
            ...facts.headers
          })
        }
        return answered.pipe(
          Effect.catchCause((cause) => mend(facts, cause)),
          Effect.flatMap((response) =>
            isOurs(response) ? Effect.succeed(close(response)) : Effect.map(answer(response.status), close)
          ),
          Effect.updateContext((context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
            Context.add(Context.add(context, Facts, facts), RequestId, request_id)
          )
        )
      })
  }),
  { global: true }
)
