// test/support/postgres.ts: one PostgreSQL for a run of the tests, and in it an empty database of the newest schema that
// each store of a test is a copy of.
import { Effect, Layer, Schedule } from "effect"
import { randomBytes } from "node:crypto"
import type { TestProject } from "vitest/node"
import * as Database from "#layers/Database.ts"
import { embedded } from "./embedded.ts"
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
  const given = process.env["TEST_DATABASE_URL"]
  const { log, server, stop } =
    given === undefined ? await embedded({ durable: false }) : { server: given, log: () => "", stop: async () => {} }
  const name = `overture_test_${randomBytes(6).toString("hex")}`
  const make = Effect.gen(function* () {
    // A server that has just been started takes a moment.
    yield* Effect.retry(Effect.sandbox(Stores.administer(server, `CREATE DATABASE ${name}`)), {
      schedule: Schedule.spaced("50 millis"),
      times: 200
    })
    yield* Effect.scoped(Layer.build(Database.layerPostgres(Stores.databaseAt(server, name))))
    const [row] = yield* Stores.administer(server, "SHOW server_version_num")
    // A third of the work where there is a choice, which PostgreSQL 14 does not have.
    return { server, name, copyOptions: Number(row?.["server_version_num"]) < 150_000 ? "" : "STRATEGY FILE_COPY" }
  })
  const template = await Effect.runPromise(make).catch(async (error) => {
    await stop()
    throw new Error(`PostgreSQL cannot be used for the tests: ${log()}`, { cause: error })
  })
  project.provide("postgres", template)
  return async () => {
    await Effect.runPromise(Stores.administer(server, `DROP DATABASE ${name} WITH (FORCE)`))
    await stop()
  }
}
