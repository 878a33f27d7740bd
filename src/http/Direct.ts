// src/http/Direct.ts: the short way from the socket to a handler and back, for a request that asks for nothing unusual of an
// endpoint that speaks plain JSON. It holds each to all that the middleware would; whatever is refused, fails or is not plain
// goes on the library's way from where it is, which alone knows what to say of it.
import { Clock, Context, Effect, Exit, Fiber, Layer, Option, References } from "effect"
import { memoize } from "effect/Function"
import { Headers, HttpServerError } from "effect/http"
import { RateLimiter } from "effect/persistence"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Auth } from "#layers/Auth.ts"
import { elapsedOf } from "#layers/lib/Elapsed.ts"
import { type Principal, CurrentPrincipal } from "#schema/Auth.ts"
import { secretOf } from "#src/http/Auth.ts"
import { type Begun, keep } from "#src/http/direct/Begun.ts"
import { payloadOf, type Route, routesOf, type Success, textOf } from "#src/http/direct/Routes.ts"
import type { Handler } from "#src/http/Group.ts"
import { securityHeaders } from "#src/http/SecurityHeaders.ts"
import { withoutLibrary } from "#src/http/TrimContext.ts"
import { type First, Listener } from "#src/http/Listener.ts"
import { refusalOf } from "#src/http/RouterConfig.ts"
import { type Rate, rateOf, rateHeaders } from "#src/http/RateLimit.ts"
import { requestId } from "#src/http/RequestId.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { measure } from "#src/http/RequestMetrics.ts"
import { small, typeOf } from "#src/http/StrictBody.ts"

/** What every answer from here says, by turns a name and what it says. */
const always = Object.entries({
  "content-type": "application/json",
  ...securityHeaders({ headers: Headers.empty })
}).flat()

/** Whether it may hold more than its address and its headers say. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** A JSON body that is small enough to read at once. */
const isShort = ({ headers }: IncomingMessage, { limit }: Route) =>
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"]) <= Math.min(small, limit) &&
  typeOf(headers["content-type"]) === "application/json"

const one = (value: string | ReadonlyArray<string> | undefined) =>
  typeof value === "string" ? value : value?.join(", ")

const isRefused = (read: Exit.Exit<unknown, unknown> | undefined): read is Exit.Failure<unknown, unknown> =>
  read !== undefined && Exit.isFailure(read)

/** Hears the whole of a body that is on its way; nothing of one that breaks off. */
const onBody = (request: IncomingMessage, whole: (bytes: Buffer) => void) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.once("end", () => whole(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
}

/** A request that is answered here if all goes well. */
interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  readonly key: Principal
  readonly began: number
  readonly started: number
  readonly begun: Begun
  /** Has the library answer it. */
  readonly next: () => void
}

