// test/campaigns.test.ts: selections of campaigns, and renaming, deleting and branching them.
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

const selectionsOf = (caller: Caller, campaign: string) =>
  expectBody(200, caller.get(`/campaigns/${campaign}/selections`))

const createBranch = Effect.fnUntraced(function* (
  caller: Caller,
  campaign: string,
  branch_from_step: string,
  extraFields = {}
) {
  const answer = yield* expectBody(
    201,
    caller.post(`/campaigns/${campaign}/branch`, { name: "Branch", branch_from_step, ...extraFields })
  )
  assert.hasAllKeys(answer, ["id", "source_campaign_id"])
  assert.strictEqual(answer.source_campaign_id, campaign)
  return answer.id as string
})

describe("a campaign", () => {
  it.live("shows its selections with edits, and null where nothing is selected", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const noSelections = { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null }
      assert.deepStrictEqual(yield* selectionsOf(caller, campaign), {
        campaign_id: campaign,
        target_audience: null,
        selections: noSelections
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
      const { selections } = yield* selectionsOf(caller, campaign)
      const { updated_at, ...selection } = selections.social_proof
      assert.match(updated_at, iso)
      assert.deepStrictEqual(selection, {
        items: [{ id, name: "Ours", description, type: "social_proof" }],
        additional_details: "Mention it once"
      })
      assert.deepStrictEqual(selections, { ...noSelections, social_proof: selections.social_proof })
    }).pipe(Effect.provide(layer()))
  )

  it.live("shows the latest selection of each step, in the submitted order", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const [firstOption, secondOption] = yield* assetOptions(caller, campaign, "lead_magnet")
      const [firstId = "", secondId = ""] = [firstOption?.id, secondOption?.id]
      const submit = (selection: object) =>
        expectBody(200, caller.put(`/campaigns/${campaign}/assets/lead_magnet/selection`, selection))
      const storedSelection = Effect.map(selectionsOf(caller, campaign), ({ selections }) => {
        const { items, additional_details } = selections.lead_magnet
        return [items, additional_details]
      })
      const edits = { edited_names: { [firstId]: " Ours " }, edited_descriptions: { [secondId]: "In other words" } }
      yield* submit({ selected_ids: [secondId, firstId, secondId], ...edits, additional_details: "Once" })
      assert.deepStrictEqual(yield* storedSelection, [
        [
          { ...secondOption, description: "In other words" },
          { ...firstOption, name: "Ours" }
        ],
        "Once"
      ])
      yield* submit({ selected_ids: [firstId] })
      assert.deepStrictEqual(yield* storedSelection, [[firstOption], null])
      yield* submit({ selected_ids: [] })
      assert.deepStrictEqual(yield* storedSelection, [[], null])
      yield* submit({
        selected_ids: [firstId],
        edited_names: null,
        edited_descriptions: null,
        additional_details: null
      })
      assert.deepStrictEqual(yield* storedSelection, [[firstOption], null])
      yield* expectError(400, "BAD_REQUEST", caller.put(`/campaigns/${campaign}/assets/lead_magnet/selection`, {}))
      assert.deepStrictEqual(yield* storedSelection, [[firstOption], null])
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

  it.live("has a trimmed name of 1 to 200 characters on create, rename and branch", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      yield* selectAudience(caller, campaign)
      const requests = [
        [201, (name: unknown) => caller.post("/campaigns", { name })],
        [200, (name: unknown) => caller.patch(`/campaigns/${campaign}`, { name })],
        [
          201,
          (name: unknown) => caller.post(`/campaigns/${campaign}/branch`, { name, branch_from_step: "lead-magnets" })
        ]
      ] as const
      for (const [status, sendName] of requests) {
        for (const name of [undefined, null, 5, "", " \t\n ", "x".repeat(201), "😀".repeat(201)]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", sendName(name))
          assert.strictEqual(issues[0].path, "name")
        }
        for (const name of ["x", ` ${"x".repeat(200)} `, "😀".repeat(200)]) {
          const { id } = yield* expectBody(status, sendName(name))
          const { campaigns } = yield* expectBody(200, caller.get("/campaigns"))
          assert.strictEqual(campaigns.find((entry: { readonly id: string }) => entry.id === id).name, name.trim())
        }
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("is deleted, and its lists stay readable without a campaign", () =>
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

  it.live("is deleted with all of its data and nothing of another campaign", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const [campaign, other] = [yield* builtCampaign(caller), yield* builtCampaign(caller)]
      const options = { email_count: 1, email_signature: "Ann" }
      const askAgent = (campaign_id: string) =>
        expectBody(200, caller.post("/agent/chat", { message: "What?", campaign_id }))
      const preview = (id: string) =>
        caller.post(`/campaigns/${id}/preview`, { sample: { headers: ["Email"] }, options })
      const list_id = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list_id)
      for (const id of [campaign, other]) yield* expectBody(200, preview(id))
      const { conversation_id } = yield* askAgent(campaign)
      yield* askAgent(other)
      const { id: research } = yield* selectAudience(caller, campaign)
      const { documents } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/documents`))
      const exported = yield* caller.get(`/lists/${list_id}/export`)
      const ledger = yield* (yield* Credits).ledger(caller.workspace)
      const credits = yield* expectBody(200, caller.get("/credits"))
      const otherCampaignState = Effect.all([
        selectionsOf(caller, other),
        buildStatusOf(caller, other),
        assetOptions(caller, other, "value_proposition"),
        expectBody(200, caller.get(`/conversations?campaign_id=${other}`)),
        sql`SELECT id FROM previews WHERE campaign_id = ${other}`,
        sql`SELECT id, content FROM campaign_documents WHERE campaign_id = ${other} ORDER BY id`,
        sql`SELECT id FROM jobs WHERE subject = ${other} ORDER BY id`
      ])
      const before = yield* otherCampaignState

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
      for (const request of [
        caller.delete(`/campaigns/${campaign}`),
        caller.get(`/campaigns/${campaign}/selections`),
        caller.get(`/campaigns/${campaign}/documents`),
        caller.get(`/jobs/${research}`),
        caller.get(`/conversations/${conversation_id}/messages`),
        caller.get(`/../..${documents[0].download_url}`)
      ]) {
        yield* expectError(404, "NOT_FOUND", request)
      }
      assert.deepStrictEqual(yield* otherCampaignState, before)
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

  it.live("that is deleted during research does not come back", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const { id } = yield* selectAudience(caller, campaign)
      yield* audienceResearch.started
      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      yield* audienceResearch.open
      const secondCampaign = yield* builtCampaign(caller)
      yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${id}`))
      assert.deepStrictEqual(
        (yield* expectBody(200, caller.get("/campaigns"))).campaigns.map((entry: { readonly id: string }) => entry.id),
        [secondCampaign]
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM campaign_documents WHERE campaign_id = ${campaign}`, [])
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { audienceResearch } })))
  })

  it.live("can be deleted while a list is pending, and the list stays pending and can be deleted", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const list_id = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list_id, "pending")
      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      assert.deepInclude(yield* getList(caller, list_id), { campaign_id: null, processing_status: "pending" })
      // Its batch is still pending, but its campaign no longer exists.
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${list_id}`))
      yield* expectBody(200, caller.delete(`/lists/${list_id}`))
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: () => Effect.fail(outage) } })))
  )

  it.live("cannot be deleted while a list waits for the build or is being written", () => {
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
      const deletionConflict = Effect.map(
        expectError(409, "CONFLICT", caller.delete(`/campaigns/${campaign}`)),
        (detail) => {
          assert.hasAllKeys(detail, ["processing_status"])
          return detail.processing_status
        }
      )
      yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
      assert.strictEqual(yield* deletionConflict, "processing")
      yield* emailInstructions.open
      yield* until(deletionConflict, (status) => status === "in_progress")
      yield* sequence.open
      yield* until(caller.delete(`/campaigns/${campaign}`), ({ status }) => status === 200)
    }).pipe(Effect.provide(layer({ writer })))
  })

  it.live("cannot be deleted while a list or a single lead is being written", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const lead = { email: "ann@company.example" }
      const options = { email_count: 1, email_signature: "Ann" }
      const deletionConflict = Effect.map(
        expectError(409, "CONFLICT", caller.delete(`/campaigns/${campaign}`)),
        (detail) => assert.deepStrictEqual(detail, { processing_status: "processing" })
      )
      const request = yield* Effect.forkChild(
        expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))
      )
      yield* sequence.started
      yield* deletionConflict
      const leads = [lead]
      yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
      yield* deletionConflict
      yield* sequence.open
      yield* Fiber.join(request)
      yield* until(caller.delete(`/campaigns/${campaign}`), ({ status }) => status === 200)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })
})

