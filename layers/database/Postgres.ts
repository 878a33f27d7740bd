// layers/database/Postgres.ts: the SQL client for PostgreSQL, with serializable transactions and separate connections for
// reads.
import * as Channel from "#layers/database/Channel.ts"
import * as ChannelOf from "#layers/database/postgres/ListenNotify.ts"
import { PgClient, PgPool, PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Metric, Predicate, type Redacted, Result, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { transactionDuration } from "#layers/Metrics.ts"
import { retryOnConflict } from "#layers/database/postgres/Retry.ts"
import { onSeparateConnection, transactionConnection } from "#layers/database/postgres/Connections.ts"

const numberCodec = (oid: number, encodable: (value: number | bigint) => unknown): PgTypes.Codec<number | bigint> => ({
  encode: (value) =>
    Result.mapError(PgTypes.encode(encodable(value), oid), ({ message }) => new PgTypes.CodecError({ message })),
  decode: (bytes) => Result.map(PgTypes.decode(bytes, oid, 1), Number)
})

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, numberCodec(PgTypes.OID.int8, BigInt))
// The type of a sum of BIGINTs.
types.register(PgTypes.OID.numeric, numberCodec(PgTypes.OID.numeric, String))

interface Options {
  /** `postgres://user:password@host:port/database`. A schema can be set by `?options=-csearch_path=…`. */
  readonly url: Redacted.Redacted
  /** Size of the pool for transactions and writes, and of the pool for reads; 10 by default. */
  readonly connections?: number
  /** Overrides settings of each session. */
  readonly session?: Readonly<Record<string, string>>
}

/** Timeouts, so that a stuck worker or a long statement does not block the others. */
const session = {
  timezone: "UTC",
  idle_in_transaction_session_timeout: "30s",
  lock_timeout: "10s",
  statement_timeout: "60s"
}

/**
 * A client of the database at `url`, and the pool of its transactions.
 *
 * Transactions and writing statements are SERIALIZABLE: a value that was read stays true until the commit, as with
 * SQLite's single writer. When two transactions conflict, one of them is retried as a whole. Only `afterCommit` effects
 * of its last run happen, so all other side effects of a transaction must be idempotent.
 *
 * A statement outside a transaction that starts with `SELECT` reads committed data on a read-only connection and never
 * waits for writers.
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
      // The pool measures idle time against the server, so a test clock must not apply here.
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
  const writers = yield* pool({ default_transaction_isolation: "serializable" })
  const readers = yield* pool({ default_transaction_read_only: "on" })
  const statementConnection = onSeparateConnection(writers, readers)

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(statementConnection),
    borrower: (f) => f(statementConnection),
    transactionAcquirer: Effect.tap(transactionConnection(writers), () => measureTransaction),
    driver: "pg",
    compiler: PgClient.makeCompiler(),
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const retrySemaphore = yield* Semaphore.make(1)
  const sql = Object.assign(client, { withTransaction: retryOnConflict(client, retrySemaphore) })
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(PgPool.PgPool, writers),
    Context.add(Channel.Channel, ChannelOf.make(sql, writers))
  )
})

/** Measures how long a transaction holds its connection. */
const measureTransaction = Effect.clockWith((clock) =>
  Effect.acquireRelease(
    Effect.sync(() => clock.monotonicTimeNanosUnsafe()),
    (startNanos) => Metric.update(transactionDuration, Number(clock.monotonicTimeNanosUnsafe() - startNanos) / 1e9)
  )
)

/** Commits, and fails if PostgreSQL answers ROLLBACK because a statement of the transaction has failed. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    if (!Predicate.hasProperty(result, "command") || result.command !== "ROLLBACK") return Effect.void
    const message = "PostgreSQL: a transaction in which a statement has failed was rolled back"
    return new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(message), message }) })
  })
