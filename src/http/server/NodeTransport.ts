// src/http/server/NodeTransport.ts: answers plain JSON endpoints directly from Node's sockets. The library's router,
// request and response would double the time of a simple read.
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Logger, Option, References, Scope, Stream } from "effect"
import { FindMyWay, Headers, HttpServerError, HttpServerResponse } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { BodyLimit } from "#schema/Auth.ts"
import { small, typeOf } from "#src/http/body/Read.ts"
import type { Endpoint } from "#src/http/Endpoints.ts"
import type { Incoming } from "#src/http/Guards.ts"
import type { TextReply } from "#src/http/ErrorReply.ts"
import { mend, type Reply } from "#src/http/FallbackResponses.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { bookkeeping, type Opened } from "#src/http/RequestPipeline.ts"
import { type First, Listener } from "#src/http/server/Listener.ts"
import { refusalOf, routerConfig } from "#src/http/server/RouterConfig.ts"

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Whether the body is JSON of a known length, short enough to be read at once. */
const isShort = ({ headers }: IncomingMessage, limit: number) =>
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"]) <= Math.min(small, limit) &&
  typeOf(headers["content-type"]) === "application/json"

/** Reads a short body. Never returns if the body breaks off; closing the connection interrupts the request. */
const bytesOf = (request: IncomingMessage) =>
  Effect.callback<Uint8Array>((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("end", () =>
      resume(Effect.succeed(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    )
  })

const json = Headers.fromRecordUnsafe({ "content-type": "application/json" })

/** Node joins repeated headers into one text, except Set-Cookie, which no endpoint reads. */
const textsOf = (headers: IncomingMessage["headers"]) => headers as Readonly<Record<string, string | undefined>>

/** The services that a handler's fiber may need. */
const ofRequests = Context.pick(
  Clock.Clock,
  Logger.CurrentLoggers,
  References.MinimumLogLevel,
  References.TracerEnabled,
  Scope.Scope
)

const make = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const { close, open } = yield* bookkeeping
  const scope = yield* Effect.scope
  // A small context, because handlers already have their services and a large context is slower. Plain answers need no
  // scope of their own, because they leave nothing open.
  const services = ofRequests(yield* Effect.context<Scope.Scope>())
  const fork = Effect.runForkWith(services)
  const routes = FindMyWay.make<Endpoint & { readonly limit: number }>(routerConfig)
  for (const endpoint of endpoints) {
    const { annotations, method, path } = endpoint.declared
    const limit = Context.get(annotations, BodyLimit)
    if (endpoint.isPlain) routes.on(method, path as FindMyWay.PathInput, { ...endpoint, limit })
  }

  const write = (response: ServerResponse, opened: Opened, { status, text, type }: TextReply) => {
    const headers = ["content-type", type ?? "application/json", "content-length", String(Buffer.byteLength(text))]
    const more = close(opened, { status, headers: json })
    for (const name in more) headers.push(name, more[name] ?? "")
    response.writeHead(status, headers)
    response.end(text)
  }

  const run = (endpoint: Endpoint, incoming: Incoming, opened: Opened, response: ServerResponse) => {
    const { context } = opened
    const fail = (cause: Cause.Cause<unknown>) =>
      fork(Effect.map(mend(context, cause), (reply) => write(response, opened, reply)))
    const settle = (exit: Exit.Exit<Reply>): void => {
      if (response.destroyed) return
      // A defect, or an interruption by the shutdown.
      if (Exit.isFailure(exit)) fail(exit.cause)
      else if (!HttpServerResponse.isHttpServerResponse(exit.value)) write(response, opened, exit.value)
      // A plain endpoint's schemas allow no other reply.
      else fail(Cause.die(new Error("A plain endpoint answered with a response of its own")))
    }
    const fiber = Effect.runForkWith(Context.add(services, RequestContext, context))(endpoint.serve(incoming, context))
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return settle(exit)
    Fiber.runIn(fiber, scope).addObserver(settle)
    response.once("close", () => {
      if (!response.writableEnded) fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    })
  }

  const first: First = (request, response) => {
    const { headers, method = "", url = "" } = request
    if (headers.host === undefined || !url.startsWith("/") || refusalOf(request) !== undefined) return false
    const found = routes.find(method, url)
    if (found === undefined) return false
    const endpoint = found.handler
    if (endpoint.declared.payload.size === 0 ? hasBody(request) : !isShort(request, endpoint.limit)) return false
    const incoming: Incoming = {
      url,
      headers: textsOf(headers),
      params: found.params,
      query: found.searchParams,
      bytes: () => bytesOf(request),
      parts: Stream.empty
    }
    run(endpoint, incoming, open(method, headers.accept), response)
    return true
  }
  return first
})

/**
 * Handles requests before the router. Tracing and CORS are implemented by the library, so with either of them its
 * router handles all requests.
 */
export const nodeTransport = (endpoints: ReadonlyArray<Endpoint>, origins: ReadonlyArray<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listener = yield* Effect.serviceOption(Listener)
      if (Option.isNone(listener) || origins.length > 0 || (yield* References.TracerEnabled)) return
      listener.value.offer(yield* make(endpoints))
    })
  )
