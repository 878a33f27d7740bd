// The SQL client over Node's own `node:sqlite`: one lane that writes, and a connection that reads beside it.
import { Array as Arr, Cause, Clock, Duration, Effect, Layer, Schedule, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { elapsed, elapsedOf } from "#layers/Elapsed.ts"
import { type Operation, isLocked, sqlError } from "#layers/sqlite/Errors.ts"
import * as Statements from "#layers/sqlite/Statements.ts"
import * as Groups from "#layers/sqlite/Groups.ts"
import { remembering } from "#layers/sqlite/Texts.ts"
import { timed } from "#layers/sqlite/Timed.ts"
import { together } from "#layers/sqlite/Together.ts"

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
 * Statements run on the calling thread: whoever reads many rows should page, or use `.stream`.
 *
 * Nothing is counted for SQLite's planner: what it knows of tables that were small once would have it read all of them for
 * as long as the process lives. Without, it goes by the indexes.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: Options) {
  const writer = yield* connect(options, options.filename)
  const turns = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(timed(writer.connection)),
    semaphore: yield* Semaphore.make(1),
    isTransaction: () => writer.db.isTransaction
  })
  // Whoever waits for a turn behind a lock waits for that lock already: else each in the queue would begin anew.
  const acquirer = Effect.flatMap(elapsed, (at) =>
    Effect.map(turns.acquirer, (connection) => {
      writer.waitingSince(at)
      return connection
    })
  )
  const borrower: SqlConnection.Borrower = (f) =>
    Effect.withFiber((fiber) => {
      const at = elapsedOf(fiber.getRef(Clock.Clock))
      return turns.borrower((connection) => {
        writer.waitingSince(at)
        return f(connection)
      })
    })
  const own = Groups.make({ ...turns, acquirer, borrower })
  const lane = { ...turns, acquirer: own.acquirer, borrower: own.borrower, transactionAcquirer: own.acquirer }

  // Only a database with a file can be opened a second time.
  const location = writer.db.location()
  const write = together(lane)
  const readers =
    location === null ? {} : yield* beside({ acquirer: lane.acquirer, borrower: write }, options, location)

  const spanAttributes = [["db.system.name", "sqlite"]] as const
  const client = yield* SqlClient.make({
    ...lane,
    ...readers,
    driver: "node-sqlite",
    compiler: remembering(Statement.makeCompilerSqlite()),
    spanAttributes
  })
  const control = (connection: SqlConnection.Connection, sql: string) =>
    Effect.asVoid(connection.execute(sql, [], undefined))
  const cleanup = (connection: SqlConnection.Connection, sql: string) =>
    writer.db.isTransaction ? control(connection, sql) : Effect.void
  const withTransaction = SqlClient.makeWithTransaction({
    ...own.controls,
    transactionService: client.transactionService,
    spanAttributes,
    savepoint: (connection, id) => control(connection, `SAVEPOINT nested_${id}`),
    releaseSavepoint: (connection, id) => cleanup(connection, `RELEASE nested_${id}`),
    rollbackSavepoint: (connection, id) => cleanup(connection, `ROLLBACK TO nested_${id}`)
  })
  return Object.assign(client, { withTransaction })
})

/** What statements outside a transaction use instead of the lane: a connection that sends each where it belongs. */
const beside = Effect.fnUntraced(function* (
  lane: Pick<ReturnType<typeof SqlClient.makeSqliteAcquirers>, "acquirer" | "borrower">,
  options: Options,
  location: string
) {
  const reader = yield* connect(options, location, true)
  const route = <A>(sql: string, f: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>) =>
    selects.test(sql) ? f(reader.connection) : lane.borrower(f)

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
        Effect.map(
          selects.test(sql) ? Effect.map(connect(options, location, true), (own) => own.connection) : lane.acquirer,
          (connection) => connection.executeStream(sql, params, transform)
        )
      )
  }

  const acquirer: SqlConnection.Acquirer = Effect.succeed(connection)
  const borrower: SqlConnection.Borrower = (f) => f(connection)
  return { acquirer, borrower }
})

const selects = /^\s*SELECT\b/i

