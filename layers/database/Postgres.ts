// layers/database/Postgres.ts: the SQL client over PostgreSQL: transactions that see nothing of one another, and reads beside them.
import * as Channel from "#layers/database/Channel.ts"
import * as ChannelOf from "#layers/database/postgres/Channel.ts"
import { PgClient, PgPool, PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Metric, Predicate, type Redacted, Result, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { transactionDuration } from "#layers/Metrics.ts"
import { retryOnConflict } from "#layers/database/postgres/Retry.ts"
import { beside, ofTransaction } from "#layers/database/postgres/Connections.ts"

const asNumber = (oid: number, encodable: (value: number | bigint) => unknown): PgTypes.Codec<number | bigint> => ({
  encode: (value) =>
    Result.mapError(PgTypes.encode(encodable(value), oid), ({ message }) => new PgTypes.CodecError({ message })),
  decode: (bytes) => Result.map(PgTypes.decode(bytes, oid, 1), Number)
})

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, asNumber(PgTypes.OID.int8, BigInt))
// A sum of BIGINTs.
types.register(PgTypes.OID.numeric, asNumber(PgTypes.OID.numeric, String))

interface Options {
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
    transactionAcquirer: Effect.tap(ofTransaction(writers), () => timed),
    driver: "pg",
    compiler: PgClient.makeCompiler(),
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const turn = yield* Semaphore.make(1)
  const sql = Object.assign(client, { withTransaction: retryOnConflict(client, turn) })
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(PgPool.PgPool, writers),
    Context.add(Channel.Channel, ChannelOf.make(sql, writers))
  )
})

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
