// test/preview.test.ts: previews, which write emails to synthetic leads: requests, responses, credits, retries and crashes.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { Generator } from "#layers/Generator.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, awaitJob, idempotentJson, onboardedCaller } from "./support/callers.ts"
import {
  buildingCampaign,
  builtCampaign,
  selectOption,
  createCampaign,
  callerWithCampaign
} from "./support/campaigns.ts"
import { unknownId } from "./support/endpoints.ts"
import { failing, gated, outage, recording, refusal } from "./support/faults.ts"
import { failWhere, leadIndex } from "./support/generation-requests.ts"
import { balanceOf } from "./support/lists.ts"
import { withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const sample = { headers: ["Email", "Company"] }
const options = { email_count: 2, email_signature: "Bo" }
const previewBody = { sample, options }

const pathOf = (campaign: string) => `/campaigns/${campaign}/preview`
const preview = (caller: Caller, campaign: string, body: unknown = previewBody) => caller.post(pathOf(campaign), body)

const previewWithKey = (caller: Caller, campaign: string, key: string, body: unknown = previewBody) =>
  caller.send("POST", pathOf(campaign), idempotentJson(key, body))

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A writer that fails for the leads with these indexes. */
const failingFor = (...indexes: ReadonlyArray<number>) =>
  failWhere((brief) => (indexes.includes(leadIndex(brief)) ? refusal : undefined))

/** The ledger's entries for previews, as kind and amount. */
const entries = Effect.fnUntraced(function* (caller: Caller) {
  const ledger = yield* (yield* Credits).ledger(caller.workspace)
  return ledger.filter(({ kind }) => kind !== "grant").map(({ amount, kind }) => [kind, amount])
})

describe("a preview", () => {
  it.live("writes to five leads under the caller's headers, and costs five credits", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const headers = ["First Name", "Surname", "E-mail", "Position", "Company", "LinkedIn", "Website", "Shoe size"]
      const { generated_emails, preview_id, rows, synthetic_leads, ...answer } = yield* expectBody(
        200,
        preview(acme, campaign, {
          sample: { headers, rows: [["Kim"]] },
          options: { ...options, email_signature: "Bo\\nNorth" }
        })
      )
      assert.match(preview_id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(answer, {
        status: "success",
        credits_charged: 5,
        success_count: 5,
        fail_count: 0,
        headers
      })
      assert.lengthOf(rows, 5)
      assert.deepStrictEqual(rows[1], [
        "Ann",
        "Lee 1",
        "lead1@north.example",
        "Plant director",
        "North 1",
        "https://linkedin.example/in/lead1",
        "https://www.north.example",
        ""
      ])
      assert.lengthOf(synthetic_leads, 5)
      assert.deepStrictEqual(synthetic_leads[1], {
        email: "lead1@north.example",
        name: "Ann Lee 1",
        title: "Plant director",
        company: "North 1",
        linkedin_url: "https://linkedin.example/in/lead1",
        company_website: "https://www.north.example"
      })
      assert.deepStrictEqual(
        generated_emails,
        synthetic_leads.map((lead_data: { readonly name: string }, lead_index: number) => ({
          lead_index,
          lead_data,
          emails: [1, 2].map((step) => ({
            subject: `subject ${step}`,
            body: `Hello ${lead_data.name}, this is email ${step}.\n\nBo\nNorth`
          })),
          status: "success",
          ai_generated: null,
          model: null,
          prompt_version: null
        }))
      )
      assert.strictEqual(yield* balanceOf(acme), 4995)
      assert.deepStrictEqual(yield* entries(acme), [["capture", -5]])
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 0)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("has notices about options that the built-in writer ignores", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const unsupported = { additional_details: "Mention our night rate", enrichment_enabled: true }
      const { notices } = yield* expectBody(
        200,
        preview(acme, campaign, { sample, options: { ...options, ...unsupported } })
      )
      assert.match(notices[0], /^additional_details is not followed: the built-in writer/)
      assert.notProperty(yield* expectBody(200, preview(acme, campaign)), "notices")
    }).pipe(withServer())
  )

  it.live("is stored, and listed in its campaign", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const path = `/campaigns/${campaign}/previews`
      assert.deepStrictEqual(yield* expectBody(200, acme.get(path)), {
        data: [],
        has_more: false,
        total: 0,
        limit: 50,
        offset: 0
      })
      const first = yield* expectBody(200, preview(acme, campaign))
      yield* Effect.sleep(2)
      const second = yield* expectBody(
        200,
        preview(acme, campaign, { sample, options: { ...options, email_count: 1 } })
      )
      const { data, ...position } = yield* expectBody(200, acme.get(`${path}?limit=1`))
      assert.deepStrictEqual(position, { has_more: true, total: 2, limit: 1, offset: 0 })
      const { created_at, ...entry } = data[0]
      assert.match(created_at, iso)
      const { credits_charged, fail_count, preview_id, status, success_count } = second
      const expected = { preview_id, status, credits_charged, success_count, fail_count, email_count: 1 }
      assert.deepStrictEqual(entry, expected)
      const olderPreviews = (yield* expectBody(200, acme.get(`${path}?offset=1`))).data
      assert.deepStrictEqual(
        olderPreviews.map(({ preview_id }: { readonly preview_id: string }) => preview_id),
        [first.preview_id]
      )
      const stored = yield* expectBody(200, acme.get(`${path}/${preview_id}`))
      assert.deepStrictEqual(stored, { ...second, created_at })

      const otherCampaign = yield* builtCampaign(acme)
      yield* expectError(404, "NOT_FOUND", acme.get(`/campaigns/${otherCampaign}/previews/${preview_id}`))
      yield* expectError(404, "NOT_FOUND", acme.get(`${path}/${unknownId}`))
      const otherCaller = yield* onboardedCaller()
      yield* expectError(403, "FORBIDDEN", otherCaller.get(path))
      yield* expectError(403, "FORBIDDEN", otherCaller.get(`${path}/${preview_id}`))
      yield* expectBody(200, acme.delete(`/campaigns/${campaign}`))
      yield* expectError(404, "NOT_FOUND", acme.get(`${path}/${preview_id}`))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM previews`, [])
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("that failed is not listed", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* expectError(500, "INTERNAL_ERROR", preview(acme, campaign))
      assert.strictEqual((yield* expectBody(200, acme.get(`/campaigns/${campaign}/previews`))).total, 0)
    }).pipe(withServer({ writer: { sequence: () => Effect.fail(outage) } }))
  )

  it.live("refunds a credit for each lead that failed", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const answer = yield* expectBody(200, preview(acme, campaign))
      assert.deepInclude(answer, { status: "partial", credits_charged: 3, success_count: 3, fail_count: 2 })
      assert.lengthOf(answer.rows, 5)
      for (const index of [1, 4]) {
        assert.deepInclude(answer.generated_emails[index], {
          lead_index: index,
          emails: [],
          status: "failed",
          error: refusal.message
        })
      }
      assert.notProperty(answer.generated_emails[0], "error")
      assert.strictEqual(yield* balanceOf(acme), 4997)
      assert.deepStrictEqual(yield* entries(acme), [
        ["capture", -5],
        ["refund", 2]
      ])
      const { usage } = yield* expectBody(200, acme.get("/credits"))
      assert.deepInclude(usage, { credits_used_this_period: 3, total_credits_used_all_time: 3 })
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: failingFor(1, 4) } }))
  )

  it.live.each([
    ["fails for every lead", { sequence: () => Effect.fail(refusal) }, refusal.message],
    ["is not available", { sequence: () => Effect.fail(outage) }, outage.message],
    ["fails to generate leads", { syntheticLeads: () => Effect.fail(outage) }, outage.message],
    ["generates no leads", { syntheticLeads: () => Effect.succeed([]) }, "there are none"],
    ["crashes before it writes", { syntheticLeads: () => Effect.die(new Error("secret detail")) }, "internal error"],
    ["has a bug", { sequence: () => Effect.die(new Error("secret detail")) }, "internal error"]
  ] as const)("costs nothing if the writer %s", ([, writer, message]) =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const answer = yield* previewWithKey(acme, campaign, "a")
      assert.deepStrictEqual([answer.status, answer.body.error], [500, "INTERNAL_ERROR"])
      assert.include(answer.body.message, message)
      assert.notInclude(answer.text, "secret detail")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      // The Idempotency-Key was released, so another body may use it.
      const second = yield* previewWithKey(acme, campaign, "a", { ...previewBody, more: 1 })
      assert.deepStrictEqual([second.status, second.body.error], [500, "INTERNAL_ERROR"])
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer }))
  )

  it.live("is rejected without five credits, and may use the last five", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const credits = yield* Credits
      yield* credits.charge(acme.workspace, "other", 46)
      assert.deepStrictEqual(yield* expectError(402, "INSUFFICIENT_CREDITS", preview(acme, campaign)), {
        required: 5,
        available: 4,
        payg_enabled: false,
        pct_of_cap: 0
      })
      yield* credits.grant(acme.workspace, 1, null)
      yield* expectBody(200, preview(acme, campaign))
      assert.strictEqual(yield* balanceOf(acme), 0)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is recorded in the ledger of an unlimited plan", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "internal" })
      yield* expectBody(200, preview(acme, campaign))
      assert.deepStrictEqual(yield* entries(acme), [
        ["capture", -5],
        ["refund", 1]
      ])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: failingFor(0) } }))
  )

  it.live("requires a built campaign, and charges nothing before", () => {
    const emailInstructions = gated(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller({ plan: "free" })
      const draft = yield* createCampaign(acme)
      yield* expectError(409, "NOT_READY", preview(acme, draft))
      const { campaign, job } = yield* buildingCampaign(acme)
      // The campaign's state is checked before the credits.
      yield* (yield* Credits).charge(acme.workspace, "other", 48)
      yield* expectError(409, "NOT_READY", preview(acme, campaign))
      yield* emailInstructions.open
      yield* awaitJob(acme, job)
      yield* expectError(402, "INSUFFICIENT_CREDITS", preview(acme, campaign))
      assert.strictEqual(yield* balanceOf(acme), 2)
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("requires a current build: not a failed one, and not one that a change made outdated", () => {
    const emailInstructions = failing(refusal, 1, fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* buildingCampaign(acme)
      const lead = { email: "ann@north.example" }
      const expectNotReady = Effect.gen(function* () {
        yield* expectError(409, "NOT_READY", preview(acme, campaign))
        yield* expectError(400, "BAD_REQUEST", acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
        const batch = acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options })
        yield* expectError(400, "BAD_REQUEST", batch)
      })
      const rebuild = Effect.gen(function* () {
        const { job } = yield* selectOption(acme, campaign, "value_proposition")
        assert.strictEqual((yield* awaitJob(acme, job.id)).status, "completed")
      })
      assert.strictEqual((yield* awaitJob(acme, job)).status, "failed")
      yield* expectNotReady
      yield* rebuild
      yield* expectBody(200, preview(acme, campaign))
      yield* selectOption(acme, campaign, "social_proof", 1)
      yield* expectNotReady
      yield* rebuild
      yield* expectBody(200, preview(acme, campaign))
      assert.strictEqual(yield* balanceOf(acme), 4990)
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("requires a campaign of the caller's workspace", () =>
    Effect.gen(function* () {
      const { campaign } = yield* callerWithCampaign()
      const otherCaller = yield* newCaller()
      yield* expectError(403, "FORBIDDEN", preview(otherCaller, campaign))
      yield* expectError(404, "NOT_FOUND", preview(otherCaller, unknownId))
      yield* expectError(400, "BAD_REQUEST", preview(otherCaller, campaign, {}))
    }).pipe(withServer())
  )

  it.live("completes if its caller disconnects", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const first = yield* Effect.forkChild(previewWithKey(acme, campaign, "a"))
      yield* sequence.started
      yield* Fiber.interrupt(first)
      yield* sequence.open
      const replayed = yield* until(previewWithKey(acme, campaign, "a"), ({ status }) => status !== 409)
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(yield* balanceOf(acme), 4995)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("is deleted with its campaign, and refunded if it was not complete", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const pending = yield* Effect.forkChild(preview(acme, campaign))
      yield* sequence.started
      assert.strictEqual(yield* balanceOf(acme), 4995)
      yield* expectBody(200, acme.delete(`/campaigns/${campaign}`))
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
      yield* sequence.open
      yield* expectError(404, "NOT_FOUND", Fiber.join(pending))

      const second = yield* builtCampaign(acme)
      yield* expectBody(200, preview(acme, second))
      yield* expectBody(200, acme.delete(`/campaigns/${second}`))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM previews`, [])
      assert.strictEqual(yield* balanceOf(acme), 4995)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })
})

