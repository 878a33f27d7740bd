// layers/WorkerLock.ts: at most one process works on a store: the one that holds this lock.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as FileLock from "#layers/database/FileLock.ts"
import { StoreUnusable } from "#layers/database/Unusable.ts"

/** Where it lies in a data directory. */
export const file = "worker.lock"

const held = (what: string, other: string) =>
  new StoreUnusable({
    message: `Another Overture server already works on this ${what}; stop it, or choose another ${other}`
  })

/** Let go of by the server of the database when the connection ends, however it ends. */
const ofDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const [row] = yield* connection.executeValues(
    "SELECT pg_try_advisory_lock(hashtext('overture'), hashtext(current_schema()))",
    []
  )
  if (row?.[0] !== true) return yield* held("database", "one")
})

/** Holds the lock of the store in `directory` for the life of the layer, or fails because another process does. */
export const layer = (directory: string): Layer.Layer<never, StoreUnusable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.onDialectOrElse({
        pg: () => Effect.catchTag(ofDatabase, "SqlError", Effect.die),
        orElse: () =>
          Effect.mapError(FileLock.acquire(`${directory}/${file}`), () => held("data directory", "directory"))
      })
    )
  )
