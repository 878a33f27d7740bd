// layers/database/WorkerLock.ts: who works on a store: one process at a time on SQLite, any number on PostgreSQL.
import { Context, Effect, identity, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as FileLock from "#layers/database/FileLock.ts"
import { StoreUnusable } from "#layers/database/Unusable.ts"

/** Its path in a data directory. */
export const file = "worker.lock"

/** Does something only if no other process works on the store, and before any can; to be used once, at the start. */
export const IfAlone = Context.Reference<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A | void, E, R>>(
  "overture/layers/database/WorkerLock/IfAlone",
  { defaultValue: () => identity }
)

const ofDirectory = (directory: string) =>
  Effect.mapError(
    FileLock.acquire(`${directory}/${file}`),
    () =>
      new StoreUnusable({
        message: "Another Overture server already works on this data directory; stop it, or choose another directory"
      })
  ).pipe(Effect.as(identity))

/**
 * Everybody shares the lock; whoever finds that nobody has it keeps it to themselves until they have looked around. The
 * server of the database lets go of it when the connection ends, however it ends.
 */
const ofDatabase = Effect.gen(function* () {
  const connection = yield* (yield* SqlClient.SqlClient).reserve
  const ask = (call: string) =>
    Effect.map(
      connection.executeValues(`VALUES (${call}(hashtext('overture'), hashtext(current_schema())))`, []),
      ([row]) => row?.[0]
    )
  const share = ask("pg_advisory_lock_shared")
  const alone = (yield* ask("pg_try_advisory_lock")) === true
  if (!alone) yield* share
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
    alone ? Effect.ensuring(effect, Effect.orDie(Effect.andThen(share, ask("pg_advisory_unlock")))) : Effect.void
})

/** Holds the lock of the store in `directory` for the life of the layer, or fails because another process does. */
export const layer = (directory: string): Layer.Layer<never, StoreUnusable, SqlClient.SqlClient> =>
  Layer.effect(
    IfAlone,
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.onDialectOrElse({
        pg: () => Effect.catchTag(ofDatabase, "SqlError", Effect.die),
        orElse: () => ofDirectory(directory)
      })
    )
  )
