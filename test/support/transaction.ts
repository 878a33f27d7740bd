// test/support/transaction.ts: a transaction that a test holds open, for tests of concurrent writes.
import { Deferred, Effect, Fiber } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** A transaction that has run `write` and stays open until the test ends it. */
export const openTransaction = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  write: Effect.Effect<unknown, SqlError.SqlError>
) {
  const written = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void, "undo">()
  const fiber = yield* write.pipe(
    Effect.andThen(Deferred.succeed(written, undefined)),
    Effect.andThen(Deferred.await(end)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(written)
  return {
    commit: Effect.andThen(Deferred.succeed(end, undefined), Fiber.await(fiber)),
    rollBack: Effect.andThen(Deferred.fail(end, "undo"), Fiber.await(fiber)),
    interrupt: Fiber.interrupt(fiber)
  }
})

/** Yields often enough that all other fibers are blocked. */
export const letOthersRun = Effect.repeat(Effect.yieldNow, { times: 20 })
