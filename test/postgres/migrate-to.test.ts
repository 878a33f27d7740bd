// test/postgres/migrate-to.test.ts: `overture migrate-to`, which moves a SQLite store to PostgreSQL.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mkdir, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { command, commandJson } from "#test/support/command.ts"
import { onboardedWorkspaceIn, namedLeads, options, assertConsistent } from "#test/support/program-workspace.ts"
import { temporaryFolder, killProgram, overture, serve } from "#test/support/process.ts"
import { administer, emptyDatabase } from "#test/support/store.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

/** A SQLite store with an onboarded workspace. */
const sqliteStore = Effect.flatMap(temporaryFolder, onboardedWorkspaceIn)

/** A data directory that uses the database as its store. */
const dataDirectoryFor = Effect.fnUntraced(function* (url: string) {
  const data = yield* temporaryFolder
  yield* Effect.promise(() => writeFile(`${data}/.env`, `DATABASE_URL=${url}\n`))
  return data
})

/** A SQLite store with a workspace without a profile. */
const smallStore = Effect.gen(function* () {
  const data = yield* temporaryFolder
  const { id } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
  return { data, workspace: id as string }
})

/** An empty database. */
const emptyDatabaseUrl = Effect.flatMap(emptyDatabase, (url) => Effect.map(Effect.fromNullishOr(url), Redacted.value))

/** Changes the SQLite store of a data directory while no server uses it. */
const changeStore = (data: string, change: (db: DatabaseSync) => void) =>
  Effect.sync(() => {
    const db = new DatabaseSync(`${data}/overture.db`)
    change(db)
    db.close()
  })

const getBody = (path: string, api: ReturnType<typeof apiClient>) =>
  Effect.map(api.send("GET", path), ({ body }) => body)

