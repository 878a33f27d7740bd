// test/program/model-flow.test.ts: the whole service with a model, tested through its API.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Backoff } from "#layers/model/Health.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { modelAnswers, emails, profile } from "../support/model-answers.ts"
import { newCaller, awaitJob, onboardedCaller } from "../support/callers.ts"
import * as Campaigns from "../support/campaigns.ts"
import { commandJson } from "../support/command.ts"
import { balanceOf, waitForList, startBatch } from "../support/lists.ts"
import * as Support from "../support/model.ts"
import { Mock, modelReplies } from "../support/model.ts"
import { temporaryFolder, overture, serve } from "../support/process.ts"
import * as Server from "../support/server.ts"
import { until } from "../support/until.ts"

const withModelServer = (options: Omit<Server.Options, "model"> = {}) =>
  Effect.provide(
    Layer.unwrap(Effect.map(Mock, ({ url }) => Server.layer({ ...options, model: Support.modelAt(url) }))).pipe(
      Layer.provideMerge(Mock.layer),
      // With this back-off, lists resume only when a test requests it.
      Layer.provide(Layer.succeed(Backoff, { firstMillis: 600_000, longestMillis: 600_000 }))
    )
  )

/** Leaves out prompts whose number depends on the personas and on the verified leads. */
const isCountedPrompt = (prompt: string | undefined) => prompt !== "persona_emails" && prompt !== "claim_check"

const readPromptKinds = Effect.flatMap(Mock, ({ journal }) =>
  Effect.map(journal, (calls) => calls.flatMap(({ kind }) => (isCountedPrompt(kind) ? [kind] : [])))
)

/** Counts the requests to a model for emails. */
const countWriterCalls = Effect.map(
  readPromptKinds,
  (promptKinds) => promptKinds.filter((kind) => kind === "adapted_emails").length
)

/** Onboards a workspace with the company profile that the model server knows. */
const onboardHollowell = onboardedCaller({ details: profile })

const options = { email_count: 2, email_signature: "Tom" }
const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `lead${index}@north${index}.example`,
    title: "Maintenance Manager"
  }))

const Calls = Schema.Array(
  Schema.Struct({
    kind: Schema.String,
    prompt: Schema.String,
    version: Schema.String,
    input_tokens: Schema.Int,
    count: Schema.Int
  })
)
const readModelCalls = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`SELECT kind, prompt, min(version) AS version, sum(input_tokens) AS input_tokens, count(*) AS count
        FROM model_calls GROUP BY kind, prompt ORDER BY kind, prompt`,
    Schema.decodeUnknownEffect(Calls)
  )
)

const unavailableReply: Support.Reply = { error: { message: "overloaded" }, status: 503 }

