// src/http/routes/Mcp.ts: the MCP endpoint at /mcp: Streamable HTTP with an API key. Every message is a POST of its own,
// and its answer is JSON: there is no session and no stream of events.
import { Clock, Context, Effect, Layer, Logger, References, Schema, Tracer } from "effect"
import { HttpClient, HttpMiddleware, HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication, Authorization, ForPrograms, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { type Endpoint, make } from "#src/http/Endpoints.ts"
import { envelope } from "#src/http/Replies.ts"
import type { Guards } from "#src/http/Guards.ts"
import * as InProcess from "#src/http/InProcess.ts"
import { RequestContext, setRouteLabel } from "#src/http/RequestContext.ts"
import { routerTransport } from "#src/http/server/Transports.ts"
import type { StreamableHttp } from "#src/mcp/StreamableHttp.ts"

const path = "/mcp"

const header = Schema.optionalKey(Schema.String)

/** Whether it is one message of JSON-RPC 2.0. The rest of it depends on its method. */
const isMessage = Schema.is(
  Schema.Struct({
    jsonrpc: Schema.Literal("2.0"),
    id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
    method: Schema.String
  })
)

/** No part of the contract: what is sent and answered is declared by MCP. */
class McpApi extends HttpApi.make("mcp")
  .add(
    HttpApiGroup.make("mcp").add(
      HttpApiEndpoint.post("message", path, {
        headers: {
          authorization: header,
          "x-api-key": header,
          "mcp-protocol-version": header,
          "mcp-method": header,
          "mcp-name": header
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

/** The headers of these names that were sent. */
const some = (headers: Message["headers"], names: ReadonlyArray<string>) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** What a message may ask its fiber for, beside the tools. */
const ofMessages = Context.pick(
  Clock.Clock,
  Logger.CurrentLoggers,
  References.MinimumLogLevel,
  References.TracerEnabled
)

const always = () => true

/** What the tools of a message find in their context: the caller, and the trace of the message without spans of inner HTTP. */
const contextOf = (caller: InProcess.Caller) =>
  Effect.map(Effect.context<never>(), (all) =>
    Context.pick(
      Tracer.ParentSpan,
      Tracer.Tracer
    )(all as Context.Context<Tracer.ParentSpan>).pipe(
      Context.add(HttpClient.TracerDisabledWhen, always),
      Context.add(HttpMiddleware.TracerDisabledWhen, always),
      Context.add(InProcess.Caller, caller)
    )
  )

/** The tools, loaded with the first message: most servers have no agent, and start sooner without them. */
const loading = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const client = yield* InProcess.make(endpoints)
  const services = ofMessages(yield* Effect.context<never>())
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
      return yield* new BadRequest({
        message:
          'The body is not a message of JSON-RPC: "jsonrpc" is "2.0", "method" a string, and "id" a string or a number'
      })
    }
    const { exchange } = yield* load
    const caller = {
      credentials: some(headers, ["authorization", "x-api-key"]),
      request_id: context?.request_id ?? ""
    }
    const { contentType, status, text } = yield* exchange(
      { headers: some(headers, ["mcp-protocol-version", "mcp-method", "mcp-name"]), payload },
      yield* contextOf(caller)
    )
    if (status >= 400 && text === "")
      return yield* new BadRequest({ message: "This is not a message of this version of MCP" })
    return text === ""
      ? HttpServerResponse.empty({ status })
      : HttpServerResponse.text(text, { status, contentType: contentType ?? "application/json" })
  })
})

const onlyPost = envelope(
  405,
  new BadRequest({ message: "Send each message by POST; this server opens no stream and keeps no session" })
)

/** The other methods, which the specification has refused with 405. */
const OtherMethods = ({ refuseUnknownPage }: Guards) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      for (const method of ["GET", "PUT", "PATCH", "DELETE"] as const) {
        yield* router.add(method, path, ({ headers }) =>
          Effect.andThen(setRouteLabel(path), refuseUnknownPage(headers)).pipe(
            Effect.andThen(onlyPost),
            Effect.map(HttpServerResponse.setHeader("allow", "POST")),
            Effect.catchTag("FORBIDDEN", (error) => envelope(403, error))
          )
        )
      }
    })
  )

/** Answers the messages of agents with tools that call these endpoints. */
export const Mcp = (endpoints: ReadonlyArray<Endpoint>, guards: Guards) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const load = yield* loading(endpoints)
      const messages = yield* make(McpApi, { mcp: handlersOf(load) }, guards)
      return Layer.merge(routerTransport(messages), OtherMethods(guards))
    })
  )
