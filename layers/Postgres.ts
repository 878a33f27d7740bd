// The SQL client over PostgreSQL: transactions that see nothing of one another, and reads beside them.
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import {
  Clock,
  Context,
  Effect,
  Layer,
  Metric,
  Option,
  Predicate,
  type Redacted,
  type Scope,
  Semaphore,
  Stream
} from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { transactionDuration } from "#layers/Metrics.ts"
import * as Channel from "#layers/database/Channel.ts"
import * as ChannelOf from "#layers/postgres/Channel.ts"
import { discreet, isLost } from "#layers/postgres/Errors.ts"
import { types } from "#layers/postgres/Types.ts"

export interface Options {
  /** `postgres://user:password@host:port/database`; its `options` may name a schema: `?options=-csearch_path=…`. */
  readonly url: Redacted.Redacted
  /** Connections that transactions and writes have, and as many again that reads have; 10 if not given. */
  readonly connections?: number
  /** Settings of each session, where others than these are wanted. */
  readonly session?: Readonly<Record<string, string>>
}

/** A worker that is frozen in a transaction, or a statement that never ends, is not to hold up everybody else. */
const session = {
  timezone: "UTC",
  idle_in_transaction_session_timeout: "30s",
  lock_timeout: "10s",
  statement_timeout: "60s"
}

/**
 * A client of the database at `url`, and the pool that its transactions have their connections from.
 *
 * Transactions, and statements that may write, are SERIALIZABLE: what one reads is true until it commits, as with the
 * single writer of SQLite. Where two get in each other's way one of them is run again, the whole of it, and only what
 * the last run asked for happens after the commit: whatever it does besides must bear being done twice.
 *
 * A statement outside a transaction that begins with `SELECT` reads what is committed, on a connection that only reads,
 * and never waits for those that write.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | PgPool.PgPool, SqlError.SqlError> =>
  Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: Options) {
  const pool = (settings: Readonly<Record<string, string>>) =>
    PgPool.make({
      url: options.url,
      types,
      applicationName: "overture",
      keepAlive: "30 seconds",
      maxConnections: options.connections ?? 10,
      startupParameters: { ...session, ...options.session, ...settings }
      // How long a connection was of no use to anybody, its server counts in its own time.
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
  const writers = yield* pool({ default_transaction_isolation: "serializable" })
  const readers = yield* pool({ default_transaction_read_only: "on" })
  const single = beside(writers, readers)

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(single),
    borrower: (f) => f(single),
    transactionAcquirer: Effect.tap(inTransaction(writers), () => timed),
    driver: "pg",
    compiler: PgClient.makeCompiler(),
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const turn = yield* Semaphore.make(1)
  const sql = Object.assign(client, { withTransaction: again(client, turn) })
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(PgPool.PgPool, writers),
    Context.add(Channel.Channel, ChannelOf.make(sql, writers))
  )
})

/** Text in PostgreSQL has no U+0000, which SQLite keeps: what is read from strangers' sites and files may have one. */
export const kept = (text: string) => text.replaceAll("\0", "\uFFFD")

const tellable = (params: ReadonlyArray<unknown>) =>
  params.some((value) => typeof value === "string" && value.includes("\0"))
    ? params.map((value) => (typeof value === "string" ? kept(value) : value))
    : params

interface Lender {
  readonly use: <A>(
    sql: string,
    statement: (connection: PgConnection.PgConnection) => Effect.Effect<A, SqlError.SqlError>
  ) => Effect.Effect<A, SqlError.SqlError>
  /** A connection for as long as the scope lasts. */
  readonly lend: (sql: string) => Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
}

const connectionOf = ({ lend, use }: Lender): SqlConnection.Connection => {
  const query = (sql: string, params: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.mapError(
      use(sql, (connection) => connection.query(sql, tellable(params), prepare)),
      discreet
    )
  const values = (sql: string, params: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.mapError(
      use(sql, (connection) => connection.queryValues(sql, tellable(params), prepare)),
      discreet
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
      const rows = Stream.unwrap(Effect.map(lend(sql), (connection) => connection.stream(sql, tellable(params))))
      return Stream.mapError(transform ? Stream.map(rows, (row) => transform([row])[0]) : rows, discreet)
    }
  }
}

const selects = /^\s*SELECT\b/i

/** How often work is run again before somebody is told that the database is busy. */
const mostRuns = 100

/** For statements outside a transaction: each is one of its own. */
const beside = (writers: PgPool.PgPool, readers: PgPool.PgPool) =>
  connectionOf({
    use: (sql, statement) =>
      selects.test(sql)
        ? readers.use(statement)
        : Effect.retry(writers.use(statement), { while: isLost, times: mostRuns }),
    lend: (sql) => (selects.test(sql) ? readers.get : writers.get)
  })

/** Whether the transaction that runs has lost against another; noted by its connection, as its code may hide it. */
const Fate = Context.Reference<{ lost: boolean }>("overture/layers/Postgres/Fate", {
  defaultValue: () => ({ lost: false })
})

const inTransaction = ({ reserve }: PgPool.PgPool) =>
  Effect.map(Effect.all([Effect.mapError(reserve, discreet), Fate]), ([reserved, fate]) =>
    connectionOf({
      use: (_, statement) =>
        Effect.tapError(statement(reserved), (error) => Effect.sync(() => void (fate.lost ||= isLost(error)))),
      lend: () => Effect.succeed(reserved)
    })
  )

/** Notes how long a transaction had its connection. */
const timed = Effect.clockWith((clock) =>
  Effect.acquireRelease(
    Effect.sync(() => clock.monotonicTimeNanosUnsafe()),
    (began) => Metric.update(transactionDuration, Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9)
  )
)

/** The answer to the COMMIT of a transaction in which a statement has failed. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    if (!Predicate.hasProperty(result, "command") || result.command !== "ROLLBACK") return Effect.void
    const message = "PostgreSQL: a transaction in which a statement has failed was rolled back"
    return new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(message), message }) })
  })

/**
 * `withTransaction` that runs a transaction again when it has lost. Those that have lost take turns: each then meets
 * only those that run for the first time, or in another process.
 */
const again =
  ({ transactionService, withTransaction }: SqlClient.SqlClient, turn: Semaphore.Semaphore) =>
  <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (outer) => {
      if (Option.isSome(outer)) return withTransaction(effect)
      const fate = { lost: false }
      const run = Effect.suspend(() => {
        fate.lost = false
        return withTransaction(effect)
      }).pipe(Effect.provideService(Fate, fate), Effect.sandbox)
      return run.pipe(
        Effect.catchIf(
          () => fate.lost,
          () => turn.withPermit(Effect.retry(run, { while: () => fate.lost, times: mostRuns }))
        ),
        Effect.catch(Effect.failCause)
      )
    })
