// test/campaign-build.test.ts: building a campaign from draft to ready: its states, changes after the build, and failures.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Queue } from "#layers/Queue.ts"
import type { AssetOption } from "#schema/Assets.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, awaitJob, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { failing, gated, outage, recording, refusal } from "./support/faults.ts"
import { withServer, Server, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const earlierSteps = ["social_proof", "lead_magnet", "risk_reversal"] as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const putSelection = (caller: Caller, campaign: string, type: string, selection: unknown) =>
  caller.put(`/campaigns/${campaign}/assets/${type}/selection`, selection)

const generateValuePropositions = (caller: Caller, campaign: string) =>
  caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`)

describe("a new campaign", () => {
  const make = (caller: Caller, name: unknown = "Spring") => caller.post("/campaigns", { name })

  it.live("is a draft with all stages pending", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { id, ...created } = yield* expectBody(201, make(acme, "  Spring "))
      assert.match(id, uuid)
      assert.deepStrictEqual(created, { name: "Spring", status: "draft" })
      assert.deepStrictEqual(yield* Campaigns.buildStatusOf(acme, id), {
        campaign_id: id,
        overall: "draft",
        stages: {
          target_audience: "pending",
          social_proof: "pending",
          lead_magnet: "pending",
          risk_reversal: "pending",
          value_proposition: "pending"
        }
      })
      const { campaigns } = yield* expectBody(200, acme.get("/campaigns"))
      const { created_at, ...entry } = campaigns[0]
      assert.match(created_at, iso)
      // What it does not have yet is left out.
      assert.deepStrictEqual(entry, { id, name: "Spring", overall: "draft" })
      yield* expectBody(201, make(acme, "x".repeat(200)))
      for (const name of ["", " ", "x".repeat(201), 5, null]) yield* expectError(400, "BAD_REQUEST", make(acme, name))
      assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).total, 2)
    }).pipe(withServer())
  )

  it.live.each([
    { unready: [], segments: 0, missing: ["target_audiences"] },
    { unready: ["market_research"], segments: 1, missing: ["company_documents"] },
    { unready: ["company_summary"], segments: 1, missing: ["company_summary", "company_documents"] },
    {
      unready: ["company_summary", "market_research"],
      segments: 0,
      missing: ["company_summary", "company_documents", "target_audiences"]
    }
  ])("is refused while the workspace is not ready: $missing", ({ missing, segments, unready }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller({ plan: "free" })
      yield* sql`UPDATE workspace_documents SET status = 'unavailable' WHERE ${sql.in("type", unready)}`
      if (segments === 0) yield* sql`DELETE FROM target_audiences`
      for (let i = 0; i < 4; i++) {
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", make(acme)), { missing })
      }
      yield* expectError(400, "BAD_REQUEST", make(acme, ""))
      // Refused requests do not count as builds.
      yield* sql`UPDATE workspace_documents SET status = 'ready'`
      const other = yield* onboardedCaller()
      yield* sql`UPDATE target_audiences SET workspace_id = ${acme.workspace} WHERE workspace_id = ${other.workspace}`
      for (let i = 0; i < 3; i++) yield* expectBody(201, make(acme))
    }).pipe(withServer())
  )

  it.live("counts against the plan's limit, also under concurrent requests", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller({ plan: "free" })
      const responses = yield* Effect.forEach(Array.from({ length: 8 }), () => make(acme), { concurrency: "unbounded" })
      assert.deepStrictEqual(responses.map(({ status }) => status).toSorted(), [201, 201, 201, 403, 403, 403, 403, 403])
      assert.deepStrictEqual(yield* expectError(403, "FORBIDDEN", make(acme)), {
        reason: "campaign_build_limit",
        limit: 3,
        used: 3
      })
      assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).total, 3)
      // Builds of another workspace do not count.
      yield* expectBody(201, make(yield* onboardedCaller({ plan: "free" })))
      yield* expectError(409, "NOT_READY", make(yield* newCaller({ plan: "none" })))
      assert.deepStrictEqual(yield* expectError(403, "FORBIDDEN", make(yield* onboardedCaller({ plan: "none" }))), {
        reason: "campaign_build_limit",
        limit: 0,
        used: 0
      })
    }).pipe(withServer())
  )
})

it.live("a campaign is built step by step, and costs nothing", () => {
  const audienceResearch = gated(fakeWriter.audienceResearch)
  const valuePropositions = gated(fakeWriter.valuePropositions)
  const emailInstructions = gated(fakeWriter.emailInstructions)
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const campaign = yield* Campaigns.createCampaign(acme)
    const currentState = Effect.map(Campaigns.buildStatusOf(acme, campaign), ({ overall, stages }) => [
      overall,
      ...["target_audience", ...earlierSteps, "value_proposition"].map((stage) => stages[stage])
    ])
    const jobOf = (id: string) => expectBody(200, acme.get(`/jobs/${id}`))
    const assertProcessing = Effect.fnUntraced(function* (id: string, type: string) {
      const { created_at, updated_at, ...job } = yield* jobOf(id)
      assert.match(created_at, iso)
      assert.match(updated_at, iso)
      assert.deepStrictEqual(job, { id, type, status: "processing", progress: null, result: null, error: null })
    })

    const research = yield* Campaigns.selectAudience(acme, campaign)
    yield* audienceResearch.started
    yield* assertProcessing(research.id, "campaign.target_audience")
    assert.deepStrictEqual(yield* currentState, ["draft", "pending", "pending", "pending", "pending", "pending"])

    // The other steps do not wait for the research.
    for (const [i, type] of earlierSteps.entries()) {
      assert.deepStrictEqual(yield* Campaigns.selectOption(acme, campaign, type), { asset_type: type, items_stored: 1 })
      assert.deepStrictEqual(yield* currentState, [
        "draft",
        "pending",
        ...earlierSteps.map((_, j) => (j <= i ? "ready" : "pending")),
        "pending"
      ])
    }
    assert.deepStrictEqual(
      yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/value_proposition/options`)),
      {
        asset_type: "value_proposition",
        ready: false,
        options: []
      }
    )
    const { id: optionsJob, ...generateJob } = yield* expectBody(202, generateValuePropositions(acme, campaign))
    assert.deepStrictEqual(generateJob, { type: "campaign.value_propositions", status: "processing" })
    yield* assertProcessing(optionsJob, "campaign.value_propositions")
    assert.deepStrictEqual(yield* currentState, ["draft", "pending", "ready", "ready", "ready", "processing"])

    yield* audienceResearch.open
    assert.strictEqual((yield* awaitJob(acme, research.id)).status, "completed")
    yield* valuePropositions.started
    assert.deepStrictEqual(yield* currentState, ["draft", "ready", "ready", "ready", "ready", "processing"])
    assert.isFalse((yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/value_proposition/options`))).ready)
    yield* expectError(
      409,
      "NOT_READY",
      putSelection(acme, campaign, "value_proposition", { selected_ids: [unknownId] })
    )

    yield* valuePropositions.open
    assert.strictEqual((yield* awaitJob(acme, optionsJob)).status, "completed")
    assert.deepStrictEqual(yield* currentState, ["draft", "ready", "ready", "ready", "ready", "pending"])
    const optionList = yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/value_proposition/options`))
    assert.isTrue(optionList.ready)
    assert.deepStrictEqual(
      optionList.options.map(({ description, name, type }: AssetOption) => ({ name, description, type })),
      ["Save time", "Save money", "Sleep well"].map((name) => ({
        name,
        description: `${name}, described`,
        type: "value_proposition"
      }))
    )

    const { job: build, ...answer } = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
    assert.deepStrictEqual(answer, { asset_type: "value_proposition", items_stored: 1 })
    const { id: buildId, ...buildJob } = build
    assert.deepStrictEqual(buildJob, { type: "campaign.build", status: "processing" })
    yield* emailInstructions.started
    yield* assertProcessing(buildId, "campaign.build")
    assert.deepStrictEqual(yield* currentState, ["building", "ready", "ready", "ready", "ready", "ready"])
    assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).campaigns[0].overall, "building")

    yield* emailInstructions.open
    const finishedJob = yield* awaitJob(acme, buildId)
    assert.deepInclude(finishedJob, { status: "completed", error: null })
    assert.deepStrictEqual(yield* currentState, ["ready", "ready", "ready", "ready", "ready", "ready"])
    assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).campaigns[0].overall, "ready")
    const credits = yield* expectBody(200, acme.get("/credits"))
    assert.deepInclude(credits, { balance: 5000 })
    assert.strictEqual(credits.usage.total_credits_used_all_time, 0)
    yield* assertConsistent
  }).pipe(withServer({ writer: { audienceResearch, valuePropositions, emailInstructions } }))
})

