// layers/idempotency/Time.ts: the clock for the expiry of keys, which shifts stored expiries when the system clock
// jumps. On PostgreSQL it is the database's clock, because the clocks of machines differ.
import { Clock, Duration, Effect, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { elapsed } from "#layers/lib/Time.ts"

/** Smaller corrections, for example by NTP, do not count as jumps. */
const minJumpMillis = Duration.toMillis("1 minute")

const reading = Effect.all({ at: Clock.currentTimeMillis, elapsed })

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres(sql)) {
    const now = sql<{ readonly at: number }>`
      SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS at`
    return { now: Effect.orDie(Effect.map(now, ([row]) => row?.at ?? 0)), follow: Effect.void }
  }

  let seen = yield* reading
  const jumpOf = (present: typeof seen) => present.at - seen.at - (present.elapsed - seen.elapsed)

  const move = Effect.gen(function* () {
    const present = yield* reading
    const jump = jumpOf(present)
    if (Math.abs(jump) < minJumpMillis) return
    yield* sql`UPDATE idempotency_keys SET expires_at = expires_at + ${jump}`
    seen = present
  })
  const moveLock = Semaphore.makeUnsafe(1)

  return {
    /**
     * Time in milliseconds: the system time at the last `follow` plus the monotonic time since. With the system clock
     * itself, keys would expire at a jump that `follow` has not handled yet.
     */
    now: Effect.map(elapsed, (now) => seen.at + now - seen.elapsed),
    /** Shifts the stored expiries if the system clock has jumped. */
    follow: Effect.gen(function* () {
      if (Math.abs(jumpOf(yield* reading)) < minJumpMillis) return
      yield* moveLock.withPermit(
        Effect.suspend(() => {
          const before = seen
          return Effect.onError(sql.withTransaction(move), () => Effect.sync(() => void (seen = before)))
        })
      )
    }).pipe(Effect.orDie)
  }
})
