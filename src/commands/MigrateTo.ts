// src/commands/MigrateTo.ts: moves a SQLite database and its files to PostgreSQL.
import { Console, Context, Effect, Layer, type Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { copyFromSqlite, CopyFailed } from "#layers/database/postgres/CopyFromSqlite.ts"
import { requireStore } from "#layers/database/StorePresence.ts"
import * as InDatabase from "#layers/files/DatabaseStorage.ts"
import * as InDirectory from "#layers/files/DirectoryStorage.ts"
import type { StorageBackend } from "#layers/files/StorageBackend.ts"
import * as SharedSecret from "#layers/links/SharedSecret.ts"
import { session } from "#layers/database/postgres/Upgrade.ts"
import { verify } from "#layers/operations/Verify.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { asUserError } from "#src/commands/Output.ts"
import { directory, print } from "#src/commands/Root.ts"
import { openDataDir } from "#src/DataDir.ts"
import { linkSecret } from "#src/LinkSecret.ts"
import { DatabaseUrl } from "#src/settings.ts"

/** Opens a database until the scope closes. */
const openStore = <E, R>(database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Effect.map(Layer.build(Layer.fresh(database)), (context) => Context.get(context, SqlClient.SqlClient))

/** Copies the files of the data directory into the new database, which every machine can read. */
const copyRows = Effect.fnUntraced(function* (files: StorageBackend) {
  const sql = yield* SqlClient.SqlClient
  const backend = yield* InDatabase.make
  const rows = yield* sql<{ readonly id: string; readonly bytes: number }>`
    SELECT id, bytes FROM files WHERE place = 'directory' AND state = 'kept'`
  for (const { bytes, id } of rows) {
    yield* backend.write(id, files.read(id))
    const [{ copied } = { copied: 0 }] = yield* sql<{ readonly copied: number }>`
      SELECT coalesce(sum(length(content)), 0) AS copied FROM file_pieces WHERE file_id = ${id}`
    if (copied !== bytes) {
      return yield* new CopyFailed({
        message: `Of file ${id} there are ${copied} bytes of ${bytes}; nothing was kept`
      })
    }
    yield* sql`UPDATE files SET place = 'database' WHERE id = ${id} AND place = 'directory'`
  }
  // Deleted and unfinished files are not copied.
  yield* sql`DELETE FROM files WHERE place = 'directory'`
})

/** Copies the files and the signing secret, and verifies the new database. */
const finishMigration = Effect.fnUntraced(function* (dataDirectory: string) {
  yield* copyRows(yield* InDirectory.make(`${dataDirectory}/${InDirectory.folder}`))
  yield* SharedSecret.storeSharedSecret(yield* linkSecret(dataDirectory))
  const failedCheck = (yield* verify).find((check) => !check.ok)
  if (failedCheck === undefined) return
  const message = `The new database fails the check ${failedCheck.name}; nothing was kept`
  return yield* new CopyFailed({ message })
})

const migrate = Effect.fnUntraced(function* (dataDirectory: string, url: Redacted.Redacted) {
  const file = `${dataDirectory}/overture.db`
  yield* requireStore(dataDirectory)
  const source = yield* openStore(Database.layer(file))
  // The lock keeps workers from running during the move.
  yield* Effect.provideService(Layer.build(WorkerLock.layer(dataDirectory)), SqlClient.SqlClient, source)
  const target = yield* openStore(Database.layerPostgres(url, session))
  return yield* copyFromSqlite(
    source,
    target,
    (table, rows) => Console.error(`${table}: ${rows}`),
    finishMigration(dataDirectory)
  )
}, Effect.scoped)

export const migrateTo = Command.make(
  "migrate-to",
  {
    url: Argument.String("url").pipe(
      Argument.withSchema(DatabaseUrl),
      Argument.withDescription("An empty database: postgres://user:password@host:5432/database")
    )
  },
  ({ url }) =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const env = yield* openDataDir(dataDirectory)
      const { rows, tables } = yield* Effect.provide(migrate(dataDirectory, url), env)
      yield* print({ rows, tables }, [
        `Moved ${rows} rows of ${tables} tables; each was read again and compared, and every check of the store is ok.`,
        "Set DATABASE_URL to this database for every server. The old store is as it was: keep it until you are content."
      ])
    }).pipe(asUserError)
)
