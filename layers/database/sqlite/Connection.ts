// layers/database/sqlite/Connection.ts: a connection to a database file, and its prepared statements. Each statement runs at once on
// the calling thread.
import { Array as Arr, Cause, Duration, Effect, Schedule, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { elapsed } from "#layers/lib/Time.ts"

type Operation = "open" | "prepare" | "execute"

/**
 * SQLite's execution errors may quote a bound value (a JSON path, a full-text query), so the generic description
 * replaces their message. Constraint errors name only tables and columns, and are kept.
 */
const toSqlError = (operation: Operation, thrown: unknown) => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const errcode = "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined
  const genericMessage = "errstr" in error ? error.errstr : "code" in error ? error.code : error.name
  const quotesNoValue = operation !== "execute" || (errcode !== undefined && (errcode & 0xff) === constraintViolation)
  const description = quotesNoValue ? error.message : String(genericMessage)

  const errno = errcode === primaryKeyViolation ? uniqueViolation : errcode
  const cause = Object.assign(new Error(description), { errno })
  const details = { message: `SQLite: ${description}`, operation }
  return new SqlError.SqlError({
    reason:
      errcode !== undefined && unreachableCodes.includes(errcode & 0xff)
        ? new SqlError.ConnectionError({ cause, ...details })
        : SqlError.classifySqliteError(cause, details)
  })
}

/** READONLY, IOERR and FULL: the file failed, not the statement, so a retry may succeed later. */
const unreachableCodes = [8, 10, 13]
const constraintViolation = 19
const primaryKeyViolation = 1555
const uniqueViolation = 2067

const isLocked = (error: SqlError.SqlError) => error.reason._tag === "LockTimeoutError"

/** Opens a connection until the scope closes. */
export const connect = Effect.fnUntraced(function* (
  filename: string,
  busyTimeout: Duration.Input = "5 seconds",
  readOnly = false
) {
  const db = yield* Effect.acquireRelease(
    Effect.try({ try: () => new DatabaseSync(filename, { readOnly }), catch: (thrown) => toSqlError("open", thrown) }),
    (db) => Effect.sync(() => db.close())
  )

  // Retries here instead of in SQLite, which would block the event loop, and with it the fiber that holds the lock.
  const lockTimeoutMillis = Duration.toMillis(busyTimeout)
  const retryWhileLocked = <A>(effect: Effect.Effect<A, SqlError.SqlError>, startedAt: number) =>
    Effect.retry(effect, {
      while: (error) =>
        isLocked(error) && Effect.map(elapsed, (elapsedMillis) => elapsedMillis - startedAt < lockTimeoutMillis),
      schedule: Schedule.spaced("10 millis")
    })

  /** When the current writer joined the queue; undefined for reads, which do not queue. */
  let queuedAt: number | undefined
  const setQueuedAt = (elapsedMillis: number) => void (queuedAt = elapsedMillis)

  yield* retryWhileLocked(
    Effect.try({ try: () => db.exec(pragmas), catch: (thrown) => toSqlError("open", thrown) }),
    yield* elapsed
  )

  const prepareUncached = (sql: string) => prepare(db, sql)
  const prepareCached = cacheLatest(maxPreparedStatements, prepareUncached)

  // Runs synchronously in the calling fiber, because most statements take less time than creating an effect.
  const run = <A>(
    prepare: (sql: string) => PreparedStatement,
    sql: string,
    params: ReadonlyArray<unknown>,
    use: (prepared: PreparedStatement, values: ReadonlyArray<SQLInputValue>) => A
  ) =>
    Effect.withFiber<A, SqlError.SqlError>((fiber) => {
      let operation: Operation = "prepare"
      const attempt = () => {
        operation = "prepare"
        const prepared = prepare(sql)
        prepared.statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
        const values = params.map(toSqlite)
        operation = "execute"
        return use(prepared, values)
      }
      try {
        return Effect.succeed(attempt())
      } catch (thrown) {
        const error = toSqlError(operation, thrown)
        // BEGIN IMMEDIATE has already waited for the lock. Waiting inside another kind of transaction could deadlock.
        return isLocked(error) && !db.isTransaction
          ? Effect.flatMap(elapsed, (now) =>
              retryWhileLocked(
                Effect.try({ try: attempt, catch: (thrown) => toSqlError(operation, thrown) }),
                queuedAt ?? now
              )
            )
          : Effect.fail(error)
      }
    })

  const makeExecute =
    (prepare: (sql: string) => PreparedStatement): SqlConnection.Connection["execute"] =>
    (sql, params, transform) => {
      const rows = run(prepare, sql, params, readRows)
      return transform ? Effect.map(rows, transform) : rows
    }

  const connection: SqlConnection.Connection = {
    execute: makeExecute(prepareCached),
    executeUnprepared: makeExecute(prepareUncached),
    executeRaw: (sql, params) => run(prepareCached, sql, params, readRaw),
    executeValues: (sql, params) => run(prepareCached, sql, params, readValues),
    executeValuesUnprepared: (sql, params) => run(prepareUncached, sql, params, readValues),
    executeStream: (sql, params, transform) =>
      Stream.unwrap(
        // Closes the cursor, because an open cursor keeps its snapshot across commits until it is garbage collected.
        Effect.acquireRelease(
          run(prepareUncached, sql, params, ({ statement }, values) => statement.iterate(...values)),
          (cursor) => Effect.sync(() => cursor.return?.())
        ).pipe(Effect.map((cursor) => streamCursor(cursor, transform)))
      )
  }
  return { connection, db, setQueuedAt }
})

