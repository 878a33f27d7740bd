// test/generation.test.ts: generating emails for a single lead, and the custom fields, options and notices of single leads and batches.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Credits } from "#layers/Credits.ts"
import { type Brief, Generator } from "#layers/Generator.ts"
import { expectBody, expectError, secretAddress } from "./support/answers.ts"
import { newCaller, awaitJob, idempotentJson, onboardedCaller } from "./support/callers.ts"
import {
  buildingCampaign,
  builtCampaign,
  selectOption,
  assetOptions,
  proposedCampaign,
  callerWithCampaign
} from "./support/campaigns.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { gated, outage, recording, refusal } from "./support/faults.ts"
import { generateBatch, makeLeads, waitUntilSettled, generateOne } from "./support/generation-requests.ts"
import { balanceOf, exportLeads, getList } from "./support/lists.ts"
import { layer, withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

describe("one lead", () => {
  it.live("gets its sequence in the response, is charged, and is stored in its own list", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { lead_id, list_id, sequence, sequence_id, ...answer } = yield* expectBody(
        200,
        generateOne(acme, campaign, { lead, options: { email_count: 3, email_signature: "Bo Ek\\nNorth\\n+1 555" } })
      )
      const noMark = { ai_generated: null, model: null, prompt_version: null }
      assert.deepStrictEqual(answer, { credits_remaining: 4999, ...noMark })
      assert.isNotEmpty(lead_id)
      assert.strictEqual(sequence_id, list_id)
      assert.deepStrictEqual(
        sequence,
        [1, 2, 3].map((step) => ({
          step,
          subject: `subject ${step}`,
          body: `Hello Ann, this is email ${step}.\n\nBo Ek\nNorth\n+1 555`
        }))
      )
      const { completed_at, created_at, updated_at, ...list } = yield* getList(acme, list_id)
      for (const time of [completed_at, created_at, updated_at]) assert.match(time, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(list, {
        id: list_id,
        campaign_id: campaign,
        custom_name: "Ann",
        processing_status: "completed",
        source: "api_single",
        leads_count: 1,
        emails_created: 3,
        processed_file_path: `lists/${list_id}.csv`
      })
      assert.deepStrictEqual(yield* exportLeads(acme, list_id), [
        { email: lead.email, name: "Ann", company: "North", title: null, sequence }
      ])
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is written from the campaign's latest build", () => {
    const sequence = recording(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const other = yield* builtCampaign(acme)
      const proofUsed = Effect.fnUntraced(function* (campaignId: string) {
        yield* expectBody(200, generateOne(acme, campaignId, { lead, options }))
        return sequence.calls.at(-1)?.[0].campaign.social_proof?.items[0]?.name
      })
      const before = yield* proofUsed(campaign)
      assert.strictEqual(yield* proofUsed(campaign), before)
      yield* selectOption(acme, campaign, "social_proof", 1)
      const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* awaitJob(acme, id)
      const { job } = yield* selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, job.id)
      assert.notStrictEqual(yield* proofUsed(campaign), before)
      assert.strictEqual(yield* proofUsed(other), before)
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("gives its list a name unless one is sent", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const nameOf = Effect.fnUntraced(function* (lead: object, nameOptions: object) {
        const { list_id } = yield* expectBody(
          200,
          generateOne(acme, campaign, { lead, options: { ...options, ...nameOptions } })
        )
        return (yield* getList(acme, list_id)).custom_name
      })
      assert.strictEqual(yield* nameOf(lead, { list_name: "Fair", sequence_name: "Old" }), "Fair")
      assert.strictEqual(yield* nameOf(lead, { sequence_name: "Old" }), "Old")
      assert.strictEqual(yield* nameOf(lead, { list_name: null, sequence_name: "Old" }), "Old")
      for (const leadData of [lead, { email: lead.email, company: "North" }, { email: lead.email, name: null }]) {
        const name = yield* nameOf(leadData, {})
        assert.isTrue(Object.values(leadData).includes(name), name)
      }
    }).pipe(withServer())
  )

  it.live("gives its list a name of 1 to 200 characters", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const email = lead.email
      for (const [leadData, expected] of [
        [{ email, name: " Ann Lee ", company: "North" }, "Ann Lee"],
        [{ email, name: "", company: "North" }, "North"],
        [{ email, name: " ", company: "\t" }, email],
        [{ email, name: "😀".repeat(300) }, "😀".repeat(200)]
      ] as const) {
        const { list_id } = yield* expectBody(200, generateOne(acme, campaign, { lead: leadData, options }))
        assert.strictEqual((yield* getList(acme, list_id)).custom_name, expected)
      }
      for (const field of ["list_name", "sequence_name"]) {
        for (const name of ["", " ", "x".repeat(201)]) {
          const invalidOptions = { ...options, [field]: name }
          const { issues } = yield* expectError(
            400,
            "BAD_REQUEST",
            generateOne(acme, campaign, { lead, options: invalidOptions })
          )
          assert.strictEqual(issues[0].path, `options.${field}`)
          yield* expectError(
            400,
            "BAD_REQUEST",
            generateBatch(acme, campaign, { leads: [lead], options: invalidOptions })
          )
        }
        const validOptions = { ...options, [field]: ` ${"x".repeat(200)} ` }
        const { list_id } = yield* expectBody(200, generateOne(acme, campaign, { lead, options: validOptions }))
        assert.strictEqual((yield* getList(acme, list_id)).custom_name, "x".repeat(200))
      }
    }).pipe(withServer())
  )

  it.live("sent again with an Idempotency-Key is written and charged again", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const sendWithKey = (path: string, request: object) => {
        return acme.send("POST", `/campaigns/${campaign}/${path}`, idempotentJson("a key", request))
      }
      const [first, second] = [
        yield* expectBody(200, sendWithKey("generate", { lead, options })),
        yield* expectBody(200, sendWithKey("generate", { lead, options }))
      ]
      assert.notStrictEqual(first.list_id, second.list_id)
      assert.strictEqual(second.credits_remaining, 4998)
      const batches = [
        yield* expectBody(202, sendWithKey("generate-batch", { leads: [lead], options })),
        yield* expectBody(202, sendWithKey("generate-batch", { leads: [lead], options }))
      ]
      for (const { list_id } of batches) yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(yield* balanceOf(acme), 4996)
    }).pipe(withServer())
  )

  it.live("that cannot be written returns the reason, and costs nothing", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const answer = yield* generateOne(acme, campaign, { lead: { email: secretAddress }, options })
      assert.deepStrictEqual([answer.status, answer.body.error], [500, "INTERNAL_ERROR"])
      assert.include(answer.body.message, refusal.message)
      assert.strictEqual(yield* balanceOf(acme), 5000)
      const { lists } = yield* expectBody(200, acme.get("/lists"))
      const { failed_at, ...failedList } = yield* getList(acme, lists[0].id)
      assert.match(failed_at, /^\d{4}-.*Z$/)
      assert.strictEqual(failedList.processing_status, "failed")
      assert.notProperty(failedList, "completed_at")
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: () => Effect.fail(refusal) } }))
  )

  it.live("during an outage stays pending without a charge, and the caller gets the reason", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* expectError(500, "INTERNAL_ERROR", generateOne(acme, campaign, { lead, options }))
      const { lists } = yield* expectBody(200, acme.get("/lists"))
      assert.deepInclude(yield* getList(acme, lists[0].id), {
        processing_status: "pending",
        progress: { leads_total: 1, leads_done: 0, leads_failed: 0 }
      })
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: () => Effect.fail(outage) } }))
  )

  it.live("does not reveal details of a defect", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { body: answer, status, text } = yield* generateOne(acme, campaign, { lead, options })
      assert.strictEqual(status, 500)
      assert.notInclude(text, "secret detail")
      assert.deepStrictEqual(answer.detail, { reason: "fault" })
      assert.match(answer.message, /Quote the request id/)
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: () => Effect.die(new Error("secret detail")) } }))
  )

  it.live("waits for a build in progress", () => {
    const emailInstructions = gated(fakeWriter.emailInstructions)
    const mark = { model: "tiny", prompt_version: "1" }
    const markedSequence = (brief: Brief) =>
      Effect.map(fakeWriter.sequence(brief), (emails) => emails.map((email) => ({ ...email, mark })))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(acme)
      const request = yield* Effect.forkChild(expectBody(200, generateOne(acme, campaign, { lead, options })))
      yield* until(expectBody(200, acme.get("/lists")), ({ total }) => total === 1)
      // The credit is held while the request waits.
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* emailInstructions.open
      const written = yield* Fiber.join(request)
      assert.lengthOf(written.sequence, 2)
      assert.deepInclude(written, { ai_generated: true, ...mark })
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions, sequence: markedSequence } }))
  })

  it.live("fails with the build it waits for", () => {
    const emailInstructions = gated(() => Effect.fail(refusal))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(acme)
      const request = yield* Effect.forkChild(
        expectError(500, "INTERNAL_ERROR", generateOne(acme, campaign, { lead, options }))
      )
      yield* until(expectBody(200, acme.get("/lists")), ({ total }) => total === 1)
      yield* emailInstructions.open
      yield* Fiber.join(request)
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("is written without delay after many refused requests", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const setPlan = (tier: "growth" | "none") =>
        Effect.flatMap(Credits, (credits) => credits.setPlan(acme.workspace, { tier }))
      yield* setPlan("none")
      // More than the limit of concurrent requests.
      for (let i = 0; i < 40; i++) {
        yield* expectError(402, "INSUFFICIENT_CREDITS", generateOne(acme, campaign, { lead, options }))
      }
      yield* setPlan("growth")
      yield* expectBody(200, generateOne(acme, campaign, { lead, options }))
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is still written when its caller disconnects", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const request = yield* Effect.forkChild(generateOne(acme, campaign, { lead, options }))
      yield* sequence.started
      yield* Fiber.interrupt(request)
      yield* sequence.open
      const { lists } = yield* expectBody(200, acme.get("/lists"))
      assert.deepInclude(yield* waitUntilSettled(acme, lists[0].id), {
        processing_status: "completed",
        emails_created: 2
      })
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("is limited to five concurrent requests per workspace", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const request = yield* Effect.forkChild(
        Effect.forEach(makeLeads(5), (lead) => expectBody(200, generateOne(acme, campaign, { lead, options })), {
          concurrency: "unbounded"
        })
      )
      yield* until(expectBody(200, acme.get("/lists?status=processing")), ({ total }) => total === 5)
      const sixth = yield* generateOne(acme, campaign, { lead, options })
      assert.deepStrictEqual([sixth.status, sixth.body.error], [429, "RATE_LIMITED"])
      assert.match(sixth.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      // A refused request stores nothing, batches do not count, and another workspace has its own limit.
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 5)
      yield* expectBody(202, generateBatch(acme, campaign, { leads: [lead], options }))
      const other = yield* callerWithCampaign()
      const otherRequest = yield* Effect.forkChild(
        expectBody(200, generateOne(other.caller, other.campaign, { lead, options }))
      )
      yield* until(expectBody(200, other.caller.get("/lists")), ({ total }) => total === 1)
      yield* sequence.open
      assert.lengthOf(yield* Fiber.join(request), 5)
      yield* Fiber.join(otherRequest)
      yield* expectBody(200, generateOne(acme, campaign, { lead, options }))
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })
})

