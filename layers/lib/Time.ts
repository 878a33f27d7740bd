// layers/lib/Time.ts: this instant as the service writes it, and time as it passes.
import { Clock, Effect } from "effect"

let millis = NaN
let text = ""

/** Caches the last millisecond, which many callers share. */
const isoOf = (at: number) => {
  if (at !== millis) {
    text = new Date(at).toISOString()
    millis = at
  }
  return text
}

/** This instant in ISO 8601, UTC. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, isoOf)

/** Monotonic milliseconds of this clock, which may be a test clock. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/**
 * Milliseconds since a moment before the program began; of use only beside another reading. The wall clock may be put forward or
 * back between two readings, and so does not measure how long something lasts.
 */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedOf(clock)))
