// layers/idempotency/Time.ts: the clock for the expiry of keys, which shifts stored expiries when the system clock
// jumps. On PostgreSQL it is the database's clock, because the clocks of machines differ.
import { Clock, Duration, Effect, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { elapsed } from "#layers/lib/Time.ts"

/** Smaller corrections, for example by NTP, do not count as jumps. */
const minJumpMillis = Duration.toMillis("1 minute")

const readClocks = Effect.all({ at: Clock.currentTimeMillis, elapsed })

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres(sql)) {
    const now = sql<{ readonly at: number }>`
      SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS at`
    return { now: Effect.orDie(Effect.map(now, ([row]) => row?.at ?? 0)), adjustToClockJump: Effect.void }
  }

  let lastReading = yield* readClocks
  const clockJump = (currentReading: typeof lastReading) =>
    currentReading.at - lastReading.at - (currentReading.elapsed - lastReading.elapsed)

  const shiftExpiries = Effect.gen(function* () {
    const currentReading = yield* readClocks
    const jump = clockJump(currentReading)
    if (Math.abs(jump) < minJumpMillis) return
    yield* sql`UPDATE idempotency_keys SET expires_at = expires_at + ${jump}`
    lastReading = currentReading
  })
  const shiftLock = Semaphore.makeUnsafe(1)

  return {
    /**
     * Time in milliseconds: the system time at the last reading, at the start or after a jump, plus the monotonic time
     * since. With the system clock itself, keys would expire at a jump that `adjustToClockJump` has not handled yet.
     */
    now: Effect.map(elapsed, (elapsedNow) => lastReading.at + elapsedNow - lastReading.elapsed),
    /** Shifts the stored expiries if the system clock has jumped. */
    adjustToClockJump: Effect.gen(function* () {
      if (Math.abs(clockJump(yield* readClocks)) < minJumpMillis) return
      yield* shiftLock.withPermit(
        Effect.suspend(() => {
          const previousReading = lastReading
          return Effect.onError(sql.withTransaction(shiftExpiries), () =>
            Effect.sync(() => void (lastReading = previousReading))
          )
        })
      )
    }).pipe(Effect.orDie)
  }
})
