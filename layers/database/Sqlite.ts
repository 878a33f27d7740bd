// layers/database/Sqlite.ts: the SQL client for Node's `node:sqlite`: one connection for writes and a second one for
// reads.
import {
  beginImmediate,
  coalesceWrites,
  makeGroupCommit,
  makeWriteConnection,
  type WriteConnection
} from "#layers/database/sqlite/WriteConnection.ts"
import { Clock, type Duration, Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { connect } from "#layers/database/sqlite/Connection.ts"
import { transactionDuration } from "#layers/Metrics.ts"

/** Measures how long each holder keeps the write lock. */
const measureLockTime = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  let startNanos = 0n
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) => {
    const result = connection.execute(sql, params, transform)
    if (sql !== beginImmediate && sql !== "COMMIT" && sql !== "ROLLBACK") return result
    return Effect.tap(result, () =>
      Effect.withFiber((fiber) => {
        const elapsedNanos = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
        if (sql === beginImmediate) startNanos = elapsedNanos
        else transactionDuration.updateUnsafe(Number(elapsedNanos - startNanos) / 1e9, fiber.context)
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
  const { controls, writeConnection } = makeGroupCommit(
    yield* makeWriteConnection({ ...writer, connection: measureLockTime(writer.connection) })
  )

  // Only a file can be opened by a second connection.
  const location = writer.db.location()
  const spanAttributes = [["db.system.name", "sqlite"]] as const
  const client = yield* SqlClient.make({
    ...(location === null
      ? writeConnection
      : yield* makeRoutingConnection(writeConnection, location, options.busyTimeout)),
    transactionAcquirer: writeConnection.acquirer,
    driver: "node-sqlite",
    compiler: cacheStatements(Statement.makeCompilerSqlite()),
    spanAttributes
  })
  const { transactionService } = client
  const withTransaction = SqlClient.makeWithTransaction({ ...controls, transactionService, spanAttributes })
  return Object.assign(client, { withTransaction })
})

/** The connection for statements outside transactions: sends reads to the reader and writes to the write connection. */
const makeRoutingConnection = Effect.fnUntraced(function* (
  writeConnection: WriteConnection,
  location: string,
  busyTimeout: Duration.Input | undefined
) {
  const openReader = connect(location, busyTimeout, true)
  const reader = yield* openReader
  const write = coalesceWrites(writeConnection)
  const route = <A>(sql: string, f: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>) =>
    selectPattern.test(sql) ? f(reader.connection) : write(f)

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
        Effect.map(
          selectPattern.test(sql) ? Effect.map(openReader, (stream) => stream.connection) : writeConnection.acquirer,
          (connection) => connection.executeStream(sql, params, transform)
        )
      )
  }

  const acquirer: SqlConnection.Acquirer = Effect.succeed(connection)
  const borrower: SqlConnection.Borrower = (f) => f(connection)
  return { acquirer, borrower }
})

const selectPattern = /^\s*SELECT\b/i

/** A node of the trie: the segments of a statement so far. */
interface StatementNode {
  readonly literals: Map<string, StatementNode>
  parameter: StatementNode | undefined
  /** The compiled text of the statement that ends here. */
  text: string | undefined
}

const emptyNode = (): StatementNode => ({ literals: new Map(), parameter: undefined, text: undefined })

/** The trie is cleared at this size. Only generated statement texts reach it. */
const maxStatements = 10_000

/** Compiles the same statements as `compiler`, each once, so that the same string finds its prepared statement. */
export const cacheStatements = (compiler: Statement.Compiler): Statement.Compiler => {
  let root = emptyNode()
  let size = 0

  const nextNode = (currentNode: StatementNode, segment: Statement.Segment): StatementNode | undefined => {
    if (segment._tag === "Parameter") return (currentNode.parameter ??= (size++, emptyNode()))
    if (segment._tag !== "Literal" || segment.params !== undefined) return undefined
    const existingNode = currentNode.literals.get(segment.value)
    if (existingNode !== undefined) return existingNode
    const newNode = emptyNode()
    currentNode.literals.set(segment.value, newNode)
    size++
    return newNode
  }

  const compile: Statement.Compiler["compile"] = (statement, withoutTransform) => {
    const values: Array<unknown> = []
    let currentNode = root
    for (const segment of statement.segments) {
      const next = nextNode(currentNode, segment)
      // Not cached, because a parameter list makes a different text each time.
      if (next === undefined) return compiler.compile(statement, withoutTransform)
      if (segment._tag === "Parameter") values.push(segment.value)
      currentNode = next
    }
    currentNode.text ??= compiler.compile(statement, withoutTransform)[0]
    const { text } = currentNode
    if (size > maxStatements) {
      root = emptyNode()
      size = 0
    }
    return [text, values]
  }
  const cachingCompiler: Statement.Compiler = {
    dialect: compiler.dialect,
    compile,
    get withoutTransform() {
      return cachingCompiler
    }
  }
  return cachingCompiler
}
