// test/program/damaged-store.test.ts: a damaged, empty or missing database is reported, and no command replaces a missing
// database with a new one.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Database from "#layers/Database.ts"
import { cannotOpen } from "#layers/database/StoreUnusable.ts"
import { Readiness } from "#layers/operations/Readiness.ts"
import { command, commandJson } from "../support/command.ts"
import { temporaryFolder, serve } from "../support/process.ts"

/** Creates a store with one workspace. */
const createStore = Effect.gen(function* () {
  const data = yield* temporaryFolder
  const { id } = yield* commandJson(data, "workspace", "create", "--name", "Acme", "--owner-email", "a@acme.example")
  return { data, id: String(id) }
})

/** Overwrites the first page of each of these tables. */
const damage = (data: string, ...tables: ReadonlyArray<string>) => {
  const file = `${data}/overture.db`
  const db = new DatabaseSync(file)
  const rootPages = tables.map((table) =>
    Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table)?.["rootpage"])
  )
  const size = Number(db.prepare("PRAGMA page_size").get()?.["page_size"])
  db.close()
  const descriptor = openSync(file, "r+")
  for (const rootPage of rootPages) writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (rootPage - 1) * size)
  closeSync(descriptor)
}

const assertOneLine = (text: string) => assert.match(text, /^[^\n]+\n$/)

describe("a damaged database", () => {
  it.live("is reported by verify as failed checks, that of the file first, without a stack trace", () =>
    Effect.gen(function* () {
      const { data } = yield* createStore
      damage(data, "leads", "credit_entries")
      const { code, stderr, stdout } = yield* command(data, "verify", "--json")
      assert.strictEqual(code, 1)
      const { checks, ok } = JSON.parse(stdout)
      assert.isFalse(ok)
      assert.deepInclude(checks[0], { name: "the file is sound", ok: false })
      const failed = checks.filter((check: { readonly ok: boolean }) => !check.ok)
      assert.isAbove(failed.length, 2)
      assert.isTrue(failed.some(({ detail }: { readonly detail: string }) => /malformed/.test(detail)))
      // A check that reads no damaged table still passes.
      assert.isTrue(checks.some((check: { readonly ok: boolean }) => check.ok))
      assert.notInclude(stdout + stderr, "    at ")

      const textOutput = yield* command(data, "verify")
      assert.strictEqual(textOutput.code, 1)
      assertOneLine(textOutput.stderr)
    })
  )

  it.live("is reported by every other command in one line", () =>
    Effect.gen(function* () {
      const { data, id } = yield* createStore
      damage(data, "workspaces", "credit_entries", "credit_accounts", "api_keys", "lists")
      for (const args of [
        ["workspace", "list"],
        ["workspace", "show", id],
        ["credits", "ledger", "--workspace", id],
        ["credits", "grant", "--workspace", id, "--amount", "1"],
        ["key", "list", "--workspace", id],
        ["prune", "--dry-run"],
        ["backup", `${data}/copy.backup`]
      ]) {
        const { code, stderr, stdout } = yield* command(data, ...args, "--json")
        assert.deepStrictEqual([code, stdout], [1, ""], args.join(" "))
        assertOneLine(stderr)
        assert.match(stderr, /malformed/)
        assert.notInclude(stderr, "    at ")
      }
    })
  )
})

describe("a data directory without a database", () => {
  const readingCommands: ReadonlyArray<ReadonlyArray<string>> = [
    ["verify"],
    ["workspace", "list"],
    ["credits", "ledger", "--workspace", "01980f42-2ac6-7d90-b1e5-9f7c4a3d8e06"],
    ["key", "list", "--workspace", "01980f42-2ac6-7d90-b1e5-9f7c4a3d8e06"],
    ["prune", "--dry-run"],
    ["backup", "copy.backup"],
    ["migrate-to", "postgres://127.0.0.1:1/none"]
  ]
  it.live.each(readingCommands)("is refused by %s, which creates nothing", (args) =>
    Effect.gen(function* () {
      const emptyFolder = yield* temporaryFolder
      for (const data of [emptyFolder, `${emptyFolder}/mistyped`]) {
        const { code, stderr, stdout } = yield* command(data, ...args, "--json")
        assert.deepStrictEqual([code, stdout], [1, ""])
        assertOneLine(stderr)
        assert.match(stderr, /no store/)
      }
      assert.deepStrictEqual(
        readdirSync(emptyFolder, { recursive: true }).filter((name) => /overture|secret/.test(String(name))),
        []
      )
    })
  )

  it.live("becomes a new store if it is empty", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      writeFileSync(`${data}/.env`, "OVERTURE_LOG_LEVEL=error\n")
      mkdirSync(`${data}/outbox`)
      writeFileSync(`${data}/overture.db`, "")
      yield* commandJson(data, "workspace", "create", "--name", "Acme", "--owner-email", "a@acme.example")
      assert.lengthOf((yield* commandJson(data, "workspace", "list")).workspaces, 1)
    })
  )

  it.live("is refused by commands that would create a store, until the files of an earlier store are moved away", () =>
    Effect.gen(function* () {
      const { data } = yield* createStore
      const createCommand = ["workspace", "create", "--name", "Other", "--owner-email", "a@acme.example"]
      for (const removeDatabase of [() => truncateSync(`${data}/overture.db`), () => rmSync(`${data}/overture.db`)]) {
        removeDatabase()
        for (const args of [createCommand, ["serve", "--port", "0"]]) {
          const { code, stderr } = yield* command(data, ...args)
          assert.strictEqual(code, 1)
          assertOneLine(stderr)
          assert.match(stderr, /overture\.db is missing or empty beside secret.*restore a backup/)
        }
      }
      rmSync(`${data}/secret`)
      assert.strictEqual((yield* command(data, ...createCommand)).code, 0)
    })
  )
})

describe("a server whose database file is", () => {
  const fetchStatus = (url: string) => Effect.promise(async () => (await fetch(`${url}/readyz`)).status)

  it.live("removed reports that it is not ready and what to do", () =>
    Effect.gen(function* () {
      const { data } = yield* createStore
      const server = yield* serve(data)
      assert.strictEqual(yield* fetchStatus(server.url), 200)
      renameSync(`${data}/overture.db`, `${data}/moved.db`)
      yield* Effect.sleep("1100 millis")
      assert.strictEqual(yield* fetchStatus(server.url), 503)
      assert.match(server.log(), /overture\.db was removed or replaced/)
    })
  )

  it.live("replaced reports that it is not ready until the original file is back", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const file = `${data}/overture.db`
      yield* Effect.gen(function* () {
        const { check } = yield* Readiness
        yield* SqlClient.SqlClient
        assert.strictEqual((yield* check).status, "ready")
        renameSync(file, `${data}/moved.db`)
        writeFileSync(file, "another")
        yield* Effect.sleep("1100 millis")
        assert.deepStrictEqual((yield* check).checks.store, "failed")
        renameSync(`${data}/moved.db`, file)
        yield* Effect.sleep("1100 millis")
        assert.strictEqual((yield* check).status, "ready")
      }).pipe(
        Effect.provide(
          Readiness.layer(data).pipe(Layer.provideMerge(Database.layer(file).pipe(Layer.provide(NodeServices.layer))))
        )
      )
    })
  )
})

it("the error for a store that cannot be opened because the disk is full says so", () => {
  const errorMessageOf = (message: string) => cannotOpen("/data/overture.db")({ message }).message
  assert.match(errorMessageOf("SQLite: disk I/O error"), /disk may be full/)
  assert.notInclude(errorMessageOf("SQLite: file is not a database"), "full")
})
