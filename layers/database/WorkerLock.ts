// layers/database/WorkerLock.ts: limits the worker processes of a database: one on SQLite, any number on PostgreSQL.
import { Context, Effect, identity, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as FileLock from "#layers/database/FileLock.ts"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"

/** Path of the lock file in a data directory. */
export const lockFileName = "worker.lock"

/**
 * Runs the effect only if no other worker process is running, and before another can start. Use it once, at start-up.
 */
export const IfOnlyWorker = Context.Reference<
  <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A | void, E, R>
>("overture/layers/database/WorkerLock/IfOnlyWorker", { defaultValue: () => identity })

const directoryLock = (directory: string) =>
  Effect.mapError(
    FileLock.acquireFileLock(`${directory}/${lockFileName}`),
    () =>
      new StoreUnusable({
        message: "Another Overture server already works on this data directory; stop it, or choose another directory"
      })
  ).pipe(Effect.as(identity))

/**
 * All workers share the lock. The first one takes it exclusively while it runs its effect, then shares it. PostgreSQL
 * releases the lock when the connection ends, even after a crash.
 */
const databaseLock = Effect.gen(function* () {
  const connection = yield* (yield* SqlClient.SqlClient).reserve
  const callLockFunction = (call: string) =>
    Effect.map(
      connection.executeValues(`VALUES (${call}(hashtext('overture'), hashtext(current_schema())))`, []),
      ([row]) => row?.[0]
    )
  const share = callLockFunction("pg_advisory_lock_shared")
  const isFirst = (yield* callLockFunction("pg_try_advisory_lock")) === true
  if (!isFirst) yield* share
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
    isFirst
      ? Effect.ensuring(effect, Effect.orDie(Effect.andThen(share, callLockFunction("pg_advisory_unlock"))))
      : Effect.void
})

/** Holds the worker lock until the layer closes. On SQLite, fails if another process holds the lock. */
export const layer = (directory: string): Layer.Layer<never, StoreUnusable, SqlClient.SqlClient> =>
  Layer.effect(
    IfOnlyWorker,
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.onDialectOrElse({
        pg: () => Effect.catchTag(databaseLock, "SqlError", Effect.die),
        orElse: () => directoryLock(directory)
      })
    )
  )
