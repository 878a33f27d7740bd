// test/build.test.ts: a campaign from its empty shell to readiness: every state on the way, every way back.
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

const earlier = ["social_proof", "lead_magnet", "risk_reversal"] as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const put = (caller: Caller, campaign: string, type: string, sent: unknown) =>
  caller.put(`/campaigns/${campaign}/assets/${type}/selection`, sent)

const propose = (caller: Caller, campaign: string) =>
  caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`)

describe("a new campaign", () => {
  const make = (caller: Caller, name: unknown = "Spring") => caller.post("/campaigns", { name })

  it.live("is a draft with nothing done", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { id, ...made } = yield* expectBody(201, make(acme, "  Spring "))
      assert.match(id, uuid)
      assert.deepStrictEqual(made, { name: "Spring", status: "draft" })
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
  ])("waits for the workspace: $missing", ({ missing, segments, unready }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller({ plan: "free" })
      yield* sql`UPDATE workspace_documents SET status = 'unavailable' WHERE ${sql.in("type", unready)}`
      if (segments === 0) yield* sql`DELETE FROM target_audiences`
      for (let i = 0; i < 4; i++) {
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", make(acme)), { missing })
      }
      yield* expectError(400, "BAD_REQUEST", make(acme, ""))
      // What was refused has not counted as a build.
      yield* sql`UPDATE workspace_documents SET status = 'ready'`
      const other = yield* onboardedCaller()
      yield* sql`UPDATE target_audiences SET workspace_id = ${acme.workspace} WHERE workspace_id = ${other.workspace}`
      for (let i = 0; i < 3; i++) yield* expectBody(201, make(acme))
    }).pipe(withServer())
  )

  it.live("is counted against the plan, after readiness is asked, however many are asked for at once", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller({ plan: "free" })
      const asked = yield* Effect.forEach(Array.from({ length: 8 }), () => make(acme), { concurrency: "unbounded" })
      assert.deepStrictEqual(asked.map(({ status }) => status).toSorted(), [201, 201, 201, 403, 403, 403, 403, 403])
      assert.deepStrictEqual(yield* expectError(403, "FORBIDDEN", make(acme)), {
        reason: "campaign_build_limit",
        limit: 3,
        used: 3
      })
      assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).total, 3)
      // Another workspace's builds are its own.
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
    const at = Effect.map(Campaigns.buildStatusOf(acme, campaign), ({ overall, stages }) => [
      overall,
      ...["target_audience", ...earlier, "value_proposition"].map((stage) => stages[stage])
    ])
    const jobOf = (id: string) => expectBody(200, acme.get(`/jobs/${id}`))
    const running = Effect.fnUntraced(function* (id: string, type: string) {
      const { created_at, updated_at, ...job } = yield* jobOf(id)
      assert.match(created_at, iso)
      assert.match(updated_at, iso)
      assert.deepStrictEqual(job, { id, type, status: "processing", progress: null, result: null, error: null })
    })

    const research = yield* Campaigns.selectAudience(acme, campaign)
    yield* audienceResearch.started
    yield* running(research.id, "campaign.target_audience")
    assert.deepStrictEqual(yield* at, ["draft", "pending", "pending", "pending", "pending", "pending"])

    // The other steps need not wait for the research.
    for (const [i, type] of earlier.entries()) {
      assert.deepStrictEqual(yield* Campaigns.selectOption(acme, campaign, type), { asset_type: type, items_stored: 1 })
      assert.deepStrictEqual(yield* at, [
        "draft",
        "pending",
        ...earlier.map((_, j) => (j <= i ? "ready" : "pending")),
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
    const { id: options, ...generating } = yield* expectBody(202, propose(acme, campaign))
    assert.deepStrictEqual(generating, { type: "campaign.value_propositions", status: "processing" })
    yield* running(options, "campaign.value_propositions")
    assert.deepStrictEqual(yield* at, ["draft", "pending", "ready", "ready", "ready", "processing"])

    yield* audienceResearch.open
    assert.strictEqual((yield* awaitJob(acme, research.id)).status, "completed")
    yield* valuePropositions.started
    assert.deepStrictEqual(yield* at, ["draft", "ready", "ready", "ready", "ready", "processing"])
    assert.isFalse((yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/value_proposition/options`))).ready)
    yield* expectError(409, "NOT_READY", put(acme, campaign, "value_proposition", { selected_ids: [unknownId] }))

    yield* valuePropositions.open
    assert.strictEqual((yield* awaitJob(acme, options)).status, "completed")
    assert.deepStrictEqual(yield* at, ["draft", "ready", "ready", "ready", "ready", "pending"])
    const offered = yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/value_proposition/options`))
    assert.isTrue(offered.ready)
    assert.deepStrictEqual(
      offered.options.map(({ description, name, type }: AssetOption) => ({ name, description, type })),
      ["Save time", "Save money", "Sleep well"].map((name) => ({
        name,
        description: `${name}, described`,
        type: "value_proposition"
      }))
    )

    const { job: build, ...stored } = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
    assert.deepStrictEqual(stored, { asset_type: "value_proposition", items_stored: 1 })
    const { id: buildId, ...begun } = build
    assert.deepStrictEqual(begun, { type: "campaign.build", status: "processing" })
    yield* emailInstructions.started
    yield* running(buildId, "campaign.build")
    assert.deepStrictEqual(yield* at, ["building", "ready", "ready", "ready", "ready", "ready"])
    assert.strictEqual((yield* expectBody(200, acme.get("/campaigns"))).campaigns[0].overall, "building")

    yield* emailInstructions.open
    const done = yield* awaitJob(acme, buildId)
    assert.deepInclude(done, { status: "completed", error: null })
    assert.deepStrictEqual(yield* at, ["ready", "ready", "ready", "ready", "ready", "ready"])
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
      const missing = ["target_audience", ...earlier]
      for (const type of earlier) {
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", propose(acme, campaign)), { missing })
        yield* Campaigns.selectOption(acme, campaign, type)
        missing.splice(1, 1)
      }
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", propose(acme, campaign)), {
        missing: ["target_audience"]
      })
      yield* Campaigns.selectAudience(acme, campaign)
      yield* expectBody(202, propose(acme, campaign))
    }).pipe(withServer())
  )

  it.live("being generated already are that job's, asked for one by one or at once", () => {
    const valuePropositions = gated(recording(fakeWriter.valuePropositions))
    const count = recording(valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
      const asked = yield* Effect.forEach(Array.from({ length: 6 }), () => expectBody(202, propose(acme, campaign)), {
        concurrency: "unbounded"
      })
      const [{ id }] = asked
      assert.deepStrictEqual(
        asked,
        asked.map(() => ({ id, type: "campaign.value_propositions", status: "processing" }))
      )
      yield* valuePropositions.started
      assert.strictEqual((yield* expectBody(202, propose(acme, campaign))).id, id)
      yield* valuePropositions.open
      yield* awaitJob(acme, id)
      assert.lengthOf(count.calls, 1)

      const before = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      const { id: again } = yield* expectBody(202, propose(acme, campaign))
      assert.notStrictEqual(again, id)
      yield* awaitJob(acme, again)
      const after = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      assert.lengthOf(after, 3)
      assert.isTrue(after.every((option) => before.every(({ id }) => id !== option.id)))
    }).pipe(withServer({ writer: { valuePropositions: count } }))
  })

  it.live("wait for the research of their segment, and delay no other campaign's", () => {
    const mines = gated(fakeWriter.audienceResearch)
    const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
      segment.segment_name === "Mines" ? mines(profile, segment) : fakeWriter.audienceResearch(profile, segment)
    const valuePropositions = recording(fakeWriter.valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const start = Effect.fnUntraced(function* (segment: number) {
        const campaign = yield* Campaigns.createCampaign(acme)
        yield* Campaigns.selectAudience(acme, campaign, segment)
        for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
        const { id } = yield* expectBody(202, propose(acme, campaign))
        return id as string
      })
      const waiting = yield* start(0)
      assert.strictEqual((yield* awaitJob(acme, yield* start(1))).status, "completed")
      assert.strictEqual((yield* expectBody(200, acme.get(`/jobs/${waiting}`))).status, "processing")
      assert.deepStrictEqual(
        valuePropositions.calls.map(([{ audience }]) => audience.segment_name),
        ["Quarries"]
      )
      yield* mines.open
      assert.strictEqual((yield* awaitJob(acme, waiting)).status, "completed")
    }).pipe(withServer({ writer: { audienceResearch, valuePropositions } }))
  })

  it.live("belong to their campaign", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const [one, two] = [yield* Campaigns.proposedCampaign(acme), yield* Campaigns.proposedCampaign(acme)]
      const [mine] = yield* Campaigns.assetOptions(acme, one, "value_proposition")
      const detail = yield* expectError(
        400,
        "BAD_REQUEST",
        put(acme, two, "value_proposition", { selected_ids: [mine?.id] })
      )
      assert.deepStrictEqual(detail, { unknown_ids: [mine?.id] })
      yield* expectBody(202, put(acme, one, "value_proposition", { selected_ids: [mine?.id] }))
    }).pipe(withServer())
  )

  it.live("are selected only once there are some, and at least one", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* expectError(409, "NOT_READY", put(acme, campaign, "value_proposition", { selected_ids: [unknownId] }))
      const ready = yield* Campaigns.proposedCampaign(acme)
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        put(acme, ready, "value_proposition", { selected_ids: [] })
      )
      assert.strictEqual(issues[0].path, "selected_ids")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, ready)).overall, "draft")
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
    const select = put(acme, campaign, "value_proposition", { selected_ids: [option?.id] })
    yield* expectError(409, "NOT_READY", select)
    assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
    yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
    yield* awaitJob(acme, (yield* expectBody(202, select)).job.id)
    assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
  }).pipe(withServer({ writer: { audienceResearch } }))
})

describe("a selection", () => {
  it.live("is of the step's own options, each once", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const options = yield* expectBody(200, acme.get(`/campaigns/${campaign}/assets/lead_magnet/options`))
      assert.deepStrictEqual(Object.keys(options), ["asset_type", "ready", "options"])
      assert.deepInclude(options, { asset_type: "lead_magnet", ready: true })
      const [one, two] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
      assert.deepInclude(one ?? {}, {
        name: "lead_magnet one",
        description: "lead_magnet one, described",
        type: "lead_magnet"
      })
      const [foreign] = yield* Campaigns.assetOptions(acme, campaign, "risk_reversal")

      const stored = (selected_ids: ReadonlyArray<unknown>) =>
        Effect.map(
          expectBody(200, put(acme, campaign, "lead_magnet", { selected_ids })),
          (answer) => answer.items_stored
        )
      assert.strictEqual(yield* stored([one?.id, two?.id]), 2)
      assert.strictEqual(yield* stored([one?.id, one?.id, one?.id]), 1)
      assert.strictEqual(yield* stored([]), 0)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.lead_magnet, "ready")

      const detail = yield* expectError(
        400,
        "BAD_REQUEST",
        put(acme, campaign, "lead_magnet", { selected_ids: ["x", one?.id, foreign?.id, "x", "__proto__"] })
      )
      assert.deepStrictEqual(detail, { unknown_ids: ["x", foreign?.id, "__proto__"] })
      for (const sent of [{}, { selected_ids: null }, { selected_ids: "x" }, { selected_ids: [5] }]) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", put(acme, campaign, "lead_magnet", sent))
        assert.match(issues[0].path, /^selected_ids/)
      }
    }).pipe(withServer())
  )

  it.live("takes edits of what is selected, and of nothing else", () => {
    const emailInstructions = recording(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.proposedCampaign(acme)
      const fresh = yield* Campaigns.createCampaign(acme)
      const [one, two] = yield* Campaigns.assetOptions(acme, campaign, "social_proof")
      const [first = "", second = ""] = [one?.id, two?.id]
      const select = (edits: object) => put(acme, campaign, "social_proof", { selected_ids: [first], ...edits })

      for (const field of ["edited_names", "edited_descriptions"]) {
        for (const id of [second, unknownId, "x", "__proto__", "constructor"]) {
          const edits = JSON.parse(`{ "${field}": { "${id}": "New" } }`)
          const { issues } = yield* expectError(400, "BAD_REQUEST", select(edits))
          assert.strictEqual(issues[0].path, `${field}.${id}`)
          // The body says so by itself, so it is said before anything is looked up.
          const anywhere = { selected_ids: [first], ...edits }
          yield* expectError(400, "BAD_REQUEST", put(acme, unknownId, "social_proof", anywhere))
          yield* expectError(400, "BAD_REQUEST", put(acme, fresh, "value_proposition", anywhere))
        }
        for (const edit of [5, {}, "x".repeat(2001)]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", select({ [field]: { [first]: edit } }))
          assert.strictEqual(issues[0].path, `${field}.${first}`)
        }
      }
      yield* expectError(400, "BAD_REQUEST", select({ edited_names: { [first]: "  " } }))
      yield* expectError(400, "BAD_REQUEST", select({ additional_details: "x".repeat(10_001) }))
      const longest = "x".repeat(2000)
      yield* expectBody(
        200,
        select({
          edited_names: { [first]: longest },
          edited_descriptions: { [first]: longest },
          additional_details: "x".repeat(10_000)
        })
      )
      yield* expectBody(
        200,
        select({
          edited_names: { [first]: "A new name" },
          edited_descriptions: { [first]: "A new description" },
          additional_details: "Say it warmly"
        })
      )
      // The option itself stays as it was.
      assert.deepStrictEqual<unknown>(yield* Campaigns.assetOptions(acme, campaign, "social_proof"), [one, two])

      const [vp] = yield* Campaigns.assetOptions(acme, campaign, "value_proposition")
      const { job } = yield* expectBody(
        202,
        put(acme, campaign, "value_proposition", { selected_ids: [vp?.id], edited_names: { [vp?.id ?? ""]: "Rest" } })
      )
      yield* awaitJob(acme, job.id)
      const [[built]] = emailInstructions.calls as [[(typeof emailInstructions.calls)[number][0]]]
      assert.strictEqual(built.audience.segment_name, "Mines")
      assert.deepInclude(built.social_proof?.items[0], { name: "A new name", description: "A new description" })
      assert.strictEqual(built.social_proof?.additional_details, "Say it warmly")
      assert.deepInclude(built.value_proposition?.items[0], { name: "Rest", description: "Save time, described" })
      assert.strictEqual(built.value_proposition?.additional_details, null)
    }).pipe(withServer({ writer: { emailInstructions } }))
  })
})

describe("a campaign that is ready", () => {
  it.live("stays so when the same is submitted again", () => {
    const audienceResearch = recording(fakeWriter.audienceResearch)
    const emailInstructions = recording(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* awaitJob(acme, job)
      const first = yield* Campaigns.selectAudience(acme, campaign)
      assert.strictEqual((yield* Campaigns.selectAudience(acme, campaign)).id, first.id)
      for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
      const [option] = yield* Campaigns.assetOptions(acme, campaign, "social_proof")
      const same = {
        selected_ids: [option?.id, option?.id],
        edited_names: { [option?.id ?? ""]: option?.name },
        edited_descriptions: null,
        additional_details: null
      }
      yield* expectBody(200, put(acme, campaign, "social_proof", same))
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
    "no risk reversal": (acme, campaign) => expectBody(200, put(acme, campaign, "risk_reversal", { selected_ids: [] })),
    "other remarks": (acme, campaign) =>
      Effect.gen(function* () {
        const [option] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
        const sent = { selected_ids: [option?.id], additional_details: "Shorter" }
        yield* expectBody(200, put(acme, campaign, "lead_magnet", sent))
      }),
    "other words": (acme, campaign) =>
      Effect.gen(function* () {
        const [option] = yield* Campaigns.assetOptions(acme, campaign, "lead_magnet")
        const sent = { selected_ids: [option?.id], edited_descriptions: { [option?.id ?? ""]: "Other words" } }
        yield* expectBody(200, put(acme, campaign, "lead_magnet", sent))
      }),
    "new value propositions": (acme, campaign) =>
      Effect.gen(function* () {
        const { id } = yield* expectBody(202, propose(acme, campaign))
        yield* awaitJob(acme, id)
      })
  }
  const lasting = ["another target audience", "a changed target audience", "new value propositions"]

  it.live.each(Object.keys(changes))(
    "is a draft again after %s, until value propositions are selected again",
    (what) => {
      const emailInstructions = recording(fakeWriter.emailInstructions)
      return Effect.gen(function* () {
        const acme = yield* onboardedCaller()
        const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
        yield* awaitJob(acme, job)
        yield* changes[what]?.(acme, campaign) ?? Effect.die(what)
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
        if (!lasting.includes(what)) {
          // Going back to what was built from does not bring the build back by itself.
          for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
          assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
        }
        const again = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
        assert.notStrictEqual(again.job.id, job)
        assert.strictEqual((yield* awaitJob(acme, again.job.id)).status, "completed")
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
  const of = (caller: Caller, campaign: string, type: string) =>
    expectBody(200, caller.get(`/campaigns/${campaign}/assets/${type}/options`))

  it.live("of the workspace are not ready while its research is regenerated", () => {
    const again = gated(fakeWriter.companySummary)
    let runs = 0
    const companySummary: typeof fakeWriter.companySummary = (profile) =>
      runs++ === 0 ? fakeWriter.companySummary(profile) : again(profile)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      for (const type of earlier) {
        const { asset_type, options, ready, ...rest } = yield* of(acme, campaign, type)
        assert.deepStrictEqual([asset_type, ready, rest], [type, true, {}])
        assert.deepStrictEqual(
          options.map(({ id, ...option }: AssetOption) => {
            assert.match(id, uuid)
            return option
          }),
          ["one", "two"].map((which) => ({
            name: `${type} ${which}`,
            description: `${type} ${which}, described`,
            type
          }))
        )
      }
      const { id } = yield* expectBody(202, acme.post("/workspace/regenerate"))
      for (const type of earlier) {
        assert.deepStrictEqual(yield* of(acme, campaign, type), { asset_type: type, ready: false, options: [] })
      }
      yield* again.open
      yield* awaitJob(acme, id)
      for (const type of earlier) assert.isTrue((yield* of(acme, campaign, type)).ready)
    }).pipe(withServer({ writer: { companySummary } }))
  })

  it.live("of value propositions that failed are not ready", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
      yield* awaitJob(acme, (yield* expectBody(202, propose(acme, campaign))).id)
      assert.deepStrictEqual(yield* of(acme, campaign, "value_proposition"), {
        asset_type: "value_proposition",
        ready: false,
        options: []
      })
      yield* expectError(409, "NOT_READY", put(acme, campaign, "value_proposition", { selected_ids: [unknownId] }))
    }).pipe(withServer({ writer: { valuePropositions: () => Effect.fail(refusal) } }))
  )
})

it.live("a job is processing from the start, between attempts too, and ends once", () => {
  const second = gated(fakeWriter.audienceResearch)
  const audienceResearch = failing(outage, 1, second)
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const {
      id,
      target_audience_id: _,
      ...begun
    } = yield* Campaigns.selectAudience(acme, yield* Campaigns.createCampaign(acme))
    assert.deepStrictEqual(begun, { type: "campaign.target_audience", status: "processing" })
    yield* second.started
    const { created_at, updated_at, ...running } = yield* expectBody(200, acme.get(`/jobs/${id}`))
    assert.deepStrictEqual(running, { id, ...begun, progress: null, result: null, error: null })
    yield* Effect.sleep(2)
    yield* second.open
    const done = yield* awaitJob(acme, id)
    assert.deepStrictEqual(done, { ...running, status: "completed", created_at, updated_at: done.updated_at })
    assert.isAbove(Date.parse(done.updated_at), Date.parse(updated_at))
    assert.isAtLeast(Date.parse(updated_at), Date.parse(created_at))
    assert.deepStrictEqual(yield* expectBody(200, acme.get(`/jobs/${id}`)), done)
    yield* expectError(404, "NOT_FOUND", (yield* newCaller()).get(`/jobs/${id}`))
  }).pipe(withServer({ writer: { audienceResearch } }))
})

it.live("work inside of lists and previews is no job to follow", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const acme = yield* onboardedCaller()
    const campaign = yield* Campaigns.builtCampaign(acme)
    yield* expectBody(202, acme.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options }))
    yield* expectBody(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
    yield* expectBody(200, acme.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
    const jobs = yield* sql<{ readonly id: string; readonly type: string }>`SELECT id, type FROM jobs`
    const inner = jobs.filter(({ type }) => !/^(campaign\.(target|value|build)|workspace)/.test(type))
    assert.includeMembers(
      inner.map(({ type }) => type),
      ["list.batch", "list.single", "campaign.preview"]
    )
    for (const { id } of inner) yield* expectError(404, "NOT_FOUND", acme.get(`/jobs/${id}`))
  }).pipe(withServer())
)

describe("work that was overtaken", () => {
  it.live(
    "value propositions that are tried again wait for the research of a segment that was submitted meanwhile",
    () => {
      const first = gated(failing(outage, 1, fakeWriter.valuePropositions))
      const research = gated(fakeWriter.audienceResearch)
      let segments = 0
      const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
        segments++ === 0 ? fakeWriter.audienceResearch(profile, segment) : research(profile, segment)
      return Effect.gen(function* () {
        const acme = yield* onboardedCaller()
        const campaign = yield* Campaigns.createCampaign(acme)
        yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
        for (const type of ["social_proof", "lead_magnet", "risk_reversal"])
          yield* Campaigns.selectOption(acme, campaign, type)
        const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
        yield* first.started
        yield* Campaigns.selectAudience(acme, campaign, 1)
        yield* first.open
        yield* research.started
        yield* until(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT status FROM jobs WHERE id = ${id}`),
          ([job]) => job?.["status"] === "waiting"
        )
        assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.value_proposition, "processing")
        yield* research.open
        assert.strictEqual((yield* awaitJob(acme, id)).status, "completed")
        assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
      }).pipe(withServer({ writer: { audienceResearch, valuePropositions: first } }))
    }
  )

  it.live("research of a segment that was replaced is not kept", () => {
    const mines = gated(fakeWriter.audienceResearch)
    const audienceResearch: typeof fakeWriter.audienceResearch = (profile, segment) =>
      segment.segment_name === "Mines" ? mines(profile, segment) : fakeWriter.audienceResearch(profile, segment)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const first = yield* Campaigns.selectAudience(acme, campaign)
      yield* mines.started
      const second = yield* Campaigns.selectAudience(acme, campaign, 1)
      assert.notStrictEqual(first.id, second.id)
      yield* awaitJob(acme, second.id)
      yield* mines.open
      yield* awaitJob(acme, first.id)
      assert.deepStrictEqual(yield* sql`SELECT content FROM campaign_documents WHERE campaign_id = ${campaign}`, [
        { content: "# Quarries" }
      ])
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).stages.target_audience, "ready")
    }).pipe(withServer({ writer: { audienceResearch } }))
  })

  it.live("a build that a change overtook makes nothing ready", () => {
    const first = gated(fakeWriter.emailInstructions)
    const seen: Array<string | undefined> = []
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) => {
      seen.push(campaign.social_proof?.items[0]?.name)
      return seen.length === 1 ? first(campaign) : fakeWriter.emailInstructions(campaign)
    }
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* first.started
      yield* Campaigns.selectOption(acme, campaign, "social_proof", 1)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
      yield* first.open
      yield* awaitJob(acme, job)
      const { overall, stages } = yield* Campaigns.buildStatusOf(acme, campaign)
      assert.deepStrictEqual([overall, stages.value_proposition], ["draft", "pending"])
      const again = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, again.job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
      assert.deepStrictEqual(seen, ["social_proof one", "social_proof two"])
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("a build that a change overtook fails nothing when it fails", () => {
    const first = gated(failing(refusal, 1, fakeWriter.emailInstructions))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(acme)
      yield* first.started
      yield* Campaigns.selectOption(acme, campaign, "social_proof", 1)
      yield* first.open
      assert.strictEqual((yield* awaitJob(acme, job)).status, "failed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "draft")
      const again = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, again.job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
    }).pipe(withServer({ writer: { emailInstructions: first } }))
  })
})

