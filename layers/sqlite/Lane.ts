// layers/sqlite/Lane.ts: the one connection that writes, lent to one at a time.
import { Clock, Effect, Semaphore } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { elapsed, elapsedOf } from "#layers/Elapsed.ts"
import type { connect } from "#layers/sqlite/Connection.ts"

export interface Lane {
  /** Lends it for as long as the scope lasts. */
  readonly acquirer: SqlConnection.Acquirer
  /** Lends it for one statement. */
  readonly borrower: SqlConnection.Borrower
  readonly isTransaction: () => boolean
  /** Undoes what could not be committed. */
  readonly onCommitFailure: (connection: SqlConnection.Connection) => Effect.Effect<void, SqlError.SqlError>
}

/** Takes the write lock at once: whoever reads first and writes later could find that it is another's. */
export const begin = "BEGIN IMMEDIATE"

/** Until the event loop has looked at every socket once. */
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
  // Whoever waits for a turn behind a lock waits for that lock already: else each in the queue would begin anew.
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
  const lane: Lane = { acquirer, borrower, isTransaction, onCommitFailure: turns.onCommitFailure }
  return lane
})
