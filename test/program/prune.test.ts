// test/program/prune.test.ts: old data is deleted, data in progress is kept, and the ledger does not change.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import * as Prune from "#layers/operations/Prune.ts"
import { command, commandJson } from "#test/support/command.ts"
import { waitForList, startBatch } from "#test/support/lists.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { newCaller, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { gated, outage } from "../support/faults.ts"
import { runSql, dataDirectory, serve } from "../support/process.ts"
import { layer, assertConsistent } from "../support/server.ts"
import * as Stores from "../support/store.ts"
import { until } from "../support/until.ts"
import { apiClient } from "../support/api-client.ts"
import { fakeWriter } from "../support/writer.ts"

const options = { email_count: 1, email_signature: "Ann" }
const makeLeads = (...addresses: ReadonlyArray<string>) => addresses.map((email) => ({ email }))

/** Prunes all kinds of data of this age, or only one kind. */
const makePrune = Effect.fnUntraced(function* (age: Duration.Duration, kindToPrune?: Prune.Kind) {
  const data = yield* dataDirectory
  return yield* Prune.make(data, (kind) => (kindToPrune === undefined || kindToPrune === kind ? age : undefined)).pipe(
    Effect.provide(NodeServices.layer)
  )
})

const readLedger = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return [yield* sql`SELECT * FROM credit_entries ORDER BY id`, yield* sql`SELECT * FROM credit_accounts`]
})

const failedListId = "01900000-0000-7000-8000-000000000000"
const longAgo = "2020-01-01T00:00:00.000Z"

/** The statements that insert a failed list with this many failed leads. */
const insertFailedList = (workspace: string, count: number) => [
  `INSERT INTO lists (id, workspace_id, kind, custom_name, processing_status, options, cost, leads_count, leads_done,
    leads_failed, emails_created, created_at, updated_at, failed_at)
  VALUES ('${failedListId}', '${workspace}', 'batch', 'Old', 'failed', '{}', 1, ${count}, 0, ${count}, 0, '${longAgo}', '${longAgo}', '${longAgo}')`,
  `INSERT INTO list_counts (workspace_id, campaign_id, kind, lists) VALUES ('${workspace}', '', 'batch', 1)
  ON CONFLICT (workspace_id, campaign_id, kind) DO UPDATE SET lists = list_counts.lists + 1`,
  `INSERT INTO leads (id, list_id, workspace_id, position, email, status, suspect, error)
  WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
  SELECT 'old' || i, '${failedListId}', '${workspace}', i, 'gone' || i || '@private.example', 'failed', 0, 'no' FROM n`
]

