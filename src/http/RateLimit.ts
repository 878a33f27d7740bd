// src/http/RateLimit.ts: how often a key may ask, and the headers that tell it.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import type { unhandled } from "effect/Types"
import { add, rateLimited } from "#layers/Metrics.ts"
import { type Principal, CurrentPrincipal, NeedsLimiter, RateBucket, RateLimit } from "#schema/Auth.ts"
import { RateLimited } from "#schema/Errors.ts"
import { begunOf } from "#src/http/direct/Begun.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, RateLimited | unhandled>

/** Requests in a window, for every key alike; without it, the plan says how many a minute. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.Duration
}

/** How often a key may ask. */
export const rateOf = (rate: Rate | undefined, key: Principal): Rate =>
  rate ?? { limit: key.requests_per_minute, window: minute }

const minute = Duration.minutes(1)

/** What an answer tells of it, as of `now` in milliseconds. */
export const rateHeaders = (most: number, remaining: number, resetAfter: Duration.Duration, now: number) => ({
  "x-ratelimit-limit": String(most),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil((now + Duration.toMillis(resetAfter)) / 1000))
})

export const RateLimitLayer = (rate: Rate | undefined) =>
  Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const clock = yield* Clock.Clock

      return (httpEffect, { endpoint }) => {
        const strict = Context.get(endpoint.annotations, NeedsLimiter)
        const bucket = Context.get(endpoint.annotations, RateBucket)
        return Effect.withFiber((fiber) => {
          const key = Context.getUnsafe(fiber.context, CurrentPrincipal)
          const requestContext = fiber.getRef(RequestContext)
          const { limit, window } = rateOf(rate, key)
          const tell = (
            most: number,
            remaining: number,
            resetAfter: Duration.Duration,
            headers?: Record<string, string>
          ) => {
            if (requestContext === undefined) return
            requestContext.headers = {
              ...rateHeaders(most, remaining, resetAfter, clock.currentTimeMillisUnsafe()),
              ...headers
            }
          }
          const used = begunOf(Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest))?.used
          const overall = used === undefined ? limiter.consume({ key: key.id, limit, window }) : Effect.succeed(used)
          const tighter =
            bucket && rate === undefined
              ? limiter.consume({ key: `${key.id}:${bucket.name}`, limit: bucket.limit, window })
              : undefined
          const nearer =
            tighter === undefined
              ? overall
              : Effect.zipWith(overall, tighter, (one, other) => (one.remaining < other.remaining ? one : other))
          return nearer.pipe(
            Effect.matchEffect({
              onSuccess: (used) => {
                tell(used.limit, used.remaining, used.resetAfter)
                return httpEffect
              },
              onFailure: ({ reason }) => {
                if (reason._tag === "RateLimitStoreError") {
                  // For most requests an answer without a limit is the lesser harm.
                  const goOn: Answer = strict
                    ? Effect.fail(new RateLimited({ message: "Requests cannot be counted now; try again soon" }))
                    : httpEffect
                  return Effect.andThen(Effect.logError("The rate limiter is unavailable", reason), goOn)
                }
                const wait = Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter)))
                tell(reason.limit, 0, reason.retryAfter, { "retry-after": String(wait) })
                return Effect.andThen(
                  add(rateLimited, 1),
                  Effect.fail(new RateLimited({ message: `Too many requests; try again in ${wait} s` }))
                )
              }
            })
          )
        })
      }
    })
  )
