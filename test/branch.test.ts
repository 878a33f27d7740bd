// test/branch.test.ts: renaming, branching and deleting campaigns, and what they have chosen.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import type { Brief } from "#layers/Generator.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, awaitJob, idempotentJson, onboardedCaller } from "./support/callers.ts"
import {
  buildingCampaign,
  builtCampaign,
  selectOption,
  createCampaign,
  assetOptions,
  buildStatusOf,
  selectAudience
} from "./support/campaigns.ts"
import { unknownId } from "./support/endpoints.ts"
import { gated, outage } from "./support/faults.ts"
import { waitForList, startBatch, makeLeads, getList } from "./support/lists.ts"
import { layer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const chosen = (caller: Caller, campaign: string) => expectBody(200, caller.get(`/campaigns/${campaign}/selections`))

const branched = Effect.fnUntraced(function* (caller: Caller, campaign: string, branch_from_step: string, more = {}) {
  const answer = yield* expectBody(
    201,
    caller.post(`/campaigns/${campaign}/branch`, { name: "Branch", branch_from_step, ...more })
  )
  assert.hasAllKeys(answer, ["id", "source_campaign_id"])
  assert.strictEqual(answer.source_campaign_id, campaign)
  return answer.id as string
})

describe("a campaign", () => {
  it.live("tells what it has chosen, with edits, and null where nothing was", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const none = { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null }
      assert.deepStrictEqual(yield* chosen(caller, campaign), {
        campaign_id: campaign,
        target_audience: null,
        selections: none
      })
      const { options } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/assets/social_proof/options`))
      const [{ description, id }] = options
      yield* expectBody(
        200,
        caller.put(`/campaigns/${campaign}/assets/social_proof/selection`, {
          selected_ids: [id],
          edited_names: { [id]: "Ours" },
          additional_details: "Mention it once"
        })
      )
      const { selections } = yield* chosen(caller, campaign)
      const { updated_at, ...selection } = selections.social_proof
      assert.match(updated_at, iso)
      assert.deepStrictEqual(selection, {
        items: [{ id, name: "Ours", description, type: "social_proof" }],
        additional_details: "Mention it once"
      })
      assert.deepStrictEqual(selections, { ...none, social_proof: selections.social_proof })
    }).pipe(Effect.provide(layer()))
  )

  it.live("tells of each step what was submitted last, in the order it was chosen", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const [one, two] = yield* assetOptions(caller, campaign, "lead_magnet")
      const [first = "", second = ""] = [one?.id, two?.id]
      const submit = (sent: object) =>
        expectBody(200, caller.put(`/campaigns/${campaign}/assets/lead_magnet/selection`, sent))
      const stored = Effect.map(chosen(caller, campaign), ({ selections }) => {
        const { items, additional_details } = selections.lead_magnet
        return [items, additional_details]
      })
      const edits = { edited_names: { [first]: " Ours " }, edited_descriptions: { [second]: "Told anew" } }
      yield* submit({ selected_ids: [second, first, second], ...edits, additional_details: "Once" })
      assert.deepStrictEqual(yield* stored, [
        [
          { ...two, description: "Told anew" },
          { ...one, name: "Ours" }
        ],
        "Once"
      ])
      yield* submit({ selected_ids: [first] })
      assert.deepStrictEqual(yield* stored, [[one], null])
      yield* submit({ selected_ids: [] })
      assert.deepStrictEqual(yield* stored, [[], null])
      yield* submit({ selected_ids: [first], edited_names: null, edited_descriptions: null, additional_details: null })
      assert.deepStrictEqual(yield* stored, [[one], null])
      yield* expectError(400, "BAD_REQUEST", caller.put(`/campaigns/${campaign}/assets/lead_magnet/selection`, {}))
      assert.deepStrictEqual(yield* stored, [[one], null])
    }).pipe(Effect.provide(layer()))
  )

  it.live("is renamed", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const renamed = yield* expectBody(200, caller.patch(`/campaigns/${campaign}`, { name: "  Autumn " }))
      assert.deepInclude(renamed, { id: campaign, name: "Autumn" })
      assert.hasAllKeys(renamed, ["id", "name", "created_at"])
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).campaigns[0].name, "Autumn")
      yield* expectError(400, "BAD_REQUEST", caller.patch(`/campaigns/${campaign}`, { name: "x".repeat(201) }))
      const [{ created_at }] = (yield* expectBody(200, caller.get("/campaigns"))).campaigns
      assert.strictEqual(renamed.created_at, created_at)
    }).pipe(Effect.provide(layer()))
  )

  it.live("has a name of 1 to 200 characters, trimmed, however it comes by it", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      yield* selectAudience(caller, campaign)
      const asks = [
        [201, (name: unknown) => caller.post("/campaigns", { name })],
        [200, (name: unknown) => caller.patch(`/campaigns/${campaign}`, { name })],
        [
          201,
          (name: unknown) => caller.post(`/campaigns/${campaign}/branch`, { name, branch_from_step: "lead-magnets" })
        ]
      ] as const
      for (const [status, ask] of asks) {
        for (const name of [undefined, null, 5, "", " \t\n ", "x".repeat(201), "😀".repeat(201)]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", ask(name))
          assert.strictEqual(issues[0].path, "name")
        }
        for (const name of ["x", ` ${"x".repeat(200)} `, "😀".repeat(200)]) {
          const { id } = yield* expectBody(status, ask(name))
          const { campaigns } = yield* expectBody(200, caller.get("/campaigns"))
          assert.strictEqual(campaigns.find((entry: { readonly id: string }) => entry.id === id).name, name.trim())
        }
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("is deleted with what was made for it, and leaves its lists readable and detached", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const options = { email_count: 1, email_signature: "Ann" }
      const lead = { email: "ann@company.example" }
      const { list_id } = yield* expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))

      assert.deepStrictEqual(yield* expectBody(200, caller.delete(`/campaigns/${campaign}`)), {
        id: campaign,
        deleted: true
      })
      yield* expectError(404, "NOT_FOUND", caller.get(`/campaigns/${campaign}/build-status`))
      const list = yield* expectBody(200, caller.get(`/lists/${list_id}`))
      assert.deepInclude(list, { campaign_id: null, processing_status: "completed" })
      assert.lengthOf((yield* expectBody(200, caller.get(`/lists/${list_id}/export?format=json`))).leads, 1)
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${list_id}`))
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period, 1)
      yield* assertConsistent
    }).pipe(Effect.provide(layer()))
  )

  it.live("is deleted with all that was made for it, and with nothing of another", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const [campaign, other] = [yield* builtCampaign(caller), yield* builtCampaign(caller)]
      const options = { email_count: 1, email_signature: "Ann" }
      const talk = (campaign_id: string) =>
        expectBody(200, caller.post("/agent/chat", { message: "What?", campaign_id }))
      const seeing = (id: string) =>
        caller.post(`/campaigns/${id}/preview`, { sample: { headers: ["Email"] }, options })
      const list_id = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list_id)
      for (const id of [campaign, other]) yield* expectBody(200, seeing(id))
      const { conversation_id } = yield* talk(campaign)
      yield* talk(other)
      const { id: research } = yield* selectAudience(caller, campaign)
      const { documents } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/documents`))
      const exported = yield* caller.get(`/lists/${list_id}/export`)
      const ledger = yield* (yield* Credits).ledger(caller.workspace)
      const credits = yield* expectBody(200, caller.get("/credits"))
      const kept = Effect.all([
        chosen(caller, other),
        buildStatusOf(caller, other),
        assetOptions(caller, other, "value_proposition"),
        expectBody(200, caller.get(`/conversations?campaign_id=${other}`)),
        sql`SELECT id FROM previews WHERE campaign_id = ${other}`,
        sql`SELECT id, content FROM campaign_documents WHERE campaign_id = ${other} ORDER BY id`,
        sql`SELECT id FROM jobs WHERE subject = ${other} ORDER BY id`
      ])
      const before = yield* kept

      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      for (const [table, column] of [
        ["campaigns", "id"],
        ["selections", "campaign_id"],
        ["asset_options", "campaign_id"],
        ["campaign_documents", "campaign_id"],
        ["playbooks", "campaign_id"],
        ["playbook_versions", "campaign_id"],
        ["previews", "campaign_id"],
        ["conversations", "campaign_id"],
        ["lists", "campaign_id"],
        ["jobs", "subject"]
      ] as const) {
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${campaign}`, [], table)
      }
      for (const gone of [
        caller.delete(`/campaigns/${campaign}`),
        caller.get(`/campaigns/${campaign}/selections`),
        caller.get(`/campaigns/${campaign}/documents`),
        caller.get(`/jobs/${research}`),
        caller.get(`/conversations/${conversation_id}/messages`),
        caller.get(`/../..${documents[0].download_url}`)
      ]) {
        yield* expectError(404, "NOT_FOUND", gone)
      }
      assert.deepStrictEqual(yield* kept, before)
      assert.strictEqual((yield* caller.get(`/lists/${list_id}/export`)).text, exported.text)
      const { lists } = yield* expectBody(200, caller.get("/lists"))
      assert.deepStrictEqual([lists.length, lists[0].id, lists[0].campaign_id], [1, list_id, null])
      assert.deepStrictEqual((yield* expectBody(200, caller.get(`/lists?campaign_id=${campaign}`))).lists, [])
      yield* expectBody(200, caller.patch(`/lists/${list_id}`, { custom_name: "Fair" }))
      assert.deepStrictEqual(yield* (yield* Credits).ledger(caller.workspace), ledger)
      assert.deepStrictEqual(yield* expectBody(200, caller.get("/credits")), credits)
      yield* assertConsistent
    }).pipe(Effect.provide(layer()))
  )

  it.live("that is deleted while it is researched does not come back", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const { id } = yield* selectAudience(caller, campaign)
      yield* audienceResearch.started
      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      yield* audienceResearch.open
      const second = yield* builtCampaign(caller)
      yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${id}`))
      assert.deepStrictEqual(
        (yield* expectBody(200, caller.get("/campaigns"))).campaigns.map((entry: { readonly id: string }) => entry.id),
        [second]
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM campaign_documents WHERE campaign_id = ${campaign}`, [])
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { audienceResearch } })))
  })

  it.live("is deleted while a list of it rests, which then rests for good and can go too", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const list_id = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list_id, "pending")
      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      assert.deepInclude(yield* getList(caller, list_id), { campaign_id: null, processing_status: "pending" })
      // Its batch is pending still, but there is nothing left to write it from.
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${list_id}`))
      yield* expectBody(200, caller.delete(`/lists/${list_id}`))
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: () => Effect.fail(outage) } })))
  )

  it.live("is not deleted while a list waits for its build, or has begun", () => {
    const emailInstructions = gated(fakeWriter.emailInstructions)
    const sequence = gated(fakeWriter.sequence)
    const writer = {
      emailInstructions,
      sequence: (brief: Brief) => (brief.lead.email.startsWith("first") ? fakeWriter.sequence(brief) : sequence(brief))
    }
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(caller)
      const options = { email_count: 1, email_signature: "Ann" }
      const leads = [{ email: "first@company.example" }, { email: "second@company.example" }]
      const kept = Effect.map(expectError(409, "CONFLICT", caller.delete(`/campaigns/${campaign}`)), (detail) => {
        assert.hasAllKeys(detail, ["processing_status"])
        return detail.processing_status
      })
      yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
      assert.strictEqual(yield* kept, "processing")
      yield* emailInstructions.open
      yield* until(kept, (status) => status === "in_progress")
      yield* sequence.open
      yield* until(caller.delete(`/campaigns/${campaign}`), ({ status }) => status === 200)
    }).pipe(Effect.provide(layer({ writer })))
  })

  it.live("is not deleted while one of its lists is in work, nor while a caller waits for one lead", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const lead = { email: "ann@company.example" }
      const options = { email_count: 1, email_signature: "Ann" }
      const kept = Effect.map(expectError(409, "CONFLICT", caller.delete(`/campaigns/${campaign}`)), (detail) =>
        assert.deepStrictEqual(detail, { processing_status: "processing" })
      )
      const waiting = yield* Effect.forkChild(
        expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))
      )
      yield* sequence.started
      yield* kept
      const leads = [lead]
      yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
      yield* kept
      yield* sequence.open
      yield* Fiber.join(waiting)
      yield* until(caller.delete(`/campaigns/${campaign}`), ({ status }) => status === 200)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })
})

describe("a branch", () => {
  const kept: Record<string, ReadonlyArray<string>> = {
    "social-proof": [],
    "lead-magnets": ["social_proof"],
    "risk-reversal": ["social_proof", "lead_magnet"],
    "value-propositions": ["social_proof", "lead_magnet", "risk_reversal"]
  }

  it.live.each(Object.entries(kept))("from %s keeps the audience and the choices before it", ([step, types]) =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const before = yield* chosen(caller, source)
      const id = yield* branched(caller, source, step)
      const after = yield* chosen(caller, id)
      assert.deepStrictEqual(after.target_audience, before.target_audience)
      for (const [type, selection] of Object.entries(after.selections)) {
        assert.deepStrictEqual(selection, types.includes(type) ? before.selections[type] : null, type)
      }
      assert.hasAllKeys(after.selections, ["social_proof", "lead_magnet", "risk_reversal", "value_proposition"])
      const stage = (type: string) => (types.includes(type) ? "ready" : "pending")
      assert.deepStrictEqual(yield* buildStatusOf(caller, id), {
        campaign_id: id,
        overall: "draft",
        stages: {
          target_audience: "ready",
          social_proof: stage("social_proof"),
          lead_magnet: stage("lead_magnet"),
          risk_reversal: stage("risk_reversal"),
          value_proposition: "pending"
        }
      })
      // The options of the source's last step are its own.
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`/campaigns/${id}/assets/value_proposition/options`)), {
        asset_type: "value_proposition",
        ready: false,
        options: []
      })
      const { documents } = yield* expectBody(200, caller.get(`/campaigns/${id}/documents`))
      assert.deepStrictEqual(
        documents.map(({ status }: { readonly status: string }) => status),
        ["ready", "unavailable", "unavailable"]
      )

      const rest = ["social_proof", "lead_magnet", "risk_reversal"].filter((type) => !types.includes(type))
      for (const type of rest) yield* selectOption(caller, id, type)
      const made = yield* expectBody(202, caller.post(`/campaigns/${id}/assets/value_proposition/generate`))
      yield* awaitJob(caller, made.id)
      const { job: build } = yield* selectOption(caller, id, "value_proposition")
      yield* awaitJob(caller, build.id)
      assert.strictEqual((yield* buildStatusOf(caller, id)).overall, "ready")
      assert.strictEqual((yield* buildStatusOf(caller, source)).overall, "ready")
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.total_credits_used_all_time, 0)
    }).pipe(Effect.provide(layer()))
  )

  it.live("takes the audience it has again as nothing new", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const branch = yield* branched(caller, yield* builtCampaign(caller), "risk-reversal")
      const before = yield* buildStatusOf(caller, branch)
      const again = yield* selectAudience(caller, branch)
      assert.deepStrictEqual(yield* buildStatusOf(caller, branch), before)
      // The research came with the branch, so the job that stands for it is done.
      assert.strictEqual((yield* expectBody(200, caller.get(`/jobs/${again.id}`))).status, "completed")
      yield* assertConsistent
    }).pipe(Effect.provide(layer()))
  )

  it.live("from target-audience takes the new one and leaves everything after it open", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const target_audience = { segment_name: "Harbours", decision_makers: ["Harbour master"] }
      const from = { name: "B", branch_from_step: "target-audience" }
      yield* expectError(400, "BAD_REQUEST", caller.post(`/campaigns/${source}/branch`, from))
      for (const id of [undefined, null]) {
        const sent = { ...from, target_audience: { ...target_audience, id }, is_custom_target_audience: false }
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/campaigns/${source}/branch`, sent))
      }
      const before = yield* chosen(caller, source)
      const id = yield* branched(caller, source, "target-audience", {
        target_audience,
        is_custom_target_audience: true
      })
      const after = yield* chosen(caller, id)
      assert.deepInclude(after.target_audience, { ...target_audience, source: "custom" })
      assert.isTrue(Object.values(after.selections).every((selection) => selection === null))
      yield* until(buildStatusOf(caller, id), ({ stages }) => stages.target_audience === "ready")
      assert.deepStrictEqual(yield* buildStatusOf(caller, id), {
        campaign_id: id,
        overall: "draft",
        stages: {
          target_audience: "ready",
          social_proof: "pending",
          lead_magnet: "pending",
          risk_reversal: "pending",
          value_proposition: "pending"
        }
      })
      assert.deepStrictEqual(yield* chosen(caller, source), before)
    }).pipe(Effect.provide(layer()))
  )

  it.live("from target-audience takes a saved segment by its id, and none of another workspace", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const [, quarries] = (yield* expectBody(200, caller.get("/target-audiences"))).data
      const ask = (target_audience: object) =>
        caller.post(`/campaigns/${source}/branch`, { name: "B", branch_from_step: "target-audience", target_audience })
      const { id } = yield* expectBody(201, ask({ id: quarries.id, segment_name: "Quarries", company_size: "50+" }))
      const { target_audience } = yield* chosen(caller, id)
      assert.deepStrictEqual(target_audience, { ...quarries, company_size: "50+" })
      const { issues } = yield* expectError(400, "BAD_REQUEST", ask({ id: quarries.id }))
      assert.strictEqual(issues[0].path, "target_audience.segment_name")
      const [foreign] = (yield* expectBody(200, (yield* onboardedCaller()).get("/target-audiences"))).data
      for (const id of [foreign.id, unknownId, "x"])
        yield* expectError(404, "NOT_FOUND", ask({ id, segment_name: "Mines" }))
      // What was refused has made no campaign and counts as no build.
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("of a source whose research is under way has research of its own", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* createCampaign(caller)
      yield* selectAudience(caller, source)
      yield* audienceResearch.started
      // A target audience that is sent for another step means nothing.
      const id = yield* branched(caller, source, "value-propositions", { target_audience: { segment_name: "Mines" } })
      assert.strictEqual((yield* buildStatusOf(caller, id)).stages.target_audience, "pending")
      yield* expectBody(200, caller.delete(`/campaigns/${source}`))
      yield* audienceResearch.open
      yield* until(buildStatusOf(caller, id), ({ stages }) => stages.target_audience === "ready")
      assert.strictEqual((yield* chosen(caller, id)).target_audience.segment_name, "Mines")
    }).pipe(Effect.provide(layer({ writer: { audienceResearch } })))
  })

  it.live("needs a source with an audience, a known step and a campaign build left", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "free" })
      const empty = yield* createCampaign(caller)
      const from = { name: "B", branch_from_step: "lead-magnets" }
      const custom = { target_audience: { segment_name: "Mines" }, is_custom_target_audience: true }
      for (const step of ["target-audience", ...Object.keys(kept)]) {
        const sent = { ...from, branch_from_step: step, ...custom }
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/campaigns/${empty}/branch`, sent))
      }
      for (const step of ["x", "lead_magnets", "LEAD-MAGNETS", "", null, undefined]) {
        const sent = { name: "B", branch_from_step: step }
        const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post(`/campaigns/${empty}/branch`, sent))
        assert.strictEqual(issues[0].path, "branch_from_step")
      }
      for (const sent of [from, { ...from, branch_from_step: "x" }]) {
        const answer = yield* caller.post(`/campaigns/${unknownId}/branch`, sent)
        assert.strictEqual(answer.status, sent === from ? 404 : 400)
      }
      const source = yield* builtCampaign(caller)
      yield* branched(caller, source, "lead-magnets")
      const unknown = { target_audience: { id: unknownId, segment_name: "Mines" } }
      yield* expectError(
        404,
        "NOT_FOUND",
        caller.post(`/campaigns/${source}/branch`, { ...from, ...unknown, branch_from_step: "target-audience" })
      )
      // The state is asked before the plan, to which campaigns that are gone have been built all the same.
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/campaigns/${empty}/branch`, from))
      yield* expectBody(200, caller.delete(`/campaigns/${empty}`))
      const detail = yield* expectError(403, "FORBIDDEN", caller.post(`/campaigns/${source}/branch`, from))
      assert.deepStrictEqual(detail, { reason: "campaign_build_limit", limit: 3, used: 3 })
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is made once under an Idempotency-Key", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const asked = idempotentJson("b", { name: "B", branch_from_step: "lead-magnets" })
      const send = caller.send("POST", `/campaigns/${source}/branch`, asked)
      assert.strictEqual((yield* send).text, (yield* send).text)
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )
})
