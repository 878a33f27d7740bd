// src/http/Lean.ts: what a request carries about with it. The library copies all that is in reach for every request anew, so
// what handlers have taken hold of by then is left behind.
import { Context, Effect, Layer } from "effect"
import { Etag, HttpPlatform, HttpRouter, HttpServer } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { Api } from "#schema/Api.ts"
import { Authentication, Authorization, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { Listener } from "#src/http/Listener.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { withoutServices } from "#src/services.ts"

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