const make = Effect.fnUntraced(function* (rate: Rate | undefined) {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const keys = yield* Auth
  const limiter = yield* RateLimiter.RateLimiter
  const log = yield* RequestLog
  const measured = yield* measure
  const routes = routesOf(context)

  const base = withoutLibrary(context)
  const contextOf = memoize((key: Principal) => Context.add(base, CurrentPrincipal, key))

  /** Requests whose handler is at work. */
  const working = new Map<Asked, Fiber.Fiber<unknown, unknown>>()

  const answer = (asked: Asked, used: RateLimiter.ConsumeResult, success: Success, text: string) => {
    const { began, key, response, route, started } = asked
    const { endpoint } = route
    const { status } = success
    const request_id = requestId(began)
    const ms = elapsedOf(clock) - started
    const { id, workspace_id: workspace } = key
    // Only what was asked for once has a series.
    success.note ??= measured(endpoint.method, endpoint.path, status)
    success.note(ms)
    const at = clock.currentTimeMillisUnsafe()
    log.note({ at, request_id, method: endpoint.method, route: endpoint.path, status, ms, workspace, key: id })
    const length = String(Buffer.byteLength(text))
    const headers = [...always, "content-length", length, "x-request-id", request_id]
    const counted = rateHeaders(used.limit, used.remaining, used.resetAfter, clock.currentTimeMillisUnsafe())
    for (const [name, value] of Object.entries(counted)) headers.push(name, value)
    response.writeHead(status, headers)
    response.end(text)
  }

  const handOn = ({ begun, next, request }: Asked, outcome?: Effect.Effect<unknown, unknown>) => {
    if (outcome !== undefined) begun.outcome = outcome
    keep(request, begun)
    next()
  }

  const settle = (asked: Asked, exit: Exit.Exit<unknown, unknown>) => {
    if (asked.response.destroyed) return
    const { used } = asked.begun
    if (used === undefined) return handOn(asked)
    if (Exit.isFailure(exit)) return handOn(asked, exit)
    const said = textOf(asked.route, exit.value)
    return said === undefined ? handOn(asked, exit) : answer(asked, used, ...said)
  }

  const run = (asked: Asked, work: Effect.Effect<unknown, unknown>) => {
    const fiber = Effect.runForkWith(contextOf(asked.key))(work)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return settle(asked, exit)
    working.set(asked, fiber)
    fiber.addObserver((exit) => {
      if (working.delete(asked)) settle(asked, exit)
    })
    asked.response.once("close", () => {
      if (!asked.response.writableEnded) fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    })
  }

  /** Counts the request, and calls its handler. */
  const workOf = (asked: Asked, input: Parameters<Handler>[0]) => {
    const { key, route } = asked
    const { limit, window } = rateOf(rate, key)
    return Effect.flatMap(limiter.consume({ key: key.id, limit, window }), (used) => {
      asked.begun.used = used
      return route.handler(input)
    })
  }

  const first: First = (request, response, next) => {
    const { headers, method = "", url = "" } = request
    // Of an Idempotency-Key, src/http/Idempotent.ts asks for the request as the library has it.
    if (headers.host === undefined || headers["idempotency-key"] !== undefined) return false
    if (!url.startsWith("/") || url.includes("%00") || refusalOf(request) !== undefined) return false
    const found = routes.find(method, url)
    if (found === undefined) return false
    const route = found.handler
    if (route.payload === undefined ? hasBody(request) : !isShort(request, route)) return false

    const began = clock.currentTimeMillisUnsafe()
    const started = elapsedOf(clock)
    const secret = secretOf(headers.authorization, one(headers["x-api-key"]))
    const key = secret === undefined ? undefined : keys.findCached(secret, began)
    if (key === undefined || (route.scope !== undefined && !key.scopes.includes(route.scope))) return false

    const params = route.params?.(found.params)
    const query = route.query?.(found.searchParams)
    const own = route.headers?.(headers)
    if (isRefused(params) || isRefused(query) || isRefused(own)) return false
    const asked: Asked = { request, response, route, key, began, started, begun: {}, next }
    const input = {
      params: params?.value,
      query: query?.value,
      headers: own?.value,
      request: { source: request },
      endpoint: route.endpoint
    }
    const { payload } = route
    if (payload === undefined) run(asked, workOf(asked, input))
    else {
      onBody(request, (bytes) => {
        asked.begun.bytes = bytes
        const found = payloadOf(route, payload, bytes)
        if (Exit.isSuccess(found)) run(asked, workOf(asked, { ...input, payload: found.value }))
        else handOn(asked)
      })
    }
    return true
  }

  /** Hands requests over to HttpApi when the server stops, which answers the waiting clients. */
  const release = () => {
    for (const [asked, fiber] of working) {
      if (asked.begun.used === undefined) continue
      working.delete(asked)
      handOn(
        asked,
        Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
      )
    }
  }

  return Object.assign(first, { release })
})

/**
 * Answers first, where there is a socket. What is traced has a span for each step, and what pages of other origins ask for
 * gets headers of its own: there the library answers everything.
 */
export const Direct = ({
  origins,
  rate
}: {
  readonly origins: ReadonlyArray<string>
  readonly rate: Rate | undefined
}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listener = yield* Effect.serviceOption(Listener)
      if (Option.isNone(listener) || origins.length > 0 || (yield* References.TracerEnabled)) return
      listener.value.offer(yield* make(rate))
    })
  )
