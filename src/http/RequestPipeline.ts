// src/http/RequestPipeline.ts: what surrounds every request: an id, an answer whatever becomes of it, headers, a line in the log.
import { Clock, Context, Effect, Predicate, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import { elapsedOf } from "#layers/lib/Elapsed.ts"
import { RequestId } from "#schema/Errors.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { securityHeaders } from "#src/http/SecurityHeaders.ts"
import { measure } from "#src/http/RequestMetrics.ts"
import { isKnownForm, refusalOf } from "#src/http/RouterConfig.ts"
import { path as readyz } from "#src/http/Readyz.ts"
import { requestId } from "#src/http/RequestId.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { answer, isAnswered, mend } from "#src/http/FallbackResponses.ts"

const isFromNode = (source: object): source is IncomingMessage => Predicate.hasProperty(source, "rawHeaders")

/** Tests call the service without a socket: then there is no Host, and no other form of address. */
const refused = ({ source, url }: HttpServerRequest.HttpServerRequest) => {
  if (isFromNode(source)) return refusalOf(source)
  return isKnownForm(url) ? undefined : 404
}

/** Set by its handler. */
const health = "/api/v1/health"

export const RequestPipeline = HttpRouter.middleware(
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
        const requestContext: RequestContext = {
          request_id,
          method: request.method,
          route: undefined,
          workspace: undefined,
          key: undefined,
          headers: undefined
        }
        const refusal = refused(request)
        const asked = refusal === undefined ? httpEffect : answer(refusal)
        const answered = traced ? Effect.andThen(Effect.annotateCurrentSpan({ request_id }), asked) : asked
        const close = (response: HttpServerResponse.HttpServerResponse) => {
          const { method, key, route, workspace } = requestContext
          const ms = elapsedOf(clock) - started
          measured(method, route, response.status)(ms)
          // Those who probe do so all the time; what changes for them is logged where it is found.
          if (route !== readyz) {
            log.note({
              at: clock.currentTimeMillisUnsafe(),
              request_id,
              method,
              route,
              status: response.status,
              ms,
              workspace,
              key
            })
          }
          if (route === health) return HttpServerResponse.setHeaders(response, securityHeaders(response))
          return HttpServerResponse.setHeaders(response, {
            ...securityHeaders(response),
            "x-request-id": request_id,
            ...(response.status === 401 ? { "www-authenticate": "Bearer" } : undefined),
            // A limit that is not one of time has no better guess.
            ...(response.status === 429 ? { "retry-after": "10" } : undefined),
            ...requestContext.headers
          })
        }
        return answered.pipe(
          Effect.catchCause((cause) => mend(requestContext, cause)),
          Effect.flatMap((response) =>
            isAnswered(response) ? Effect.succeed(close(response)) : Effect.map(answer(response.status), close)
          ),
          Effect.updateContext((context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
            Context.add(Context.add(context, RequestContext, requestContext), RequestId, request_id)
          )
        )
      })
  }),
  { global: true }
)