describe("custom fields", () => {
  const custom_fields = { last_meeting: "Trade fair", halls: 3, score: -1.5, met: true, gap: null, constructor: "x" }

  it.live("reach the writer unchanged, for single leads and batches", () => {
    const sequence = recording(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* expectBody(200, generateOne(acme, campaign, { lead: { ...lead, custom_fields }, options }))
      const leads = [{ ...lead, custom_fields }, lead, { ...lead, custom_fields: {} }, { ...lead, custom_fields: null }]
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads, options }))
      yield* until(getList(acme, list_id), ({ processing_status }) => processing_status === "completed")
      const receivedFields = (sequence.calls as ReadonlyArray<[Brief]>).map(
        ([brief]) => brief.lead.custom_fields ?? undefined
      )
      assert.deepStrictEqual(receivedFields.slice(0, 1), [custom_fields])
      assert.deepStrictEqual(
        receivedFields.slice(1).toSorted((a, b) => Number(a === undefined) - Number(b === undefined)),
        [custom_fields, undefined, undefined, undefined]
      )
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  const invalidName = "must be named by 1 to 64 characters of a-z, 0-9 and _, starting with a letter"
  const invalidType = "must be a string or a number or true or false"
  const key = "a".repeat(64)
  const invalidFields: ReadonlyArray<readonly [fields: string, path: string, message: string]> = [
    [`{"Foo":"x"}`, "custom_fields.Foo", invalidName],
    [`{"ok":1,"1st":"x"}`, "custom_fields.1st", invalidName],
    [`{"_x":1}`, "custom_fields._x", invalidName],
    [`{"a-b":1}`, "custom_fields.a-b", invalidName],
    [`{"größe":1}`, "custom_fields.größe", invalidName],
    [`{"a\\n":1}`, "custom_fields.a\n", invalidName],
    [`{"":1}`, "custom_fields.", invalidName],
    [`{"${key}a":1}`, `custom_fields.${key}a`, invalidName],
    [`{"__proto__":null}`, "custom_fields.__proto__", invalidName],
    [`{"__proto__":"x"}`, "custom_fields.__proto__", invalidName],
    [`{"__proto__":{"polluted":1}}`, "custom_fields.__proto__", invalidType],
    [`{"constructor":{"prototype":{"polluted":1}}}`, "custom_fields.constructor", invalidType],
    [`{"a":[1]}`, "custom_fields.a", invalidType],
    [`{"a":1e400}`, "custom_fields.a", "must be a finite number"],
    [`"x"`, "custom_fields", "must be an object"],
    [`[]`, "custom_fields", "must be an object"],
    [
      `{${Array.from({ length: 51 }, (_, index) => `"k${index}":1`).join(",")}}`,
      "custom_fields",
      "must hold at most 50 fields"
    ]
  ]
  it.live("that are invalid are refused with their path at every endpoint", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const post = (path: string, text: string) => acme.post(`/campaigns/${campaign}/${path}`, text)
      const optionsJson = `"options":${JSON.stringify(options)}`
      const otherLeads = Array.from({ length: 240 }, () => JSON.stringify(lead)).join(",")
      for (const [fields, path, message] of invalidFields) {
        const leadJson = `{"email":"ann@north.example","custom_fields":${fields}}`
        for (const [leadPath, answer] of [
          ["lead", post("generate", `{"lead":${leadJson},${optionsJson}}`)],
          ["leads.0", post("generate-batch", `{"leads":[${leadJson}],${optionsJson}}`)],
          ["leads.240", post("generate-batch", `{"leads":[${otherLeads},${leadJson}],${optionsJson}}`)]
        ] as const) {
          assert.deepStrictEqual((yield* expectError(400, "BAD_REQUEST", answer)).issues, [
            { path: `${leadPath}.${path}`, message }
          ])
        }
      }
      for (const text of ["\\u0000", "\\ud800"]) {
        const lead = `{"email":"ann@north.example","custom_fields":{"a":"${text}"}}`
        yield* expectError(400, "BAD_REQUEST", post("generate", `{"lead":${lead},${optionsJson}}`))
      }
      assert.isUndefined(({} as { readonly polluted?: unknown }).polluted)
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 0)
    }).pipe(withServer())
  )

  it.live("may be fifty fields of maximum length", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const custom_fields = Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [
          `k${String(index).padStart(2, "0")}`.padEnd(64, "_"),
          "😀".repeat(2000)
        ])
      )
      const { list_id } = yield* expectBody(
        200,
        generateOne(acme, campaign, { lead: { ...lead, custom_fields }, options })
      )
      const [storedLead] = yield* exportLeads(acme, list_id)
      assert.deepStrictEqual(storedLead.custom_fields, custom_fields)
    }).pipe(withServer())
  )
})

