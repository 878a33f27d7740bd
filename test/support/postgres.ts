// test/support/postgres.ts: vitest's global setup for PostgreSQL: a server for the whole run, and a migrated template
// database that each test copies.
import { Effect, Layer, Schedule } from "effect"
import { randomBytes } from "node:crypto"
import type { TestProject } from "vitest/node"
import * as Database from "#layers/Database.ts"
import { startPostgres } from "./embedded-postgres.ts"
import * as Stores from "./store.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgres: typeof Stores.Template.Type
  }
}

/**
 * Starts a server before the tests, unless TEST_DATABASE_URL names one, and makes the database that stores are copied from.
 * Afterwards drops the database and stops the server that it started.
 */
export default async (project: TestProject) => {
  const externalServer = process.env["TEST_DATABASE_URL"]
  const { log, server, stop } =
    externalServer === undefined
      ? await startPostgres({ durable: false })
      : { server: externalServer, log: () => "", stop: async () => {} }
  const name = `overture_test_${randomBytes(6).toString("hex")}`
  const createTemplate = Effect.gen(function* () {
    // A new server does not accept connections at once.
    yield* Effect.retry(Effect.sandbox(Stores.administer(server, `CREATE DATABASE ${name}`)), {
      schedule: Schedule.spaced("50 millis"),
      times: 200
    })
    yield* Effect.scoped(Layer.build(Database.layerPostgres(Stores.databaseAt(server, name))))
    const [row] = yield* Stores.administer(server, "SHOW server_version_num")
    // FILE_COPY takes a third of the time. PostgreSQL 14 has no such option.
    return { server, name, copyOptions: Number(row?.["server_version_num"]) < 150_000 ? "" : "STRATEGY FILE_COPY" }
  })
  const template = await Effect.runPromise(createTemplate).catch(async (error) => {
    await stop()
    throw new Error(`PostgreSQL cannot be used for the tests: ${log()}`, { cause: error })
  })
  project.provide("postgres", template)
  return async () => {
    await Effect.runPromise(Stores.administer(server, `DROP DATABASE ${name} WITH (FORCE)`))
    await stop()
  }
}