describe("a branch", () => {
  const keptSelections: Record<string, ReadonlyArray<string>> = {
    "social-proof": [],
    "lead-magnets": ["social_proof"],
    "risk-reversal": ["social_proof", "lead_magnet"],
    "value-propositions": ["social_proof", "lead_magnet", "risk_reversal"]
  }

  it.live.each(Object.entries(keptSelections))(
    "from %s keeps the audience and the choices before it",
    ([step, types]) =>
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const source = yield* builtCampaign(caller)
        const before = yield* selectionsOf(caller, source)
        const id = yield* createBranch(caller, source, step)
        const after = yield* selectionsOf(caller, id)
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
        // Value propositions of the source are not copied.
        assert.deepStrictEqual(
          yield* expectBody(200, caller.get(`/campaigns/${id}/assets/value_proposition/options`)),
          {
            asset_type: "value_proposition",
            ready: false,
            options: []
          }
        )
        const { documents } = yield* expectBody(200, caller.get(`/campaigns/${id}/documents`))
        assert.deepStrictEqual(
          documents.map(({ status }: { readonly status: string }) => status),
          ["ready", "unavailable", "unavailable"]
        )

        const missingTypes = ["social_proof", "lead_magnet", "risk_reversal"].filter((type) => !types.includes(type))
        for (const type of missingTypes) yield* selectOption(caller, id, type)
        const generateJob = yield* expectBody(202, caller.post(`/campaigns/${id}/assets/value_proposition/generate`))
        yield* awaitJob(caller, generateJob.id)
        const { job: build } = yield* selectOption(caller, id, "value_proposition")
        yield* awaitJob(caller, build.id)
        assert.strictEqual((yield* buildStatusOf(caller, id)).overall, "ready")
        assert.strictEqual((yield* buildStatusOf(caller, source)).overall, "ready")
        assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.total_credits_used_all_time, 0)
      }).pipe(Effect.provide(layer()))
  )

  it.live("does not change when its audience is submitted again", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const branch = yield* createBranch(caller, yield* builtCampaign(caller), "risk-reversal")
      const before = yield* buildStatusOf(caller, branch)
      const job = yield* selectAudience(caller, branch)
      assert.deepStrictEqual(yield* buildStatusOf(caller, branch), before)
      // The research was copied with the branch, so the job is already completed.
      assert.strictEqual((yield* expectBody(200, caller.get(`/jobs/${job.id}`))).status, "completed")
      yield* assertConsistent
    }).pipe(Effect.provide(layer()))
  )

  it.live("from target-audience uses the new audience and keeps no selections", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const target_audience = { segment_name: "Harbours", decision_makers: ["Harbour master"] }
      const branchRequest = { name: "B", branch_from_step: "target-audience" }
      yield* expectError(400, "BAD_REQUEST", caller.post(`/campaigns/${source}/branch`, branchRequest))
      for (const id of [undefined, null]) {
        const request = {
          ...branchRequest,
          target_audience: { ...target_audience, id },
          is_custom_target_audience: false
        }
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/campaigns/${source}/branch`, request))
      }
      const before = yield* selectionsOf(caller, source)
      const id = yield* createBranch(caller, source, "target-audience", {
        target_audience,
        is_custom_target_audience: true
      })
      const after = yield* selectionsOf(caller, id)
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
      assert.deepStrictEqual(yield* selectionsOf(caller, source), before)
    }).pipe(Effect.provide(layer()))
  )

  it.live("from target-audience accepts a saved segment of the same workspace by its id", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const [, quarries] = (yield* expectBody(200, caller.get("/target-audiences"))).data
      const requestBranch = (target_audience: object) =>
        caller.post(`/campaigns/${source}/branch`, { name: "B", branch_from_step: "target-audience", target_audience })
      const { id } = yield* expectBody(
        201,
        requestBranch({ id: quarries.id, segment_name: "Quarries", company_size: "50+" })
      )
      const { target_audience } = yield* selectionsOf(caller, id)
      assert.deepStrictEqual(target_audience, { ...quarries, company_size: "50+" })
      const { issues } = yield* expectError(400, "BAD_REQUEST", requestBranch({ id: quarries.id }))
      assert.strictEqual(issues[0].path, "target_audience.segment_name")
      const [foreignSegment] = (yield* expectBody(200, (yield* onboardedCaller()).get("/target-audiences"))).data
      for (const id of [foreignSegment.id, unknownId, "x"])
        yield* expectError(404, "NOT_FOUND", requestBranch({ id, segment_name: "Mines" }))
      // Refused requests create no campaign and count as no build.
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("of a campaign whose research is in progress runs its own research", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* createCampaign(caller)
      yield* selectAudience(caller, source)
      yield* audienceResearch.started
      // A target audience is ignored when branching from another step.
      const id = yield* createBranch(caller, source, "value-propositions", {
        target_audience: { segment_name: "Mines" }
      })
      assert.strictEqual((yield* buildStatusOf(caller, id)).stages.target_audience, "pending")
      yield* expectBody(200, caller.delete(`/campaigns/${source}`))
      yield* audienceResearch.open
      yield* until(buildStatusOf(caller, id), ({ stages }) => stages.target_audience === "ready")
      assert.strictEqual((yield* selectionsOf(caller, id)).target_audience.segment_name, "Mines")
    }).pipe(Effect.provide(layer({ writer: { audienceResearch } })))
  })

  it.live("requires a source with an audience, a known step and a remaining campaign build", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "free" })
      const campaignWithoutAudience = yield* createCampaign(caller)
      const branchRequest = { name: "B", branch_from_step: "lead-magnets" }
      const custom = { target_audience: { segment_name: "Mines" }, is_custom_target_audience: true }
      for (const step of ["target-audience", ...Object.keys(keptSelections)]) {
        const request = { ...branchRequest, branch_from_step: step, ...custom }
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/campaigns/${campaignWithoutAudience}/branch`, request))
      }
      for (const step of ["x", "lead_magnets", "LEAD-MAGNETS", "", null, undefined]) {
        const request = { name: "B", branch_from_step: step }
        const { issues } = yield* expectError(
          400,
          "BAD_REQUEST",
          caller.post(`/campaigns/${campaignWithoutAudience}/branch`, request)
        )
        assert.strictEqual(issues[0].path, "branch_from_step")
      }
      for (const request of [branchRequest, { ...branchRequest, branch_from_step: "x" }]) {
        const answer = yield* caller.post(`/campaigns/${unknownId}/branch`, request)
        assert.strictEqual(answer.status, request === branchRequest ? 404 : 400)
      }
      const source = yield* builtCampaign(caller)
      yield* createBranch(caller, source, "lead-magnets")
      const unknownSegment = { target_audience: { id: unknownId, segment_name: "Mines" } }
      yield* expectError(
        404,
        "NOT_FOUND",
        caller.post(`/campaigns/${source}/branch`, {
          ...branchRequest,
          ...unknownSegment,
          branch_from_step: "target-audience"
        })
      )
      // The campaign's state is checked before the plan's limit, which also counts deleted campaigns.
      yield* expectError(
        422,
        "UNPROCESSABLE",
        caller.post(`/campaigns/${campaignWithoutAudience}/branch`, branchRequest)
      )
      yield* expectBody(200, caller.delete(`/campaigns/${campaignWithoutAudience}`))
      const detail = yield* expectError(403, "FORBIDDEN", caller.post(`/campaigns/${source}/branch`, branchRequest))
      assert.deepStrictEqual(detail, { reason: "campaign_build_limit", limit: 3, used: 3 })
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is created once per Idempotency-Key", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const source = yield* builtCampaign(caller)
      const request = idempotentJson("b", { name: "B", branch_from_step: "lead-magnets" })
      const send = caller.send("POST", `/campaigns/${source}/branch`, request)
      assert.strictEqual((yield* send).text, (yield* send).text)
      assert.strictEqual((yield* expectBody(200, caller.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )
})
