// layers/lib/Time.ts: the current time in ISO 8601, and monotonic milliseconds.
import { Clock, Effect } from "effect"

let millis = NaN
let text = ""

/** Caches the last millisecond, which many callers share. */
const toIso = (timeMillis: number) => {
  if (timeMillis !== millis) {
    text = new Date(timeMillis).toISOString()
    millis = timeMillis
  }
  return text
}

/** This instant in ISO 8601, UTC. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, toIso)

/** Monotonic milliseconds of this clock, which may be a test clock. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/**
 * Monotonic milliseconds; only the difference of two readings has a meaning. The wall clock may be set between two readings, so
 * it does not measure how long something lasts.
 */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedOf(clock)))
