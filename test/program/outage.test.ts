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

/** Limits the size of the process's files to 0, so that each write fails as on a full disk. */
const fillDisk = ({ child }: Server) =>
  Effect.sync(() => void execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=0:"]))
const freeDisk = ({ child }: Server) =>
  Effect.sync(() => void execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:"]))

/** Locks the store from another connection until the scope ends. */
const lockStore = (data: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const database = new DatabaseSync(`${data}/overture.db`, { timeout: 10_000 })
      database.exec("BEGIN EXCLUSIVE")
      return database
    }),
    (connection) => Effect.sync(() => connection.close())
  )

/** Starts a batch, waits until some of its leads are written, and returns its list. */
const startBatch = Effect.fnUntraced(function* (api: ApiClient, campaign: string, count: number) {
  const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
    leads: namedLeads(count),
    options: { ...options, notification_email: "ann@sales.example" }
  })
  const list = api.send("GET", `/lists/${body.list_id}`)
  const listAnswer = yield* until(list, ({ body }) => "completed_at" in body || body.progress.leads_done >= 20)
  assert.property(listAnswer.body, "progress", "the list was done before anything could happen to it")
  return { id: body.list_id as string, list }
})

/** Asserts that writes are refused with a 500, and that reads are answered. */
const assertWritesFail = Effect.fnUntraced(function* (server: Server, api: ApiClient) {
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

/** Waits until the list ends, and asserts that all its leads are written and each is charged once. */
const assertListComplete = Effect.fnUntraced(function* (
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

/** Leads of a batch: more than are written before a fault begins, and few enough for a slow machine. */
const count = 200

/** A test starts the program up to four times, and waits for locks. */
const timeout = 120_000

const linesWith = (log: string, words: string) => log.split("\n").filter((line) => line.includes(words)).length

describe("a disk that is full", () => {
  it.live(
    "fails writes and nothing else, and loses no lead",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { id, list } = yield* startBatch(api, yield* buildCampaign(api), count)

        yield* fillDisk(server)
        yield* assertWritesFail(server, api)
        const stalledList = (yield* list).body
        assert.isBelow(stalledList.progress.leads_done, count)
        // Each worker tries several times in this time.
        yield* Effect.sleep("3 seconds")
        assert.deepStrictEqual((yield* list).body, stalledList)
        assert.strictEqual(stalledList.progress.leads_failed, 0)
        yield* assertConsistent(store.data)
        assert.strictEqual(linesWith(server.log(), "The store cannot be written"), 1)
        assert.isBelow(server.log().length, 1_000_000)

        yield* freeDisk(server)
        yield* assertListComplete(store, list, count)
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
    "fails writes and nothing else, and loses no lead",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { list } = yield* startBatch(api, yield* buildCampaign(api), count)

        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* lockStore(store.data)
            yield* assertWritesFail(server, api)
            const stalledList = (yield* list).body
            assert.isBelow(stalledList.progress.leads_done, count)
            // A worker waits less than this for a lock.
            yield* Effect.sleep("7 seconds")
            assert.deepStrictEqual((yield* list).body, stalledList)
            assert.strictEqual(stalledList.progress.leads_failed, 0)
          })
        )
        yield* assertListComplete(store, list, count)
        assert.strictEqual(linesWith(server.log(), "The store cannot be written"), 1)
        assert.notInclude(server.log(), "Unhandled")
        yield* assertConsistent(store.data)
      }),
    timeout
  )
})

describe("an outbox that cannot be written", () => {
  it.live(
    "delays the mail, and does not change the list",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        // A file at the path of the folder makes each write to it fail.
        yield* Effect.promise(() => writeFile(`${store.data}/outbox`, ""))
        const server = yield* serve(store.data, { OVERTURE_LOG_FORMAT: "json" })
        const api = apiClient(server.url, store.key)
        const { body } = yield* api.send("POST", `/campaigns/${yield* buildCampaign(api)}/generate-batch`, {
          leads: namedLeads(3),
          options: { ...options, notification_email: "ann@sales.example" }
        })
        yield* assertListComplete(store, api.send("GET", `/lists/${body.list_id}`), 3)
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

describe("a system clock that jumps while the program runs", () => {
  it.live(
    "loses, repeats and delays no work",
    () =>
      Effect.gen(function* () {
        const store = yield* onboardedWorkspace
        const clockFile = `${store.data}/clock`
        const server = yield* serve(store.data, {
          NODE_OPTIONS: `--import ${new URL("../support/moved-clock.mjs", import.meta.url).href}`,
          CLOCK: clockFile
        })
        const api = apiClient(server.url, store.key)
        /** Moves the program's clock by this many days from the true time, and waits until the program uses it. */
        const moveClock = Effect.fnUntraced(function* (days: number) {
          yield* Effect.promise(() => writeFile(clockFile, String(days * 86_400_000)))
          server.child.kill("SIGUSR2")
          yield* until(api.send("POST", "/signatures", { signature_text: "Bo" }), ({ body }) => {
            const offset = Date.parse(body.created_at) - Date.now()
            return Math.round(offset / 86_400_000) === days
          })
        })
        const campaign = yield* buildCampaign(api)
        const { list } = yield* startBatch(api, campaign, count)
        yield* moveClock(-1)
        yield* assertListComplete(store, list, count)

        yield* moveClock(3650)
        const secondBatch = yield* startBatch(api, campaign, count)
        yield* moveClock(0)
        const { body } = yield* until(secondBatch.list, ({ body }) => "completed_at" in body || "failed_at" in body)
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
