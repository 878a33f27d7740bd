// layers/database/sqlite/Upgrade.ts: migrates a database to the newest schema, in one process at a time and after a
// backup.
import { Effect, FileSystem, Path, Schedule } from "effect"
import { Migrator } from "effect/sql"
import { backup } from "#layers/operations/Backup.ts"
import * as FileLock from "#layers/database/FileLock.ts"
import { cannotOpen, StoreUnusable } from "#layers/database/StoreUnusable.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { Migrations, newestVersion, readSchemaVersion, migrationsTable } from "#layers/database/migrations/Version.ts"
import { now } from "#layers/lib/Time.ts"
import * as Sqlite from "#layers/database/Sqlite.ts"

/** Number of backups from before migrations that are kept. */
const maxBackups = 3

const automaticBackup = /^schema-\d{4}-[\dTZ.-]+\.backup$/

/** How long to wait for another process that is migrating, which takes minutes for a large database. */
const waitForMigration = Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "10 minutes" }))

const backUpStore = Effect.fnUntraced(function* (directory: string, schema: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const backups = path.join(directory, "backups")
  yield* fs.makeDirectory(backups, { recursive: true, mode: 0o700 })
  const timestamp = (yield* now).replaceAll(":", "-")
  yield* backup(directory, path.join(backups, `schema-${String(schema).padStart(4, "0")}-${timestamp}.backup`))
  const backupNames = (yield* fs.readDirectory(backups)).filter((name) => automaticBackup.test(name))
  const timestampOf = (name: string) => name.slice("schema-0000-".length)
  const expiredBackups = backupNames
    .toSorted((one, other) => (timestampOf(one) < timestampOf(other) ? -1 : 1))
    .slice(0, -maxBackups)
  yield* Effect.forEach(expiredBackups, (name) => fs.remove(path.join(backups, name)), { discard: true })
})

/** Runs all missing migrations in one transaction. */
export const migrate = Effect.flatMap(Migrations, (migrations) =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable })
)

/**
 * Migrates the database at `filename` to the newest schema. Backs it up first unless it is empty; if the backup fails,
 * the database is not changed.
 */
export const upgradeStore = Effect.fnUntraced(function* (filename: string) {
  const path = yield* Path.Path
  const directory = path.dirname(filename)
  const newestSchema = yield* newestVersion
  if ((yield* readSchemaVersion(filename)) === newestSchema) return

  yield* Effect.gen(function* () {
    yield* FileLock.acquireFileLock(path.join(directory, "migration.lock")).pipe(
      Effect.retry(waitForMigration),
      Effect.mapError(
        () =>
          new StoreUnusable({ message: "Another process has been bringing this store up to date for long; try later" })
      )
    )
    const schema = yield* readSchemaVersion(filename)
    if (schema === newestSchema) return
    if (schema > 0) {
      yield* Effect.mapError(
        FileLock.acquireFileLock(path.join(directory, WorkerLock.lockFileName)),
        () =>
          new StoreUnusable({
            message: `An older Overture works on this store (schema ${schema}, this program brings ${newestSchema}); stop it first, then try again`
          })
      )
      yield* Effect.mapError(
        backUpStore(directory, schema),
        ({ message }) =>
          new StoreUnusable({
            message:
              `This store (schema ${schema}) has to be brought up to date (schema ${newestSchema}), and is left as it was, ` +
              `since it could not be backed up into ${path.join(directory, "backups")} first: ${message}`
          })
      )
    }
    yield* migrate.pipe(
      Effect.provide(Sqlite.layer({ filename })),
      Effect.catchTags({
        SqlError: (error) => cannotOpen(filename)(error),
        MigrationError: ({ message }) =>
          new StoreUnusable({
            message: `The store at ${filename} could not be brought up to date, and is as it was: ${message}. Run the version before this one, and tell its makers`
          })
      })
    )
  }).pipe(Effect.scoped)
})
