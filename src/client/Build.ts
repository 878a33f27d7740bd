// src/client/Build.ts: builds a campaign over HTTP, step by step, and takes the first of what each step offers.
import { type Duration, Effect, Schema } from "effect"
import type { AssetOption, WorkspaceAssetType } from "#schema/Assets.ts"
import type { JobStatus } from "#schema/Jobs.ts"
import type { Client } from "#schema/Client.ts"
import { poll } from "#src/client/Poll.ts"

/** The campaign could not be built; the message says at which step and why. */
export class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { message: Schema.String }) {}

export interface Plan {
  readonly name: string
  /** The target audience's id; without it, the first of the workspace. */
  readonly segment?: string | undefined
  /** Told after each step what was done. */
  readonly onStep: (step: string) => Effect.Effect<void>
  /** How long the whole may take; ten minutes unless said. */
  readonly limit?: Duration.Input | undefined
}

/** How many options of a step are taken. */
const taken = 3

const steps: ReadonlyArray<readonly [WorkspaceAssetType, string]> = [
  ["social_proof", "Social proof"],
  ["lead_magnet", "Lead magnet"],
  ["risk_reversal", "Risk reversal"]
]

const fail = (message: string) => new BuildFailed({ message })

/** A campaign that is ready to write from, and its id. */
export const build = (client: Client, { limit = "10 minutes", ...plan }: Plan) =>
  walk(client, plan).pipe(
    Effect.timeoutOrElse({ duration: limit, orElse: () => fail("The campaign took too long to build") })
  )

const walk = Effect.fn("build")(function* (client: Client, { name, onStep, segment }: Omit<Plan, "limit">) {
  const { id } = yield* client.campaigns.createCampaign({ headers: {}, payload: { name } })
  const params = { id }
  yield* onStep(`Campaign: ${name}`)

  const audience = yield* audienceOf(client, segment)
  const research = yield* client.build.setTargetAudience({
    params,
    headers: {},
    payload: { target_audience: { id: audience.id, segment_name: audience.segment_name } }
  })
  yield* onStep(`Target audience: ${audience.segment_name}`)

  for (const [type, title] of steps) {
    const ofType = { id, type }
    const { options } = yield* poll(client.build.listAssetOptions({ params: ofType }), ({ ready }) => ready)
    const selection = options.slice(0, taken)
    yield* client.build.selectAssets({
      params: ofType,
      headers: {},
      payload: { selected_ids: selection.map(({ id }) => id) }
    })
    yield* onStep(`${title}: ${namesOf(selection)}`)
  }

  yield* completed(client, research.id, "The target audience could not be researched")
  const proposing = yield* client.build.generateValuePropositions({ params, headers: {} })
  yield* completed(client, proposing.id, "No value propositions were made")
  const propositions = { id, type: "value_proposition" } as const
  const { options } = yield* client.build.listAssetOptions({ params: propositions })
  const promises = options.slice(0, taken)
  const selected = yield* client.build.selectAssets({
    params: propositions,
    headers: {},
    payload: { selected_ids: promises.map(({ id }) => id) }
  })
  yield* onStep(`Value propositions: ${namesOf(promises)}`)

  const { overall } = yield* poll(
    client.campaigns.getBuildStatus({ params }),
    ({ overall }) => overall === "ready" || overall === "failed"
  )
  if (overall === "failed") {
    const failed = "The campaign's build failed"
    if ("job" in selected) yield* completed(client, selected.job.id, failed)
    return yield* fail(failed)
  }
  yield* onStep("Ready to write")
  return { id, overall }
})

const namesOf = (options: ReadonlyArray<AssetOption>) =>
  options.length === 0 ? "none" : options.map(({ name }) => name).join("; ")

/** Waits for a job; one that fails is `failed`, and why. */
const completed = Effect.fnUntraced(function* (client: Client, id: string, failed: string) {
  const ended: ReadonlyArray<JobStatus> = ["completed", "failed"]
  const { error, status } = yield* poll(client.jobs.getJob({ params: { id } }), ({ status }) => ended.includes(status))
  if (status === "failed") return yield* fail(error === null ? failed : `${failed}: ${error}`)
})

/** The first target audience of the workspace, or the one asked for. */
const audienceOf = Effect.fnUntraced(function* (client: Client, segment: string | undefined) {
  const limit = 100
  for (let offset = 0; ; offset += limit) {
    const { data, has_more } = yield* client.target_audiences.listTargetAudiences({ query: { limit, offset } })
    const found = segment === undefined ? data[0] : data.find(({ id }) => id === segment)
    if (found !== undefined) return found
    if (has_more) continue
    return yield* fail(
      segment === undefined
        ? "The workspace has no target audience yet"
        : `The workspace has no target audience ${segment}`
    )
  }
})
