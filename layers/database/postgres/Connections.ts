// layers/database/postgres/Connections.ts: gives the SQL client connections from the pools, in and outside transactions.
import type { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, type Scope, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { SerializationConflict, maxRetries, retryDelay } from "#layers/database/postgres/Retry.ts"
import { withoutStatementValues, isConflict } from "#layers/database/postgres/Errors.ts"

/** PostgreSQL's text cannot hold U+0000, which imported sites and files may contain. */
export const withoutNulCharacters = (text: string) => text.replaceAll("\0", "\uFFFD")

const stripNul = (params: ReadonlyArray<unknown>) =>
  params.some((value) => typeof value === "string" && value.includes("\0"))
    ? params.map((value) => (typeof value === "string" ? withoutNulCharacters(value) : value))
    : params

interface ConnectionLender {
  readonly use: <A>(
    sql: string,
    statement: (connection: PgConnection.PgConnection) => Effect.Effect<A, SqlError.SqlError>
  ) => Effect.Effect<A, SqlError.SqlError>
  /** A connection until the scope closes. */
  readonly lend: (sql: string) => Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
}

const makeConnection = ({ lend, use }: ConnectionLender): SqlConnection.Connection => {
  const query = (sql: string, params: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.mapError(
      use(sql, (connection) => connection.query(sql, stripNul(params), prepare)),
      withoutStatementValues
    )
  const values = (sql: string, params: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.mapError(
      use(sql, (connection) => connection.queryValues(sql, stripNul(params), prepare)),
      withoutStatementValues
    )
  const rows =
    (prepare?: boolean): SqlConnection.Connection["execute"] =>
    (sql, params, transform) =>
      Effect.map(query(sql, params, prepare), ({ rows }) => (transform ? transform(rows) : rows))
  return {
    execute: rows(),
    executeUnprepared: rows(false),
    executeRaw: (sql, params) => query(sql, params),
    executeValues: (sql, params) => values(sql, params),
    executeValuesUnprepared: (sql, params) => values(sql, params, false),
    executeStream: (sql, params, transform) => {
      const rows = Stream.unwrap(Effect.map(lend(sql), (connection) => connection.stream(sql, stripNul(params))))
      return Stream.mapError(transform ? Stream.map(rows, (row) => transform([row])[0]) : rows, withoutStatementValues)
    }
  }
}

const selectPattern = /^\s*SELECT\b/i

/** For statements outside transactions: each runs alone and is retried on a conflict. */
export const onSeparateConnection = (writers: PgPool.PgPool, readers: PgPool.PgPool) =>
  makeConnection({
    use: (sql, statement) =>
      selectPattern.test(sql)
        ? readers.use(statement)
        : Effect.catch(writers.use(statement), (error) =>
            isConflict(error)
              ? Effect.retry(Effect.andThen(retryDelay, writers.use(statement)), {
                  while: isConflict,
                  times: maxRetries
                })
              : Effect.fail(error)
          ),
    lend: (sql) => (selectPattern.test(sql) ? readers.get : writers.get)
  })

/** For statements of a transaction; records a conflict so that the transaction is retried. */
export const transactionConnection = ({ reserve }: PgPool.PgPool) =>
  Effect.map(
    Effect.all([Effect.mapError(reserve, withoutStatementValues), SerializationConflict]),
    ([transactionConnection, conflict]) =>
      makeConnection({
        use: (_, statement) =>
          Effect.tapError(statement(transactionConnection), (error) =>
            Effect.sync(() => void (conflict.hasConflict ||= isConflict(error)))
          ),
        lend: () => Effect.succeed(transactionConnection)
      })
  )
