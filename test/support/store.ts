// test/support/store.ts: an empty database for each test, on SQLite or on the PostgreSQL that the tests run on.
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import * as Sqlite from "#layers/database/Sqlite.ts"

/** A PostgreSQL server, its migrated template database, and the options for copying that. */
export const Template = Schema.Struct({ server: Schema.String, name: Schema.String, copyOptions: Schema.String })

/** Set by onPostgres.ts. */
const variable = "OVERTURE_TEST_TEMPLATE"

const encodedTemplate = process.env[variable]
const template =
  encodedTemplate === undefined ? undefined : Schema.decodeSync(Schema.fromJsonString(Template))(encodedTemplate)

export const onPostgres = template !== undefined

/** The address of a database of this server. */
export const databaseAt = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** Runs a statement that is not allowed in a transaction, such as CREATE DATABASE. */
export const administer = (server: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
    Effect.provide(Layer.fresh(Postgres.layer({ url: Redacted.make(server), connections: 1 }))),
    Effect.orDie
  )

/** An empty PostgreSQL database, dropped when the scope closes; undefined if the tests run on SQLite. */
export const emptyDatabase = Effect.gen(function* () {
  if (template === undefined) return undefined
  const { copyOptions, name, server } = template
  const copy = `${name}_${randomBytes(6).toString("hex")}`
  return yield* Effect.acquireRelease(
    Effect.as(administer(server, `CREATE DATABASE ${copy} TEMPLATE ${name} ${copyOptions}`), databaseAt(server, copy)),
    () => administer(server, `DROP DATABASE ${copy} WITH (FORCE)`)
  )
})

/** An empty database. */
export const store = Layer.unwrap(
  Effect.map(emptyDatabase, (url) => (url === undefined ? Database.layerMemory : Layer.orDie(Postgres.layer({ url }))))
)

/** A database that always fails: a closed SQLite connection, or an address where no server listens. */
export const unavailable = onPostgres
  ? Layer.build(Layer.orDie(Postgres.layer({ url: Redacted.make("postgres://127.0.0.1:1/gone") })))
  : Effect.scoped(Layer.build(Database.layerMemory))

const urls = new Map<string, Redacted.Redacted>()

/** When the tests run on PostgreSQL, writes the address of an empty database to the data directory's settings. */
export const configureStore = Effect.fnUntraced(function* (data: string) {
  const url = yield* emptyDatabase
  if (url === undefined) return
  urls.set(data, url)
  yield* Effect.promise(() => writeFile(join(data, ".env"), `DATABASE_URL=${Redacted.value(url)}\n`))
})

/** Connects to the database of a data directory. */
export const storeOf = (data: string) => {
  const url = urls.get(data)
  return Layer.orDie(
    url === undefined ? Sqlite.layer({ filename: join(data, "overture.db") }) : Postgres.layer({ url })
  )
}