/** Opens a connection for as long as the scope lasts. */
const connect = Effect.fnUntraced(function* (options: Options, filename: string, readOnly = false) {
  const db = yield* Effect.acquireRelease(
    Effect.try({ try: () => new DatabaseSync(filename, { readOnly }), catch: (thrown) => sqlError("open", thrown) }),
    (db) => Effect.sync(() => db.close())
  )

  // SQLite would wait for a lock by blocking the event loop, and with it whoever holds the lock in this process.
  const patience = Duration.toMillis(options.busyTimeout ?? "5 seconds")
  const retryWhileLocked = <A>(effect: Effect.Effect<A, SqlError.SqlError>, since: number) =>
    Effect.retry(effect, {
      while: (error) => isLocked(error) && Effect.map(elapsed, (at) => at - since < patience),
      schedule: Schedule.spaced("10 millis")
    })

  /** When the one whose turn it is began to wait; nobody waits for a turn to read. */
  let waiting: number | undefined
  const waitingSince = (at: number) => void (waiting = at)

  yield* retryWhileLocked(
    Effect.try({ try: () => db.exec(pragmas), catch: (thrown) => sqlError("open", thrown) }),
    yield* elapsed
  )

  const uncached = (sql: string) => Statements.prepare(db, sql)
  const cached = Statements.keepLatest(200, uncached)

  // One step of the calling fiber, as most statements take less time than another effect would.
  const run = <A>(
    prepare: (sql: string) => Statements.Prepared,
    sql: string,
    params: ReadonlyArray<unknown>,
    use: (prepared: Statements.Prepared, values: ReadonlyArray<SQLInputValue>) => A
  ) =>
    Effect.withFiber<A, SqlError.SqlError>((fiber) => {
      let operation: Operation = "prepare"
      const attempt = () => {
        operation = "prepare"
        const prepared = prepare(sql)
        prepared.statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
        const values = params.map(Statements.toSqlite)
        operation = "execute"
        return use(prepared, values)
      }
      try {
        return Effect.succeed(attempt())
      } catch (thrown) {
        const error = sqlError(operation, thrown)
        // BEGIN IMMEDIATE has waited already; a transaction that begins otherwise could wait for what never comes.
        return isLocked(error) && !db.isTransaction
          ? Effect.flatMap(elapsed, (now) =>
              retryWhileLocked(
                Effect.try({ try: attempt, catch: (thrown) => sqlError(operation, thrown) }),
                waiting ?? now
              )
            )
          : Effect.fail(error)
      }
    })

  const rows =
    (prepare: (sql: string) => Statements.Prepared): SqlConnection.Connection["execute"] =>
    (sql, params, transform) => {
      const rows = run(prepare, sql, params, Statements.readRows)
      return transform ? Effect.map(rows, transform) : rows
    }

  const connection: SqlConnection.Connection = {
    execute: rows(cached),
    executeUnprepared: rows(uncached),
    executeRaw: (sql, params) => run(cached, sql, params, Statements.readRaw),
    executeValues: (sql, params) => run(cached, sql, params, Statements.readValues),
    executeValuesUnprepared: (sql, params) => run(uncached, sql, params, Statements.readValues),
    executeStream: (sql, params, transform) =>
      Stream.unwrap(
        // A cursor that is not closed keeps its read open, across commits, until it is garbage collected.
        Effect.acquireRelease(
          run(uncached, sql, params, ({ statement }, values) => statement.iterate(...values)),
          (cursor) => Effect.sync(() => cursor.return?.())
        ).pipe(Effect.map((cursor) => pull(cursor, transform)))
      )
  }
  return { connection, db, waitingSince }
})

const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
`

const chunkSize = 500

/** The rows of a cursor, with room for other fibers between chunks. */
const pull = (
  cursor: Iterator<object>,
  transform: (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
) => {
  const nextRows = () => {
    const rows: Array<object> = []
    while (rows.length < chunkSize) {
      const next = cursor.next()
      if (next.done) break
      rows.push(next.value)
    }
    return transform ? transform(rows) : rows
  }
  return Stream.fromPull(
    Effect.succeed(
      Effect.yieldNow.pipe(
        Effect.andThen(Effect.try({ try: nextRows, catch: (thrown) => sqlError("execute", thrown) })),
        Effect.filterOrElse(Arr.isReadonlyArrayNonEmpty, () => Cause.done())
      )
    )
  )
}
