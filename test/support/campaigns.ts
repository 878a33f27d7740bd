// test/support/campaigns.ts: creates campaigns and takes them to the build step that a test needs.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { expectBody } from "./answers.ts"
import { type Caller, awaitJob, type CallerOptions, onboardedCaller } from "./callers.ts"

export const buildStatusOf = (caller: Caller, campaign: string) =>
  expectBody(200, caller.get(`/campaigns/${campaign}/build-status`))

export const createCampaign = Effect.fnUntraced(function* (caller: Caller, name = "Spring") {
  const { id }: { readonly id: string } = yield* expectBody(201, caller.post("/campaigns", { name }))
  return id
})

/** Selects a saved segment as the target audience and returns the job. */
export const selectAudience = Effect.fnUntraced(function* (caller: Caller, campaign: string, index = 0) {
  const { data } = yield* expectBody(200, caller.get("/target-audiences"))
  const { id, segment_name } = data[index]
  return yield* expectBody(
    202,
    caller.post(`/campaigns/${campaign}/target-audience`, { target_audience: { id, segment_name } })
  )
})

export const assetOptions = Effect.fnUntraced(function* (caller: Caller, campaign: string, type: string) {
  const { options } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/assets/${type}/options`))
  return options as ReadonlyArray<{ readonly id: string; readonly name: string; readonly description: string }>
})

/** Selects one option of a build step. */
export const selectOption = Effect.fnUntraced(function* (caller: Caller, campaign: string, type: string, index = 0) {
  const selected_ids = [(yield* assetOptions(caller, campaign, type))[index]?.id]
  return yield* expectBody(
    type === "value_proposition" ? 202 : 200,
    caller.put(`/campaigns/${campaign}/assets/${type}/selection`, { selected_ids })
  )
})

/** A campaign whose value propositions can be selected. */
export const proposedCampaign = Effect.fnUntraced(function* (caller: Caller) {
  const campaign = yield* createCampaign(caller)
  yield* selectAudience(caller, campaign)
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* selectOption(caller, campaign, type)
  const { id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
  assert.strictEqual((yield* awaitJob(caller, id)).status, "completed")
  return campaign
})

/** A campaign that is being built, and its build job. */
export const buildingCampaign = Effect.fnUntraced(function* (caller: Caller) {
  const campaign = yield* proposedCampaign(caller)
  const { job } = yield* selectOption(caller, campaign, "value_proposition")
  return { campaign, job: job.id as string }
})

/** A campaign that is built. */
export const builtCampaign = Effect.fnUntraced(function* (caller: Caller) {
  const { campaign, job: id } = yield* buildingCampaign(caller)
  assert.strictEqual((yield* awaitJob(caller, id)).status, "completed")
  return campaign
})

/** A new workspace with a built campaign. */
export const callerWithCampaign = Effect.fnUntraced(function* (options: CallerOptions = {}) {
  const caller = yield* onboardedCaller(options)
  return { caller, campaign: yield* builtCampaign(caller) }
})
