// layers/operations/CheckStore.ts: checks the database and the clock without writing anything.
import { Clock, Effect, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import type { StoreUnusable } from "#layers/database/StoreUnusable.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { newestVersion, refuseNewer, readSchemaVersion, migrationsTable } from "#layers/database/migrations/Version.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import { minFreeBytes } from "#layers/operations/Readiness.ts"
import type { Check } from "#layers/operations/Verify.ts"

const passedCheck = (name: string, detail: string): Check => ({ name, ok: true, detail })
const failedCheck = (name: string, detail: string): Check => ({ name, ok: false, detail })

const schemaDetail = (version: number, newest: number) =>
  version === newest ? `schema ${version}` : `schema ${version}, which the next start brings to ${newest}`

/** Two clocks may differ by this much. */
const maxClockDifferenceMillis = 5 * 60_000
/** This program is newer, so a clock with an earlier time is wrong. */
const earliestMillis = Date.UTC(2026, 0, 1)

const describeClock = (timestamp: number, latest: number | null, source: string): Check => {
  const shows = `The clock shows ${new Date(timestamp).toISOString()}`
  if (timestamp < earliestMillis)
    return failedCheck("clock", `${shows}, which is in the past. Set it, for example by NTP.`)
  if (latest !== null && latest - timestamp > maxClockDifferenceMillis) {
    return failedCheck(
      "clock",
      `${shows}, and ${source} ${new Date(latest).toISOString()}. Set the clock, for example by NTP.`
    )
  }
  return passedCheck("clock", `${shows}.`)
}

const LatestWrite = Schema.Struct({ at: Schema.NullOr(Schema.String) })

/** The time of the last write, by the clock of that moment. */
const readLatestWrite = (filename: string): number | null => {
  const db = new DatabaseSync(filename, { readOnly: true, timeout: 5000 })
  try {
    const row = db.prepare("SELECT max(updated_at) AS at FROM workspaces").get()
    const { at } = Schema.decodeUnknownSync(LatestWrite)(row)
    return at === null ? null : Date.parse(at)
  } finally {
    db.close()
  }
}

const checkSqlite = Effect.fnUntraced(function* (directory: string, timestamp: number) {
  const filename = `${directory}/overture.db`
  if (!existsSync(filename)) {
    const detail = `There is no store in ${directory} yet; overture serve makes one.`
    return [passedCheck("store", detail), describeClock(timestamp, null, "")]
  }
  const isWritable = yield* Effect.isSuccess(Effect.tryPromise(() => access(filename, constants.R_OK | constants.W_OK)))
  if (!isWritable)
    return [failedCheck("store", `${filename} cannot be written by this user.`), describeClock(timestamp, null, "")]
  const schema = schemaDetail(yield* readSchemaVersion(filename), yield* newestVersion)
  const freeBytes = yield* Effect.orElseSucceed((yield* FreeSpace)(directory), () => minFreeBytes)
  const latest = yield* Effect.try({ try: () => readLatestWrite(filename), catch: () => null }).pipe(
    Effect.orElseSucceed(() => null)
  )
  const store =
    freeBytes < minFreeBytes
      ? failedCheck("store", `The disk of ${directory} is nearly full: free at least ${minFreeBytes / 1_000_000} MB.`)
      : passedCheck("store", `SQLite in ${directory}, ${schema}.`)
  return [store, describeClock(timestamp, latest, "the store was last written at")]
})

const ServerState = Schema.Struct({ has_migrations: Schema.Boolean, at: Schema.Finite })

const checkPostgres = Effect.fnUntraced(function* (currentMillis: number) {
  const sql = yield* SqlClient.SqlClient
  const serverState = yield* SqlSchema.findOne({
    Request: Schema.Void,
    Result: ServerState,
    execute: () => sql`
        SELECT to_regclass(${migrationsTable}) IS NOT NULL AS has_migrations, extract(epoch FROM now())::float8 * 1000 AS at`
  })(undefined)
  const rows = serverState.has_migrations
    ? yield* sql<{ readonly id: number | null }>`SELECT max(migration_id) AS id FROM ${sql(migrationsTable)}`
    : []
  const version = yield* refuseNewer(rows[0]?.id ?? 0)
  const detail = `PostgreSQL answers, ${schemaDetail(version, yield* newestVersion)}.`
  return [passedCheck("store", detail), describeClock(currentMillis, serverState.at, "the database's clock shows")]
})

/** Checks of the database and the clock. */
export const checkStore = Effect.fnUntraced(function* (directory: string, url: Redacted.Redacted | undefined) {
  const currentMillis = yield* Clock.currentTimeMillis
  const unusable = ({ message }: StoreUnusable) =>
    Effect.succeed([failedCheck("store", message), describeClock(currentMillis, null, "")])
  if (url === undefined)
    return yield* checkSqlite(directory, currentMillis).pipe(Effect.catchTag("StoreUnusable", unusable))
  const { host, pathname } = new URL(Redacted.value(url))
  return yield* checkPostgres(currentMillis).pipe(
    Effect.provide(Postgres.layer({ url, connections: 1 })),
    Effect.catchTag("StoreUnusable", unusable),
    Effect.catchTag(["SqlError", "NoSuchElementError", "SchemaError"], () =>
      Effect.succeed([
        failedCheck("store", `The database at ${host}${pathname} cannot be used. Check DATABASE_URL and that it runs.`),
        describeClock(currentMillis, null, "")
      ])
    )
  )
})