describe("overture migrate-to", () => {
  it.live(
    "moves everything, so that links, keys and unfinished work continue on PostgreSQL",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* sqliteStore
        const before = yield* serve(data)
        const api = apiClient(before.url, key)
        const campaign = yield* buildCampaign(api)
        const { body: batch } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(30),
          options
        })
        yield* until(api.send("GET", `/lists/${batch.list_id}`), ({ body }) => "completed_at" in body)
        const file = new FormData()
        file.set("file", new Blob(["We mend pumps.\n".repeat(40)], { type: "text/plain" }), "notes.txt")
        const imported = yield* Effect.promise(() =>
          fetch(`${before.url}/api/v1/workspace/imports/document`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}` },
            body: file
          })
        )
        assert.strictEqual(imported.status, 202)
        const { body: secondBatch } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(500),
          options
        })
        const paths = [`/lists/${batch.list_id}/export`, "/campaigns", "/target-audiences", "/signatures"]
        const responsesBefore = yield* Effect.forEach(paths, (path) => getBody(path, api))
        const { documents } = yield* getBody("/workspace", api)
        yield* killProgram(before)

        const url = yield* emptyDatabaseUrl
        const result = yield* overture(data, "migrate-to", url, "--json")
        assert.strictEqual(result.code, 0, result.stderr)
        assert.isAbove(JSON.parse(result.stdout).rows, 600)
        const secondResult = yield* overture(data, "migrate-to", url)
        assert.deepStrictEqual([secondResult.code, /holds something already/.test(secondResult.stderr)], [1, true])

        const newDirectory = yield* dataDirectoryFor(url)
        yield* assertConsistent(newDirectory)
        const after = yield* serve(newDirectory)
        const newApi = apiClient(after.url, key)
        assert.deepStrictEqual(yield* Effect.forEach(paths, (path) => getBody(path, newApi)), responsesBefore)
        const finished = yield* until(
          newApi.send("GET", `/lists/${secondBatch.list_id}`),
          ({ body }) => "completed_at" in body
        )
        assert.deepInclude(finished.body, { processing_status: "completed", leads_count: 500, emails_created: 1000 })
        // A download link that the old server signed.
        const link = new URL(documents.find((document: { status: string }) => document.status === "ready").download_url)
        const download = yield* Effect.promise(() => fetch(new URL(link.pathname + link.search, after.url)))
        assert.strictEqual(download.status, 200, link.href)
        yield* assertConsistent(newDirectory)
      }),
    180_000
  )

  it.live("replaces U+0000 in a text, which PostgreSQL cannot store", () =>
    Effect.gen(function* () {
      const { data, workspace } = yield* smallStore
      yield* changeStore(data, (db) =>
        db
          .prepare("INSERT INTO signatures VALUES ('one', ?, ?, 'Ann', NULL, '2026', '2026')")
          .run(workspace, "Ann\0Lee \uFFFD")
      )
      const url = yield* emptyDatabaseUrl
      const result = yield* command(data, "migrate-to", url)
      assert.strictEqual(result.code, 0, result.stderr)
      const rows = yield* administer(url, "SELECT signature_text FROM signatures")
      assert.deepStrictEqual(rows, [{ signature_text: "Ann\uFFFDLee \uFFFD" }])
    })
  )

  it.live("sets no timeouts for a large store", () =>
    Effect.gen(function* () {
      const { data } = yield* smallStore
      const url = yield* emptyDatabaseUrl
      const limits = ["statement_timeout", "idle_in_transaction_session_timeout"]
      yield* administer(url, "CREATE TABLE seen AS SELECT name, setting FROM pg_settings WHERE false")
      yield* administer(
        url,
        `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO seen SELECT name, setting FROM pg_settings WHERE name IN ('${limits.join("', '")}');
            RETURN NULL; END $$`
      )
      yield* administer(
        url,
        "CREATE TRIGGER note AFTER INSERT ON workspaces FOR EACH STATEMENT EXECUTE FUNCTION note()"
      )
      const result = yield* command(data, "migrate-to", url)
      assert.strictEqual(result.code, 0, result.stderr)
      assert.sameDeepMembers(
        [...(yield* administer(url, "SELECT * FROM seen"))],
        limits.map((name) => ({ name, setting: "0" }))
      )
    })
  )

  it.live("changes nothing if a stored file is missing or incomplete", () =>
    Effect.gen(function* () {
      const { data, workspace } = yield* smallStore
      const id = "00000000-0000-4000-8000-000000000000"
      yield* changeStore(data, (db) =>
        db.prepare("INSERT INTO files VALUES (?, ?, 'directory', 'kept', 10, 0)").run(id, workspace)
      )
      const url = yield* emptyDatabaseUrl
      const missingFile = yield* command(data, "migrate-to", url)
      assert.deepStrictEqual(
        [missingFile.code, missingFile.stderr.includes(`No file ${id}`)],
        [1, true],
        missingFile.stderr
      )
      yield* Effect.promise(() => mkdir(`${data}/files`, { recursive: true }))
      yield* Effect.promise(() => writeFile(`${data}/files/${id}`, "We me"))
      const truncatedFile = yield* command(data, "migrate-to", url)
      assert.strictEqual(truncatedFile.code, 1)
      assert.include(truncatedFile.stderr, `Of file ${id} there are 5 bytes of 10; nothing was kept`)
      assert.deepStrictEqual(yield* administer(url, "SELECT id FROM workspaces"), [])
    })
  )

  it.live(
    "refuses what it cannot migrate, with the reason",
    () =>
      Effect.gen(function* () {
        const url = yield* emptyDatabaseUrl
        const noStore = yield* overture(yield* temporaryFolder, "migrate-to", url)
        assert.deepStrictEqual([noStore.code, /There is no store in/.test(noStore.stderr)], [1, true])
        const { data } = yield* sqliteStore
        for (const target of ["mysql://here", ""]) {
          const result = yield* command(data, "migrate-to", target)
          assert.deepStrictEqual([result.code, /postgres:\/\//.test(result.stderr)], [1, true], result.stderr)
        }
        yield* serve(data)
        const result = yield* overture(data, "migrate-to", url)
        assert.deepStrictEqual([result.code, /already works on this data directory/.test(result.stderr)], [1, true])
      }),
    180_000
  )
})