describe("the service with a model", () => {
  it.live("onboards, builds, previews, writes, chats and imports, each with a different prompt", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const { data } = yield* expectBody(200, acme.get("/target-audiences"))
      assert.strictEqual(data.length, 3)
      const campaign = yield* Campaigns.builtCampaign(acme)
      assert.deepStrictEqual((yield* readPromptKinds).toSorted(), [
        "company_summary",
        "email_instructions",
        "lead_magnet_options",
        "market_research",
        "risk_reversal_options",
        "segments",
        "social_proof_options",
        "target_audience_research",
        "value_proposition_options"
      ])

      // Each option keeps its source sentence, whether it is selected or not.
      for (const type of ["social_proof", "lead_magnet", "value_proposition"]) {
        const assetOptions = yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/${type}/options`))
        assert.isNotEmpty(assetOptions.options)
        for (const { sentence } of assetOptions.options) assert.strictEqual(sentence, profile.business_description)
      }
      const { selections } = yield* expectBody(200, acme.get(`/campaigns/${campaign}/selections`))
      assert.strictEqual(selections.value_proposition.items[0].sentence, profile.business_description)

      yield* modelReplies(modelAnswers)
      const preview = yield* expectBody(
        200,
        acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email", "Company"] }, options })
      )
      assert.strictEqual(preview.success_count, 5)
      assert.strictEqual(preview.synthetic_leads[0].email, "ada.moor@fenwickpackaging.example")
      assert.lengthOf(yield* readPromptKinds, 6)

      yield* modelReplies(modelAnswers)
      const [lead] = leadsOf(1)
      const singleAnswer = yield* expectBody(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      assert.lengthOf(singleAnswer.sequence, 2)
      assert.match(singleAnswer.sequence[0].body, /^Hello,\n\n[\s\S]+\n\nTom$/)
      assert.deepStrictEqual(yield* readPromptKinds, ["adapted_emails"])

      yield* modelReplies(modelAnswers)
      const list_id = yield* startBatch(acme, campaign, leadsOf(60), options)
      yield* waitForList(acme, list_id)
      assert.strictEqual(yield* countWriterCalls, 60)
      assert.lengthOf(yield* readPromptKinds, 60)
      const { usage } = yield* expectBody(200, acme.get(`/lists/${list_id}`))
      assert.isAtLeast(usage.calls, 60)
      assert.deepInclude(usage, { input_tokens: 1200 * usage.calls, output_tokens: 80 * usage.calls, cost: null })

      yield* modelReplies(modelAnswers)
      const reply = yield* expectBody(
        200,
        acme.post("/agent/chat", { message: "Who switched off a compressor?", campaign_id: campaign })
      )
      assert.strictEqual(reply.message.content, "Carrick Castings switched off its second compressor.")
      assert.lengthOf(reply.citations, 1)
      assert.deepStrictEqual(yield* readPromptKinds, ["chat"])

      yield* modelReplies(modelAnswers)
      const form = new FormData()
      form.set("file", new File(["Pumpwell and we.\n\nWe mend pumps."], "us.txt", { type: "text/plain" }))
      const { id } = yield* expectBody(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      assert.strictEqual((yield* awaitJob(acme, id)).status, "completed")
      assert.deepStrictEqual(yield* readPromptKinds, ["document_extraction"])

      const rows = (yield* readModelCalls).filter(({ prompt }) => isCountedPrompt(prompt))
      assert.deepStrictEqual(
        rows.map(({ count, kind, prompt }) => [kind, prompt, count]),
        [
          ["campaign", "adapted_emails", 5],
          ["campaign", "chat", 1],
          ["campaign", "email_instructions", 1],
          ["campaign", "synthetic_leads", 1],
          ["campaign", "target_audience_research", 1],
          ["campaign", "value_proposition_options", 1],
          ["lead", "adapted_emails", 61],
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
      yield* Server.assertConsistent
    }).pipe(withModelServer())
  )

  it.live(
    "keeps the leads of a batch when the provider is down, charges for what it stored, and resumes on request",
    () =>
      Effect.gen(function* () {
        yield* modelReplies(modelAnswers)
        const acme = yield* onboardHollowell
        const campaign = yield* Campaigns.builtCampaign(acme)
        const balanceBefore = yield* balanceOf(acme)
        yield* modelReplies(...Array.from({ length: 10 }, () => modelAnswers), unavailableReply)
        const list_id = yield* startBatch(acme, campaign, leadsOf(60), options)
        const waitForStatus = (status: string) => waitForList(acme, list_id, status)
        const { progress } = yield* waitForStatus("pending")
        const writtenCount = progress.leads_done
        assert.isAtLeast(writtenCount, 1)
        assert.isAtMost(writtenCount, 10)
        assert.strictEqual(progress.leads_failed, 0)
        assert.strictEqual(yield* balanceOf(acme), balanceBefore - writtenCount)
        yield* Server.assertConsistent

        yield* modelReplies(modelAnswers)
        yield* expectBody(202, acme.post(`/lists/${list_id}`))
        const completedList = yield* waitForStatus("completed")
        assert.strictEqual(completedList.emails_created, 120)
        assert.strictEqual(yield* countWriterCalls, 60 - writtenCount)
        assert.strictEqual(yield* balanceOf(acme), balanceBefore - 60)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT id FROM leads WHERE error IS NOT NULL`, [])
        yield* Server.assertConsistent
      }).pipe(withModelServer({ concurrency: 4 }))
  )

  it.live("returns the reason why a single lead was not written", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const [lead] = leadsOf(1)
      const requestLead = acme.post(`/campaigns/${campaign}/generate`, { lead, options })
      const faults: ReadonlyArray<readonly [Support.Reply, number, RegExp, object]> = [
        [
          unavailableReply,
          3,
          /Nothing is written to this lead yet: The model server answered 503 \(3 attempts\)\. Check .*OPENAI_BASE_URL/,
          { reason: "model_unreachable" }
        ],
        [
          { error: { message: "no" }, status: 401 },
          1,
          /Nothing is written to this lead yet: The model server answered 401\. It refuses the key: check OPENAI_API_KEY/,
          { reason: "model_unreachable" }
        ],
        [
          { content: "I will not" },
          3,
          /Nothing could be written to this lead: The model's answer is no JSON/,
          { reason: "model_refused" }
        ],
        [
          Support.jsonAnswer({ emails: [] }),
          3,
          /The model wrote 0 emails where 2 were asked for/,
          { reason: "model_refused" }
        ]
      ]
      for (const [reply, count, message, detail] of faults) {
        yield* modelReplies(reply)
        const { body } = yield* requestLead
        assert.strictEqual(body.error, "INTERNAL_ERROR")
        assert.match(body.message, message)
        assert.notMatch(body.message, /request id|http:/)
        assert.deepStrictEqual(body.detail, detail)
        assert.lengthOf(yield* readPromptKinds, count)
      }
      const modelUrl = (yield* Mock).url
      yield* modelReplies(({ user }) => {
        const count = Number(/Adapt these (\d) emails/.exec(user)?.[1] ?? 1)
        const { subject } = emails(1)[0] ?? { subject: "" }
        const falseEmail = {
          subject,
          body: "Hello,\n\nWe cut 4,711 leaks at Globex.\n\nIs it on your desk?",
          facts: []
        }
        return Support.jsonAnswer({ emails: Array.from({ length: count }, () => falseEmail) })
      })
      const { body: rejectedAnswer } = yield* requestLead
      assert.match(
        rejectedAnswer.message,
        /Nothing could be written to this lead: The model's emails still fail the checks/
      )
      assert.notInclude(rejectedAnswer.message, "4,711")
      assert.strictEqual(rejectedAnswer.detail.reason, "rules")
      assert.isTrue(rejectedAnswer.detail.findings.some(({ rule }: { rule: string }) => rule.startsWith("claim.")))
      const logs = (yield* Server.Server).logs.join("\n")
      assert.notInclude(logs, "4,711")
      assert.notInclude(logs, modelUrl)

      yield* modelReplies(modelAnswers)
      const { lists } = yield* expectBody(200, acme.get("/lists"))
      for (const { id, processing_status } of lists)
        if (processing_status === "pending") {
          yield* expectBody(202, acme.post(`/lists/${id}`))
          yield* until(expectBody(200, acme.get(`/lists/${id}`)), (list) => list.processing_status === "completed")
        }
      yield* Server.assertConsistent
    }).pipe(withModelServer())
  )

  it.live("records each call for a lead that fails", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const [lead] = leadsOf(1)
      yield* modelReplies(Support.jsonAnswer({ emails: [] }, { usage: Support.usage }))
      yield* expectError(500, "INTERNAL_ERROR", acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      assert.lengthOf(yield* readPromptKinds, 3)
      const leadCalls = (yield* readModelCalls).filter(({ kind }) => kind === "lead")
      assert.deepStrictEqual(
        leadCalls.map(({ count, input_tokens, prompt }) => [prompt, count, input_tokens]),
        [["adapted_emails", 3, 3600]]
      )
    }).pipe(withModelServer())
  )

  it.live("returns notices only if templates are filled in without the model", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const [lead] = leadsOf(1)
      const optionsWithDetails = { ...options, additional_details: "Name our night rate." }
      const requests = {
        generate: acme.post(`/campaigns/${campaign}/generate`, { lead, options: optionsWithDetails }),
        batch: acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options: optionsWithDetails }),
        preview: acme.post(`/campaigns/${campaign}/preview`, {
          sample: { headers: ["Email"] },
          options: optionsWithDetails
        })
      }
      for (const request of Object.values(requests)) assert.notProperty((yield* request).body, "notices")
      yield* expectBody(200, acme.patch(`/campaigns/${campaign}/playbook`, { personalization: "template" }))
      for (const [name, request] of Object.entries(requests)) {
        const { notices } = (yield* request).body
        assert.lengthOf(notices, 1, name)
        assert.match(
          notices[0],
          /^additional_details is not followed: the playbook's personalization is set to template/
        )
      }
      yield* expectBody(200, acme.patch(`/campaigns/${campaign}/playbook`, { personalization: "adapted" }))
      assert.notProperty((yield* requests.generate).body, "notices")
    }).pipe(withModelServer())
  )

  it.live("fails a build when the provider fails, and builds after the step is sent again", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.proposedCampaign(acme)
      yield* modelReplies(unavailableReply)
      const { job } = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      const failedJob = yield* awaitJob(acme, job.id)
      assert.strictEqual(failedJob.status, "failed")
      assert.match(failedJob.error, /^The model server answered 503 \(3 attempts\)\. Check .*OPENAI_BASE_URL/)
      assert.deepStrictEqual(failedJob.failure, { reason: "model_unreachable" })
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
      assert.lengthOf(yield* readPromptKinds, 9)
      yield* modelReplies(modelAnswers)
      const secondSelection = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      assert.strictEqual((yield* awaitJob(acme, secondSelection.job.id)).status, "completed")
    }).pipe(withModelServer())
  )

  it.live("reports the same error and reason for every job that fails because of the model", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const campaignPath = `/campaigns/${campaign}`
      yield* modelReplies({ error: { message: "no" }, status: 404 })
      const research = yield* Campaigns.selectAudience(acme, yield* Campaigns.createCampaign(acme, "Summer"))
      const options = yield* expectBody(202, acme.post(`${campaignPath}/assets/value_proposition/generate`))
      const redraft = yield* expectBody(202, acme.post(`${campaignPath}/playbook/redraft`, { instruction: "Shorter." }))
      const regenerate = yield* expectBody(202, acme.post("/workspace/regenerate"))
      for (const id of [research.id, options.id, redraft.id, regenerate.id]) {
        const { error, failure, status } = yield* awaitJob(acme, id)
        assert.strictEqual(status, "failed")
        assert.match(error, /^The model server answered 404\. .*check OVERTURE_MODEL and OPENAI_BASE_URL\.$/)
        assert.deepStrictEqual(failure, { reason: "model_unreachable" })
      }
    }).pipe(withModelServer())
  )

  it.live("fails a lead that waits for a build with the reason why the build failed", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.proposedCampaign(acme)
      const gate = Promise.withResolvers<void>()
      yield* modelReplies(() => gate.promise.then(() => ({ error: { message: "no" }, status: 401 })))
      yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      const [lead] = leadsOf(1)
      const leadFiber = yield* Effect.forkChild(acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      yield* until(expectBody(200, acme.get("/lists")), ({ lists }) => lists.length === 1)
      gate.resolve()
      const { body: answer, status } = yield* Fiber.join(leadFiber)
      assert.strictEqual(status, 500)
      assert.match(answer.message, /the campaign's build failed: The model server answered 401\. .*OPENAI_API_KEY\.$/i)
      assert.deepStrictEqual(answer.detail, { reason: "model_unreachable" })
    }).pipe(withModelServer())
  )

  it.live("does not charge for a preview when the model is down", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const balanceBefore = yield* balanceOf(acme)
      yield* modelReplies(unavailableReply)
      const detail = yield* expectError(
        500,
        "INTERNAL_ERROR",
        acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options })
      )
      assert.deepStrictEqual(detail, { reason: "model_unreachable" })
      assert.strictEqual(yield* balanceOf(acme), balanceBefore)
      yield* Server.assertConsistent
    }).pipe(withModelServer())
  )

  it.live("answers with a search and imports by rules when the model fails or states unsupported facts", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardHollowell
      const campaign = yield* Campaigns.builtCampaign(acme)
      const askChat = expectBody(
        200,
        acme.post("/agent/chat", { message: "What does the Leak Survey cost?", campaign_id: campaign })
      )
      const answers: ReadonlyArray<readonly [Support.Reply, number]> = [
        [unavailableReply, 3],
        [Support.jsonAnswer({ answer: "It costs GBP 999.", sources: [1], answered: true }), 3],
        [Support.jsonAnswer({ answer: "It costs money.", sources: [77], answered: true }), 3]
      ]
      for (const [reply, count] of answers) {
        yield* modelReplies(reply)
        const { answered_by, citations, conversation_id, message, notice } = yield* askChat
        assert.include(message.content, "1,450")
        assert.isNotEmpty(citations)
        assert.strictEqual(answered_by, "search_fallback")
        assert.match(notice, /^The model could not be reached .* Search answered instead\.$/)
        const { data } = yield* expectBody(200, acme.get(`/conversations/${conversation_id}/messages`))
        assert.deepInclude(data[1], { answered_by, notice })
        assert.lengthOf(yield* readPromptKinds, count)
      }
      yield* modelReplies(Support.jsonAnswer({ answer: "The files do not say.", sources: [1], answered: false }))
      const answerWithoutSource = yield* askChat
      assert.deepStrictEqual(
        [answerWithoutSource.citations, answerWithoutSource.answered_by, answerWithoutSource.notice],
        [[], "model", undefined]
      )

      yield* modelReplies(Support.jsonAnswer({}))
      const form = new FormData()
      form.set("file", new File(["# Northwind\n\nEmail: bo@northwind.example"], "us.md"))
      const { id } = yield* expectBody(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      const { result } = yield* awaitJob(acme, id)
      assert.strictEqual(result?.status, "success")
      assert.match(result?.notice ?? "", /^The model gave no answer, .* Import it again when the model answers\.$/)
      const logs = (yield* Server.Server).logs.join("\n")
      assert.include(logs, "A document was read without the model")
      assert.notInclude(logs, Support.key)
      assert.notInclude(logs, "Northwind")
    }).pipe(withModelServer())
  )
})

