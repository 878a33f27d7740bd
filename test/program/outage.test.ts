// test/program/outage.test.ts: the real program while its disk is full, its store is locked by another program, its outbox cannot be
// written or its clock jumps, and afterwards.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readdir, rm, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { onboardedWorkspace, namedLeads, ledgerOf, options, assertConsistent } from "#test/support/program-workspace.ts"
import { serve, type Server } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient, type ApiClient } from "#test/support/api-client.ts"

/** From now on no file of the process grows, or takes a byte at all; as on a disk that is full, but needing no such disk. */
const full = ({ child }: Server) =>
  Effect.sync(() => void execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=0:"]))
const room = ({ child }: Server) =>
  Effect.sync(() => void execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:"]))

/** Another program that writes to the store, and takes its time. */
const locked = (data: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const other = new DatabaseSync(`${data}/overture.db`, { timeout: 10_000 })
      other.exec("BEGIN EXCLUSIVE")
      return other
    }),
    (other) => Effect.sync(() => other.close())
  )

/** A list in work, and its progress. */
const startBatch = Effect.fnUntraced(function* (api: ApiClient, campaign: string, count: number) {
  const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
    leads: namedLeads(count),
    options: { ...options, notification_email: "ann@sales.example" }
  })
  const list = api.send("GET", `/lists/${body.list_id}`)
  const seen = yield* until(list, ({ body }) => "completed_at" in body || body.progress.leads_done >= 20)
  assert.property(seen.body, "progress", "the list was done before anything could happen to it")
  return { id: body.list_id as string, list }
})

/** What a caller meets while nothing can be written. */
const outage = Effect.fnUntraced(function* (server: Server, api: ApiClient) {
  const writes = [
    api.send("POST", "/signatures", { signature_text: "Bo" }),
    api.send("POST", "/campaigns", { name: "Autumn" }),
    api.send("PUT", "/workspace/details", { company_name: "Other" }),
    ...Array.from({ length: 16 }, (_, i) => api.send("POST", "/signatures", { signature_text: `Bo ${i}` }))
  ]
  const refusals = yield* Effect.all(writes, { concurrency: "unbounded" }).pipe(
    Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.die("A write was not answered") })
  )
  for (const { body, headers, status } of refusals) {
    assert.strictEqual(status, 500, JSON.stringify(body))
    assert.deepStrictEqual(Object.keys(body).toSorted(), ["error", "message", "request_id"])
    assert.strictEqual(body.error, "INTERNAL_ERROR")
    assert.notMatch(body.message, /sqlite|disk|lock/i)
    assert.strictEqual(headers.get("x-request-id"), body.request_id)
  }
  for (const path of ["/signatures", "/campaigns", "/lists", "/credits", "/workspace"]) {
    assert.strictEqual((yield* api.send("GET", path)).status, 200, path)
  }
  assert.deepInclude((yield* api.send("GET", "/health")).body, { status: "ok" })
  assert.isNull(server.child.exitCode)
})

/** All of the list is written, and each lead paid for once. */
const whole = Effect.fnUntraced(function* (
  { data, workspace }: { readonly data: string; readonly workspace: string },
  list: Effect.Effect<{ readonly body: any }>,
  count: number
) {
  const { body } = yield* until(list, ({ body }) => "completed_at" in body || "failed_at" in body)
  assert.deepInclude(body, { processing_status: "completed", leads_count: count, emails_created: 2 * count })
  const { balance, entries } = yield* ledgerOf(data, workspace)
  const captures = entries.filter(({ kind }) => kind === "capture")
  assert.lengthOf(captures, count)
  assert.strictEqual(new Set(captures.map(({ ref }) => ref)).size, count)
  assert.strictEqual(balance, 5000 - count)
})

/** More than are written before a fault begins, and few enough for a slow machine. */
const count = 200

/** The program is started four times, and locks are waited for. */
const timeout = 120_000

const linesWith = (log: string, words: string) => log.split("\n").filter((line) => line.includes(words)).length

