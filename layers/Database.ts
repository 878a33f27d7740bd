// layers/Database.ts: the migrated SqlClient that every service uses: SQLite in a file, SQLite in memory for tests, or
// PostgreSQL.
import { Effect, type FileSystem, Layer, type Path, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { cannotOpen, type StoreUnusable } from "#layers/database/StoreUnusable.ts"
import * as Sqlite from "#layers/database/Sqlite.ts"
import * as SqliteUpgrade from "#layers/database/sqlite/Upgrade.ts"

/**
 * The SQLite database at `filename`, migrated to the newest schema. A database with an older schema is backed up first;
 * one with a newer schema is refused before anything is written.
 */
export const layer = (
  filename: string
): Layer.Layer<SqlClient.SqlClient, StoreUnusable, FileSystem.FileSystem | Path.Path> => {
  const sqliteLayer = Sqlite.layer({ filename }).pipe(
    Layer.catchTag("SqlError", (error) => Layer.effect(SqlClient.SqlClient, cannotOpen(filename)(error)))
  )
  return Layer.unwrap(Effect.as(SqliteUpgrade.upgradeStore(filename), sqliteLayer))
}

/**
 * The PostgreSQL database at `url`, migrated to the newest schema. A newer schema is refused before anything is
 * written.
 */
export const layerPostgres = (
  url: Redacted.Redacted,
  session: Readonly<Record<string, string>> = {}
): Layer.Layer<SqlClient.SqlClient, StoreUnusable> =>
  Layer.unwrap(
    Effect.gen(function* () {
      // Imported here so that SQLite servers do not load the PostgreSQL driver.
      const { layer } = yield* Effect.promise(() => import("#layers/database/Postgres.ts"))
      const { upgradeDatabase: upgraded } = yield* Effect.promise(() => import("#layers/database/postgres/Upgrade.ts"))
      yield* upgraded(url)
      return Layer.orDie(layer({ url, session }))
    })
  )

/** The PostgreSQL database at `url`; the SQLite file in `directory` if `url` is undefined. */
export const layerOf = (
  directory: string,
  url: Redacted.Redacted | undefined
): Layer.Layer<SqlClient.SqlClient, StoreUnusable, FileSystem.FileSystem | Path.Path> =>
  url === undefined ? layer(`${directory}/overture.db`) : layerPostgres(url)

/** An empty database in memory. */
export const layerMemory: Layer.Layer<SqlClient.SqlClient> = Layer.orDie(
  Layer.effectDiscard(SqliteUpgrade.migrate).pipe(Layer.provideMerge(Sqlite.layer({ filename: ":memory:" })))
)
