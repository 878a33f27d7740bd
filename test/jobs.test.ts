// test/jobs.test.ts: the jobs endpoint: states, results and errors of background work.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Brief } from "#layers/Generator.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, awaitJob, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { upload } from "./support/endpoints.ts"
import { failing, gated, recording, refusal } from "./support/faults.ts"
import { waitForList, startBatch, makeLeads, getList } from "./support/lists.ts"
import { withServer, Server, assertConsistent } from "./support/server.ts"
import * as Stores from "./support/store.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

/** The job without its timestamps, which are checked here. */
const jobWithoutTimestamps = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const { created_at, updated_at, ...job } = yield* expectBody(200, caller.get(`/jobs/${id}`))
  for (const time of [created_at, updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.isAtLeast(Date.parse(updated_at), Date.parse(created_at))
  return job
})

const noOutcome = { progress: null, result: null, error: null }

describe("a job", () => {
  it.live("of a resource is processing until the resource is ready", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    const emailInstructions = gated(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(caller)
      const { id } = yield* Campaigns.selectAudience(caller, campaign)
      const type = "campaign.target_audience"
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, id), { id, type, status: "processing", ...noOutcome })
      yield* audienceResearch.open
      yield* awaitJob(caller, id)
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, id), { id, type, status: "completed", ...noOutcome })

      const { job } = yield* Campaigns.buildingCampaign(caller)
      const build = { id: job, type: "campaign.build" }
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, job), { ...build, status: "processing", ...noOutcome })
      yield* emailInstructions.open
      yield* awaitJob(caller, job)
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, job), { ...build, status: "completed", ...noOutcome })
    }).pipe(withServer({ writer: { audienceResearch, emailInstructions } }))
  })

  it.live("that failed has the reason", () => {
    const companySummary = failing(refusal, 1, fakeWriter.companySummary)
    return Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, caller.post("/workspace/regenerate"))
      yield* awaitJob(caller, id)
      const type = "workspace.regenerate"
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, id), {
        id,
        type,
        status: "failed",
        ...noOutcome,
        error: refusal.message
      })
      const retry = yield* expectBody(202, caller.post("/workspace/regenerate"))
      yield* awaitJob(caller, retry.id)
      assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, retry.id), {
        id: retry.id,
        type,
        status: "completed",
        ...noOutcome
      })
    }).pipe(withServer({ writer: { companySummary } }))
  })

  it.live("of an import is pending until a worker claims it", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const file = yield* expectBody(202, caller.send("POST", "/workspace/imports/document", upload("a.txt", "Oak")))
      const site = yield* expectBody(202, caller.post("/workspace/imports/url", { url: "https://oak.example" }))
      for (const { id, type } of [file, site]) {
        assert.deepStrictEqual(yield* jobWithoutTimestamps(caller, id), { id, type, status: "pending", ...noOutcome })
      }
    }).pipe(withServer({ runsWorkers: false }))
  )

  it.live("of a list, a preview or a mail is not found", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const options = { email_count: 1, email_signature: "Bo" }
      const lead = { email: "ann@north.example" }
      yield* expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))
      yield* expectBody(200, caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
      const list = yield* startBatch(caller, campaign, [lead])
      yield* waitForList(caller, list)
      const sql = yield* SqlClient.SqlClient
      const internalJobs = yield* sql<{ readonly id: string; readonly type: string }>`
        SELECT id, type FROM jobs WHERE type NOT LIKE 'workspace.%' AND type NOT IN
          ('campaign.target_audience', 'campaign.value_propositions', 'campaign.build')`
      assert.deepStrictEqual(internalJobs.map(({ type }) => type).toSorted(), [
        "campaign.preview",
        "list.batch",
        "list.single",
        "mail.completion"
      ])
      for (const { id } of internalJobs) yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${id}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${list}`))
    }).pipe(withServer())
  )
})

// PostgreSQL has no limit for the size of a store.
const describeOnSqlite = Stores.onPostgres ? () => {} : describe

describeOnSqlite("a full store", () => {
  it.live("fails no leads, and retries the writer at growing intervals", () => {
    const gate = gated(fakeWriter.sequence)
    const longSequence = recording((brief: Brief) =>
      Effect.map(gate(brief), (emails) => emails.map((email) => ({ ...email, body: email.body.repeat(1000) })))
    )
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const list = yield* startBatch(caller, campaign, makeLeads(10))
      yield* gate.started
      // The store cannot grow: the job can be requeued, but no email can be stored.
      yield* sql`PRAGMA max_page_count = 1`
      yield* gate.open
      const { logs } = yield* Server
      // More often than the maximum number of attempts.
      const [job] = yield* until(
        sql<{ readonly attempts: number }>`SELECT attempts FROM jobs WHERE subject = ${list} AND status = 'pending'`,
        ([job]) =>
          job !== undefined &&
          longSequence.calls.filter(([{ lead }]) => lead.email === "lead0@company.example").length >= 5
      )
      assert.deepStrictEqual(job, { attempts: 0 })
      assert.deepInclude((yield* getList(caller, list)).progress, { leads_done: 0, leads_failed: 0 })
      assert.lengthOf(
        logs.filter((line) => line.includes("The store cannot be written")),
        1
      )
      yield* sql`PRAGMA max_page_count = 1000000`
      const finishedList = yield* until(getList(caller, list), (list) => "completed_at" in list)
      assert.deepInclude(finishedList, { processing_status: "completed", emails_created: 10 })
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period, 10)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: longSequence } }))
  })
})
