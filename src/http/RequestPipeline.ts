// src/http/RequestPipeline.ts: what surrounds every request: which addresses are answered at all, an id, an answer whatever becomes of
// it, headers, a line in the log.
import { Clock, Context, Effect, Predicate, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { elapsedOf } from "#layers/lib/Time.ts"
import { RequestId } from "#schema/Errors.ts"
import { answer, isAnswered, replyToFailure, toResponse } from "#src/http/Replies.ts"
import { path as readyz } from "#src/http/routes/Readyz.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { requestMetrics, RequestLog } from "#src/http/RequestLog.ts"

/** A request id, which is a UUID version 7. Uses Node's `randomUUID`, which buffers random bytes. */
const requestId = (millis: number) => {
  const time = millis.toString(16).padStart(12, "0")
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const health = "/api/v1/health"

/** The content security policy of /docs: no other servers, because users enter an API key there. */
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

/** Headers against content sniffing, caching, and sending this page's address to other sites. */
const securityHeaders = ({ headers }: Pick<HttpServerResponse.HttpServerResponse, "headers">) => {
  const all: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": headers["cache-control"] ?? "no-store"
  }
  if (headers["content-type"]?.startsWith("text/html") === true) {
    all["content-security-policy"] = headers["content-security-policy"] ?? pagePolicy
  }
  return all
}

/** A request from its arrival to its answer. */
export interface StartedRequest {
  readonly context: RequestContext
  /** Monotonic milliseconds. */
  readonly started: number
}

/** Starts requests, and ends them with a log line, metrics and headers for the answer. */
export const requestLifecycle = Effect.gen(function* () {
  const log = yield* RequestLog
  const clock = yield* Clock.Clock
  const measured = yield* requestMetrics

  const open = (
    method: string,
    accept: string | undefined,
    id = requestId(clock.currentTimeMillisUnsafe())
  ): StartedRequest => ({
    context: {
      request_id: id,
      method,
      accept,
      route: undefined,
      workspace: undefined,
      key: undefined,
      headers: undefined,
      cookie: undefined,
      json: undefined,
      bytes: undefined
    },
    started: elapsedOf(clock)
  })

  const close = (
    { context, started }: StartedRequest,
    { headers, status }: Pick<HttpServerResponse.HttpServerResponse, "headers" | "status">
  ): Record<string, string> => {
    const { headers: own, key, method, request_id, route, workspace } = context
    const ms = elapsedOf(clock) - started
    measured(method, route, status, ms)
    // Not logged, because probes are frequent; changes of readiness are logged elsewhere.
    if (route !== readyz) {
      log.note({ at: clock.currentTimeMillisUnsafe(), request_id, method, route, status, ms, workspace, key })
    }
    const all = securityHeaders({ headers })
    if (own?.["vary"] !== undefined) all["vary"] = own["vary"]
    if (route === health) return all
    all["x-request-id"] = request_id
    if (status === 401) all["www-authenticate"] = "Bearer"
    // Ten seconds for limits that are not rates, since their end is unknown.
    if (status === 429) all["retry-after"] = "10"
    return Object.assign(all, own)
  }
  return { open, close }
})

const isFromNode = (source: object): source is IncomingMessage => Predicate.hasProperty(source, "rawHeaders")

/** Tests call the service without a socket, and so without Host and absolute URLs. */
const refused = ({ source, url }: HttpServerRequest.HttpServerRequest) => {
  if (isFromNode(source)) return refusalOf(source)
  return isKnownForm(url) ? undefined : 404
}

export const RequestPipeline = HttpRouter.middleware(
  Effect.gen(function* () {
    const { close, open } = yield* requestLifecycle
    const traced = yield* References.TracerEnabled

    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const opened = open(request.method, request.headers["accept"])
        const { context } = opened
        const refusal = refused(request)
        const asked = refusal === undefined ? httpEffect : answer(refusal)
        const { request_id } = context
        const answered = traced ? Effect.andThen(Effect.annotateCurrentSpan({ request_id }), asked) : asked
        const closed = (response: HttpServerResponse.HttpServerResponse) =>
          HttpServerResponse.setHeaders(response, close(opened, response))
        return answered.pipe(
          Effect.catchCause((cause) => Effect.map(replyToFailure(context, cause), toResponse)),
          Effect.flatMap((response) =>
            isAnswered(response) ? Effect.succeed(closed(response)) : Effect.map(answer(response.status), closed)
          ),
          Effect.updateContext((services: Context.Context<HttpServerRequest.HttpServerRequest>) =>
            Context.add(Context.add(services, RequestContext, context), RequestId, request_id)
          )
        )
      })
  }),
  { global: true }
)

/** Paths are case-sensitive. */
export const routerConfig = { caseSensitive: true }

/** Paths need no percent-encoding, empty segments, trailing slashes or `;`. */
const isExact = (path: string) => path === "/" || /^(?:\/[\w.~!$&'()*+,=:@-]+)+$/.test(path)

const pathOf = (url: string) => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/** RFC 3986, section 3.2.2: a name or an IP address with an optional port. */
const host = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+)(?::\d*)?$/

/** An absolute URL, as in a request through a proxy, for example `http://overture.example/api/v1/lists`. */
const absolute = /^(https?:)\/\/([^/?#]*)([^?#]*)/i

/** All Host headers; `headers.host` has only the first one. */
const hostsOf = (rawHeaders: ReadonlyArray<string>) => {
  const hosts: Array<string> = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "")
  }
  return hosts
}

const canonical = (scheme: string, authority: string) => URL.parse(`${scheme}//${authority}`)?.host

/**
 * The status that refuses a request for its target or Host, if any. HTTP/1.1 requires exactly one Host; otherwise a
 * proxy and this server may disagree about the destination.
 */
export const refusalOf = ({
  httpVersion,
  rawHeaders,
  url = ""
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders" | "url">): 400 | 404 | undefined => {
  const [named, another] = hostsOf(rawHeaders)
  if (another !== undefined || (named === undefined ? httpVersion === "1.1" : !host.test(named))) return 400
  if (url.startsWith("/")) return isExact(pathOf(url)) ? undefined : 404
  const [, scheme = "", authority = "", path = ""] = absolute.exec(url) ?? []
  if (scheme === "") return 404
  const reached = canonical(scheme, authority)
  if (reached === undefined || (named !== undefined && canonical(scheme, named) !== reached)) return 400
  return isExact(path || "/") ? undefined : 404
}

/** Whether the path before `?` has the accepted form. */
const isKnownForm = (url: string) => isExact(pathOf(url))
