// layers/database/Sqlite.ts: the SQL client over Node's own `node:sqlite`: one lane that writes, and a connection that reads beside it.
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

/** Notes how long the write lock was held each time. */
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
  /** A path, or `":memory:"` for a database that lives and dies with its layer. */
  readonly filename: string
  /**
   * How long a statement waits for a lock that another client of the file holds, its turn included; 5 seconds if not
   * given.
   */
  readonly busyTimeout?: Duration.Input
}

/**
 * A client of the database at `filename`.
 *
 * Transactions, and statements that may write, take turns on one connection. A transaction has the write lock from its
 * start, and what it commits survives a power failure. Another client of the file is waited for without blocking.
 * Transactions that come at the same time share a commit, and each returns once that is done; one with a
 * `BeginTransaction` has its own.
 *
 * Writes outside a transaction that come at the same time are committed together, and each returns once that is done.
 *
 * A statement outside a transaction that begins with `SELECT` never waits: it runs at once on a second, read-only
 * connection and sees everything committed so far. So `changes()`, temporary tables and whatever else belongs to one
 * connection need a transaction. In memory there is one connection, and reads take their turn too.
 *
 * Statements run on the calling thread: page through many rows, or use `.stream`.
 *
 * Nothing is counted for SQLite's planner: what it knows of tables that were small once would have it read all of them for
 * as long as the process lives. Without, it goes by the indexes.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: Options) {
  const writer = yield* connect(options.filename, options.busyTimeout)
  const { controls, lane } = GroupCommit.make(
    yield* WriteConnection.make({ ...writer, connection: timed(writer.connection) })
  )

  // Only a database with a file can be opened a second time.
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

/** What statements outside a transaction use instead of the lane: a connection that sends each where it belongs. */
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
    // An open cursor holds its whole connection to one moment of the past, so each stream reads on its own.
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
