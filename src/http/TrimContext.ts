// src/http/TrimContext.ts: removes services from the context of requests. Effect copies the whole context for every request, and the
// handlers hold their services already.
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

/** The context of a handler on the direct path. */
export const withoutLibrary = (context: Context.Context<never>): Context.Context<never> => {
  const kept = new Map(withoutServer(withoutServices(context)).mapUnsafe)
  for (const { key } of Object.values(Api.groups)) kept.delete(key)
  return Context.makeUnsafe(kept)
}

/** The HTTP server, whose requests have the program's settings in their context, but none of its services. */
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
