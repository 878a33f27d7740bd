// src/http/Lean.ts: what a request carries about with it. The library copies all that is in reach for every request anew, so
// what handlers have taken hold of by then is left behind.
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Authentication, Authorization, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { withoutServices } from "#src/services.ts"

// The types count what a handler asks for later as a need of its request, which is met elsewhere.
const middleware = Context.pick(Authentication, Authorization, RateLimit, RequestErrors, StrictBody) as <R>(
  services: Context.Context<R>
) => Context.Context<R>

/** `HttpApiBuilder.group`: only while the handlers are made do they find their services in reach. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.contextWith((services: Context.Context<never>) => {
      const routes = HttpApiBuilder.group(api, identifier, (handlers) => {
        const made = build(handlers)
        // What it makes is still the same.
        return Effect.isEffect(made) ? (Effect.provideContext(made, services) as typeof made) : made
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