describe("the layout", () => {
  const previewRow = Effect.fnUntraced(function* (sample: object, extraOptions: object = {}) {
    const { campaign, caller: acme } = yield* callerWithCampaign()
    const answer = yield* expectBody(200, preview(acme, campaign, { sample, options: { ...options, ...extraOptions } }))
    for (const row of answer.rows) assert.lengthOf(row, answer.headers.length)
    return { headers: answer.headers, row: answer.rows[0], charged: answer.credits_charged }
  })
  const headers = ["a", "b", "c", "Email"]
  const field_mapping = { email: "a", companyName: "B ", jobTitle: "c", phone: "c", website: "nowhere", name: null }
  const cells = ["lead0@north.example", "North 0", "Plant director", ""]

  it.live.each([
    { sample: { headers, field_mapping }, cells },
    { sample: { headers, field_mapping: JSON.stringify(field_mapping) }, cells },
    { sample: { headers: ["x", "x"], field_mapping: null, rows: null }, cells: ["", ""] },
    { sample: { headers: ["Vorname", "Name", "Firma"] }, cells: ["Ann", "Lee 0", "North 0"] },
    { sample: { headers: ["Nombre", "Apellidos", "Correo"] }, cells: ["Ann", "Lee 0", "lead0@north.example"] },
    { sample: { headers: ["Name", "Job Title"] }, cells: ["Ann Lee 0", "Plant director"] },
    { sample: { headers: ["who", "Name"], field_mapping: { fullName: "who" } }, cells: ["Ann Lee 0", "Ann Lee 0"] },
    { sample: { headers: ["Email", "Email"] }, cells: ["lead0@north.example", "lead0@north.example"] },
    { sample: { headers: ["firstname", "Company Name for Emails"] }, cells: ["Ann", "North 0"] },
    {
      sample: { headers: ["Domain", "Industry", "# Employees", "City"] },
      cells: ["north.example", "Pumps", "50 employees", "Leeds"]
    },
    // Columns that are recognised by the values of the caller's rows.
    {
      sample: {
        headers: ["a", "b", "c", "Website", "Owner"],
        rows: [
          [
            "kim@acme.example",
            "https://www.linkedin.com/in/kim",
            "http://acme.example",
            "acme.example",
            "jo@us.example"
          ],
          ["lou@beta.example", "", "http://beta.example", "", "jo@us.example"]
        ]
      },
      cells: [
        "lead0@north.example",
        "https://linkedin.example/in/lead0",
        "https://www.north.example",
        "north.example",
        ""
      ]
    },
    {
      sample: {
        headers: ["Website", "x"],
        rows: [
          ["https://acme.example", "kim@acme.example"],
          ["", "call him"]
        ]
      },
      cells: ["https://www.north.example", ""]
    },
    {
      sample: { headers: ["x", "y"], field_mapping: { email: "y" }, rows: [["kim@acme.example", ""]] },
      cells: ["", "lead0@north.example"]
    },
    {
      sample: { headers: Array.from({ length: 100 }, (_, index) => `h${index}`), field_mapping: { email: "h99" } },
      cells: [...Array.from({ length: 99 }, () => ""), "lead0@north.example"]
    },
    {
      sample: { headers: ["__proto__", ""], field_mapping: { linkedinUrl: "__proto__" } },
      cells: ["https://linkedin.example/in/lead0", ""]
    }
  ])("of $sample", ({ cells, sample }) =>
    Effect.gen(function* () {
      const { headers, row } = yield* previewRow(sample)
      assert.deepStrictEqual(headers, sample.headers)
      assert.deepStrictEqual(row, cells)
    }).pipe(withServer())
  )

  it.live("has other columns as custom fields, if synthetic values exist for them", () => {
    const sequence = recording(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const headers = ["Email", "Website", "Company Domain", "Industry", "Shoe size", "# Employees", "City", "City"]
      const { generated_emails, synthetic_leads } = yield* expectBody(
        200,
        preview(acme, campaign, {
          sample: { headers, rows: [["ann@secret.example", "", "", "Secrets", "42", "", "", ""]] },
          options: { ...options, enrichment_enabled: true }
        })
      )
      const custom_fields = {
        company_domain: "north.example",
        industry: "Pumps",
        employees: "50 employees",
        city: "Leeds",
        city_2: "Leeds"
      }
      assert.lengthOf(sequence.calls, 5)
      for (const [{ lead }] of sequence.calls) assert.deepStrictEqual(lead.custom_fields, custom_fields)
      for (const lead of synthetic_leads) assert.deepStrictEqual(lead.custom_fields, custom_fields)
      for (const { lead_data } of generated_emails) assert.deepStrictEqual(lead_data.custom_fields, custom_fields)
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("has the columns of a simulated enrichment, at the same price", () =>
    Effect.gen(function* () {
      const enrichment = { enrichment_enabled: true, enrichment_mapping: { industry: "x" } }
      assert.deepStrictEqual(yield* previewRow({ headers: ["Email", "company size"] }, enrichment), {
        headers: ["Email", "company size", "Company Industry", "Company Location"],
        row: ["lead0@north.example", "50 employees", "Pumps", "Leeds"],
        charged: 5
      })
    }).pipe(withServer())
  )
})

describe("the body", () => {
  const invalidParts = [
    { sample: { headers: undefined }, path: "sample.headers" },
    { sample: { headers: null }, path: "sample.headers" },
    { sample: { headers: [] }, path: "sample.headers" },
    { sample: { headers: "Email" }, path: "sample.headers" },
    { sample: { headers: [5] }, path: "sample.headers.0" },
    { sample: { headers: Array.from({ length: 101 }, () => "x") }, path: "sample.headers" },
    { sample: { rows: "x" }, path: "sample.rows" },
    { sample: { rows: [["x"], [5]] }, path: "sample.rows.1.0" },
    { sample: { rows: Array.from({ length: 1001 }, () => ["x"]) }, path: "sample.rows" },
    { sample: { field_mapping: 5 }, path: "sample.field_mapping" },
    { sample: { field_mapping: [] }, path: "sample.field_mapping" },
    { sample: { field_mapping: "x" }, path: "sample.field_mapping" },
    { sample: { field_mapping: "[]" }, path: "sample.field_mapping" },
    { sample: { field_mapping: { email: 5 } }, path: "sample.field_mapping.email" },
    ...[undefined, null, 0, 5, 2.5, "0", "5", "2.5", " 2", "", "two", true, []].map((email_count) => ({
      options: { email_count },
      path: "options.email_count"
    })),
    { options: { email_signature: undefined }, path: "options.email_signature" },
    { options: { email_signature: null, signature_id: null }, path: "options.email_signature" },
    { options: { email_signature: "" }, path: "options.email_signature" },
    { options: { signature_id: unknownId }, path: "options.signature_id" },
    { options: { additional_details: "x".repeat(10_001) }, path: "options.additional_details" },
    { options: { approved_ctas: Array.from({ length: 11 }, () => "Question CTA") }, path: "options.approved_ctas" },
    { options: { approved_ctas: "Book a demo with us" }, path: "options.approved_ctas" },
    { options: { approved_ctas: ["Question CTA", "Book a demo with us"] }, path: "options.approved_ctas.1" },
    { options: { enrichment_enabled: "yes" }, path: "options.enrichment_enabled" },
    { options: { enrichment_mapping: "x" }, path: "options.enrichment_mapping" },
    { options: { assistant_id: 5 }, path: "options.assistant_id" },
    { options: { vector_id: 5 }, path: "options.vector_id" }
  ]

  it.live("is rejected with the path of the invalid field and a readable message", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const { path, ...invalidPart } of invalidParts) {
        const body = {
          sample: { ...sample, ...("sample" in invalidPart ? invalidPart.sample : {}) },
          options: { ...options, ...("options" in invalidPart ? invalidPart.options : {}) }
        }
        const { issues } = yield* expectError(400, "BAD_REQUEST", preview(acme, unknownId, body))
        assert.deepStrictEqual(
          issues.map((issue: { readonly path: string }) => issue.path),
          [path],
          JSON.stringify([invalidPart, issues]).slice(0, 300)
        )
        assert.notMatch(issues[0].message, /Expected|Schema|\bundefined\b|Struct|\||fromJson/)
      }
      // All errors are reported together, including the one about the signature.
      const combined = yield* expectError(400, "BAD_REQUEST", preview(acme, unknownId, { options: { email_count: 9 } }))
      assert.deepStrictEqual(combined.issues.map((issue: { readonly path: string }) => issue.path).toSorted(), [
        "options.email_count",
        "options.email_signature",
        "sample"
      ])
    }).pipe(withServer({ runsWorkers: false }))
  )

  it.live("has options that are passed to the writer", () => {
    const sequence = recording(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { id } = yield* expectBody(201, acme.post("/signatures", { signature_text: "Ida\\n" }))
      for (const email_count of [1, 2, 3, 4, "1", "2", "3", "4"]) {
        const { generated_emails } = yield* expectBody(
          200,
          preview(acme, campaign, { sample, options: { ...options, email_count } })
        )
        for (const { emails } of generated_emails) assert.lengthOf(emails, Number(email_count))
      }
      const writingOptions = {
        email_count: 1,
        signature_id: id,
        campaign_angle: "Warmly",
        approved_ctas: "Question CTA",
        assistant_id: null,
        vector_id: null,
        enrichment_mapping: null
      }
      const { generated_emails, preview_id } = yield* expectBody(
        200,
        preview(acme, campaign, { sample, options: writingOptions })
      )
      assert.match(generated_emails[0].emails[0].body, /\n\nIda\\n$/)
      const briefs = sequence.calls.slice(-5).map(([brief]) => brief)
      for (const brief of briefs) {
        assert.strictEqual(brief.additional_details, "Warmly")
        assert.deepStrictEqual(brief.approved_ctas, ["Question CTA"])
        assert.strictEqual(brief.instructions, "# Write well")
        assert.strictEqual(brief.campaign.value_proposition?.items[0]?.name, "Save time")
      }
      assert.sameMembers(
        briefs.map(({ seed }) => seed),
        [0, 1, 2, 3, 4].map((index) => `${preview_id}:${index}`)
      )
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("is rejected if it names an unknown signature or an unsupported id", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const invalidOptions = [
        { assistant_id: unknownId },
        { vector_id: "" },
        { email_signature: null, signature_id: unknownId }
      ]
      for (const invalid of invalidOptions) {
        yield* expectError(404, "NOT_FOUND", preview(acme, campaign, { sample, options: { ...options, ...invalid } }))
      }
      assert.strictEqual(yield* balanceOf(acme), 5000)
    }).pipe(withServer())
  )
})

describe("a retry", () => {
  it.live("with the same key gets the same preview, and is not charged", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const first = yield* previewWithKey(acme, campaign, "a")
      const replayed = yield* previewWithKey(acme, campaign, "a")
      assert.deepStrictEqual([first.status, replayed.status], [200, 200])
      assert.strictEqual(replayed.text, first.text)
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      yield* expectError(409, "CONFLICT", previewWithKey(acme, campaign, "a", { ...previewBody, more: 1 }))
      assert.strictEqual(yield* balanceOf(acme), 4995)
      assert.notStrictEqual((yield* previewWithKey(acme, campaign, "b")).body.preview_id, first.body.preview_id)
      assert.strictEqual(yield* balanceOf(acme), 4990)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("while the first request is in progress gets a Retry-After", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const first = yield* Effect.forkChild(previewWithKey(acme, campaign, "a"))
      yield* sequence.started
      const concurrent = yield* previewWithKey(acme, campaign, "a")
      assert.deepStrictEqual([concurrent.status, concurrent.body.error], [409, "CONFLICT"])
      assert.match(concurrent.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      yield* expectError(409, "CONFLICT", previewWithKey(acme, campaign, "a", { ...previewBody, more: 1 }))
      yield* sequence.open
      const { text } = yield* Fiber.join(first)
      assert.strictEqual((yield* previewWithKey(acme, campaign, "a")).text, text)
      assert.strictEqual(yield* balanceOf(acme), 4995)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("after a rejected request starts a new preview", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const credits = yield* Credits
      yield* credits.setPlan(acme.workspace, { tier: "none" })
      yield* expectError(402, "INSUFFICIENT_CREDITS", previewWithKey(acme, campaign, "a"))
      yield* credits.setPlan(acme.workspace, { tier: "free" })
      assert.strictEqual((yield* previewWithKey(acme, campaign, "a", { ...previewBody, more: 1 })).status, 200)
    }).pipe(withServer())
  )
})

describe("a crash", () => {
  it.live("before the preview is complete refunds it, and releases the key", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const first = yield* Effect.forkChild(previewWithKey(acme, campaign, "a"))
      yield* until(balanceOf(acme), (balance) => balance === 4995)
      // Starts the workers of another process, which finds the job of this one.
      yield* Effect.scoped(
        Layer.build(BackgroundWorkers({ concurrency: 1 }).pipe(Layer.provide(Layer.succeed(Generator, fakeWriter))))
      )
      yield* expectError(500, "INTERNAL_ERROR", Fiber.join(first))
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
      const second = yield* Effect.forkChild(previewWithKey(acme, campaign, "a", { ...previewBody, more: 1 }))
      yield* until(balanceOf(acme), (balance) => balance === 4995)
      yield* Fiber.interrupt(second)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: () => Effect.never } }))
  )

  it.live("before the preview was started refunds it too", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(
            BackgroundWorkers({ concurrency: 1 }).pipe(Layer.provide(Layer.succeed(Generator, fakeWriter)))
          )
          return yield* callerWithCampaign()
        })
      )
      const pending = yield* Effect.forkChild(preview(acme, campaign))
      yield* until(balanceOf(acme), (balance) => balance === 4995)
      yield* assertConsistent
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(
            BackgroundWorkers({ concurrency: 1 }).pipe(Layer.provide(Layer.succeed(Generator, fakeWriter)))
          )
          yield* expectError(500, "INTERNAL_ERROR", Fiber.join(pending))
        })
      )
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ runsWorkers: false }))
  )
})
