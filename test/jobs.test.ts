// test/jobs.test.ts: background work as its caller sees it, from the start to success or failure.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Brief } from "#layers/Generator.ts"
import { body, refused } from "./support/answers.ts"
import { newCaller, type Caller, endedJob, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { upload } from "./support/endpoints.ts"
import { failing, gated, recording, refusal } from "./support/faults.ts"
import { becomes, begin, leadsOf, listOf } from "./support/lists.ts"
import { served, Server, assertConsistent } from "./support/server.ts"
import * as Stores from "./support/store.ts"
import { until } from "./support/until.ts"
import { fake } from "./support/writer.ts"

/** The job without its times, which are checked. */
const shown = Effect.fnUntraced(function* (who: Caller, id: string) {
  const { created_at, updated_at, ...job } = yield* body(200, who.get(`/jobs/${id}`))
  for (const at of [created_at, updated_at]) assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.isAtLeast(Date.parse(updated_at), Date.parse(created_at))
  return job
})

const empty = { progress: null, result: null, error: null }

describe("a job", () => {
  it.live("of a resource being made is processing until it is made", () => {
    const audienceResearch = gated(fake.audienceResearch)
    const emailInstructions = gated(fake.emailInstructions)
    return Effect.gen(function* () {
      const who = yield* onboardedCaller()
      const campaign = yield* Campaigns.create(who)
      const { id } = yield* Campaigns.target(who, campaign)
      const type = "campaign.target_audience"
      assert.deepStrictEqual(yield* shown(who, id), { id, type, status: "processing", ...empty })
      yield* audienceResearch.open
      yield* endedJob(who, id)
      assert.deepStrictEqual(yield* shown(who, id), { id, type, status: "completed", ...empty })

      const { job } = yield* Campaigns.building(who)
      const build = { id: job, type: "campaign.build" }
      assert.deepStrictEqual(yield* shown(who, job), { ...build, status: "processing", ...empty })
      yield* emailInstructions.open
      yield* endedJob(who, job)
      assert.deepStrictEqual(yield* shown(who, job), { ...build, status: "completed", ...empty })
    }).pipe(served({ writer: { audienceResearch, emailInstructions } }))
  })

  it.live("that failed says why", () => {
    const companySummary = failing(refusal, 1, fake.companySummary)
    return Effect.gen(function* () {
      const who = yield* newCaller()
      const { id } = yield* body(202, who.post("/workspace/regenerate"))
      yield* endedJob(who, id)
      const type = "workspace.regenerate"
      assert.deepStrictEqual(yield* shown(who, id), { id, type, status: "failed", ...empty, error: refusal.message })
      const again = yield* body(202, who.post("/workspace/regenerate"))
      yield* endedJob(who, again.id)
      assert.deepStrictEqual(yield* shown(who, again.id), { id: again.id, type, status: "completed", ...empty })
    }).pipe(served({ writer: { companySummary } }))
  })

  it.live("of an import is pending until a worker claims it", () =>
    Effect.gen(function* () {
      const who = yield* newCaller()
      const file = yield* body(202, who.send("POST", "/workspace/imports/document", upload("a.txt", "Oak")))
      const site = yield* body(202, who.post("/workspace/imports/url", { url: "https://oak.example" }))
      for (const { id, type } of [file, site]) {
        assert.deepStrictEqual(yield* shown(who, id), { id, type, status: "pending", ...empty })
      }
    }).pipe(served({ working: false }))
  )

  it.live("is none that belongs to a list, a preview or a mail", () =>
    Effect.gen(function* () {
      const who = yield* onboardedCaller()
      const campaign = yield* Campaigns.built(who)
      const options = { email_count: 1, email_signature: "Bo" }
      const lead = { email: "ann@north.example" }
      yield* body(200, who.post(`/campaigns/${campaign}/generate`, { lead, options }))
      yield* body(200, who.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
      const list = yield* begin(who, campaign, [lead])
      yield* becomes(who, list)
      const sql = yield* SqlClient.SqlClient
      const hidden = yield* sql<{ readonly id: string; readonly type: string }>`
        SELECT id, type FROM jobs WHERE type NOT LIKE 'workspace.%' AND type NOT IN
          ('campaign.target_audience', 'campaign.value_propositions', 'campaign.build')`
      assert.deepStrictEqual(hidden.map(({ type }) => type).toSorted(), [
        "campaign.preview",
        "list.batch",
        "list.single",
        "mail.completion"
      ])
      for (const { id } of hidden) yield* refused(404, "NOT_FOUND", who.get(`/jobs/${id}`))
      yield* refused(404, "NOT_FOUND", who.get(`/jobs/${list}`))
    }).pipe(served())
  )
})

// PostgreSQL has no measure for how large a store may be.
const ofOneFile = Stores.onPostgres ? () => {} : describe

ofOneFile("a store with room for little and no more", () => {
  it.live("fails no lead however often it is tried, and asks the writer less and less", () => {
    const gate = gated(fake.sequence)
    const long = recording((brief: Brief) =>
      Effect.map(gate(brief), (emails) => emails.map((email) => ({ ...email, body: email.body.repeat(1000) })))
    )
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* onboardedCaller()
      const campaign = yield* Campaigns.built(who)
      const list = yield* begin(who, campaign, leadsOf(10))
      yield* gate.began
      // What is there may be changed, but nothing more fits in: the job can be given back, and no email be kept.
      yield* sql`PRAGMA max_page_count = 1`
      yield* gate.open
      const { logs } = yield* Server
      // More often than a failure is believed to pass.
      const [job] = yield* until(
        sql<{ readonly attempts: number }>`SELECT attempts FROM jobs WHERE subject = ${list} AND status = 'pending'`,
        ([job]) =>
          job !== undefined && long.calls.filter(([{ lead }]) => lead.email === "lead0@company.example").length >= 5
      )
      assert.deepStrictEqual(job, { attempts: 0 })
      assert.deepInclude((yield* listOf(who, list)).progress, { leads_done: 0, leads_failed: 0 })
      assert.lengthOf(
        logs.filter((line) => line.includes("The store cannot be written")),
        1
      )
      yield* sql`PRAGMA max_page_count = 1000000`
      const done = yield* until(listOf(who, list), (list) => "completed_at" in list)
      assert.deepInclude(done, { processing_status: "completed", emails_created: 10 })
      assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 10)
      yield* assertConsistent
    }).pipe(served({ writer: { sequence: long } }))
  })
})