describe("value propositions", () => {
  it.live("are generated once the steps before them are there", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const missing = ["target_audience", ...earlierSteps]
      for (const type of earlierSteps) {
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", generateValuePropositions(acme, campaign)), {
          missing
        })
        yield* Campaigns.selectOption(acme, campaign, type)
        missing.splice(1, 1)
      }
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", generateValuePropositions(acme, campaign)), {
        missing: ["target_audience"]
      })
      yield* Campaigns.selectAudience(acme, campaign)
      yield* expectBody(202, generateValuePropositions(acme, campaign))
    }).pipe(withServer())
  )

  it.live("are generated once for concurrent requests", () => {
    const valuePropositions = gated(recording(fakeWriter.valuePropositions))
    const recorder = recording(valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
      const jobs = yield* Effect.forEach(
        Array.from({ length: 6 }),
        () => expectBody(202, generateValuePropositions(acme, campaign)),
        {
          concurrency: "unbounded"
        }
      )
      const [{ id }] = jobs
      assert.deepStrictEqual(
        jobs,
        jobs.map(() => ({ id, type: "campaign.value_propositions", status: "processing" }))
      )
      yield* valuePropositions.started
      assert.strictEqual((yield* expectBody(202, generateValuePropositions(acme, campaign))).id, id)
      yield* valuePropositions.open
      yield* awaitJob(acme, id)
      assert.lengthOf(recorder.calls, 1)

      const before = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      const { id: newJob } = yield* expectBody(202, generateValuePropositions(acme, campaign))
      assert.notStrictEqual(newJob, id)
      yield* awaitJob(acme, newJob)
      const after = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      assert.lengthOf(after, 3)
      assert.isTrue(after.every((option) => before.every(({ id }) => id !== option.id)))
    }).pipe(withServer({ writer: { valuePropositions: recorder } }))
  })

  it.live("wait for the research of their segment, and do not delay other campaigns", () => {
    const minesResearch = gated(fakeWriter.audienceResearch)
    const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
      segment.segment_name === "Mines" ? minesResearch(profile, segment) : fakeWriter.audienceResearch(profile, segment)
    const valuePropositions = recording(fakeWriter.valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const startPropositions = Effect.fnUntraced(function* (segment: number) {
        const campaign = yield* Campaigns.createCampaign(acme)
        yield* Campaigns.selectAudience(acme, campaign, segment)
        for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
        const { id } = yield* expectBody(202, generateValuePropositions(acme, campaign))
        return id as string
      })
      const waitingJob = yield* startPropositions(0)
      assert.strictEqual((yield* awaitJob(acme, yield* startPropositions(1))).status, "completed")
      assert.strictEqual((yield* expectBody(200, acme.get(`/jobs/${waitingJob}`))).status, "processing")
      assert.deepStrictEqual(
        valuePropositions.calls.map(([{ audience }]) => audience.segment_name),
        ["Quarries"]
      )
      yield* minesResearch.open
      assert.strictEqual((yield* awaitJob(acme, waitingJob)).status, "completed")
    }).pipe(withServer({ writer: { audienceResearch, valuePropositions } }))
  })

  it.live("belong to their campaign", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const [firstCampaign, secondCampaign] = [
        yield* Campaigns.proposedCampaign(acme),
        yield* Campaigns.proposedCampaign(acme)
      ]
      const [option] = yield* Campaigns.assetOptions(acme, firstCampaign, "value_proposition")
      const detail = yield* expectError(
        400,
        "BAD_REQUEST",
        putSelection(acme, secondCampaign, "value_proposition", { selected_ids: [option?.id] })
      )
      assert.deepStrictEqual(detail, { unknown_ids: [option?.id] })
      yield* expectBody(202, putSelection(acme, firstCampaign, "value_proposition", { selected_ids: [option?.id] }))
    }).pipe(withServer())
  )

  it.live("can be selected only after generation, and at least one is required", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* expectError(
        409,
        "NOT_READY",
        putSelection(acme, campaign, "value_proposition", { selected_ids: [unknownId] })
      )
      const proposed = yield* Campaigns.proposedCampaign(acme)
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        putSelection(acme, proposed, "value_proposition", { selected_ids: [] })
      )
      assert.strictEqual(issues[0].path, "selected_ids")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, proposed)).overall, "draft")
    }).pipe(withServer())
  )
})

