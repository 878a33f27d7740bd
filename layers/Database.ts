// layers/Database.ts: one migrated SqlClient for every service. SQLite in a file, or in memory for tests.
import { Effect, Layer, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "#layers/migrations.ts"
import * as Sqlite from "#layers/Sqlite.ts"

/** The store cannot be used; the message says what to do. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { message: Schema.String }) {}

const table = "migrations"
const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const [row] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  if (row !== undefined && row.id > newest) {
    return yield* new StoreUnusable({
      message: `This store was written by a newer version of Overture (schema ${row.id}, this program knows ${newest}). Run that version, or restore a backup.`
    })
  }
})

/** A migrated database at `filename`; `":memory:"` keeps it for the life of the layer. */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, StoreUnusable> =>
  Layer.effectDiscard(migrate).pipe(
    Layer.provideMerge(Sqlite.layer({ filename })),
    Layer.catchTag(["SqlError", "MigrationError"], (error) =>
      Layer.effect(
        SqlClient.SqlClient,
        new StoreUnusable({ message: `The store at ${filename} cannot be opened: ${error.message}` })
      )
    )
  )

/** An empty database in memory. */
export const layerMemory: Layer.Layer<SqlClient.SqlClient> = Layer.orDie(layer(":memory:"))
