// src/http/server/Transports.ts: the two ways in which a request reaches an endpoint: directly from Node's socket, and
// through the library's router.
import {
  ByteSize,
  Cause,
  Clock,
  Context,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Option,
  References,
  Scope,
  Stream
} from "effect"
import {
  FindMyWay,
  Headers,
  HttpIncomingMessage,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { BodyLimit } from "#schema/Auth.ts"
import { smallBodyBytes, mediaTypeOf } from "#src/http/Body.ts"
import type { Endpoint } from "#src/http/Endpoints.ts"
import type { Incoming } from "#src/http/Guards.ts"
import { replyToFailure, type Reply, type TextReply, toResponse } from "#src/http/Replies.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { requestLifecycle, type StartedRequest, refusalStatus, routerConfig } from "#src/http/RequestPipeline.ts"
import { type DirectHandler, Listener } from "#src/http/server/Listener.ts"

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Whether the body is JSON of a known length that is small enough to read at once. */
const isSmallJson = ({ headers }: IncomingMessage, limit: number) =>
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"]) <= Math.min(smallBodyBytes, limit) &&
  mediaTypeOf(headers["content-type"]) === "application/json"

/** Reads a small body. If the body is never complete, the end of its connection interrupts the request. */
const readSmallBody = (request: IncomingMessage) =>
  Effect.callback<Uint8Array>((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("end", () =>
      resume(Effect.succeed(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    )
  })

const json = Headers.fromRecordUnsafe({ "content-type": "application/json" })

/** Node joins a repeated header to one text, all but Set-Cookie, which no endpoint reads. */
const asTexts = (headers: IncomingMessage["headers"]) => headers as Readonly<Record<string, string | undefined>>

/** The services that are kept in a request's context. */
const pickRequestServices = Context.pick(
  Clock.Clock,
  Logger.CurrentLoggers,
  References.MinimumLogLevel,
  References.TracerEnabled,
  Scope.Scope
)

const makeDirectHandler = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const { close, open } = yield* requestLifecycle
  const scope = yield* Effect.scope
  // A small context, because handlers have their services already and a fiber reads a small context faster. Plain replies
  // need no scope of their own, because they leave nothing open.
  const services = pickRequestServices(yield* Effect.context<Scope.Scope>())
  const fork = Effect.runForkWith(services)
  const routes = FindMyWay.make<Endpoint & { readonly limit: number }>(routerConfig)
  for (const endpoint of endpoints) {
    const { annotations, method, path } = endpoint.definition
    const limit = Context.get(annotations, BodyLimit)
    if (endpoint.isPlain) routes.on(method, path as FindMyWay.PathInput, { ...endpoint, limit })
  }

  const write = (response: ServerResponse, startedRequest: StartedRequest, { status, text, type }: TextReply) => {
    const headers = ["content-type", type ?? "application/json", "content-length", String(Buffer.byteLength(text))]
    const addedHeaders = close(startedRequest, { status, headers: json })
    for (const name in addedHeaders) headers.push(name, addedHeaders[name] ?? "")
    response.writeHead(status, headers)
    response.end(text)
  }

  const run = (endpoint: Endpoint, incoming: Incoming, startedRequest: StartedRequest, response: ServerResponse) => {
    const { context } = startedRequest
    const writeFailure = (cause: Cause.Cause<unknown>) =>
      fork(Effect.map(replyToFailure(context, cause), (reply) => write(response, startedRequest, reply)))
    const writeExit = (exit: Exit.Exit<Reply>): void => {
      if (response.destroyed) return
      // A defect, or the stop of the server, which interrupts requests.
      if (Exit.isFailure(exit)) writeFailure(exit.cause)
      else if (!HttpServerResponse.isHttpServerResponse(exit.value)) write(response, startedRequest, exit.value)
      // Cannot happen, because the schemas of a plain endpoint allow only JSON.
      else writeFailure(Cause.die(new Error("A plain endpoint answered with a response of its own")))
    }
    const fiber = Effect.runForkWith(Context.add(services, RequestContext, context))(endpoint.serve(incoming, context))
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return writeExit(exit)
    Fiber.runIn(fiber, scope).addObserver(writeExit)
    response.once("close", () => {
      if (!response.writableEnded) fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    })
  }

  const handleDirectly: DirectHandler = (request, response) => {
    const { headers, method = "", url = "" } = request
    if (headers.host === undefined || !url.startsWith("/") || refusalStatus(request) !== undefined) return false
    const match = routes.find(method, url)
    if (match === undefined) return false
    const endpoint = match.handler
    if (endpoint.definition.payload.size === 0 ? hasBody(request) : !isSmallJson(request, endpoint.limit)) return false
    const incoming: Incoming = {
      url,
      headers: asTexts(headers),
      params: match.params,
      query: match.searchParams,
      bytes: () => readSmallBody(request),
      parts: Stream.empty
    }
    run(endpoint, incoming, open(method, headers.accept), response)
    return true
  }
  return handleDirectly
})

/**
 * Answers requests for plain JSON endpoints straight from the socket: the library's router, request and response would cost as
 * much again as the rest of a read. Spans and headers for pages of other origins are the library's, so with tracing or
 * origins its router answers everything.
 */
export const nodeTransport = (endpoints: ReadonlyArray<Endpoint>, origins: ReadonlyArray<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listener = yield* Effect.serviceOption(Listener)
      if (Option.isNone(listener) || origins.length > 0 || (yield* References.TracerEnabled)) return
      listener.value.setDirectHandler(yield* makeDirectHandler(endpoints))
    })
  )

const routeOf = ({ definition, serve }: Endpoint) =>
  HttpRouter.route(
    definition.method,
    definition.path as HttpRouter.PathInput,
    Effect.gen(function* () {
      const context = yield* RequestContext
      const request = yield* HttpServerRequest.HttpServerRequest
      if (context === undefined) return yield* Effect.die(new Error("A request without its pipeline"))
      const incoming = {
        url: request.url,
        headers: request.headers,
        params: yield* HttpRouter.params,
        query: yield* HttpServerRequest.ParsedSearchParams,
        bytes: (limit: number) =>
          Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        parts: request.multipartStream
      }
      return toResponse(yield* serve(incoming, context))
    })
  )

/**
 * The endpoints as routes of the library's router, which reads every form of a request, streams answers, traces them and serves
 * tests without a socket.
 */
export const routerTransport = (endpoints: ReadonlyArray<Endpoint>) =>
  HttpRouter.use((router) => router.addAll(endpoints.map(routeOf)))