it.live("value propositions cannot be selected for a segment whose research failed", () => {
  const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
    segment.segment_name === "Mines" ? fakeWriter.audienceResearch(profile, segment) : Effect.fail(refusal)
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const campaign = yield* Campaigns.proposedCampaign(acme)
    yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign, 1)).id)
    const [option] = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
    const select = putSelection(acme, campaign, "value_proposition", { selected_ids: [option?.id] })
    yield* expectError(409, "NOT_READY", select)
    assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
    yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
    yield* awaitJob(acme, (yield* expectBody(202, select)).job.id)
    assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
  }).pipe(withServer({ writer: { audienceResearch } }))
})

describe("a selection", () => {
  it.live("accepts only options of its step, and ignores duplicates", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const options = yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/lead_magnet/options`))
      assert.deepStrictEqual(Object.keys(options), ["asset_type", "ready", "options"])
      assert.deepInclude(options, { asset_type: "lead_magnet", ready: true })
      const [firstOption, secondOption] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
      assert.deepInclude(firstOption ?? {}, {
        name: "lead_magnet one",
        description: "lead_magnet one, described",
        type: "lead_magnet"
      })
      const [foreignOption] = yield* Campaigns.assetOptions(acme, campaign, "risk_reversal")

      const storedCount = (selected_ids: ReadonlyArray<unknown>) =>
        Effect.map(
          expectBody(200, putSelection(acme, campaign, "lead_magnet", { selected_ids })),
          (answer) => answer.items_stored
        )
      assert.strictEqual(yield* storedCount([firstOption?.id, secondOption?.id]), 2)
      assert.strictEqual(yield* storedCount([firstOption?.id, firstOption?.id, firstOption?.id]), 1)
      assert.strictEqual(yield* storedCount([]), 0)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.lead_magnet, "ready")

      const detail = yield* expectError(
        400,
        "BAD_REQUEST",
        putSelection(acme, campaign, "lead_magnet", {
          selected_ids: ["x", firstOption?.id, foreignOption?.id, "x", "__proto__"]
        })
      )
      assert.deepStrictEqual(detail, { unknown_ids: ["x", foreignOption?.id, "__proto__"] })
      for (const selection of [{}, { selected_ids: null }, { selected_ids: "x" }, { selected_ids: [5] }]) {
        const { issues } = yield* expectError(
          400,
          "BAD_REQUEST",
          putSelection(acme, campaign, "lead_magnet", selection)
        )
        assert.match(issues[0].path, /^selected_ids/)
      }
    }).pipe(withServer())
  )

  it.live("accepts edits only of selected options", () => {
    const emailInstructions = recording(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.proposedCampaign(acme)
      const newCampaign = yield* Campaigns.createCampaign(acme)
      const [firstOption, secondOption] = yield* Campaigns.assetOptions(acme, campaign, "social_proof")
      const [firstId = "", secondId = ""] = [firstOption?.id, secondOption?.id]
      const select = (edits: object) =>
        putSelection(acme, campaign, "social_proof", { selected_ids: [firstId], ...edits })

      for (const field of ["edited_names", "edited_descriptions"]) {
        for (const id of [secondId, unknownId, "x", "__proto__", "constructor"]) {
          const edits = JSON.parse(`{ "${field}": { "${id}": "New" } }`)
          const { issues } = yield* expectError(400, "BAD_REQUEST", select(edits))
          assert.strictEqual(issues[0].path, `${field}.${id}`)
          // The body alone is invalid, so it is refused before the campaign is looked up.
          const editedSelection = { selected_ids: [firstId], ...edits }
          yield* expectError(400, "BAD_REQUEST", putSelection(acme, unknownId, "social_proof", editedSelection))
          yield* expectError(400, "BAD_REQUEST", putSelection(acme, newCampaign, "value_proposition", editedSelection))
        }
        for (const edit of [5, {}, "x".repeat(2001)]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", select({ [field]: { [firstId]: edit } }))
          assert.strictEqual(issues[0].path, `${field}.${firstId}`)
        }
      }
      yield* expectError(400, "BAD_REQUEST", select({ edited_names: { [firstId]: "  " } }))
      yield* expectError(400, "BAD_REQUEST", select({ additional_details: "x".repeat(10_001) }))
      const longestText = "x".repeat(2000)
      yield* expectBody(
        200,
        select({
          edited_names: { [firstId]: longestText },
          edited_descriptions: { [firstId]: longestText },
          additional_details: "x".repeat(10_000)
        })
      )
      yield* expectBody(
        200,
        select({
          edited_names: { [firstId]: "A new name" },
          edited_descriptions: { [firstId]: "A new description" },
          additional_details: "Say it warmly"
        })
      )
      // The options themselves are unchanged.
      assert.deepStrictEqual<unknown>(yield* Campaigns.assetOptions(acme, campaign, "social_proof"), [
        firstOption,
        secondOption
      ])

      const [valueProposition] = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      const { job } = yield* expectBody(
        202,
        putSelection(acme, campaign, "value_proposition", {
          selected_ids: [valueProposition?.id],
          edited_names: { [valueProposition?.id ?? ""]: "Rest" }
        })
      )
      yield* awaitJob(acme, job.id)
      const [[buildInput]] = emailInstructions.calls as [[(typeof emailInstructions.calls)[number][0]]]
      assert.strictEqual(buildInput.audience.segment_name, "Mines")
      assert.deepInclude(buildInput.social_proof?.items[0], { name: "A new name", description: "A new description" })
      assert.strictEqual(buildInput.social_proof?.additional_details, "Say it warmly")
      assert.deepInclude(buildInput.value_proposition?.items[0], { name: "Rest", description: "Save time, described" })
      assert.strictEqual(buildInput.value_proposition?.additional_details, null)
    }).pipe(withServer({ writer: { emailInstructions } }))
  })
})

describe("a campaign that is ready", () => {
  it.live("stays ready when the same selections are submitted again", () => {
    const audienceResearch = recording(fakeWriter.audienceResearch)
    const emailInstructions = recording(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* awaitJob(acme, job)
      const research = yield* Campaigns.selectAudience(acme, campaign)
      assert.strictEqual((yield* Campaigns.selectAudience(acme, campaign)).id, research.id)
      for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
      const [option] = yield* Campaigns.assetOptions(acme, campaign, "social_proof")
      const sameSelection = {
        selected_ids: [option?.id, option?.id],
        edited_names: { [option?.id ?? ""]: option?.name },
        edited_descriptions: null,
        additional_details: null
      }
      yield* expectBody(200, putSelection(acme, campaign, "social_proof", sameSelection))
      assert.strictEqual((yield* Campaigns.selectOption(acme, campaign, "value_proposition")).job.id, job)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
      assert.lengthOf(audienceResearch.calls, 1)
      assert.lengthOf(emailInstructions.calls, 1)
    }).pipe(withServer({ writer: { audienceResearch, emailInstructions } }))
  })

  const changes: {
    readonly [what: string]: (acme: Caller, campaign: string) => Effect.Effect<unknown, never, Queue>
  } = {
    "another target audience": (acme, campaign) => Campaigns.selectAudience(acme, campaign, 1),
    "a changed target audience": (acme, campaign) =>
      Effect.gen(function* () {
        const { data } = yield* expectBody(200, acme.get("/target-audiences"))
        const target_audience = { id: data[0].id, segment_name: data[0].segment_name, company_size: "500+" }
        yield* expectBody(202, acme.post(`/campaigns/${campaign}/target-audience`, { target_audience }))
      }),
    "another social proof": (acme, campaign) => Campaigns.selectOption(acme, campaign, "social_proof", 1),
    "another lead magnet": (acme, campaign) => Campaigns.selectOption(acme, campaign, "lead_magnet", 1),
    "no risk reversal": (acme, campaign) =>
      expectBody(200, putSelection(acme, campaign, "risk_reversal", { selected_ids: [] })),
    "other remarks": (acme, campaign) =>
      Effect.gen(function* () {
        const [option] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
        const selection = { selected_ids: [option?.id], additional_details: "Shorter" }
        yield* expectBody(200, putSelection(acme, campaign, "lead_magnet", selection))
      }),
    "other words": (acme, campaign) =>
      Effect.gen(function* () {
        const [option] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
        const selection = { selected_ids: [option?.id], edited_descriptions: { [option?.id ?? ""]: "Other words" } }
        yield* expectBody(200, putSelection(acme, campaign, "lead_magnet", selection))
      }),
    "new value propositions": (acme, campaign) =>
      Effect.gen(function* () {
        const { id } = yield* expectBody(202, generateValuePropositions(acme, campaign))
        yield* awaitJob(acme, id)
      })
  }
  const lastingChanges = ["another target audience", "a changed target audience", "new value propositions"]

  it.live.each(Object.keys(changes))(
    "is a draft again after %s, until value propositions are selected again",
    (change) => {
      const emailInstructions = recording(fakeWriter.emailInstructions)
      return Effect.gen(function* () {
        const acme = yield* onboardedCaller()
        const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
        yield* awaitJob(acme, job)
        yield* changes[change]?.(acme, campaign) ?? Effect.die(change)
        const { overall, stages } = yield* Campaigns.buildStatusOf(acme, campaign)
        assert.deepStrictEqual([overall, stages.value_proposition], ["draft", "pending"])
        yield* expectError(400, "BAD_REQUEST", acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
        yield* expectError(
          400,
          "BAD_REQUEST",
          acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options })
        )
        const sample = { headers: ["Email"] }
        yield* expectError(409, "NOT_READY", acme.post(`/campaigns/${campaign}/preview`, { sample, options }))
        if (!lastingChanges.includes(change)) {
          // Restoring the earlier selections does not restore the build.
          for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
          assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
        }
        const answer = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
        assert.notStrictEqual(answer.job.id, job)
        assert.strictEqual((yield* awaitJob(acme, answer.job.id)).status, "completed")
        assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
        assert.lengthOf(emailInstructions.calls, 2)
        yield* expectBody(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
        yield* assertConsistent
      }).pipe(withServer({ writer: { emailInstructions } }))
    }
  )

  it.live("is built again from other value propositions", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(acme)
      const { job } = yield* Campaigns.selectOption(acme, campaign, "value_proposition", 1)
      assert.include(["building", "ready"], (yield* Campaigns.buildStatusOf(acme, campaign)).overall)
      assert.strictEqual((yield* awaitJob(acme, job.id)).status, "completed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
    }).pipe(withServer())
  )
})

describe("options", () => {
  const optionsOf = (caller: Caller, campaign: string, type: string) =>
    expectBody(200, caller.get(`/campaigns/${campaign}/assets/${type}/options`))

  it.live("of the workspace are not ready while its documents are regenerated", () => {
    const gatedSummary = gated(fakeWriter.companySummary)
    let runs = 0
    const companySummary: typeof fakeWriter.companySummary = (profile) =>
      runs++ === 0 ? fakeWriter.companySummary(profile) : gatedSummary(profile)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      for (const type of earlierSteps) {
        const { asset_type, options, ready, ...rest } = yield* optionsOf(acme, campaign, type)
        assert.deepStrictEqual([asset_type, ready, rest], [type, true, {}])
        assert.deepStrictEqual(
          options.map(({ id, ...option }: AssetOption) => {
            assert.match(id, uuid)
            return option
          }),
          ["one", "two"].map((suffix) => ({
            name: `${type} ${suffix}`,
            description: `${type} ${suffix}, described`,
            type
          }))
        )
      }
      const { id } = yield* expectBody(202, acme.post("/workspace/regenerate"))
      for (const type of earlierSteps) {
        assert.deepStrictEqual(yield* optionsOf(acme, campaign, type), { asset_type: type, ready: false, options: [] })
      }
      yield* gatedSummary.open
      yield* awaitJob(acme, id)
      for (const type of earlierSteps) assert.isTrue((yield* optionsOf(acme, campaign, type)).ready)
    }).pipe(withServer({ writer: { companySummary } }))
  })

  it.live("for value propositions are not ready after generation failed", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
      yield* awaitJob(acme, (yield* expectBody(202, generateValuePropositions(acme, campaign))).id)
      assert.deepStrictEqual(yield* optionsOf(acme, campaign, "value_proposition"), {
        asset_type: "value_proposition",
        ready: false,
        options: []
      })
      yield* expectError(
        409,
        "NOT_READY",
        putSelection(acme, campaign, "value_proposition", { selected_ids: [unknownId] })
      )
    }).pipe(withServer({ writer: { valuePropositions: () => Effect.fail(refusal) } }))
  )
})

it.live("a job stays processing between attempts and ends once", () => {
  const secondAttempt = gated(fakeWriter.audienceResearch)
  const audienceResearch = failing(outage, 1, secondAttempt)
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const {
      id,
      target_audience_id: _,
      ...job
    } = yield* Campaigns.selectAudience(acme, yield* Campaigns.createCampaign(acme))
    assert.deepStrictEqual(job, { type: "campaign.target_audience", status: "processing" })
    yield* secondAttempt.started
    const { created_at, updated_at, ...runningJob } = yield* expectBody(200, acme.get(`/jobs/${id}`))
    assert.deepStrictEqual(runningJob, { id, ...job, progress: null, result: null, error: null })
    yield* Effect.sleep(2)
    yield* secondAttempt.open
    const finishedJob = yield* awaitJob(acme, id)
    assert.deepStrictEqual(finishedJob, {
      ...runningJob,
      status: "completed",
      created_at,
      updated_at: finishedJob.updated_at
    })
    assert.isAbove(Date.parse(finishedJob.updated_at), Date.parse(updated_at))
    assert.isAtLeast(Date.parse(updated_at), Date.parse(created_at))
    assert.deepStrictEqual(yield* expectBody(200, acme.get(`/jobs/${id}`)), finishedJob)
    yield* expectError(404, "NOT_FOUND", (yield* newCaller()).get(`/jobs/${id}`))
  }).pipe(withServer({ writer: { audienceResearch } }))
})

it.live("internal jobs of lists and previews are not exposed as jobs", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const acme = yield* onboardedCaller()
    const campaign = yield* Campaigns.builtCampaign(acme)
    yield* expectBody(202, acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options }))
    yield* expectBody(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
    yield* expectBody(200, acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
    const jobs = yield* sql<{ readonly id: string; readonly type: string }>`SELECT id, type FROM jobs`
    const internalJobs = jobs.filter(({ type }) => !/^(campaign\.(target|value|build)|workspace)/.test(type))
    assert.includeMembers(
      internalJobs.map(({ type }) => type),
      ["list.batch", "list.single", "campaign.preview"]
    )
    for (const { id } of internalJobs) yield* expectError(404, "NOT_FOUND", acme.get(`/jobs/${id}`))
  }).pipe(withServer())
)

describe("work made outdated by a change", () => {
  it.live("value propositions that are retried wait for the research of a newly submitted segment", () => {
    const gatedPropositions = gated(failing(outage, 1, fakeWriter.valuePropositions))
    const secondResearch = gated(fakeWriter.audienceResearch)
    let segments = 0
    const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
      segments++ === 0 ? fakeWriter.audienceResearch(profile, segment) : secondResearch(profile, segment)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"])
        yield* Campaigns.selectOption(acme, campaign, type)
      const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* gatedPropositions.started
      yield* Campaigns.selectAudience(acme, campaign, 1)
      yield* gatedPropositions.open
      yield* secondResearch.started
      yield* until(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT status FROM jobs WHERE id = ${id}`),
        ([job]) => job?.["status"] === "waiting"
      )
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.value_proposition, "processing")
      yield* secondResearch.open
      assert.strictEqual((yield* awaitJob(acme, id)).status, "completed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
    }).pipe(withServer({ writer: { audienceResearch, valuePropositions: gatedPropositions } }))
  })

  it.live("research of a replaced segment is not stored", () => {
    const minesResearch = gated(fakeWriter.audienceResearch)
    const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
      segment.segment_name === "Mines" ? minesResearch(profile, segment) : fakeWriter.audienceResearch(profile, segment)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const firstJob = yield* Campaigns.selectAudience(acme, campaign)
      yield* minesResearch.started
      const secondJob = yield* Campaigns.selectAudience(acme, campaign, 1)
      assert.notStrictEqual(firstJob.id, secondJob.id)
      yield* awaitJob(acme, secondJob.id)
      yield* minesResearch.open
      yield* awaitJob(acme, firstJob.id)
      assert.deepStrictEqual(yield* sql`SELECT content FROM campaign_documents WHERE campaign_id = ${campaign}`, [
        { content: "# Quarries" }
      ])
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.target_audience, "ready")
    }).pipe(withServer({ writer: { audienceResearch } }))
  })

  it.live("a build started before a change does not make the campaign ready", () => {
    const gatedInstructions = gated(fakeWriter.emailInstructions)
    const builtFrom: Array<string | undefined> = []
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) => {
      builtFrom.push(campaign.social_proof?.items[0]?.name)
      return builtFrom.length === 1 ? gatedInstructions(campaign) : fakeWriter.emailInstructions(campaign)
    }
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* gatedInstructions.started
      yield* Campaigns.selectOption(acme, campaign, "social_proof", 1)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
      yield* gatedInstructions.open
      yield* awaitJob(acme, job)
      const { overall, stages } = yield* Campaigns.buildStatusOf(acme, campaign)
      assert.deepStrictEqual([overall, stages.value_proposition], ["draft", "pending"])
      const answer = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, answer.job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
      assert.deepStrictEqual(builtFrom, ["social_proof one", "social_proof two"])
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("a failed build started before a change does not fail the campaign", () => {
    const gatedInstructions = gated(failing(refusal, 1, fakeWriter.emailInstructions))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* gatedInstructions.started
      yield* Campaigns.selectOption(acme, campaign, "social_proof", 1)
      yield* gatedInstructions.open
      assert.strictEqual((yield* awaitJob(acme, job)).status, "failed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
      const answer = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, answer.job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
    }).pipe(withServer({ writer: { emailInstructions: gatedInstructions } }))
  })
})

