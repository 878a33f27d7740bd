// layers/database/Sqlite.ts: the SQL client for Node's `node:sqlite`: one connection for writes and a second one for
// reads.
import * as GroupCommit from "#layers/database/sqlite/GroupCommit.ts"
import * as WriteConnection from "#layers/database/sqlite/WriteConnection.ts"
import { Clock, type Duration, Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { connect } from "#layers/database/sqlite/Connection.ts"
import { cacheStatements } from "#layers/database/sqlite/StatementCache.ts"
import { coalesceWrites } from "#layers/database/sqlite/WriteCoalescer.ts"
import { transactionDuration } from "#layers/Metrics.ts"
import { begin } from "#layers/database/sqlite/WriteConnection.ts"

/** Measures how long each holder keeps the write lock. */
const timed = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  let began = 0n
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) => {
    const done = connection.execute(sql, params, transform)
    if (sql !== begin && sql !== "COMMIT" && sql !== "ROLLBACK") return done
    return Effect.tap(done, () =>
      Effect.withFiber((fiber) => {
        const at = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
        if (sql === begin) began = at
        else transactionDuration.updateUnsafe(Number(at - began) / 1e9, fiber.context)
        return Effect.void
      })
    )
  }
  return { ...connection, execute }
}

export interface Options {
  /** A path, or `":memory:"` for a database that ends with its layer. */
  readonly filename: string
  /** How long to wait for a lock of another client, including the time in the queue; 5 seconds by default. */
  readonly busyTimeout?: Duration.Input
}

/**
 * A client of the database at `filename`.
 *
 * Transactions, and statements that may write, take turns on one connection. A transaction takes the write lock at its
 * start, and a commit survives a power failure. Waiting for another client of the file does not block the event loop.
 * Concurrent transactions share a commit and return after it; a transaction with a `BeginTransaction` commits alone.
 *
 * Concurrent writes outside transactions are committed together and return after the commit.
 *
 * A statement outside a transaction that starts with `SELECT` never waits: it runs at once on a second, read-only
 * connection and sees everything that is committed. So `changes()`, temporary tables and other state of a connection need a
 * transaction. In memory there is one connection, and reads take turns too.
 *
 * Statements run on the calling thread: page through large results, or use `.stream`.
 *
 * ANALYZE is never run: statistics of tables that were once small make the planner scan whole tables for as long as the
 * process runs. Without statistics it uses the indexes.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: Options) {
  const writer = yield* connect(options.filename, options.busyTimeout)
  const { controls, lane } = GroupCommit.make(
    yield* WriteConnection.make({ ...writer, connection: timed(writer.connection) })
  )

  // Only a file can be opened by a second connection.
  const location = writer.db.location()
  const spanAttributes = [["db.system.name", "sqlite"]] as const
  const client = yield* SqlClient.make({
    ...(location === null ? lane : yield* beside(lane, location, options.busyTimeout)),
    transactionAcquirer: lane.acquirer,
    driver: "node-sqlite",
    compiler: cacheStatements(Statement.makeCompilerSqlite()),
    spanAttributes
  })
  const { transactionService } = client
  const withTransaction = SqlClient.makeWithTransaction({ ...controls, transactionService, spanAttributes })
  return Object.assign(client, { withTransaction })
})

/** The connection for statements outside transactions: sends reads to the reader and writes to the write connection. */
const beside = Effect.fnUntraced(function* (
  lane: WriteConnection.WriteConnection,
  location: string,
  busyTimeout: Duration.Input | undefined
) {
  const open = connect(location, busyTimeout, true)
  const reader = yield* open
  const write = coalesceWrites(lane)
  const route = <A>(sql: string, f: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>) =>
    selects.test(sql) ? f(reader.connection) : write(f)

  const connection: SqlConnection.Connection = {
    execute: (sql, params, transform) => route(sql, (connection) => connection.execute(sql, params, transform)),
    executeUnprepared: (sql, params, transform) =>
      route(sql, (connection) => connection.executeUnprepared(sql, params, transform)),
    executeRaw: (sql, params) => route(sql, (connection) => connection.executeRaw(sql, params)),
    executeValues: (sql, params) => route(sql, (connection) => connection.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) =>
      route(sql, (connection) => connection.executeValuesUnprepared(sql, params)),
    // An open cursor pins its connection to one snapshot, so each stream opens its own connection.
    executeStream: (sql, params, transform) =>
      Stream.unwrap(
        Effect.map(selects.test(sql) ? Effect.map(open, (own) => own.connection) : lane.acquirer, (connection) =>
          connection.executeStream(sql, params, transform)
        )
      )
  }

  const acquirer: SqlConnection.Acquirer = Effect.succeed(connection)
  const borrower: SqlConnection.Borrower = (f) => f(connection)
  return { acquirer, borrower }
})

const selects = /^\s*SELECT\b/i
