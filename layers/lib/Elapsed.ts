// layers/lib/Elapsed.ts: monotonic time, for durations and timeouts. The system clock may be set forward or back
// meanwhile.
import { Clock, Effect } from "effect"

/** Monotonic milliseconds of this clock, which may be a test clock. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Monotonic milliseconds from an arbitrary start; meaningful only as a difference. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedOf(clock)))