describe("options", () => {
  const briefFor = Effect.fnUntraced(function* (extraOptions: object) {
    const sequence = recording(fakeWriter.sequence)
    return yield* Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* expectBody(
        200,
        generateOne(acme, campaign, { lead, options: { email_count: 1, email_signature: "Bo", ...extraOptions } })
      )
      const [[brief]] = sequence.calls as [[Brief]]
      return brief
    }).pipe(withServer({ writer: { sequence } }))
  })
  const ctas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

  it.live.each([
    { input: {}, details: null, approved: ctas },
    { input: { additional_details: "Warmly" }, details: "Warmly", approved: ctas },
    { input: { campaign_angle: "Old" }, details: "Old", approved: ctas },
    { input: { additional_details: "Warmly", campaign_angle: "Old" }, details: "Warmly", approved: ctas },
    { input: { additional_details: null, campaign_angle: "Old" }, details: "Old", approved: ctas },
    { input: { approved_ctas: "Question CTA" }, details: null, approved: ["Question CTA"] },
    {
      input: { approved_ctas: ["Lead Magnet CTA", "Who looks after your pumps?"] },
      details: null,
      approved: ["Lead Magnet CTA", "Who looks after your pumps?"]
    },
    { input: { approved_ctas: [] }, details: null, approved: ctas },
    { input: { approved_ctas: null, campaign_angle: null }, details: null, approved: ctas }
  ])("reach the writer: $input", ({ approved, details, input }) =>
    Effect.gen(function* () {
      const brief = yield* briefFor(input)
      assert.strictEqual(brief.additional_details, details)
      assert.deepStrictEqual(brief.approved_ctas, approved)
      assert.strictEqual(brief.email_count, 1)
      assert.strictEqual(brief.instructions, "# Write well")
      assert.deepInclude(brief.lead, { email: lead.email, name: "Ann", company: "North" })
      assert.strictEqual(brief.campaign.value_proposition?.items[0]?.name, "Save time")
    })
  )

  const invalidOptions = [
    { input: { email_count: undefined }, path: "email_count" },
    { input: { email_count: null }, path: "email_count" },
    { input: { email_count: 0 }, path: "email_count" },
    { input: { email_count: 5 }, path: "email_count" },
    { input: { email_count: -1 }, path: "email_count" },
    { input: { email_count: 2.5 }, path: "email_count" },
    { input: { email_count: "2" }, path: "email_count" },
    { input: { email_count: true }, path: "email_count" },
    { input: { email_signature: undefined }, path: "email_signature" },
    { input: { email_signature: null, signature_id: null }, path: "email_signature" },
    { input: { email_signature: "" }, path: "email_signature" },
    { input: { email_signature: "x".repeat(5001) }, path: "email_signature" },
    { input: { signature_id: unknownId }, path: "signature_id" },
    { input: { list_name: 5 }, path: "list_name" },
    { input: { list_name: "x".repeat(201) }, path: "list_name" },
    { input: { additional_details: "x".repeat(10_001) }, path: "additional_details" },
    { input: { campaign_angle: "x".repeat(10_001) }, path: "campaign_angle" },
    { input: { approved_ctas: Array.from({ length: 11 }, () => "Question CTA") }, path: "approved_ctas" },
    { input: { approved_ctas: "Book a demo with us" }, path: "approved_ctas" },
    { input: { approved_ctas: ["Question CTA", "Book a demo with us"] }, path: "approved_ctas.1" },
    { input: { include_clients: "yes" }, path: "include_clients" },
    { input: { approved_ctas: [5] }, path: "approved_ctas.0" },
    { input: { enrichment_enabled: "yes" }, path: "enrichment_enabled" }
  ]
  it.live("that are invalid are refused by both endpoints", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      for (const { input, path } of invalidOptions) {
        const options = { email_count: 1, email_signature: "Bo", ...input }
        const singleError = yield* expectError(400, "BAD_REQUEST", generateOne(acme, campaign, { lead, options }))
        const batchError = yield* expectError(
          400,
          "BAD_REQUEST",
          generateBatch(acme, campaign, { leads: [lead], options })
        )
        for (const { issues } of [singleError, batchError]) assert.strictEqual(issues[0].path, `options.${path}`)
      }
      for (const email_count of [1, 2, 3, 4]) {
        const options = { email_count, email_signature: "Bo" }
        assert.lengthOf((yield* expectBody(200, generateOne(acme, campaign, { lead, options }))).sequence, email_count)
      }
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 4)
    }).pipe(withServer())
  )

  it.live("can name a saved signature, which is used unchanged", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { id } = yield* expectBody(201, acme.post("/signatures", { signature_text: "Bo Ek\nC:\\new" }))
      const answer = yield* expectBody(
        200,
        generateOne(acme, campaign, { lead, options: { email_count: 1, signature_id: id, email_signature: null } })
      )
      assert.strictEqual(answer.sequence[0].body, "Hello Ann, this is email 1.\n\nBo Ek\nC:\\new")
      for (const signature_id of [unknownId, "nope", ""]) {
        const options = { email_count: 1, signature_id }
        yield* expectError(404, "NOT_FOUND", generateOne(acme, campaign, { lead, options }))
        yield* expectError(404, "NOT_FOUND", generateBatch(acme, campaign, { leads: [lead], options }))
      }
      yield* expectBody(200, acme.delete(`/signatures/${id}`))
      yield* expectError(
        404,
        "NOT_FOUND",
        generateOne(acme, campaign, { lead, options: { email_count: 1, signature_id: id } })
      )
    }).pipe(withServer())
  )

  it.live("normalize the line endings of a signature", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const signatureText = "Bo Ek\r\nNorth\rLeeds\n+1 555"
      const { id } = yield* expectBody(201, acme.post("/signatures", { signature_text: signatureText }))
      for (const signatureOption of [{ signature_id: id }, { email_signature: signatureText.replace("\n+", "\\n+") }]) {
        const { sequence } = yield* expectBody(
          200,
          generateOne(acme, campaign, { lead, options: { email_count: 1, ...signatureOption } })
        )
        assert.strictEqual(sequence[0].body, "Hello Ann, this is email 1.\n\nBo Ek\nNorth\nLeeds\n+1 555")
      }
    }).pipe(withServer())
  )

  it.live("accept enrichment with a company, a LinkedIn profile or a website", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const enrichedOptions = { ...options, enrichment_enabled: true }
      const email = lead.email
      for (const field of ["company", "linkedin_url", "company_website"]) {
        const researchableLead = { email, [field]: "North" }
        yield* expectError(
          404,
          "NOT_FOUND",
          generateOne(acme, unknownId, { lead: researchableLead, options: enrichedOptions })
        )
        yield* expectError(
          404,
          "NOT_FOUND",
          generateBatch(acme, unknownId, { leads: [researchableLead], options: enrichedOptions })
        )
        for (const blankValue of ["", " ", null]) {
          const unresearchableLead = { email, name: "Ann", title: "Buyer", [field]: blankValue }
          const singleError = yield* expectError(
            400,
            "BAD_REQUEST",
            generateOne(acme, unknownId, { lead: unresearchableLead, options: enrichedOptions })
          )
          const batchError = yield* expectError(
            400,
            "BAD_REQUEST",
            generateBatch(acme, unknownId, { leads: [researchableLead, unresearchableLead], options: enrichedOptions })
          )
          assert.deepStrictEqual([singleError.issues[0].path, batchError.issues[0].path], ["lead", "leads.1"])
        }
      }
    }).pipe(withServer({ runsWorkers: false }))
  )

  it.live("accept enrichment only for leads with a company, profile or website", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const leadWithoutCompany = { email: "ann@north.example", name: "Ann", company: null }
      const enrichedOptions = { ...options, enrichment_enabled: true }
      yield* expectError(
        400,
        "BAD_REQUEST",
        generateOne(acme, campaign, { lead: leadWithoutCompany, options: enrichedOptions })
      )
      yield* expectError(
        400,
        "BAD_REQUEST",
        generateBatch(acme, campaign, { leads: [lead, leadWithoutCompany], options: enrichedOptions })
      )
      yield* expectBody(
        200,
        generateOne(acme, campaign, { lead: leadWithoutCompany, options: { ...options, enrichment_enabled: false } })
      )
      yield* expectBody(
        200,
        generateOne(acme, campaign, { lead: leadWithoutCompany, options: { ...options, enrichment_enabled: null } })
      )
    }).pipe(withServer())
  )
})

