// src/http/RateLimit.ts: how often a key may ask, and the headers that tell it.
import { Clock, Context, Duration, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { add, rateLimited } from "#layers/Metrics.ts"
import { NeedsLimiter, type Principal, RateBucket } from "#schema/Auth.ts"
import { RateLimited } from "#schema/Errors.ts"
import type { RequestContext } from "#src/http/RequestContext.ts"

/** Requests in a window, for every key alike; without it, the plan says how many a minute. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.Duration
}

/** How often a key may ask. */
const rateOf = (rate: Rate | undefined, key: Principal): Rate =>
  rate ?? { limit: key.requests_per_minute, window: minute }

const minute = Duration.minutes(1)

/** What an answer tells of it, as of `now` in milliseconds. */
const rateHeaders = (most: number, remaining: number, resetAfter: Duration.Duration, now: number) => ({
  "x-ratelimit-limit": String(most),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil((now + Duration.toMillis(resetAfter)) / 1000))
})

/** For an endpoint: counts a request of its principal, writes the headers that tell it, and refuses one too many. */
export const rateLimit = Effect.fnUntraced(function* (rate: Rate | undefined) {
  const limiter = yield* RateLimiter.RateLimiter
  const clock = yield* Clock.Clock

  const tell = (context: RequestContext, { limit, remaining, resetAfter }: RateLimiter.ConsumeResult) => {
    context.headers = rateHeaders(limit, remaining, resetAfter, clock.currentTimeMillisUnsafe())
  }

  const refuse = (context: RequestContext, isStrict: boolean, { reason }: RateLimiter.RateLimiterError) => {
    if (reason._tag === "RateLimitStoreError") {
      // For most requests an answer without a limit is the lesser harm.
      const outcome = isStrict
        ? Effect.fail(new RateLimited({ message: "Requests cannot be counted now; try again soon" }))
        : Effect.void
      return Effect.andThen(Effect.logError("The rate limiter is unavailable", reason), outcome)
    }
    const { limit, retryAfter } = reason
    const wait = Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))
    context.headers = {
      ...rateHeaders(limit, 0, retryAfter, clock.currentTimeMillisUnsafe()),
      "retry-after": String(wait)
    }
    const refusal = new RateLimited({ message: `Too many requests; try again in ${wait} s` })
    return Effect.andThen(add(rateLimited, 1), Effect.fail(refusal))
  }

  return ({ annotations }: HttpApiEndpoint.Top) => {
    const isStrict = Context.get(annotations, NeedsLimiter)
    const bucket = rate === undefined ? Context.get(annotations, RateBucket) : undefined

    return (principal: Principal, context: RequestContext): Effect.Effect<void, RateLimited> => {
      const { limit, window } = rateOf(rate, principal)
      const overall = limiter.consume({ key: principal.id, limit, window })
      const nearer =
        bucket === undefined
          ? overall
          : Effect.zipWith(
              overall,
              limiter.consume({ key: `${principal.id}:${bucket.name}`, limit: bucket.limit, window }),
              (one, other) => (one.remaining < other.remaining ? one : other)
            )
      return Effect.catch(
        Effect.map(nearer, (used) => tell(context, used)),
        (error) => refuse(context, isStrict, error)
      )
    }
  }
})
