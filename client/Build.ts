// client/Build.ts: builds a campaign over HTTP, step by step. A chooser decides each step, by default the first
// options.
import { Array as Arr, type Duration, Effect, Schema } from "effect"
import type { AssetOption, AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import type { TargetAudience } from "#schema/Audiences.ts"
import type { SelectionInput } from "#schema/Build.ts"
import type { JobStatus } from "#schema/Jobs.ts"
import { type Client, poll } from "#client/Client.ts"

/** The campaign could not be built; the message names the step and the reason. */
class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { message: Schema.String }) {}

/** Selects an option at each step. */
export interface Chooser<E, R> {
  readonly audience: (offered: Arr.NonEmptyReadonlyArray<TargetAudience>) => Effect.Effect<TargetAudience, E, R>
  /** At least one option, for value propositions. */
  readonly assets: (
    step: { readonly type: AssetType; readonly title: string },
    offered: ReadonlyArray<AssetOption>
  ) => Effect.Effect<SelectionInput, E, R>
}

export interface Plan {
  readonly name: string
  /** The target audience's id. If absent, the chooser decides; the default one takes the workspace's first. */
  readonly segment?: string | undefined
  /** Called after each step with its outcome. */
  readonly onStep: (step: string) => Effect.Effect<void>
  /** Time limit for the whole build; ten minutes by default. */
  readonly limit?: Duration.Input | undefined
}

/** Number of options to take at each step. */
const taken = 3

/** The default chooser: takes the first options. */
const first: Chooser<never, never> = {
  audience: ([segment]) => Effect.succeed(segment),
  assets: (_, offered) => Effect.succeed({ selected_ids: offered.slice(0, taken).map(({ id }) => id) })
}

const steps: ReadonlyArray<readonly [WorkspaceAssetType, string]> = [
  ["social_proof", "Social proof"],
  ["lead_magnet", "Lead magnet"],
  ["risk_reversal", "Risk reversal"]
]

const fail = (message: string) => new BuildFailed({ message })

/** Builds a campaign with the first options and returns its id. */
export const build = (client: Client, { limit = "10 minutes", ...plan }: Plan) =>
  walk(client, plan, first).pipe(
    Effect.timeoutOrElse({ duration: limit, orElse: () => fail("The campaign took too long to build") })
  )

/** Builds a campaign with the chooser's decisions, without a time limit, because a person may take long. */
export const walk = Effect.fn("build")(function* <E, R>(
  client: Client,
  { name, onStep, segment }: Omit<Plan, "limit">,
  chooser: Chooser<E, R>
) {
  const audience = yield* audienceOf(client, segment, chooser)
  const { id } = yield* client.campaigns.createCampaign({ headers: {}, payload: { name } })
  const params = { id }
  yield* onStep(`Campaign: ${name}`)
  const research = yield* client.build.setTargetAudience({
    params,
    headers: {},
    payload: { target_audience: { id: audience.id, segment_name: audience.segment_name } }
  })
  yield* onStep(`Target audience: ${audience.segment_name}`)

  const choose = Effect.fnUntraced(function* (type: AssetType, title: string) {
    const ofType = { id, type }
    const { options } = yield* poll(client.build.listAssetOptions({ params: ofType }), ({ ready }) => ready)
    const payload = yield* chooser.assets({ type, title }, options)
    const selected = yield* client.build.selectAssets({ params: ofType, headers: {}, payload })
    yield* onStep(`${title}: ${namesOf(options, payload)}`)
    return selected
  })

  for (const [type, title] of steps) yield* choose(type, title)
  yield* completed(client, research.id, "The target audience could not be researched")
  const proposing = yield* client.build.generateValuePropositions({ params, headers: {} })
  yield* completed(client, proposing.id, "No value propositions were made")
  const selected = yield* choose("value_proposition", "Value propositions")

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

const namesOf = (options: ReadonlyArray<AssetOption>, { edited_names, selected_ids }: SelectionInput) =>
  options
    .filter(({ id }) => selected_ids.includes(id))
    .map(({ id, name }) => edited_names?.[id] ?? name)
    .join("; ") || "none"

/** Waits for a job; fails with its error if the job failed. */
const completed = Effect.fnUntraced(function* (client: Client, id: string, failed: string) {
  const ended: ReadonlyArray<JobStatus> = ["completed", "failed"]
  const { error, status } = yield* poll(client.jobs.getJob({ params: { id } }), ({ status }) => ended.includes(status))
  if (status === "failed") return yield* fail(error === null ? failed : `${failed}: ${error}`)
})

/** The requested target audience, or the one that the chooser selects. */
const audienceOf = Effect.fnUntraced(function* <E, R>(
  client: Client,
  segment: string | undefined,
  chooser: Chooser<E, R>
) {
  const limit = 100
  const all: Array<TargetAudience> = []
  for (let offset = 0; ; offset += limit) {
    const { data, has_more } = yield* client.target_audiences.listTargetAudiences({ query: { limit, offset } })
    const found = data.find(({ id }) => id === segment)
    if (found !== undefined) return found
    all.push(...data)
    if (!has_more) break
  }
  if (segment !== undefined) return yield* fail(`The workspace has no target audience ${segment}`)
  if (!Arr.isReadonlyArrayNonEmpty(all)) return yield* fail("The workspace has no target audience yet")
  return yield* chooser.audience(all)
})
