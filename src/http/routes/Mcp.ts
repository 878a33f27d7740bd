// src/http/routes/Mcp.ts: the MCP endpoint at /mcp: Streamable HTTP with an API key. Each message is a POST with a JSON
// answer; there are no sessions and no event streams.
import { Clock, Context, Effect, Layer, Logger, References, Schema, Tracer } from "effect"
import { HttpClient, HttpMiddleware, HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication, Authorization, ForPrograms, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { type Endpoint, makeEndpoints } from "#src/http/Endpoints.ts"
import { errorResponse } from "#src/http/Replies.ts"
import type { Guards } from "#src/http/Guards.ts"
import * as InProcess from "#src/http/InProcess.ts"
import { RequestContext, setRouteLabel } from "#src/http/RequestContext.ts"
import { routerTransport } from "#src/http/server/Transports.ts"
import { isMessage, noMessage } from "#src/mcp/Message.ts"
import type { StreamableHttp } from "#src/mcp/StreamableHttp.ts"

const path = "/mcp"

const optionalHeader = Schema.optionalKey(Schema.String)

/** Not part of the contract, because MCP defines its messages. */
class McpApi extends HttpApi.make("mcp")
  .add(
    HttpApiGroup.make("mcp").add(
      HttpApiEndpoint.post("message", path, {
        headers: {
          authorization: optionalHeader,
          "x-api-key": optionalHeader,
          "mcp-protocol-version": optionalHeader,
          "mcp-method": optionalHeader,
          "mcp-name": optionalHeader
        },
        payload: Schema.Unknown,
        success: Schema.Unknown,
        error: BadRequest
      }).annotate(ForPrograms, true)
    )
  )
  .middleware(StrictBody)
  .middleware(Authorization)
  .middleware(RateLimit)
  .middleware(Authentication)
  .middleware(RequestErrors) {}

interface Message {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly payload: unknown
}

/** Those of the named headers that were sent. */
const pickHeaders = (headers: Message["headers"], names: ReadonlyArray<string>) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** The services that a message's fiber may need, apart from the tools. */
const pickMessageServices = Context.pick(
  Clock.Clock,
  Logger.CurrentLoggers,
  References.MinimumLogLevel,
  References.TracerEnabled
)

const always = () => true

/** The context of a tool call: the caller and the message's trace, without spans for the inner requests. */
const contextOf = (caller: InProcess.Caller) =>
  Effect.map(Effect.context<never>(), (context) =>
    Context.pick(
      Tracer.ParentSpan,
      Tracer.Tracer
    )(context as Context.Context<Tracer.ParentSpan>).pipe(
      Context.add(HttpClient.TracerDisabledWhen, always),
      Context.add(HttpMiddleware.TracerDisabledWhen, always),
      Context.add(InProcess.Caller, caller)
    )
  )

/** Imports the tools with the first message, because most servers have no agents and start faster without them. */
const makeLoader = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const client = yield* InProcess.make(endpoints)
  const services = pickMessageServices(yield* Effect.context<never>())
  let loaded: Promise<StreamableHttp> | undefined
  const dispose = async () => (await loaded)?.dispose()
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  return Effect.promise(
    () => (loaded ??= import("#src/mcp/StreamableHttp.ts").then(({ make }) => make(client, services)))
  )
})

const handlersOf = (load: Effect.Effect<StreamableHttp>) => ({
  message: Effect.fnUntraced(function* ({ headers, payload }: Message) {
    const context = yield* RequestContext
    if (Array.isArray(payload)) {
      return yield* new BadRequest({ message: "Batches are not taken: send each message in a request of its own" })
    }
    if (!isMessage(payload)) {
      return yield* new BadRequest({ message: `The body is ${noMessage}` })
    }
    const { exchange } = yield* load
    const caller = {
      credentials: pickHeaders(headers, ["authorization", "x-api-key"]),
      request_id: context?.request_id ?? ""
    }
    const { contentType, status, text } = yield* exchange(
      { headers: pickHeaders(headers, ["mcp-protocol-version", "mcp-method", "mcp-name"]), payload },
      yield* contextOf(caller)
    )
    if (status >= 400 && text === "")
      return yield* new BadRequest({ message: "This is not a message of this version of MCP" })
    return text === ""
      ? HttpServerResponse.empty({ status })
      : HttpServerResponse.text(text, { status, contentType: contentType ?? "application/json" })
  })
})

const methodNotAllowed = errorResponse(
  405,
  new BadRequest({ message: "Send each message by POST; this server opens no stream and keeps no session" })
)

/** Answers all other methods with 405, as the specification requires. */
const OtherMethods = ({ refuseUnknownOrigin }: Guards) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      for (const method of ["GET", "PUT", "PATCH", "DELETE"] as const) {
        yield* router.add(method, path, ({ headers }) =>
          Effect.andThen(setRouteLabel(path), refuseUnknownOrigin(headers)).pipe(
            Effect.andThen(methodNotAllowed),
            Effect.map(HttpServerResponse.setHeader("allow", "POST")),
            Effect.catchTag("FORBIDDEN", (error) => errorResponse(403, error))
          )
        )
      }
    })
  )

/** Answers MCP messages with tools that call these endpoints. */
export const Mcp = (endpoints: ReadonlyArray<Endpoint>, guards: Guards) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const load = yield* makeLoader(endpoints)
      const messages = yield* makeEndpoints(McpApi, { mcp: handlersOf(load) }, guards)
      return Layer.merge(routerTransport(messages), OtherMethods(guards))
    })
  )
