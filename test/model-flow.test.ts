// test/model-flow.test.ts: the whole service with a model behind it, as its callers meet it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Verification } from "#layers/Model.ts"
import { noDetails } from "#schema/Details.ts"
import { body, refused } from "./support/answers.ts"
import { brain, profile } from "./support/brain.ts"
import { bare, ended, onboarded } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { commandJson } from "./support/command.ts"
import { balanceOf, becomes, begin } from "./support/lists.ts"
import * as Support from "./support/model.ts"
import { Mock, told } from "./support/model.ts"
import { folder, overture, serve } from "./support/process.ts"
import * as Server from "./support/server.ts"
import { until } from "./support/until.ts"

const served = (options: Omit<Server.Options, "model"> = {}, verification: Verification = "off") =>
  Effect.provide(
    Layer.unwrap(
      Effect.map(Mock, ({ url }) => Server.layer({ ...options, model: Support.modelAt(url, {}, { verification }) }))
    ).pipe(Layer.provideMerge(Mock.layer))
  )

const kinds = Effect.flatMap(Mock, ({ journal }) => Effect.map(journal, (all) => all.map(({ kind }) => kind)))

/** The number of requests for each prompt. */
const requests = Effect.map(kinds, (all) =>
  Object.fromEntries([...Map.groupBy(all, (kind) => kind)].map(([kind, some]) => [kind, some.length]))
)

/** A workspace of the business that the model knows of, onboarded by it. */
const hollowell = onboarded({ details: profile })

const options = { email_count: 2, email_signature: "Tom" }
const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ email: `lead${at}@north${at}.example`, title: "Maintenance Manager" }))

const Calls = Schema.Array(
  Schema.Struct({
    kind: Schema.String,
    prompt: Schema.String,
    version: Schema.String,
    input_tokens: Schema.Int,
    count: Schema.Int
  })
)
const accounts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`SELECT kind, prompt, min(version) AS version, sum(input_tokens) AS input_tokens, count(*) AS count
        FROM model_calls GROUP BY kind, prompt ORDER BY kind, prompt`,
    Schema.decodeUnknownEffect(Calls)
  )
)

const down: Support.Reply = { error: { message: "overloaded" }, status: 503 }

