// layers/database/postgres/Upgrade.ts: migrates a database to the newest schema. Processes that start at the same time
// wait for the first one.
import { Effect, Redacted, Schema } from "effect"
import { Migrator, SqlClient, SqlSchema } from "effect/sql"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"
import { Migrations, newestVersion, refuseNewer, migrationsTable } from "#layers/database/migrations/Version.ts"
import * as Postgres from "#layers/database/Postgres.ts"

/** The oldest supported PostgreSQL; docs/reference/operating.md names it too. */
const oldestVersion = 14

/** The location of a database, without its credentials. */
const unusableAt = (url: Redacted.Redacted) => {
  const { host, pathname, searchParams } = new URL(Redacted.value(url))
  const address = `${searchParams.get("host") ?? host}${pathname}`
  return (message: string) => new StoreUnusable({ message: `The database at ${address} ${message}` })
}

const ServerFacts = Schema.Struct({
  version: Schema.Int,
  encoding: Schema.String,
  is_standby: Schema.Boolean,
  schema: Schema.NullOr(Schema.String),
  has_migrations: Schema.Boolean
})

const upgrade = Effect.fnUntraced(function* (unusable: (message: string) => StoreUnusable) {
  const sql = yield* SqlClient.SqlClient

  const facts = yield* SqlSchema.findOne({
    Request: Schema.Void,
    Result: ServerFacts,
    execute: () => sql`
      SELECT current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS is_standby,
        current_setting('server_encoding') AS encoding, current_schema() AS schema,
        to_regclass(${migrationsTable}) IS NOT NULL AS has_migrations`
  })()
  if (facts.version < oldestVersion)
    return yield* unusable(`is PostgreSQL ${facts.version}: it has to be ${oldestVersion} or newer`)
  if (facts.encoding !== "UTF8") return yield* unusable(`has the encoding ${facts.encoding}: it has to be UTF8`)
  if (facts.is_standby) return yield* unusable("is a standby, which only reads: name the one that it follows")
  if (facts.schema === null) return yield* unusable("has no schema that tables could be made in: make it first")

  const migrations = yield* Migrations
  if (facts.has_migrations) {
    const [row] = yield* sql<{
      readonly id: number | null
    }>`SELECT max(migration_id) AS id FROM ${sql(migrationsTable)}`
    if ((yield* refuseNewer(row?.id ?? 0)) === (yield* newestVersion)) return
  }
  // Runs all missing migrations in one transaction, under a lock that other processes wait for.
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable })
})

/** Session settings for migrations, because rewriting a large table takes minutes. */
export const session = { lock_timeout: "10min", statement_timeout: "0", idle_in_transaction_session_timeout: "0" }

/** Checks that the database at `url` can be used, and upgrades it to the newest schema. */
export const upgradeDatabase = (url: Redacted.Redacted) =>
  Effect.suspend(() => {
    const unusable = unusableAt(url)
    return upgrade(unusable).pipe(
      Effect.provide(Postgres.layer({ url, connections: 1, session })),
      Effect.catchTags({
        SqlError: ({ message }) => unusable(`cannot be used: ${message}`),
        MigrationError: ({ cause, message }) =>
          unusable(
            `could not be brought up to date, and is as it was: ${message}` +
              `${cause instanceof Error ? ` (${cause.message})` : ""}. Run the version before this one, and tell its makers`
          )
      }),
      Effect.catchTag(["NoSuchElementError", "SchemaError"], Effect.die)
    )
  })