/** Runs a test with the built-in writer. */
const withBuiltin = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof callerWithCampaign>>>) =>
  Generator.pipe(
    Effect.flatMap((writer) => Effect.provide(test, layer({ writer }))),
    Effect.provide(Generator.layerBuiltin)
  )

describe("notices", () => {
  const ignoredOptions = { ...options, additional_details: "Mention our night rate", enrichment_enabled: true }
  const detailsNotice = /^additional_details is not followed: the built-in writer fills in the playbook's templates/
  const researchNotice = /^Research is stored with each lead but not used in the emails/

  it.live("name the options that the built-in writer ignores", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const answers = [
        yield* expectBody(200, generateOne(caller, campaign, { lead, options: ignoredOptions })),
        yield* expectBody(202, generateBatch(caller, campaign, { leads: [lead], options: ignoredOptions }))
      ]
      for (const { notices } of answers) {
        assert.lengthOf(notices, 2)
        assert.match(notices[0], detailsNotice)
        assert.match(notices[1], researchNotice)
      }
      const answer = yield* expectBody(
        200,
        generateOne(caller, campaign, { lead, options: { ...options, campaign_angle: "Old" } })
      )
      assert.match(answer.notices[0], detailsNotice)
      for (const additional_details of [undefined, null, " "]) {
        const plainOptions = { ...options, ...(additional_details === undefined ? {} : { additional_details }) }
        assert.notProperty(
          yield* expectBody(200, generateOne(caller, campaign, { lead, options: plainOptions })),
          "notices"
        )
        assert.notProperty(
          yield* expectBody(202, generateBatch(caller, campaign, { leads: [lead], options: plainOptions })),
          "notices"
        )
      }
    }).pipe(withServer())
  )

  const profileWithoutDescription = {
    company_name: "Heightwork",
    case_studies: ["Dale Clinic was done in a day."],
    lead_magnets: ["Facade checklist"],
    guarantee: ["A late start is free."]
  }

  it.live("do not report a missing description if it is written as notes", () =>
    Effect.gen(function* () {
      const details = {
        ...profileWithoutDescription,
        business_description: "Rope access window cleaning + facade checks for towers"
      }
      const { campaign, caller } = yield* callerWithCampaign({ details })
      const playbook = yield* expectBody(200, caller.get(`/campaigns/${campaign}/playbook`))
      assert.include(JSON.stringify(playbook), "reads like a note")
      const { notices, sequence } = yield* expectBody(200, generateOne(caller, campaign, { lead, options }))
      assert.include(JSON.stringify(sequence), "Rope access window cleaning")
      assert.isUndefined(notices)
    }).pipe(withBuiltin)
  )

  it.live("report that no email says what the business does, until the profile or playbook does", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign({
        details: profileWithoutDescription
      })
      const request = { lead, options }
      const [notice] = (yield* expectBody(200, generateOne(caller, campaign, request))).notices
      assert.match(
        notice,
        /^No email says what the business does: the profile does not say it in English\. Fill in business_/
      )
      assert.match(notice, /or connect a model/)
      const path = `/campaigns/${campaign}/playbook`
      const { personas } = yield* expectBody(200, caller.get(path))
      const [template] = personas[0].templates
      const text = { subject: "Tall windows", body: "We clean tall windows from ropes.\n\nWho looks after yours?" }
      yield* expectBody(200, caller.put(`${path}/templates/${template.id}`, text))
      assert.notProperty(yield* expectBody(200, generateOne(caller, campaign, request)), "notices")
    }).pipe(withBuiltin)
  )

  it.live("say that the profile names another company than the campaign was built for", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign({ details: { company_name: "Kestrel Pumps Ltd" } })
      const rename = (company_name: string | null) =>
        expectBody(200, caller.put("/workspace/details", { company_name }))
      const companyChange = Effect.map(
        expectBody(200, caller.get(`/campaigns/${campaign}/build-status`)),
        ({ company_changed, overall }) => {
          assert.strictEqual(overall, "ready")
          return company_changed
        }
      )
      assert.isUndefined(yield* companyChange)
      // The same company, with another legal form and in another case.
      yield* rename("kestrel pumps")
      assert.isUndefined(yield* companyChange)
      yield* rename("Harbour Coatings")
      assert.deepStrictEqual(yield* companyChange, { from: "Kestrel Pumps Ltd", to: "Harbour Coatings" })
      const request = { lead, options }
      const notice = /^This campaign was built for Kestrel Pumps Ltd, and the profile now names Harbour Coatings\. /
      assert.match((yield* expectBody(200, generateOne(caller, campaign, request))).notices[0], notice)
      const batch = yield* expectBody(202, generateBatch(caller, campaign, { leads: [lead], options }))
      assert.match(batch.notices[0], notice)
      yield* rename(null)
      assert.deepStrictEqual(yield* companyChange, { from: "Kestrel Pumps Ltd", to: null })
      // Another fact of the profile, with the name that the campaign was built for.
      yield* rename("Kestrel Pumps Ltd")
      assert.isUndefined(yield* companyChange)
      assert.notProperty(yield* expectBody(200, generateOne(caller, campaign, request)), "notices")
    }).pipe(withServer())
  )

  it.live("name the steps of the campaign that have remarks", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* proposedCampaign(caller)
      const select = Effect.fnUntraced(function* (type: string, additional_details: string) {
        const selected_ids = [(yield* assetOptions(caller, campaign, type))[0]?.id]
        const path = `/campaigns/${campaign}/assets/${type}/selection`
        return yield* caller.put(path, { selected_ids, additional_details })
      })
      yield* select("lead_magnet", " ")
      yield* select("social_proof", "Say that it was in winter")
      const { id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* awaitJob(caller, id)
      yield* awaitJob(caller, (yield* select("value_proposition", "Say that we work at night")).body.job.id)
      const { notices } = yield* expectBody(200, generateOne(caller, campaign, { lead, options }))
      assert.lengthOf(notices, 1)
      assert.match(notices[0], /^The remarks on social_proof, value_proposition are not followed/)
    }).pipe(withServer())
  )
})