describe("the service with a model", () => {
  it.live("onboards, builds, previews, writes, answers and reads, each with its own prompt", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const { data } = yield* body(200, acme.get("/target-audiences"))
      assert.strictEqual(data.length, 3)
      const campaign = yield* Campaigns.built(acme)
      const { personas } = yield* body(200, acme.get(`/campaigns/${campaign}/playbook`))
      const drafted = personas.length
      assert.deepStrictEqual(yield* requests, {
        claim_check: drafted,
        company_summary: 1,
        email_instructions: 1,
        lead_magnet_options: 1,
        market_research: 1,
        persona_emails: drafted,
        risk_reversal_options: 1,
        segments: 1,
        social_proof_options: 1,
        target_audience_research: 1,
        value_proposition_options: 1
      })

      yield* told(brain)
      const preview = yield* body(
        200,
        acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email", "Company"] }, options })
      )
      assert.strictEqual(preview.success_count, 5)
      assert.strictEqual(preview.synthetic_leads[0].email, "ada.moor@fenwickpackaging.example")
      assert.deepStrictEqual(yield* requests, { adapted_emails: 5, claim_check: 5, synthetic_leads: 1 })

      yield* told(brain)
      const [lead] = leadsOf(1)
      const single = yield* body(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      assert.lengthOf(single.sequence, 2)
      assert.match(single.sequence[0].body, /^Hello,\n\n[\s\S]+\n\nTom$/)
      assert.deepStrictEqual(yield* requests, { adapted_emails: 1, claim_check: 1 })

      yield* told(brain)
      const list_id = yield* begin(acme, campaign, leadsOf(60), options)
      yield* becomes(acme, list_id)
      assert.deepStrictEqual(yield* requests, { adapted_emails: 60, claim_check: 60 })

      yield* told(brain)
      const reply = yield* body(
        200,
        acme.post("/agent/chat", { message: "Who switched off a compressor?", campaign_id: campaign })
      )
      assert.strictEqual(reply.message.content, "Carrick Castings switched off its second compressor.")
      assert.lengthOf(reply.citations, 1)
      assert.deepStrictEqual(yield* kinds, ["chat"])

      yield* told(brain)
      const form = new FormData()
      form.set("file", new File(["Pumpwell and we.\n\nWe mend pumps."], "us.txt", { type: "text/plain" }))
      const { id } = yield* body(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      assert.strictEqual((yield* ended(acme, id)).status, "completed")
      assert.deepStrictEqual(yield* kinds, ["document_extraction"])

      const rows = yield* accounts
      assert.deepStrictEqual(
        rows.map(({ count, kind, prompt }) => [kind, prompt, count]),
        [
          ["campaign", "adapted_emails", 5],
          ["campaign", "chat", 1],
          ["campaign", "claim_check", drafted + 5],
          ["campaign", "email_instructions", 1],
          ["campaign", "persona_emails", drafted],
          ["campaign", "synthetic_leads", 1],
          ["campaign", "target_audience_research", 1],
          ["campaign", "value_proposition_options", 1],
          ["lead", "adapted_emails", 61],
          ["lead", "claim_check", 61],
          ["workspace", "company_summary", 1],
          ["workspace", "document_extraction", 1],
          ["workspace", "lead_magnet_options", 1],
          ["workspace", "market_research", 1],
          ["workspace", "risk_reversal_options", 1],
          ["workspace", "segments", 1],
          ["workspace", "social_proof_options", 1]
        ]
      )
      for (const { count, input_tokens, version } of rows) {
        assert.match(version, /^\d+-[0-9a-f]+$/)
        assert.strictEqual(input_tokens, 1200 * count)
      }
      yield* Server.sound
    }).pipe(served({}, "all"))
  )

  it.live(
    "keeps the leads of a batch when the provider is down, charges for what it stored, and goes on when told to",
    () =>
      Effect.gen(function* () {
        yield* told(brain)
        const acme = yield* hollowell
        const campaign = yield* Campaigns.built(acme)
        const before = yield* balanceOf(acme)
        yield* told(...Array.from({ length: 10 }, () => brain), down)
        const list_id = yield* begin(acme, campaign, leadsOf(60), options)
        const at = (status: string) => becomes(acme, list_id, status)
        const { progress } = yield* at("pending")
        const first = progress.leads_done
        assert.isAtLeast(first, 1)
        assert.isAtMost(first, 10)
        assert.strictEqual(progress.leads_failed, 0)
        assert.strictEqual(yield* balanceOf(acme), before - first)
        yield* Server.sound

        yield* told(brain)
        yield* body(202, acme.post(`/lists/${list_id}`))
        const done = yield* at("completed")
        assert.strictEqual(done.emails_created, 120)
        assert.deepStrictEqual(yield* requests, { adapted_emails: 60 - first })
        assert.strictEqual(yield* balanceOf(acme), before - 60)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT id FROM leads WHERE error IS NOT NULL`, [])
        yield* Server.sound
      }).pipe(served({ concurrency: 4 }))
  )

  it.live("tells whoever waits for one lead why it was not written", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const campaign = yield* Campaigns.built(acme)
      const [lead] = leadsOf(1)
      const asks = acme.post(`/campaigns/${campaign}/generate`, { lead, options })
      const faults: ReadonlyArray<readonly [Support.Reply, number, RegExp]> = [
        [down, 3, /Nothing is written to this lead yet: The model provider answered 503 at attempt 3\./],
        [
          { error: { message: "no" }, status: 401 },
          1,
          /Nothing is written to this lead yet: The model provider answered 401: check/
        ],
        [{ content: "I will not" }, 3, /Nothing could be written to this lead: The model's answer is no JSON/],
        [Support.says({ emails: [] }), 3, /The model wrote 0 emails where 2 were asked for/]
      ]
      for (const [reply, count, message] of faults) {
        yield* told(reply)
        const { body } = yield* asks
        assert.strictEqual(body.error, "INTERNAL_ERROR")
        assert.match(body.message, message)
        assert.lengthOf(yield* kinds, count)
      }
      yield* told(brain)
      const { lists } = yield* body(200, acme.get("/lists"))
      for (const { id, processing_status } of lists)
        if (processing_status === "pending") {
          yield* body(202, acme.post(`/lists/${id}`))
          yield* until(body(200, acme.get(`/lists/${id}`)), (list) => list.processing_status === "completed")
        }
      yield* Server.sound
    }).pipe(served())
  )

  it.live("keeps account of each call for a lead that is not written to", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const campaign = yield* Campaigns.built(acme)
      const [lead] = leadsOf(1)
      yield* told(Support.says({ emails: [] }, { usage: Support.usage }))
      yield* refused(500, "INTERNAL_ERROR", acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      assert.lengthOf(yield* kinds, 3)
      const ofLeads = (yield* accounts).filter(({ kind }) => kind === "lead")
      assert.deepStrictEqual(
        ofLeads.map(({ count, input_tokens, prompt }) => [prompt, count, input_tokens]),
        [["adapted_emails", 3, 3600]]
      )
    }).pipe(served())
  )

  it.live("fails a build that the provider cannot do, and builds when the step is sent again", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const campaign = yield* Campaigns.proposed(acme)
      yield* told(down)
      const { job } = yield* Campaigns.choose(acme, campaign, "value_proposition")
      const failed = yield* ended(acme, job.id)
      assert.strictEqual(failed.status, "failed")
      assert.match(failed.error, /answered 503/)
      assert.strictEqual((yield* Campaigns.statusOf(acme, campaign)).overall, "failed")
      assert.lengthOf(yield* kinds, 9)
      yield* told(brain)
      const again = yield* Campaigns.choose(acme, campaign, "value_proposition")
      assert.strictEqual((yield* ended(acme, again.job.id)).status, "completed")
    }).pipe(served())
  )

  it.live("charges nothing for a preview without a model", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const campaign = yield* Campaigns.built(acme)
      const before = yield* balanceOf(acme)
      yield* told(down)
      yield* refused(
        500,
        "INTERNAL_ERROR",
        acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options })
      )
      assert.strictEqual(yield* balanceOf(acme), before)
      yield* Server.sound
    }).pipe(served())
  )

  it.live("answers in the words of the files, and reads by rules, when the model cannot or says too much", () =>
    Effect.gen(function* () {
      yield* told(brain)
      const acme = yield* hollowell
      const campaign = yield* Campaigns.built(acme)
      const asks = body(
        200,
        acme.post("/agent/chat", { message: "What does the Leak Survey cost?", campaign_id: campaign })
      )
      const answers: ReadonlyArray<readonly [Support.Reply, number]> = [
        [down, 3],
        [Support.says({ answer: "It costs GBP 999.", sources: [1], answered: true }), 3],
        [Support.says({ answer: "It costs money.", sources: [77], answered: true }), 3]
      ]
      for (const [reply, count] of answers) {
        yield* told(reply)
        const { citations, message } = yield* asks
        assert.include(message.content, "1,450")
        assert.isNotEmpty(citations)
        assert.lengthOf(yield* kinds, count)
      }
      yield* told(Support.says({ answer: "The files do not say.", sources: [1], answered: false }))
      assert.deepStrictEqual((yield* asks).citations, [])

      yield* told(Support.says({}))
      const form = new FormData()
      form.set("file", new File(["# Northwind\n\nEmail: bo@northwind.example"], "us.md"))
      const { id } = yield* body(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      assert.strictEqual((yield* ended(acme, id)).result?.status, "success")
      const logs = (yield* Server.Server).logs.join("\n")
      assert.include(logs, "A document was read without the model")
      assert.notInclude(logs, Support.key)
      assert.notInclude(logs, "Northwind")
    }).pipe(served())
  )
})

describe("an imported document", () => {
  it.live("tells what rules find in it, and beside that what a model does", () =>
    Effect.gen(function* () {
      const acme = yield* bare()
      const given = {
        ...noDetails,
        contact_email: "other@northwind.example",
        primary_goal: "Calls with plant managers"
      }
      yield* told(Support.says(given))
      const text =
        "Northwind mends pumps.\n\nEmail: bo@northwind.example or other@northwind.example\n\nWe seek calls with plant managers."
      const form = new FormData()
      form.set("file", new File([text], "us.txt", { type: "text/plain" }))
      const { id } = yield* body(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      const { result } = yield* ended(acme, id)
      assert.includeMembers(result.fields_updated, ["contact_email", "primary_goal"])
      const { details } = yield* body(200, acme.get("/workspace"))
      assert.strictEqual(details.contact_email, "bo@northwind.example")
      assert.strictEqual(details.primary_goal, "Calls with plant managers")
    }).pipe(served())
  )
})

describe("the program", () => {
  it.live("asks the model that its settings name, and says nothing of the key", () =>
    Effect.gen(function* () {
      const { journal, url } = yield* Mock
      yield* told(brain)
      const data = yield* folder
      const server = yield* serve(data, { OVERTURE_GENERATOR: "", OPENAI_API_KEY: Support.key, OPENAI_BASE_URL: url })
      const file = new URL("fixtures/hollowell.json", import.meta.url).pathname
      const made = yield* overture(data, "workspace", "create", "--name", "Hollowell", "--profile", file)
      assert.strictEqual(made.code, 0, made.stderr)
      const asked = yield* journal
      assert.lengthOf(asked, 6)
      for (const { body } of asked) assert.strictEqual(JSON.parse(body).model, "gpt-5.4-mini")
      assert.notInclude(`${server.log()}${made.stderr}${made.stdout}`, Support.key)
      const { ok } = yield* commandJson(data, "verify")
      assert.isTrue(ok)
    }).pipe(Effect.provide(Mock.layer))
  )
})
