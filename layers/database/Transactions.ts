// layers/database/Transactions.ts: what is kept wholly or not at all.
import { Cause, Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

type Broken = SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError

const isBroken = (error: unknown): error is Broken =>
  SqlError.isSqlError(error) || Schema.isSchemaError(error) || Cause.isNoSuchElementError(error)

/** No caller can do anything about a statement that fails, or a row that is not there or not as its schema says. */
const orDie = <A, E, R>(work: Effect.Effect<A, E | Broken, R>) => Effect.catchIf(work, isBroken, Effect.die)

/** Does the work in a transaction, or in a savepoint of its caller's. What the database does wrong is a defect. */
export const inTransaction =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    orDie(sql.withTransaction(work))

/**
 * As `inTransaction`, but as part of the caller's transaction where there is one, without a savepoint: for work that its
 * caller does not outlive when it fails.
 */
export const joined =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
      orDie(Option.isSome(open) ? work : sql.withTransaction(work))
    )
