// layers/lib/Elapsed.ts: time as it passes, for how long something lasts or rests. The wall clock may be put forward or back
// meanwhile, and says only when something was.
import { Clock, Effect } from "effect"

/** By whatever clock the program runs. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Milliseconds since a moment before the program began; of use only beside another reading. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedOf(clock)))