describe("a stage that fails", () => {
  const steps = {
    audienceResearch: "target_audience",
    valuePropositions: "value_proposition",
    emailInstructions: "build",
    knowledgeBase: "build"
  } as const
  const names = ["audienceResearch", "valuePropositions", "emailInstructions", "knowledgeBase"] as const

  /** Takes the campaign to the step and answers the job that does it. */
  const reach = Effect.fnUntraced(function* (acme: Caller, step: (typeof names)[number], from?: string) {
    const campaign = from ?? (yield* Campaigns.createCampaign(acme))
    if (steps[step] === "target_audience")
      return { campaign, job: (yield* Campaigns.selectAudience(acme, campaign)).id }
    if (from === undefined) {
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
    }
    if (steps[step] === "value_proposition")
      return { campaign, job: (yield* expectBody(202, propose(acme, campaign))).id }
    if (from === undefined) yield* awaitJob(acme, (yield* expectBody(202, propose(acme, campaign))).id)
    return { campaign, job: (yield* Campaigns.selectOption(acme, campaign, "value_proposition")).job.id }
  })

  const broken = (step: (typeof names)[number], error: GenerationFailed, times: number) => {
    const writer = failing<ReadonlyArray<never>, never>(error, times, (...args) =>
      Reflect.apply(fakeWriter[step], undefined, args)
    )
    return { writer: { [step]: writer }, seen: writer.seen }
  }

  it.live.each(names)("for a while is tried again: %s", (step) => {
    const { seen, writer } = broken(step, outage, 2)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* reach(acme, step)
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
  )("for good fails the campaign, until it is submitted again: $step, $error.message", ({ calls, error, step }) => {
    const { seen, writer } = broken(step, error, calls)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* reach(acme, step)
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
        for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
        assert.deepStrictEqual(yield* expectError(409, "NOT_READY", propose(acme, campaign)), {
          missing: ["target_audience"]
        })
      }

      const again = yield* reach(acme, step, campaign)
      assert.notStrictEqual(again.job, job)
      assert.deepInclude(yield* awaitJob(acme, again.job), { status: "completed", error: null })
      const expected = steps[step] === "build" ? "ready" : "draft"
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, expected)
      assert.strictEqual((yield* expectBody(200, acme.get(`/jobs/${job}`))).status, "failed")
    }).pipe(withServer({ writer }))
  })

  it.live("by a bug says nothing of it", () => {
    const emailInstructions = () => Effect.die(new Error("secret detail"))
    return Effect.gen(function* () {
      const { logs } = yield* Server
      const acme = yield* onboardedCaller()
      const { job } = yield* Campaigns.buildingCampaign(acme)
      const failed = yield* awaitJob(acme, job)
      assert.strictEqual(failed.status, "failed")
      assert.isNotEmpty(failed.error)
      assert.notInclude(JSON.stringify(failed), "secret detail")
      assert.include(logs.join("\n"), "secret detail")
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("fails the value propositions that wait for it, and both are cleared one after the other", () => {
    const audienceResearch = gated(failing(refusal, 1, fakeWriter.audienceResearch))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      yield* Campaigns.selectAudience(acme, campaign)
      for (const type of earlier) yield* Campaigns.selectOption(acme, campaign, type)
      const { id } = yield* expectBody(202, propose(acme, campaign))
      yield* audienceResearch.open
      assert.strictEqual((yield* awaitJob(acme, id)).status, "failed")
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "failed")
      yield* awaitJob(acme, (yield* Campaigns.selectAudience(acme, campaign)).id)
      yield* awaitJob(acme, (yield* expectBody(202, propose(acme, campaign))).id)
      const { job } = yield* Campaigns.selectOption(acme, campaign, "value_proposition")
      yield* awaitJob(acme, job.id)
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, campaign)).overall, "ready")
    }).pipe(withServer({ writer: { audienceResearch } }))
  })

  it.live("in onboarding leaves the workspace unready and says what is missing", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.post("/campaigns", { name: "Spring" })), {
        missing: ["company_summary", "company_documents", "target_audiences"]
      })
      yield* assertConsistent
    }).pipe(withServer({ writer: { options: () => Effect.fail(refusal) } }))
  )
})
