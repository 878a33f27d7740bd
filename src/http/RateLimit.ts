// src/http/RateLimit.ts: limits the requests of each key, and reports the limit in headers.
import { Clock, Context, Duration, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { add, rateLimited } from "#layers/Metrics.ts"
import { NeedsLimiter, type Principal, RateBucket } from "#schema/Auth.ts"
import { RateLimited } from "#schema/Errors.ts"
import type { RequestContext } from "#src/http/RequestContext.ts"

/** Requests per window for every key; if undefined, the plan's limit per minute applies. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.Duration
}

const rateOf = (rate: Rate | undefined, principal: Principal): Rate =>
  rate ?? { limit: principal.requests_per_minute, window: minute }

const minute = Duration.minutes(1)

/** A limit, and how much of it is used. */
interface LimitUsage {
  /** "key", or the name of an endpoint's own limit. */
  readonly policy: string
  readonly limit: number
  readonly remaining: number
  readonly resetAfter: Duration.Duration
  readonly window: Duration.Duration
}

/**
 * The contract's headers, and RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10, whose times
 * are seconds from now. `now` is in milliseconds.
 */
const rateHeaders = ({ limit, policy, remaining, resetAfter, window }: LimitUsage, now: number) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil((now + Duration.toMillis(resetAfter)) / 1000)),
  "ratelimit-policy": `"${policy}";q=${limit};w=${Math.ceil(Duration.toSeconds(window))}`,
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(Duration.toSeconds(resetAfter))}`
})

/** Makes the rate limit of an endpoint: counts the request, sets the headers, and refuses requests above the limit. */
export const rateLimit = Effect.fnUntraced(function* (rate: Rate | undefined) {
  const limiter = yield* RateLimiter.RateLimiter
  const clock = yield* Clock.Clock

  const setHeaders = (context: RequestContext, usage: LimitUsage) => {
    context.headers = rateHeaders(usage, clock.currentTimeMillisUnsafe())
  }

  const refuse = (
    context: RequestContext,
    {
      needsLimiter,
      policyOf,
      window
    }: {
      readonly needsLimiter: boolean
      readonly policyOf: (key: string) => string
      readonly window: Duration.Duration
    },
    { reason }: RateLimiter.RateLimiterError
  ) => {
    if (reason._tag === "RateLimitStoreError") {
      // Without a limiter, most requests are let through; those of endpoints with `NeedsLimiter` are refused.
      const outcome = needsLimiter
        ? Effect.fail(new RateLimited({ message: "Requests cannot be counted now; try again soon" }))
        : Effect.void
      return Effect.andThen(Effect.logError("The rate limiter is unavailable", reason), outcome)
    }
    const { key, limit, retryAfter } = reason
    const wait = Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))
    context.headers = {
      ...rateHeaders(
        { policy: policyOf(key), limit, remaining: 0, resetAfter: retryAfter, window },
        clock.currentTimeMillisUnsafe()
      ),
      "retry-after": String(wait)
    }
    const refusal = new RateLimited({ message: `Too many requests; try again in ${wait} s` })
    return Effect.andThen(add(rateLimited, 1), Effect.fail(refusal))
  }

  return ({ annotations }: HttpApiEndpoint.Top) => {
    const needsLimiter = Context.get(annotations, NeedsLimiter)
    const bucket = rate === undefined ? Context.get(annotations, RateBucket) : undefined

    return (principal: Principal, context: RequestContext): Effect.Effect<void, RateLimited> => {
      const { limit, window } = rateOf(rate, principal)
      const consume = (policy: string, key: string, maxRequests: number) =>
        Effect.map(
          limiter.consume({ key, limit: maxRequests, window }),
          ({ limit, remaining, resetAfter }): LimitUsage => ({
            policy,
            limit,
            remaining,
            resetAfter,
            window
          })
        )
      const overall = consume("key", principal.id, limit)
      const tighter =
        bucket === undefined
          ? overall
          : Effect.zipWith(
              overall,
              consume(
                bucket.name,
                `${bucket.per === "key" ? principal.id : principal.workspace_id}:${bucket.name}`,
                bucket.limit
              ),
              (overallUsage, bucketUsage) =>
                overallUsage.remaining < bucketUsage.remaining ? overallUsage : bucketUsage
            )
      const policyOf = (key: string) => (key === principal.id || bucket === undefined ? "key" : bucket.name)
      return Effect.catch(
        Effect.map(tighter, (usage) => setHeaders(context, usage)),
        (error) => refuse(context, { needsLimiter, policyOf, window }, error)
      )
    }
  }
})
