// test/support/store.ts: stores for tests, empty and of their own: on SQLite, or where the tests run on PostgreSQL, there.
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/Postgres.ts"
import { administer, databaseAt } from "./postgres.ts"

const template = inject("postgres")

export const onPostgres = template !== undefined

/** The address of an empty database that is gone when the scope closes, where the tests run on PostgreSQL. */
export const scratch = Effect.gen(function* () {
  if (template === undefined) return undefined
  const name = `${template.name}_${randomBytes(6).toString("hex")}`
  return yield* Effect.acquireRelease(
    Effect.as(
      administer(template.server, `CREATE DATABASE ${name} TEMPLATE ${template.name}`),
      databaseAt(template.server, name)
    ),
    () => administer(template.server, `DROP DATABASE ${name} WITH (FORCE)`)
  )
})

/** An empty store. */
export const store = Layer.unwrap(
  Effect.map(scratch, (url) => (url === undefined ? Database.layerMemory : Layer.orDie(Postgres.layer({ url }))))
)
