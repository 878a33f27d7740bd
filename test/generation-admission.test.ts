// test/generation-admission.test.ts: what is required before emails are written: a built campaign, capacity in the plan, and credits.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Credits } from "#layers/Credits.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { awaitJob, onboardedCaller } from "./support/callers.ts"
import { selectOption, createCampaign, callerWithCampaign, selectAudience } from "./support/campaigns.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { gated } from "./support/faults.ts"
import { generateBatch, makeLeads, waitUntilSettled, generateOne } from "./support/generation-requests.ts"
import { withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

describe("generating emails requires that", () => {
  it.live("value propositions are selected", () => {
    const valuePropositions = gated(fakeWriter.valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* createCampaign(acme)
      const assertRejected = Effect.gen(function* () {
        yield* expectError(400, "BAD_REQUEST", generateOne(acme, campaign, { lead, options }))
        yield* expectError(400, "BAD_REQUEST", generateBatch(acme, campaign, { leads: [lead], options }))
      })
      yield* assertRejected
      yield* selectAudience(acme, campaign)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* selectOption(acme, campaign, type)
      yield* assertRejected
      const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* assertRejected
      yield* valuePropositions.open
      yield* awaitJob(acme, id)
      yield* assertRejected
      yield* selectOption(acme, campaign, "value_proposition")
      yield* expectBody(202, generateBatch(acme, campaign, { leads: [lead], options }))
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 1)
    }).pipe(withServer({ writer: { valuePropositions } }))
  })

  it.live("enough credits are available", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const insufficient = (required: number, available: number) => ({
        required,
        available,
        payg_enabled: false,
        pct_of_cap: 0
      })
      assert.deepStrictEqual(
        yield* expectError(
          402,
          "INSUFFICIENT_CREDITS",
          generateBatch(acme, campaign, { leads: makeLeads(51), options })
        ),
        insufficient(51, 50)
      )
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 0)
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(50), options }))
      yield* waitUntilSettled(acme, list_id)
      assert.deepStrictEqual(
        yield* expectError(402, "INSUFFICIENT_CREDITS", generateOne(acme, campaign, { lead, options })),
        insufficient(1, 0)
      )
      assert.strictEqual((yield* expectBody(200, acme.get("/lists"))).total, 1)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("two credits per lead are available for researched leads", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const enrichedOptions = { ...options, enrichment_enabled: true }
      const leads = makeLeads(26).map((entry) => ({ ...entry, company: "North" }))
      const paygDisabled = { payg_enabled: false, pct_of_cap: 0 }
      assert.deepStrictEqual(
        yield* expectError(
          402,
          "INSUFFICIENT_CREDITS",
          generateBatch(acme, campaign, { leads, options: enrichedOptions })
        ),
        { required: 52, available: 50, ...paygDisabled }
      )
      yield* (yield* Credits).charge(acme.workspace, "other", 49)
      assert.deepStrictEqual(
        yield* expectError(
          402,
          "INSUFFICIENT_CREDITS",
          generateOne(acme, campaign, { lead, options: enrichedOptions })
        ),
        { required: 2, available: 1, ...paygDisabled }
      )
      yield* expectBody(200, generateOne(acme, campaign, { lead, options }))
    }).pipe(withServer())
  )

  it.live("pay-as-you-go covers missing credits up to its cap", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      yield* (yield* Credits).setPlan(acme.workspace, { payg_eligible: true, payg_enabled: true, payg_cap_cents: 105 })
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(58), options }))
      yield* waitUntilSettled(acme, list_id)
      const { balance, payg } = yield* expectBody(200, acme.get("/credits"))
      assert.strictEqual(balance, 0)
      assert.deepStrictEqual(payg, {
        eligible: true,
        enabled: true,
        cap_cents: 105,
        spent_cents: 80,
        credits_used: 8,
        pct_of_cap: 80 / 105
      })
      assert.deepStrictEqual(
        yield* expectError(
          402,
          "INSUFFICIENT_CREDITS",
          generateBatch(acme, campaign, { leads: makeLeads(3), options })
        ),
        { required: 3, available: 0, payg_enabled: true, pct_of_cap: 80 / 105 }
      )
      yield* expectBody(200, generateOne(acme, campaign, { lead, options }))
      yield* expectBody(200, generateOne(acme, campaign, { lead, options }))
      yield* expectError(402, "INSUFFICIENT_CREDITS", generateOne(acme, campaign, { lead, options }))
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("the plan allows another concurrent list, which is checked before credits", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      const answer = yield* generateBatch(acme, campaign, { leads: makeLeads(100), options })
      assert.deepStrictEqual([answer.status, answer.body.error], [429, "WORKSPACE_LIMIT"])
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      // A single lead does not count as a concurrent list.
      const request = yield* Effect.forkChild(expectBody(200, generateOne(acme, campaign, { lead, options })))
      yield* until(expectBody(200, acme.get("/lists")), ({ total }) => total === 2)
      yield* sequence.open
      yield* waitUntilSettled(acme, list_id)
      yield* Fiber.join(request)
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("concurrent requests do not exceed the plan's limit", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const unbounded = { concurrency: "unbounded" } as const
      const answeredStatuses = new Array<number>()
      const singleRequests = yield* Effect.forkChild(
        Effect.forEach(
          makeLeads(8),
          (lead) =>
            Effect.tap(generateOne(acme, campaign, { lead, options }), ({ status }) =>
              Effect.sync(() => answeredStatuses.push(status))
            ),
          unbounded
        )
      )
      yield* until(expectBody(200, acme.get("/lists")), ({ total }) => total === 5)
      const batches = yield* Effect.forEach(
        makeLeads(6),
        (lead) => generateBatch(acme, campaign, { leads: [lead], options }),
        unbounded
      )
      const codes = batches.map(({ body, status }) => [status, body.error ?? null])
      assert.deepStrictEqual(codes.toSorted(), [
        [202, null],
        ...Array.from({ length: 5 }, () => [429, "WORKSPACE_LIMIT"])
      ])
      // All excess requests must be refused before the others finish.
      yield* until(
        Effect.sync(() => answeredStatuses.length),
        (count) => count === 3
      )
      yield* sequence.open
      const statuses = (yield* Fiber.join(singleRequests)).map(({ status }) => status)
      assert.deepStrictEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 429, 429, 429])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("the campaign's state is valid, which is checked before limits and credits", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      const draftCampaign = yield* createCampaign(acme)
      yield* expectError(400, "BAD_REQUEST", generateBatch(acme, draftCampaign, { leads: makeLeads(100), options }))
      yield* expectError(
        404,
        "NOT_FOUND",
        generateBatch(acme, draftCampaign, { leads: [lead], options: { email_count: 1, signature_id: unknownId } })
      )
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("an unlimited plan needs no credits, and its usage is recorded", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "internal" })
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      yield* waitUntilSettled(acme, list_id)
      const account = yield* expectBody(200, acme.get("/credits"))
      assert.isTrue(account.is_unlimited)
      assert.deepInclude(account.usage, { credits_used_this_period: 30, total_credits_used_all_time: 30 })
      assert.isTrue((yield* expectBody(200, acme.get("/credits/check?required=1000000"))).sufficient)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("a workspace without a subscription is refused for lack of credits", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* (yield* Credits).setPlan(acme.workspace, { tier: "none" })
      yield* expectError(404, "NOT_FOUND", acme.get("/credits"))
      yield* expectError(402, "INSUFFICIENT_CREDITS", generateOne(acme, campaign, { lead, options }))
    }).pipe(withServer())
  )
})
