// test/support/store.ts: stores for tests, empty and of their own: on SQLite, or where the tests run on PostgreSQL, there.
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import * as Sqlite from "#layers/database/Sqlite.ts"

/** A server, the migrated and empty database in it that stores are copied from, and how. */
export const Template = Schema.Struct({ server: Schema.String, name: Schema.String, copyOptions: Schema.String })

/** Where `onPostgres.ts` says which. */
const variable = "OVERTURE_TEST_TEMPLATE"

const given = process.env[variable]
const template = given === undefined ? undefined : Schema.decodeSync(Schema.fromJsonString(Template))(given)

export const onPostgres = template !== undefined

/** Another database of the same server. */
export const databaseAt = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** Runs one statement of the kind that no transaction can hold. */
export const administer = (server: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
    Effect.provide(Layer.fresh(Postgres.layer({ url: Redacted.make(server), connections: 1 }))),
    Effect.orDie
  )

/** The address of an empty store that is gone when the scope closes, where the tests run on PostgreSQL. */
export const emptyDatabase = Effect.gen(function* () {
  if (template === undefined) return undefined
  const { copyOptions, name, server } = template
  const copy = `${name}_${randomBytes(6).toString("hex")}`
  return yield* Effect.acquireRelease(
    Effect.as(administer(server, `CREATE DATABASE ${copy} TEMPLATE ${name} ${copyOptions}`), databaseAt(server, copy)),
    () => administer(server, `DROP DATABASE ${copy} WITH (FORCE)`)
  )
})

/** An empty store. */
export const store = Layer.unwrap(
  Effect.map(emptyDatabase, (url) => (url === undefined ? Database.layerMemory : Layer.orDie(Postgres.layer({ url }))))
)

/** An unavailable store: its file was closed with its scope, or no server listens at its address. */
export const unavailable = onPostgres
  ? Layer.build(Layer.orDie(Postgres.layer({ url: Redacted.make("postgres://127.0.0.1:1/gone") })))
  : Effect.scoped(Layer.build(Database.layerMemory))

const urls = new Map<string, Redacted.Redacted>()

/** Where the tests run on PostgreSQL, has a data directory's store be there. */
export const placeStore = Effect.fnUntraced(function* (data: string) {
  const url = yield* emptyDatabase
  if (url === undefined) return
  urls.set(data, url)
  yield* Effect.promise(() => writeFile(join(data, ".env"), `DATABASE_URL=${Redacted.value(url)}\n`))
})

/** The store of a data directory, as it is. */
export const storeOf = (data: string) => {
  const url = urls.get(data)
  return Layer.orDie(
    url === undefined ? Sqlite.layer({ filename: join(data, "overture.db") }) : Postgres.layer({ url })
  )
}
