// src/http/Lean.ts: what a request carries about with it. The library copies all that is in reach for every request anew, so
// what handlers have taken hold of by then is left behind.
import { Context, Effect, Layer } from "effect"
import { Etag, HttpPlatform, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { begunOf } from "#src/http/Begun.ts"
import { Listener } from "#src/http/Listener.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Api } from "#schema/Api.ts"
import { Authentication, Authorization, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { withoutServices } from "#src/services.ts"

// The types count what a handler asks for later as a need of its request, which is met elsewhere.
const middleware = Context.pick(Authentication, Authorization, RateLimit, RequestErrors, StrictBody) as <R>(
  services: Context.Context<R>
) => Context.Context<R>

const withoutServer = Context.omit(
  Authentication,
  Authorization,
  Etag.Generator,
  HttpPlatform.HttpPlatform,
  HttpRouter.HttpRouter,
  HttpServer.HttpServer,
  Listener,
  RateLimit,
  RateLimiter.RateLimiter,
  RateLimiter.RateLimiterStore,
  RequestErrors,
  RequestLog,
  StrictBody
)

/** What is in reach of a handler that is called without the library. Every transaction copies all of it. */
export const withoutLibrary = (context: Context.Context<never>): Context.Context<never> => {
  const kept = new Map(withoutServer(withoutServices(context)).mapUnsafe)
  for (const { key } of Object.values(Api.groups)) kept.delete(key)
  return Context.makeUnsafe(kept)
}

/** How the library keeps the handlers of a group. */
export interface Handled {
  readonly handlers: Map<
    string,
    { readonly endpoint: HttpApiEndpoint.Top; readonly handler: Handler; readonly isRaw: boolean }
  >
}
export type Handler = (input: {
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "source">
  readonly [part: string]: unknown
}) => Effect.Effect<unknown, unknown>

/** Handlers that are not called again where they were called already. */
const goingOn = <A>(made: A): A => {
  // Its types keep to themselves what it holds.
  const { handlers } = made as unknown as Handled
  for (const [name, { handler, ...one }] of handlers) {
    handlers.set(name, { ...one, handler: (input) => begunOf(input.request)?.outcome ?? handler(input) })
  }
  return made
}

/** `HttpApiBuilder.group`: only while the handlers are made do they find their services in reach. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.contextWith((services: Context.Context<never>) => {
      const routes = HttpApiBuilder.group(api, identifier, (handlers) => {
        const made = build(handlers)
        // What it makes is still the same.
        return Effect.isEffect(made)
          ? (Effect.provideContext(Effect.map(made, goingOn), services) as typeof made)
          : goingOn(made)
      })
      return Effect.updateContext(Layer.buildWithMemoMap(routes, memoMap, scope), middleware)
    })
  )

/** The server, whose requests find in reach what the program is set to, but none of its services. */
export const layerServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      ...server,
      serve: (app, middleware) =>
        Effect.updateContext(
          middleware === undefined ? server.serve(app) : server.serve(app, middleware),
          withoutServices
        )
    })
  )
)