describe("a disk that is full", () => {
  it.live(
    "stops what writes and nothing else, and costs no lead",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { id, list } = yield* startBatch(api, yield* buildCampaign(api), count)

        yield* full(server)
        yield* outage(server, api)
        const stuck = (yield* list).body
        assert.isBelow(stuck.progress.leads_done, count)
        // Long enough for each worker to try several times.
        yield* Effect.sleep("3 seconds")
        assert.deepStrictEqual((yield* list).body, stuck)
        assert.strictEqual(stuck.progress.leads_failed, 0)
        yield* assertConsistent(store.data)
        assert.strictEqual(linesWith(server.log(), "The store cannot be written"), 1)
        assert.isBelow(server.log().length, 1_000_000)

        yield* room(server)
        yield* whole(store, list, count)
        assert.strictEqual(linesWith(server.log(), "The store can be written again"), 1)
        yield* until(
          Effect.promise(() => readdir(`${store.data}/outbox`).catch(() => [])),
          (files) => files.some((file) => file === `${id}.eml`)
        )
        assert.strictEqual((yield* api.send("POST", "/signatures", { signature_text: "Bo" })).status, 201)
        assert.notInclude(server.log(), "Unhandled")
        yield* assertConsistent(store.data)
      }),
    timeout
  )
})

describe("a store that another program has locked", () => {
  it.live(
    "stops what writes and nothing else, and costs no lead",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { list } = yield* startBatch(api, yield* buildCampaign(api), count)

        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* locked(store.data)
            yield* outage(server, api)
            const stuck = (yield* list).body
            assert.isBelow(stuck.progress.leads_done, count)
            // Longer than a worker waits for a lock.
            yield* Effect.sleep("7 seconds")
            assert.deepStrictEqual((yield* list).body, stuck)
            assert.strictEqual(stuck.progress.leads_failed, 0)
          })
        )
        yield* whole(store, list, count)
        assert.strictEqual(linesWith(server.log(), "The store cannot be written"), 1)
        assert.notInclude(server.log(), "Unhandled")
        yield* assertConsistent(store.data)
      }),
    timeout
  )
})

describe("an outbox that cannot be written", () => {
  it.live(
    "keeps the mail for later, and the list as it is",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        // A file stands where the folder should be.
        yield* Effect.promise(() => writeFile(`${store.data}/outbox`, ""))
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { body } = yield* api.send("POST", `/campaigns/${yield* buildCampaign(api)}/generate-batch`, {
          leads: namedLeads(3),
          options: { ...options, notification_email: "ann@sales.example" }
        })
        yield* whole(store, api.send("GET", `/lists/${body.list_id}`), 3)
        yield* until(
          Effect.sync(() => linesWith(server.log(), "A mail was not taken")),
          (times) => times >= 2
        )
        assert.notInclude(server.log(), "ann@sales.example")
        yield* Effect.promise(() => rm(`${store.data}/outbox`))
        yield* until(
          Effect.promise(() => readdir(`${store.data}/outbox`).catch(() => [])),
          (files) => files.some((file) => file === `${body.list_id}.eml`)
        )
        yield* assertConsistent(store.data)
      }),
    timeout
  )
})

describe("a clock that jumps under the program", () => {
  it.live(
    "loses, doubles and delays nothing",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const file = `${store.data}/clock`
        const server = yield* serve(store.data, {
          NODE_OPTIONS: `--import ${new URL("../support/moved-clock.mjs", import.meta.url).href}`,
          CLOCK: file
        })
        const api = apiClient(server.url, store.key)
        /** Puts the clock so many days from the true time, and sees that the program has it so. */
        const jump = Effect.fnUntraced(function* (days: number) {
          yield* Effect.promise(() => writeFile(file, String(days * 86_400_000)))
          server.child.kill("SIGUSR2")
          yield* until(api.send("POST", "/signatures", { signature_text: "Bo" }), ({ body }) => {
            const ahead = Date.parse(body.created_at) - Date.now()
            return Math.round(ahead / 86_400_000) === days
          })
        })
        const campaign = yield* buildCampaign(api)
        const { list } = yield* startBatch(api, campaign, count)
        yield* jump(-1)
        yield* whole(store, list, count)

        yield* jump(3650)
        const second = yield* startBatch(api, campaign, count)
        yield* jump(0)
        const { body } = yield* until(second.list, ({ body }) => "completed_at" in body || "failed_at" in body)
        assert.deepInclude(body, { processing_status: "completed", leads_count: count })
        const { entries } = yield* ledgerOf(store.data, store.workspace)
        const captures = entries.filter(({ kind }) => kind === "capture")
        assert.lengthOf(captures, 2 * count)
        assert.strictEqual(new Set(captures.map(({ ref }) => ref)).size, 2 * count)
        assert.notInclude(server.log(), "Unhandled")
        yield* assertConsistent(store.data)
      }),
    timeout
  )
})
