// layers/RateLimiter.ts: counts requests, in the memory of one process or in a Redis shared by several. The limits, and
// what happens above them, are in src/http/Guards.ts.
import { Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { elapsed } from "#layers/lib/Time.ts"

/** Expired counters are removed once the map has doubled since the last removal and grown by at least this many. */
const minCounters = 1000

export type Counters = Map<string, { count: number; endsAt: number }>

/**
 * Effect's memory store with its own fixed windows: Effect's windows are never evicted, and they last too long after
 * the clock was set back. These windows are evicted and use the monotonic clock.
 */
export const make = (counters: Counters): Layer.Layer<RateLimiter.RateLimiterStore> =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const store = Context.get(yield* Layer.build(RateLimiter.layerStoreMemory), RateLimiter.RateLimiterStore)
      let evictAtSize = minCounters

      const evict = (elapsedMillis: number) => {
        for (const [key, { endsAt }] of counters) if (endsAt <= elapsedMillis) counters.delete(key)
        evictAtSize = counters.size + Math.max(minCounters, counters.size)
      }

      return RateLimiter.RateLimiterStore.of({
        ...store,
        fixedWindow: ({ key, limit, refillRate, tokens }) =>
          Effect.map(elapsed, (elapsedMillis) => {
            if (counters.size >= evictAtSize) evict(elapsedMillis)
            const existing = counters.get(key)
            const counter =
              existing !== undefined && existing.endsAt > elapsedMillis ? existing : { count: 0, endsAt: elapsedMillis }
            if (counter !== existing) counters.set(key, counter)
            if (limit !== undefined && counter.count + tokens > limit) {
              return [counter.count + tokens, counter.endsAt - elapsedMillis] as const
            }
            counter.count += tokens
            counter.endsAt += Duration.toMillis(refillRate) * tokens
            return [counter.count, counter.endsAt - elapsedMillis] as const
          })
      })
    })
  )

/** Counts the requests of this process alone. */
export const layerMemory = Layer.unwrap(Effect.sync(() => make(new Map())))

export { layer as layerRedis } from "#layers/rate-limiter/Redis.ts"
