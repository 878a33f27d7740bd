// layers/campaigns/State.ts: how far a campaign is, read off what is stored of it.
import { Effect, Schema } from "effect"
import { AssetOption, AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import { TargetAudience } from "#schema/Audiences.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import type { ChosenAssets } from "#schema/Campaigns.ts"
import type { Overall, Stages } from "#schema/BuildStatus.ts"

/** How far one piece of background work on a campaign is. */
const Progress = Schema.Literals(["none", "processing", "ready", "failed"])

export const State = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  name: Schema.String,
  created_at: Schema.String,
  target_audience_id: Schema.NullOr(Schema.String),
  /** The segment as it was when it was linked, as it is stored: few who look at a campaign read it. */
  audience: Schema.NullOr(Schema.String),
  research: Progress,
  research_job: Schema.NullOr(Schema.String),
  /** The value propositions to choose from. */
  options: Progress,
  options_job: Schema.NullOr(Schema.String),
  /** Whether value propositions were selected since anything before them changed. */
  selected: Schema.BooleanFromBit,
  build: Progress,
  build_job: Schema.NullOr(Schema.String),
  /** The version of its playbook; null until that is drafted. */
  playbook: Schema.NullOr(Schema.Int)
})
export type State = typeof State.Type

const decodeAudience = Schema.decodeEffect(Schema.NullOr(Schema.fromJsonString(TargetAudience)))

/** The segment, which does not change under a person's hands while something is built from it. */
export const audience = ({ audience }: Pick<State, "audience">) => Effect.orDie(decodeAudience(audience))

/** What waits for a campaign's research, and what for its build. */
export const researchGate = (campaign: string) => `research:${campaign}`
export const buildGate = (campaign: string) => `build:${campaign}`

export const overall = ({
  build,
  options,
  research,
  selected
}: Pick<State, "build" | "options" | "research" | "selected">): Overall => {
  if (research === "failed" || options === "failed" || build === "failed") return "failed"
  if (!selected) return "draft"
  return build === "ready" ? "ready" : "building"
}

export const StoredSelection = Schema.Struct({
  type: AssetType,
  items: Schema.fromJsonString(Schema.Array(AssetOption)),
  additional_details: Schema.NullOr(Schema.String),
  updated_at: Schema.String
})

export type Selections = ChosenAssets["selections"]

export const stages = (state: State, chosen: Selections): Stages => {
  const done = (type: WorkspaceAssetType) => (chosen[type] === null ? "pending" : "ready")
  return {
    target_audience: state.research === "ready" ? "ready" : "pending",
    social_proof: done("social_proof"),
    lead_magnet: done("lead_magnet"),
    risk_reversal: done("risk_reversal"),
    value_proposition:
      state.options === "processing" || state.options === "failed"
        ? state.options
        : state.selected
          ? "ready"
          : "pending"
  }
}

/** What must be there before value propositions can be made, and is not. */
export const missing = (state: State, chosen: Selections): ReadonlyArray<string> => [
  // Research that failed has to be asked for again; while it runs, the value propositions wait for it.
  ...(state.audience === null || state.research === "failed" ? ["target_audience"] : []),
  ...WorkspaceAssetType.literals.filter((type) => chosen[type] === null)
]
