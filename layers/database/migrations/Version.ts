// layers/database/migrations/Version.ts: the schema version of a database, and the newest version that this program
// supports.
import { Context, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { cannotOpen, StoreUnusable } from "#layers/database/StoreUnusable.ts"
import { migrations } from "#layers/database/migrations.ts"

/** The table that records the migrations that have run. */
export const migrationsTable = "migrations"

/** All migrations by number and name. */
export const Migrations = Context.Reference<
  Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>
>("overture/layers/migrations/Migrations", { defaultValue: () => migrations })

/** The newest schema version that this program supports. */
export const newestVersion = Effect.map(Migrations, (allMigrations) =>
  Math.max(...Object.keys(allMigrations).map((name) => Number.parseInt(name, 10)))
)

const CountRow = Schema.Struct({ value: Schema.Int })
const NewestRow = Schema.Struct({ value: Schema.NullOr(Schema.Int) })

/** The newest migration that has run on the database at `filename`; 0 if there is none or no database. */
const readLatestMigration = (filename: string) => {
  if (!existsSync(filename)) return 0
  const db = new DatabaseSync(filename, { readOnly: true, timeout: 5000 })
  try {
    const tableCount = db
      .prepare("SELECT count(*) AS value FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(migrationsTable)
    if (Schema.decodeUnknownSync(CountRow)(tableCount).value === 0) return 0
    const { value } = Schema.decodeUnknownSync(NewestRow)(
      db.prepare(`SELECT max(migration_id) AS value FROM ${migrationsTable}`).get()
    )
    return value ?? 0
  } finally {
    db.close()
  }
}

/** Returns `version`, or fails if it is newer than this program. */
export const refuseNewer = Effect.fnUntraced(function* (version: number) {
  const newest = yield* newestVersion
  if (version > newest) {
    return yield* new StoreUnusable({
      message: `This store was written by a newer version of Overture (schema ${version}, this program knows ${newest}). Run that version, or restore a backup.`
    })
  }
  return version
})

/** The schema version of the database at `filename`. Fails if it is newer than this program; writes nothing. */
export const readSchemaVersion = Effect.fnUntraced(function* (filename: string) {
  const version = yield* Effect.try({
    try: () => readLatestMigration(filename),
    catch: (cause) => cannotOpen(filename)(cause instanceof Error ? cause : { message: String(cause) })
  })
  return yield* refuseNewer(version)
})