describe("prune", () => {
  it.live("deletes finished data, and nothing that is in progress, pending or part of the ledger", () => {
    const slowWriter = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const completedList = yield* startBatch(caller, campaign, makeLeads("one@a.example", "two@a.example"))
      yield* waitForList(caller, completedList)
      yield* sql`UPDATE jobs SET status = 'completed' WHERE type = 'mail.completion'`
      const pausedList = yield* startBatch(caller, campaign, makeLeads("down@a.example"))
      yield* waitForList(caller, pausedList, "pending")
      const preview = `/campaigns/${campaign}/preview`
      const { preview_id } = yield* expectBody(200, caller.post(preview, { sample: { headers: ["Email"] }, options }))
      yield* expectBody(200, caller.get(`${preview}s/${preview_id}`))
      const question = { campaign_id: campaign, message: "What do we sell?" }
      const { conversation_id } = yield* expectBody(200, caller.post("/agent/chat", question))
      const form = new FormData()
      form.append("file", new File(["We mend pumps."], "note.txt"))
      const { id: importJobId } = yield* expectBody(
        202,
        caller.send("POST", "/workspace/imports/document", { body: form })
      )
      yield* until(expectBody(200, caller.get(`/jobs/${importJobId}`)), ({ status }) => status === "completed")
      yield* sql`
        INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
          output_tokens, at) VALUES (${caller.workspace}, 'list', ${completedList}, 'p', '1', 'm', 1, 0, 1, '2020')`
      yield* sql`INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, answer, expires_at)
        VALUES (${caller.workspace}, 'POST /x', 'gone', 'f', '{}', 1), (${caller.workspace}, 'POST /x', 'kept', 'f', '{}', 9999999999999)`
      const runningList = yield* startBatch(caller, campaign, makeLeads("slow@a.example"))
      yield* slowWriter.started
      const [campaignBefore] = yield* sql`SELECT options_job, build_job FROM campaigns`
      const ledgerBefore = yield* readLedger

      const { id: webhook } = yield* expectBody(
        201,
        caller.post("/webhooks", { url: "http://localhost", events: ["test"] })
      )
      // The first delivery has failed, and the second is pending.
      for (let i = 0; i < 2; i++) {
        yield* expectBody(202, caller.post(`/webhooks/${webhook}/test`))
        const fetchDeliveries = caller.get(`/webhooks/${webhook}/deliveries`)
        yield* until(fetchDeliveries, ({ body }) => body.data[0].attempts === 1)
        if (i > 0) continue
        yield* sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL`
        yield* sql`UPDATE jobs SET status = 'completed' WHERE type = 'webhook.delivery'`
      }

      const { count } = yield* makePrune(Duration.days(1))
      assert.deepStrictEqual(Object.values(yield* count), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1], "nothing else is a day old")
      const prunePreviews = yield* makePrune(Duration.zero, "previews")
      assert.deepInclude(yield* prunePreviews.count, { previews: 1, lists: 0, conversations: 0, uploads: 0, jobs: 0 })

      const { prune } = yield* makePrune(Duration.zero)
      const pruneResult = yield* prune
      assert.deepInclude(pruneResult, {
        lists: 1,
        leads: 2,
        conversations: 1,
        previews: 1,
        uploads: 1,
        deliveries: 1,
        "model-calls": 1,
        answers: 1
      })
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${completedList}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`${preview}s/${preview_id}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${completedList}/export?format=csv`))
      yield* expectError(404, "NOT_FOUND", caller.delete(`/lists/${completedList}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/conversations/${conversation_id}/messages`))
      yield* expectError(404, "NOT_FOUND", caller.post("/agent/chat", { ...question, conversation_id }))
      yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${importJobId}`))
      assert.deepStrictEqual(yield* sql`SELECT key FROM idempotency_keys WHERE operation = 'POST /x'`, [
        { key: "kept" }
      ])
      // The pruned document still counts towards the limit of the plan.
      assert.deepStrictEqual(yield* sql`SELECT bytes, file FROM uploads`, [{ bytes: 0, file: null }])
      assert.deepStrictEqual(yield* sql`SELECT id FROM files UNION ALL SELECT file_id FROM file_pieces`, [])
      assert.strictEqual((yield* expectBody(200, caller.get(`/campaigns/${campaign}/build-status`))).overall, "ready")
      yield* expectBody(200, caller.get(`/jobs/${campaignBefore?.options_job}`))
      yield* expectBody(200, caller.get(`/jobs/${campaignBefore?.build_job}`))
      assert.deepStrictEqual(yield* readLedger, ledgerBefore)
      yield* assertConsistent

      assert.deepStrictEqual(
        (yield* expectBody(200, caller.get("/lists"))).lists.map(({ id }: { id: string }) => id),
        [runningList, pausedList]
      )
      yield* slowWriter.open
      yield* waitForList(caller, runningList)
      yield* assertConsistent
    }).pipe(
      Effect.provide(
        layer({
          writer: {
            sequence: (brief) =>
              brief.lead.email === "down@a.example"
                ? Effect.fail(outage)
                : brief.lead.email === "slow@a.example"
                  ? slowWriter(brief)
                  : fakeWriter.sequence(brief)
          }
        })
      )
    )
  })

  it.live("leaves a consistent, shorter list when it is interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* newCaller()
      for (const statement of insertFailedList(caller.workspace, 4500)) yield* sql.unsafe(statement)
      yield* assertConsistent
      const { prune } = yield* makePrune(Duration.days(1), "lists")
      const countLeads = Effect.map(
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM leads`,
        ([row]) => row?.n ?? 0
      )
      const fiber = yield* Effect.forkChild(prune)
      yield* until(countLeads, (n) => n < 4500)
      yield* Fiber.interrupt(fiber)
      const remainingLeads = yield* countLeads
      assert.isAbove(remainingLeads, 0, "it was interrupted too late to test anything")
      yield* assertConsistent
      assert.deepInclude(yield* prune, { lists: 1, leads: remainingLeads })
      assert.strictEqual(yield* countLeads, 0)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )
})

describe("the command", () => {
  const createDataDirectory = Effect.gen(function* () {
    const data = yield* dataDirectory
    const run = (...words: ReadonlyArray<string>) => commandJson(data, ...words)
    const { id } = yield* run("workspace", "create", "--name", "Kestrel")
    const { key } = yield* run("key", "create", "--workspace", id)
    yield* runSql(data, ...insertFailedList(id, 2500))
    mkdirSync(`${data}/outbox`)
    for (const name of ["old.eml", "new.eml", "note.txt"]) writeFileSync(`${data}/outbox/${name}`, "")
    // A broken link looks like a file that is deleted after the folder was listed.
    symlinkSync("gone", `${data}/outbox/gone.eml`)
    for (const name of ["old.eml", "note.txt"]) utimesSync(`${data}/outbox/${name}`, 1_577_836_800, 1_577_836_800)
    return { data, key: key as string, run }
  })

  it.live("requires --yes, counts with --dry-run, and works beside a server", () =>
    Effect.gen(function* () {
      const { data, key, run } = yield* createDataDirectory
      const server = yield* serve(data)
      const api = apiClient(server.url, key)
      const refusal = yield* command(data, "prune")
      assert.strictEqual(refusal.code, 1)
      assert.strictEqual(refusal.stdout, "")
      assert.match(refusal.stderr, /^This deletes 1 lists, 2500 leads, 1 mails for good; say --yes to do so, [^\n]+\n$/)
      const dryRun = yield* run("prune", "--dry-run", "--yes")
      assert.isTrue(dryRun.dry_run)
      assert.deepInclude(dryRun.pruned, { lists: 1, leads: 2500, mails: 1, previews: 0 })
      assert.strictEqual((yield* api.send("GET", "/lists")).body.total, 1)
      assert.deepInclude((yield* run("prune", "--yes", "--older-than", "10000d")).pruned, { lists: 0, mails: 0 })
      assert.deepInclude((yield* run("prune", "--yes", "--only", "uploads,previews")).pruned, { lists: 0, mails: 0 })
      const invalidOnly = yield* command(data, "prune", "--yes", "--only", "lists,ledger")
      assert.strictEqual(invalidOnly.code, 1)
      assert.match(invalidOnly.stderr, /^--only takes some of lists,/)
      const countAddresses = () =>
        readdirSync(data)
          .filter((name) => name.startsWith("overture.db"))
          .map((name) => readFileSync(`${data}/${name}`, "latin1").split("@private.example").length - 1)
          .reduce((sum, count) => sum + count, 0)
      assert.isAtLeast(countAddresses(), Stores.onPostgres ? 0 : 2500)

      const pruned = yield* run("prune", "--yes")
      assert.isFalse(pruned.dry_run)
      assert.deepInclude(pruned.pruned, { lists: 1, leads: 2500, mails: 1 })
      // PostgreSQL manages free space in its files without help.
      assert.isAbove(Stores.onPostgres ? Infinity : pruned.reusable_bytes, 100_000)
      assert.strictEqual((yield* api.send("GET", "/lists")).body.total, 0)
      assert.sameMembers(readdirSync(`${data}/outbox`), ["new.eml", "note.txt", "gone.eml"])
      assert.isTrue((yield* run("verify")).ok)
      // SQLite overwrites deleted data, but not every copy that it moved within a page.
      assert.isBelow(countAddresses(), 100)
      const emptyRun = yield* command(data, "prune")
      assert.deepStrictEqual(emptyRun, { code: 0, stdout: "Nothing is old enough\n", stderr: "" })
    })
  )
})
