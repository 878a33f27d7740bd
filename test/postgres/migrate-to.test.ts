// test/postgres/migrate-to.test.ts: a store that outgrew its machine, moved to PostgreSQL by the command that does it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { writeFile } from "node:fs/promises"
import { foundedIn, leads, options, sound } from "#test/support/founded.ts"
import { folder, kill, overture, serve, until } from "#test/support/process.ts"
import { scratch } from "#test/support/store.ts"
import { build, wire } from "#test/support/wire.ts"

/** A store on SQLite, with a workspace in it. */
const outgrown = Effect.flatMap(folder, foundedIn)

/** A data directory whose store is the database. */
const placeOn = Effect.fnUntraced(function* (url: string) {
  const data = yield* folder
  yield* Effect.promise(() => writeFile(`${data}/.env`, `DATABASE_URL=${url}\n`))
  return data
})

const asked = (path: string, api: ReturnType<typeof wire>) => Effect.map(api.send("GET", path), ({ body }) => body)

describe("overture migrate-to", () => {
  it.live(
    "moves all there is, so that links, keys and unfinished work go on elsewhere",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* outgrown
        const before = yield* serve(data)
        const api = wire(before.url, key)
        const campaign = yield* build(api)
        const { body: batch } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: leads(30),
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
        const { body: last } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: leads(500),
          options
        })
        const paths = [`/lists/${batch.list_id}/export`, "/campaigns", "/target-audiences", "/signatures"]
        const shown = yield* Effect.forEach(paths, (path) => asked(path, api))
        const { documents } = yield* asked("/workspace", api)
        yield* kill(before)

        const url = Redacted.value(yield* Effect.fromNullishOr(yield* scratch))
        const moved = yield* overture(data, "migrate-to", url, "--json")
        assert.strictEqual(moved.code, 0, moved.stderr)
        assert.isAbove(JSON.parse(moved.stdout).rows, 600)
        const again = yield* overture(data, "migrate-to", url)
        assert.deepStrictEqual([again.code, /holds something already/.test(again.stderr)], [1, true])

        const elsewhere = yield* placeOn(url)
        yield* sound(elsewhere)
        const after = yield* serve(elsewhere)
        const there = wire(after.url, key)
        assert.deepStrictEqual(yield* Effect.forEach(paths, (path) => asked(path, there)), shown)
        const done = yield* until(there.send("GET", `/lists/${last.list_id}`), ({ body }) => "completed_at" in body)
        assert.deepInclude(done.body, { processing_status: "completed", leads_count: 500, emails_created: 1000 })
        // A link that the old server has signed.
        const link = new URL(documents.find((one: { status: string }) => one.status === "ready").download_url)
        const opened = yield* Effect.promise(() => fetch(new URL(link.pathname + link.search, after.url)))
        assert.strictEqual(opened.status, 200, link.href)
        yield* sound(elsewhere)
      }),
    180_000
  )

  it.live(
    "refuses what it cannot move, and says why",
    () =>
      Effect.gen(function* () {
        const url = Redacted.value(yield* Effect.fromNullishOr(yield* scratch))
        const nothing = yield* overture(yield* folder, "migrate-to", url)
        assert.deepStrictEqual([nothing.code, /There is no store in/.test(nothing.stderr)], [1, true])
        const { data } = yield* outgrown
        const wrong = yield* overture(data, "migrate-to", "mysql://here")
        assert.deepStrictEqual([wrong.code, /postgres:\/\//.test(wrong.stderr)], [1, true])
        yield* serve(data)
        const busy = yield* overture(data, "migrate-to", url)
        assert.deepStrictEqual([busy.code, /already works on this data directory/.test(busy.stderr)], [1, true])
      }),
    180_000
  )
})