describe("a build stage that fails", () => {
  const steps = {
    audienceResearch: "target_audience",
    valuePropositions: "value_proposition",
    emailInstructions: "build",
    knowledgeBase: "build"
  } as const
  const names = ["audienceResearch", "valuePropositions", "emailInstructions", "knowledgeBase"] as const

  /** Starts the job of the step, on a new campaign unless one is given. */
  const runStep = Effect.fnUntraced(function* (acme: Caller, step: (typeof names)[number], existingCampaign?: string) {
    const campaign = existingCampaign ?? (yield* Campaigns.createCampaign(acme))
    if (steps[step] === "target_audience")
      return { campaign, job: (yield* Campaigns.selectAudience(acme, campaign)).id }
    if (existingCampaign === undefined) {
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
    }
    if (steps[step] === "value_proposition")
      return { campaign, job: (yield* expectBody(202, generateValuePropositions(acme, campaign))).id }
    if (existingCampaign === undefined)
      yield* awaitJob(acme, (yield* expectBody(202, generateValuePropositions(acme, campaign))).id)
    return { campaign, job: (yield* Campaigns.selectOption(acme, campaign, "value_proposition")).job.id }
  })

  const failingStep = (step: (typeof names)[number], error: GenerationFailed, times: number) => {
    const writer = failing<ReadonlyArray<never>, never>(error, times, (...args) =>
      Reflect.apply(fakeWriter[step], undefined, args)
    )
    return { writer: { [step]: writer }, seen: writer.seen }
  }

  it.live.each(names)("temporarily is retried: %s", (step) => {
    const { seen, writer } = failingStep(step, outage, 2)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* runStep(acme, step)
      assert.deepInclude(yield* awaitJob(acme, job), { status: "completed", error: null })
      assert.notStrictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
      assert.strictEqual(seen.calls, 3)
    }).pipe(withServer({ writer }))
  })

  it.live.each(
    names.flatMap((step) => [
      { step, error: refusal, calls: 1 },
      { step, error: outage, calls: 3 }
    ])
  )("permanently fails the campaign until it is submitted again: $step, $error.message", ({ calls, error, step }) => {
    const { seen, writer } = failingStep(step, error, calls)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* runStep(acme, step)
      assert.deepInclude(yield* awaitJob(acme, job), { status: "failed", result: null, error: error.message })
      assert.strictEqual(seen.calls, calls)
      const { overall, stages } = yield* Campaigns.buildStatusOf(acme, campaign)
      assert.strictEqual(overall, "failed")
      assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).campaigns[0].overall, "failed")
      assert.strictEqual(stages.target_audience, steps[step] === "target_audience" ? "pending" : "ready")
      if (steps[step] === "value_proposition") assert.strictEqual(stages.value_proposition, "failed")
      yield* expectError(400, "BAD_REQUEST", acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      yield* expectError(
        400,
        "BAD_REQUEST",
        acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options })
      )
      if (steps[step] === "target_audience") {
        for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", generateValuePropositions(acme, campaign)), {
          missing: ["target_audience"]
        })
      }

      const retry = yield* runStep(acme, step, campaign)
      assert.notStrictEqual(retry.job, job)
      assert.deepInclude(yield* awaitJob(acme, retry.job), { status: "completed", error: null })
      const expected = steps[step] === "build" ? "ready" : "draft"
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, expected)
      assert.strictEqual((yield* expectBody(200, acme.get(`/jobs/${job}`))).status, "failed")
    }).pipe(withServer({ writer }))
  })

  it.live("because of a bug shows no details to the caller", () => {
    const emailInstructions = () => Effect.die(new Error("secret detail"))
    return Effect.gen(function* () {
      const { logs } = yield* Server
      const acme = yield* onboardedCaller()
      const { job } = yield* Campaigns.buildingCampaign(acme)
      const failedJob = yield* awaitJob(acme, job)
      assert.strictEqual(failedJob.status, "failed")
      assert.isNotEmpty(failedJob.error)
      assert.notInclude(JSON.stringify(failedJob), "secret detail")
      assert.include(logs.join("\n"), "secret detail")
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("fails the value propositions that wait for it, and both can be submitted again", () => {
    const audienceResearch = gated(failing(refusal, 1, fakeWriter.audienceResearch))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlierSteps) yield* Campaigns.selectOption(acme, campaign, type)
      const { id } = yield* expectBody(202, generateValuePropositions(acme, campaign))
      yield* audienceResearch.open
      assert.strictEqual((yield* awaitJob(acme, id)).status, "failed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
      yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
      yield* awaitJob(acme, (yield* expectBody(202, generateValuePropositions(acme, campaign))).id)
      const { job } = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
    }).pipe(withServer({ writer: { audienceResearch } }))
  })

  it.live("during onboarding leaves the workspace not ready and lists what is missing", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.post("/campaigns", { name: "Spring" })), {
        missing: ["company_summary", "company_documents", "target_audiences"]
      })
      yield* assertConsistent
    }).pipe(withServer({ writer: { options: () => Effect.fail(refusal) } }))
  )
})
