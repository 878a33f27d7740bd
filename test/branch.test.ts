// test/branch.test.ts: renaming, branching and deleting campaigns, and what they have chosen.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import {
  body,
  built,
  type Caller,
  choose,
  create,
  job,
  json,
  layer,
  onboarded,
  refused,
  sound,
  statusOf,
  until
} from "./support/server.ts"
import { fake } from "./support/writer.ts"

const chosen = (who: Caller, campaign: string) => body(200, who.get(`/campaigns/${campaign}/selections`))

const branched = Effect.fnUntraced(function* (who: Caller, campaign: string, branch_from_step: string, more = {}) {
  const answer = yield* body(
    201,
    who.post(`/campaigns/${campaign}/branch`, { name: "Branch", branch_from_step, ...more })
  )
  assert.hasAllKeys(answer, ["id", "source_campaign_id"])
  assert.strictEqual(answer.source_campaign_id, campaign)
  return answer.id as string
})

describe("a campaign", () => {
  it.live("tells what it has chosen, with edits, and null where nothing was", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* create(who)
      const none = { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null }
      assert.deepStrictEqual(yield* chosen(who, campaign), {
        campaign_id: campaign,
        target_audience: null,
        selections: none
      })
      const { options } = yield* body(200, who.get(`/campaigns/${campaign}/assets/social_proof/options`))
      const [{ description, id }] = options
      yield* body(
        200,
        who.put(`/campaigns/${campaign}/assets/social_proof/selection`, {
          selected_ids: [id],
          edited_names: { [id]: "Ours" },
          additional_details: "Mention it once"
        })
      )
      const { selections } = yield* chosen(who, campaign)
      assert.deepInclude(selections.social_proof, {
        items: [{ id, name: "Ours", description, type: "social_proof" }],
        additional_details: "Mention it once"
      })
      assert.isString(selections.social_proof.updated_at)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is renamed", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* create(who)
      const renamed = yield* body(200, who.patch(`/campaigns/${campaign}`, { name: "  Autumn " }))
      assert.deepInclude(renamed, { id: campaign, name: "Autumn" })
      assert.hasAllKeys(renamed, ["id", "name", "created_at"])
      assert.strictEqual((yield* body(200, who.get("/campaigns"))).campaigns[0].name, "Autumn")
      yield* refused(400, "BAD_REQUEST", who.patch(`/campaigns/${campaign}`, { name: "x".repeat(201) }))
    }).pipe(Effect.provide(layer()))
  )

  it.live("is deleted with what was made for it, and leaves its lists readable and detached", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      const options = { email_count: 1, email_signature: "Ann" }
      const lead = { email: "ann@company.example" }
      const { list_id } = yield* body(200, who.post(`/campaigns/${campaign}/generate`, { lead, options }))

      assert.deepStrictEqual(yield* body(200, who.delete(`/campaigns/${campaign}`)), { id: campaign, deleted: true })
      yield* refused(404, "NOT_FOUND", who.get(`/campaigns/${campaign}/build-status`))
      const list = yield* body(200, who.get(`/lists/${list_id}`))
      assert.deepInclude(list, { campaign_id: null, processing_status: "completed" })
      assert.lengthOf((yield* body(200, who.get(`/lists/${list_id}/export?format=json`))).leads, 1)
      yield* refused(422, "UNPROCESSABLE", who.post(`/lists/${list_id}`))
      assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 1)
      yield* sound
    }).pipe(Effect.provide(layer()))
  )

  it.live("is not deleted while one of its lists is in work", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const who = yield* onboarded()
        const campaign = yield* built(who)
        const { list_id } = yield* body(
          202,
          who.post(`/campaigns/${campaign}/generate-batch`, {
            leads: [{ email: "ann@company.example" }],
            options: { email_count: 1, email_signature: "Ann" }
          })
        )
        assert.strictEqual(
          (yield* refused(409, "CONFLICT", who.delete(`/campaigns/${campaign}`))).processing_status,
          "processing"
        )
        yield* Deferred.succeed(gate, undefined)
        yield* until(body(200, who.get(`/lists/${list_id}`)), (list) => list.processing_status === "completed")
        yield* body(200, who.delete(`/campaigns/${campaign}`))
      }).pipe(
        Effect.provide(
          layer({ writer: { sequence: (brief) => Effect.andThen(Deferred.await(gate), fake.sequence(brief)) } })
        )
      )
    })
  )
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
      const who = yield* onboarded()
      const source = yield* built(who)
      const before = yield* chosen(who, source)
      const id = yield* branched(who, source, step)
      const after = yield* chosen(who, id)
      assert.deepStrictEqual(after.target_audience, before.target_audience)
      for (const [type, selection] of Object.entries(after.selections)) {
        assert.deepStrictEqual(selection, types.includes(type) ? before.selections[type] : null, type)
      }
      const { overall, stages } = yield* statusOf(who, id)
      assert.strictEqual(overall, "draft")
      assert.deepInclude(stages, { target_audience: "ready", value_proposition: "pending" })

      const rest = ["social_proof", "lead_magnet", "risk_reversal"].filter((type) => !types.includes(type))
      for (const type of rest) yield* choose(who, id, type)
      const made = yield* body(202, who.post(`/campaigns/${id}/assets/value_proposition/generate`))
      yield* job(who, made.id)
      const { job: build } = yield* choose(who, id, "value_proposition")
      yield* job(who, build.id)
      assert.strictEqual((yield* statusOf(who, id)).overall, "ready")
      assert.strictEqual((yield* statusOf(who, source)).overall, "ready")
    }).pipe(Effect.provide(layer()))
  )

  it.live("from target-audience takes the new one and leaves everything after it open", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const source = yield* built(who)
      const target_audience = { segment_name: "Harbours", decision_makers: ["Harbour master"] }
      const from = { name: "B", branch_from_step: "target-audience" }
      yield* refused(400, "BAD_REQUEST", who.post(`/campaigns/${source}/branch`, from))
      yield* refused(422, "UNPROCESSABLE", who.post(`/campaigns/${source}/branch`, { ...from, target_audience }))
      const id = yield* branched(who, source, "target-audience", { target_audience, is_custom_target_audience: true })
      const after = yield* chosen(who, id)
      assert.deepInclude(after.target_audience, { ...target_audience, source: "custom" })
      assert.isTrue(Object.values(after.selections).every((selection) => selection === null))
      yield* until(statusOf(who, id), ({ stages }) => stages.target_audience === "ready")
    }).pipe(Effect.provide(layer()))
  )

  it.live("needs a source with an audience, a known step and a campaign build left", () =>
    Effect.gen(function* () {
      const who = yield* onboarded({ plan: "free" })
      const empty = yield* create(who)
      const from = { name: "B", branch_from_step: "lead-magnets" }
      yield* refused(422, "UNPROCESSABLE", who.post(`/campaigns/${empty}/branch`, from))
      yield* refused(400, "BAD_REQUEST", who.post(`/campaigns/${empty}/branch`, { name: "B", branch_from_step: "x" }))
      const source = yield* built(who)
      yield* branched(who, source, "lead-magnets")
      const detail = yield* refused(403, "FORBIDDEN", who.post(`/campaigns/${source}/branch`, from))
      assert.deepStrictEqual(detail, { reason: "campaign_build_limit", limit: 3, used: 3 })
    }).pipe(Effect.provide(layer()))
  )

  it.live("is made once under an Idempotency-Key", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const source = yield* built(who)
      const { headers, ...init } = json({ name: "B", branch_from_step: "lead-magnets" })
      const send = who.send("POST", `/campaigns/${source}/branch`, {
        ...init,
        headers: { ...headers, "idempotency-key": "b" }
      })
      assert.strictEqual((yield* send).text, (yield* send).text)
      assert.strictEqual((yield* body(200, who.get("/campaigns"))).total, 2)
    }).pipe(Effect.provide(layer()))
  )
})
