// layers/database/sqlite/WriteConnection.ts: the single connection that writes, lent to one fiber at a time.
import { Clock, Effect, Semaphore } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { elapsed, elapsedOf } from "#layers/lib/Elapsed.ts"
import type { connect } from "#layers/database/sqlite/Connection.ts"

export interface WriteConnection {
  /** Lends the connection until the scope closes. */
  readonly acquirer: SqlConnection.Acquirer
  /** Lends the connection for one statement. */
  readonly borrower: SqlConnection.Borrower
  readonly isTransaction: () => boolean
  /** Rolls back after a failed commit. */
  readonly onCommitFailure: (connection: SqlConnection.Connection) => Effect.Effect<void, SqlError.SqlError>
}

/** Takes the write lock at the start: a transaction that reads first may fail to get the lock for its write. */
export const begin = "BEGIN IMMEDIATE"

/** Waits for one pass of the event loop, so that requests that have arrived can join the commit. */
export const allSockets = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export const make = Effect.fnUntraced(function* ({
  connection,
  db,
  waitingSince
}: Effect.Success<ReturnType<typeof connect>>) {
  const isTransaction = () => db.isTransaction
  const turns = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction
  })
  // Time in the queue counts towards the lock timeout; otherwise each queued statement would wait for a full timeout.
  const acquirer = Effect.flatMap(elapsed, (at) =>
    Effect.map(turns.acquirer, (connection) => {
      waitingSince(at)
      return connection
    })
  )
  const borrower: SqlConnection.Borrower = (f) =>
    Effect.withFiber((fiber) => {
      const at = elapsedOf(fiber.getRef(Clock.Clock))
      return turns.borrower((connection) => {
        waitingSince(at)
        return f(connection)
      })
    })
  const lane: WriteConnection = { acquirer, borrower, isTransaction, onCommitFailure: turns.onCommitFailure }
  return lane
})
