// layers/database/postgres/Retry.ts: transactions that lose against another, run again until they win.
import { Clock, Context, Effect, Option, Random, type Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Retries before the caller gets an error that the database is busy. */
export const mostRuns = 100

/** Waits for up to 25 ms, so that processes that lost against the same one do not meet again. */
export const pause = Effect.flatMap(Random.nextBetween(1, 25), Effect.sleep).pipe(
  // The database does not wait for a clock that a test has stopped.
  Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
)

/** Whether the transaction that runs has lost against another; noted by its connection, as its code may hide it. */
export const SerializationConflict = Context.Reference<{ lost: boolean }>(
  "overture/layers/Postgres/SerializationConflict",
  {
    defaultValue: () => ({ lost: false })
  }
)

/**
 * `withTransaction` that runs a transaction again when it has lost. Those that have lost take turns: each then meets
 * only those that run for the first time, or in another process.
 */
export const retryOnConflict =
  ({ transactionService, withTransaction }: SqlClient.SqlClient, turn: Semaphore.Semaphore) =>
  <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (outer) => {
      if (Option.isSome(outer)) return withTransaction(effect)
      const conflict = { lost: false }
      const run = Effect.suspend(() => {
        conflict.lost = false
        return withTransaction(effect)
      }).pipe(Effect.provideService(SerializationConflict, conflict), Effect.sandbox)
      return run.pipe(
        Effect.catchIf(
          () => conflict.lost,
          () =>
            turn.withPermit(Effect.retry(Effect.andThen(pause, run), { while: () => conflict.lost, times: mostRuns }))
        ),
        Effect.catch(Effect.failCause)
      )
    })
