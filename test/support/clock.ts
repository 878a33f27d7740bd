// test/support/clock.ts: the live clock, with its hands where a test puts them.
import { Clock, Duration, Effect } from "effect"

export interface MovableClock {
  /** Puts the clock forward, or back, as an administrator or a time server does: no time has passed. */
  readonly jump: (by: Duration.Input) => Effect.Effect<void>
  /** Lets time pass without waiting. */
  readonly pass: (time: Duration.Input) => Effect.Effect<void>
}

/** A clock that goes from `start` on, or from now. */
export const movableClock = (start?: string) =>
  Effect.map(Clock.Clock, (live) => {
    let ahead = start === undefined ? 0 : Date.parse(start) - live.currentTimeMillisUnsafe()
    let passed = 0
    const nanos = (millis: number) => BigInt(Math.round(millis)) * 1_000_000n
    const millis = () => live.currentTimeMillisUnsafe() + ahead + passed
    const wall = () => live.currentTimeNanosUnsafe() + nanos(ahead + passed)
    const monotonic = () => live.monotonicTimeNanosUnsafe() + nanos(passed)
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
      jump: (by) => Effect.sync(() => void (ahead += Duration.toMillis(by))),
      pass: (time) => Effect.sync(() => void (passed += Duration.toMillis(time)))
    }
    return { clock, movable }
  })
