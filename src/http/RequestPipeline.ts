// src/http/RequestPipeline.ts: wraps every request: refuses malformed targets and hosts, gives it an id, turns every
// failure into a reply, adds headers, and logs it.
import { Clock, Context, Effect, Predicate, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { elapsedOf } from "#layers/lib/Time.ts"
import { RequestId } from "#schema/Errors.ts"
import { defaultResponse, hasAnswerBody, replyToFailure, toResponse } from "#src/http/Replies.ts"
import { readyzPath } from "#src/http/routes/Readyz.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { requestMetrics, RequestLog } from "#src/http/RequestLog.ts"

/** A request id, which is a UUID version 7. Uses Node's `randomUUID`, which buffers random bytes. */
const requestId = (millis: number) => {
  const time = millis.toString(16).padStart(12, "0")
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const healthPath = "/api/v1/health"

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
  const added: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": headers["cache-control"] ?? "no-store"
  }
  if (headers["content-type"]?.startsWith("text/html") === true) {
    added["content-security-policy"] = headers["content-security-policy"] ?? pagePolicy
  }
  return added
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
  const recordMetrics = yield* requestMetrics

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
    const { headers: contextHeaders, key, method, request_id, route, workspace } = context
    const ms = elapsedOf(clock) - started
    recordMetrics(method, route, status, ms)
    // Not logged, because probes are frequent; changes of readiness are logged elsewhere.
    if (route !== readyzPath) {
      log.add({ endedAt: clock.currentTimeMillisUnsafe(), request_id, method, route, status, ms, workspace, key })
    }
    const responseHeaders = securityHeaders({ headers })
    if (contextHeaders?.["vary"] !== undefined) responseHeaders["vary"] = contextHeaders["vary"]
    if (route === healthPath) return responseHeaders
    responseHeaders["x-request-id"] = request_id
    if (status === 401) responseHeaders["www-authenticate"] = "Bearer"
    // Ten seconds for limits that are not rates, since their end is unknown.
    if (status === 429) responseHeaders["retry-after"] = "10"
    return Object.assign(responseHeaders, contextHeaders)
  }
  return { open, close }
})

const isFromNode = (source: object): source is IncomingMessage => Predicate.hasProperty(source, "rawHeaders")

/** Without a socket, as in tests, there is no Host and no absolute URL to check. */
const refusalStatusOf = ({ source, url }: HttpServerRequest.HttpServerRequest) => {
  if (isFromNode(source)) return refusalStatus(source)
  return isKnownForm(url) ? undefined : 404
}

export const RequestPipeline = HttpRouter.middleware(
  Effect.gen(function* () {
    const { close, open } = yield* requestLifecycle
    const traced = yield* References.TracerEnabled

    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const startedRequest = open(request.method, request.headers["accept"])
        const { context } = startedRequest
        const refusal = refusalStatusOf(request)
        const handled = refusal === undefined ? httpEffect : defaultResponse(refusal)
        const { request_id } = context
        const identified = traced ? Effect.andThen(Effect.annotateCurrentSpan({ request_id }), handled) : handled
        const finish = (response: HttpServerResponse.HttpServerResponse) =>
          HttpServerResponse.setHeaders(response, close(startedRequest, response))
        return identified.pipe(
          Effect.catchCause((cause) => Effect.map(replyToFailure(context, cause), toResponse)),
          Effect.flatMap((response) =>
            hasAnswerBody(response)
              ? Effect.succeed(finish(response))
              : Effect.map(defaultResponse(response.status), finish)
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
const isPlainPath = (path: string) => path === "/" || /^(?:\/[\w.~!$&'()*+,=:@-]+)+$/.test(path)

const pathOf = (url: string) => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/** RFC 3986, section 3.2.2: a name or an IP address with an optional port. */
const hostPattern = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+)(?::\d*)?$/

/** An absolute URL, as in a request through a proxy, for example `http://overture.example/api/v1/lists`. */
const absoluteUrlPattern = /^(https?:)\/\/([^/?#]*)([^?#]*)/i

/** All values of Host, and how often Authorization occurs; `headers` has only the first of each. */
const repeatableHeaders = (rawHeaders: ReadonlyArray<string>) => {
  const hosts: Array<string> = []
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "")
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  return { hosts, authorizations }
}

const canonicalHost = (scheme: string, authority: string) => URL.parse(`${scheme}//${authority}`)?.host

/**
 * The status that refuses a request for its target, Host or Authorization, if any. HTTP/1.1 requires exactly one Host;
 * otherwise a proxy and this server may disagree about the destination. Of two Authorization headers they may read
 * different ones.
 */
export const refusalStatus = ({
  httpVersion,
  rawHeaders,
  url = ""
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders" | "url">): 400 | 404 | undefined => {
  const {
    authorizations,
    hosts: [hostHeader, secondHost]
  } = repeatableHeaders(rawHeaders)
  if (secondHost !== undefined || authorizations > 1) return 400
  if (hostHeader === undefined ? httpVersion === "1.1" : !hostPattern.test(hostHeader)) return 400
  if (url.startsWith("/")) return isPlainPath(pathOf(url)) ? undefined : 404
  const [, scheme = "", authority = "", path = ""] = absoluteUrlPattern.exec(url) ?? []
  if (scheme === "") return 404
  const targetHost = canonicalHost(scheme, authority)
  if (targetHost === undefined || (hostHeader !== undefined && canonicalHost(scheme, hostHeader) !== targetHost))
    return 400
  return isPlainPath(path || "/") ? undefined : 404
}

/** Whether the path before `?` has the accepted form. */
const isKnownForm = (url: string) => isPlainPath(pathOf(url))
