// layers/RateLimiter.ts: where requests are counted: in this process, or in one Redis for several processes. The service itself is
// Effect's RateLimiter; these are its stores.
import { Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { elapsed } from "#layers/lib/Time.ts"

/** Counters are looked through for those that ended after as many new ones as there were then, and no fewer than this. */
const fewestRemaining = 1000

export type Counters = Map<string, { count: number; endsAt: number }>

/**
 * Effect's store in memory, but for the windows: that one never forgets a key or link that was seen once, and its windows
 * would not end, after a clock was put back, before it is where it was.
 */
export const make = (counters: Counters): Layer.Layer<RateLimiter.RateLimiterStore> =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const store = Context.get(yield* Layer.build(RateLimiter.layerStoreMemory), RateLimiter.RateLimiterStore)
      let lookAt = fewestRemaining

      const forget = (at: number) => {
        for (const [key, { endsAt }] of counters) if (endsAt <= at) counters.delete(key)
        lookAt = counters.size + Math.max(fewestRemaining, counters.size)
      }

      return RateLimiter.RateLimiterStore.of({
        ...store,
        fixedWindow: ({ key, limit, refillRate, tokens }) =>
          Effect.map(elapsed, (at) => {
            if (counters.size >= lookAt) forget(at)
            const known = counters.get(key)
            const counter = known !== undefined && known.endsAt > at ? known : { count: 0, endsAt: at }
            if (counter !== known) counters.set(key, counter)
            if (limit !== undefined && counter.count + tokens > limit) {
              return [counter.count + tokens, counter.endsAt - at] as const
            }
            counter.count += tokens
            counter.endsAt += Duration.toMillis(refillRate) * tokens
            return [counter.count, counter.endsAt - at] as const
          })
      })
    })
  )

/** Limits of this process alone. */
export const layerMemory = Layer.unwrap(Effect.sync(() => make(new Map())))

export { layer as layerRedis } from "#layers/rate-limiter/Redis.ts"
