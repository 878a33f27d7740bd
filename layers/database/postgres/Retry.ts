// layers/database/postgres/Retry.ts: retries transactions that conflict with another.
import { Clock, Context, Effect, Option, Random, type Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Retries before the caller gets the error. */
export const maxRetries = 100

/** A random pause of up to 25 ms, so that transactions that conflicted with the same one do not collide again. */
export const retryDelay = Effect.flatMap(Random.nextBetween(1, 25), Effect.sleep).pipe(
  // The real clock, because the database does not wait for a test clock.
  Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
)

/**
 * Whether the running transaction has had a conflict. Its connection records this, because the transaction's code may
 * catch the error.
 */
export const SerializationConflict = Context.Reference<{ hasConflict: boolean }>(
  "overture/layers/Postgres/SerializationConflict",
  {
    defaultValue: () => ({ hasConflict: false })
  }
)

/**
 * A `withTransaction` that retries on a conflict. One retry runs at a time in this process, so retries do not conflict
 * with each other.
 */
export const retryOnConflict =
  ({ transactionService, withTransaction }: SqlClient.SqlClient, semaphore: Semaphore.Semaphore) =>
  <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (outer) => {
      if (Option.isSome(outer)) return withTransaction(effect)
      const conflict = { hasConflict: false }
      const run = Effect.suspend(() => {
        conflict.hasConflict = false
        return withTransaction(effect)
      }).pipe(Effect.provideService(SerializationConflict, conflict), Effect.sandbox)
      return run.pipe(
        Effect.catchIf(
          () => conflict.hasConflict,
          () =>
            semaphore.withPermit(
              Effect.retry(Effect.andThen(retryDelay, run), { while: () => conflict.hasConflict, times: maxRetries })
            )
        ),
        Effect.catch(Effect.failCause)
      )
    })
