// layers/database/Transactions.ts: runs work in a transaction, and turns database errors into defects.
import { Cause, Context, Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

type DatabaseError = SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError

const isDatabaseError = (error: unknown): error is DatabaseError =>
  SqlError.isSqlError(error) || Schema.isSchemaError(error) || Cause.isNoSuchElementError(error)

/** A failed statement, a missing row or a row that does not match its schema is a defect: no caller can handle it. */
const orDie = <A, E, R>(work: Effect.Effect<A, E | DatabaseError, R>) =>
  Effect.catchIf(work, isDatabaseError, Effect.die)

/** Runs the work in a transaction, or in a savepoint of the caller's transaction. */
export const inTransaction =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    orDie(sql.withTransaction(work))

/**
 * Like `inTransaction`, but joins the caller's transaction without a savepoint. The caller must fail if this fails,
 * because the writes are rolled back only with the caller's transaction.
 */
export const joinTransaction =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (openTransaction) =>
      orDie(Option.isSome(openTransaction) ? work : sql.withTransaction(work))
    )

/**
 * Removes services from the context of long-lived background work: Effect copies the whole context for each transaction, and such
 * work holds its services already. The program sets it; the default removes none.
 */
export const TrimContext = Context.Reference<<R>(context: Context.Context<R>) => Context.Context<R>>(
  "overture/layers/TrimContext",
  {
    defaultValue: () => (context) => context
  }
)

/** Runs background work in the trimmed context. */
export const trimContext = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(TrimContext, (trim) => work.pipe(Effect.updateContext<R, R>(trim)))
