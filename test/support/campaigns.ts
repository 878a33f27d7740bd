// test/support/campaigns.ts: campaigns, as far on their way as a test needs them.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { body } from "./answers.ts"
import { type Caller, endedJob, type CallerOptions, onboardedCaller } from "./callers.ts"

export const statusOf = (who: Caller, campaign: string) => body(200, who.get(`/campaigns/${campaign}/build-status`))

export const create = Effect.fnUntraced(function* (who: Caller, name = "Spring") {
  const { id }: { readonly id: string } = yield* body(201, who.post("/campaigns", { name }))
  return id
})

/** Submits the first saved segment, and answers the job. */
export const target = Effect.fnUntraced(function* (who: Caller, campaign: string, at = 0) {
  const { data } = yield* body(200, who.get("/target-audiences"))
  const { id, segment_name } = data[at]
  return yield* body(202, who.post(`/campaigns/${campaign}/target-audience`, { target_audience: { id, segment_name } }))
})

export const optionsOf = Effect.fnUntraced(function* (who: Caller, campaign: string, type: string) {
  const { options } = yield* body(200, who.get(`/campaigns/${campaign}/assets/${type}/options`))
  return options as ReadonlyArray<{ readonly id: string; readonly name: string; readonly description: string }>
})

/** Submits the first option of a step. */
export const choose = Effect.fnUntraced(function* (who: Caller, campaign: string, type: string, at = 0) {
  const selected_ids = [(yield* optionsOf(who, campaign, type))[at]?.id]
  return yield* body(
    type === "value_proposition" ? 202 : 200,
    who.put(`/campaigns/${campaign}/assets/${type}/selection`, { selected_ids })
  )
})

/** A campaign whose value propositions can be selected. */
export const proposed = Effect.fnUntraced(function* (who: Caller) {
  const campaign = yield* create(who)
  yield* target(who, campaign)
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* choose(who, campaign, type)
  const { id } = yield* body(202, who.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
  assert.strictEqual((yield* endedJob(who, id)).status, "completed")
  return campaign
})

/** A campaign whose build has begun. */
export const building = Effect.fnUntraced(function* (who: Caller) {
  const campaign = yield* proposed(who)
  const { job } = yield* choose(who, campaign, "value_proposition")
  return { campaign, job: job.id as string }
})

/** A campaign that is ready. */
export const built = Effect.fnUntraced(function* (who: Caller) {
  const { campaign, job: id } = yield* building(who)
  assert.strictEqual((yield* endedJob(who, id)).status, "completed")
  return campaign
})

/** A new workspace with a campaign that is ready. */
export const ready = Effect.fnUntraced(function* (kind: CallerOptions = {}) {
  const who = yield* onboardedCaller(kind)
  return { who, campaign: yield* built(who) }
})