describe("an imported document", () => {
  it.live("fills the fields that rules find, and further fields that the model finds", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const fact = (field: string, value: string, sentence: string) => ({ field, value, price: "", sentence })
      const goal = "We seek calls with plant managers."
      const facts = [
        fact("contact_email", "other@northwind.example", "Email: info@northwind.example or other@northwind.example"),
        fact("primary_goal", "Calls with plant managers", goal),
        fact("guarantee", "We refund all.", "We refund every pump.")
      ]
      yield* modelReplies(Support.jsonAnswer({ facts }))
      const text =
        "Northwind mends pumps.\n\nEmail: info@northwind.example or other@northwind.example\n\nWe seek calls with plant managers."
      const form = new FormData()
      form.set("file", new File([text], "us.txt", { type: "text/plain" }))
      const { id } = yield* expectBody(202, acme.send("POST", "/workspace/imports/document", { body: form }))
      const { result } = yield* awaitJob(acme, id)
      assert.includeMembers(result.fields_updated, ["contact_email", "primary_goal"])
      assert.deepInclude(result.sources, { field: "primary_goal", text: goal, heading: null })
      assert.isTrue(result.missing.some(({ field }: { readonly field: string }) => field === "guarantee"))
      const { details } = yield* expectBody(200, acme.get("/workspace"))
      assert.strictEqual(details.contact_email, "info@northwind.example")
      assert.strictEqual(details.primary_goal, "Calls with plant managers")
    }).pipe(withModelServer())
  )
})

describe("the program", () => {
  it.live("calls the configured model, and does not log its key", () =>
    Effect.gen(function* () {
      const { journal, url } = yield* Mock
      yield* modelReplies(modelAnswers)
      const data = yield* temporaryFolder
      const server = yield* serve(data, { OVERTURE_GENERATOR: "", OPENAI_API_KEY: Support.key, OPENAI_BASE_URL: url })
      const file = new URL("../fixtures/hollowell.json", import.meta.url).pathname
      const creation = yield* overture(data, "workspace", "create", "--name", "Hollowell", "--profile", file)
      assert.strictEqual(creation.code, 0, creation.stderr)
      // At its start the server also lists the models, which is a request without a prompt.
      const modelRequests = (yield* journal).filter(({ kind }) => kind !== undefined)
      assert.lengthOf(modelRequests, 6)
      for (const { body } of modelRequests) assert.strictEqual(JSON.parse(body).model, "gpt-5.4-mini")
      assert.notInclude(`${server.log()}${creation.stderr}${creation.stdout}`, Support.key)
      const { ok } = yield* commandJson(data, "verify")
      assert.isTrue(ok)
    }).pipe(Effect.provide(Mock.layer))
  )
})