const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
`

/** Bounds the memory of statements whose text is generated. */
const maxPreparedStatements = 200

/** Rows that are read at once; more would delay other requests. */
const chunkSize = 500

/** The rows of a cursor; yields to other fibers between chunks. */
const streamCursor = (
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
        Effect.andThen(Effect.try({ try: nextRows, catch: (thrown) => toSqlError("execute", thrown) })),
        Effect.filterOrElse(Arr.isReadonlyArrayNonEmpty, () => Cause.done())
      )
    )
  )
}

interface PreparedStatement {
  readonly statement: StatementSync
  /** The columns of each row. Undefined for `SELECT *`, whose columns change with the table. */
  readonly columns: ReadonlyArray<string> | undefined
}

const prepare = (db: DatabaseSync, sql: string): PreparedStatement => {
  const statement = db.prepare(sql)
  const isFixed = !selectStar.test(sql)
  return { statement, columns: isFixed ? statement.columns().map(({ name }) => name) : undefined }
}

/** Matches `*` as a list of columns, but not `count(*)`. */
const selectStar = /(?<!\()\*/

/** Caches the `size` most recently used statements; a `Map` keeps its keys in insertion order. */
const cacheLatest = (size: number, prepare: (sql: string) => PreparedStatement) => {
  const statements = new Map<string, PreparedStatement>()
  return (sql: string) => {
    const cachedStatement = statements.get(sql)
    const statement = cachedStatement ?? prepare(sql)
    if (cachedStatement !== undefined) statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > size) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
}

/** The rows as arrays, which the types of `node:sqlite` do not describe. */
const readArrays = ({ statement }: PreparedStatement, values: ReadonlyArray<SQLInputValue>) => {
  statement.setReturnArrays(true)
  return statement.all(...values)
}

const readValues = (prepared: PreparedStatement, values: ReadonlyArray<SQLInputValue>) =>
  readArrays(prepared, values).map((row) => Object.values(row))

/** The rows as plain objects. Those of `node:sqlite` are in dictionary mode, which is slower. */
const readRows = (prepared: PreparedStatement, values: ReadonlyArray<SQLInputValue>) => {
  const { columns, statement } = prepared
  if (columns === undefined) {
    statement.setReturnArrays(false)
    return statement.all(...values)
  }
  return readArrays(prepared, values).map((row) => {
    const record: Record<string, unknown> = {}
    columns.forEach((name, index) => (record[name] = row[index]))
    return record
  })
}

const readRaw = (prepared: PreparedStatement, values: ReadonlyArray<SQLInputValue>) =>
  prepared.statement.columns().length > 0 ? readRows(prepared, values) : prepared.statement.run(...values)

/**
 * Converts a parameter. `node:sqlite` binds every number as REAL, which would store 1 as "1.0" in a TEXT column, and
 * takes an object as the first parameter for named parameters.
 */
const toSqlite = (value: unknown): SQLInputValue => {
  switch (typeof value) {
    case "string":
    case "bigint":
      return value
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case "boolean":
      return value ? 1n : 0n
  }
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return value
  throw new TypeError(`${Object.prototype.toString.call(value)} is not a value SQLite can store`)
}
