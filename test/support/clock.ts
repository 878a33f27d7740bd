// test/support/clock.ts: a live clock that a test can move.
import { Clock, Duration, Effect } from "effect"

export interface MovableClock {
  /** Changes the wall clock, as an administrator or a time server does. The monotonic clock does not move. */
  readonly jumpBy: (by: Duration.Input) => Effect.Effect<void>
  /** Moves both the wall clock and the monotonic clock forward. */
  readonly advance: (time: Duration.Input) => Effect.Effect<void>
}

/** A clock that starts at `start`, or now. */
export const movableClock = (start?: string) =>
  Effect.map(Clock.Clock, (live) => {
    let wallOffsetMillis = start === undefined ? 0 : Date.parse(start) - live.currentTimeMillisUnsafe()
    let advancedMillis = 0
    const toNanos = (millis: number) => BigInt(Math.round(millis)) * 1_000_000n
    const millis = () => live.currentTimeMillisUnsafe() + wallOffsetMillis + advancedMillis
    const wall = () => live.currentTimeNanosUnsafe() + toNanos(wallOffsetMillis + advancedMillis)
    const monotonic = () => live.monotonicTimeNanosUnsafe() + toNanos(advancedMillis)
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: wall,
      currentTimeNanos: Effect.sync(wall),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => live.sleep(duration)
    }
    const movable: MovableClock = {
      jumpBy: (by) => Effect.sync(() => void (wallOffsetMillis += Duration.toMillis(by))),
      advance: (time) => Effect.sync(() => void (advancedMillis += Duration.toMillis(time)))
    }
    return { clock, movable }
  })
