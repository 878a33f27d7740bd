// layers/campaigns/State.ts: the status of a campaign, derived from its row.
import { Effect, Schema } from "effect"
import { AssetOption, AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import { TargetAudience } from "#schema/Audiences.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import type { ChosenAssets } from "#schema/Campaigns.ts"
import type { Overall, Stages } from "#schema/BuildStatus.ts"

/** Status of one kind of background work on a campaign. */
const StageProgress = Schema.Literals(["none", "processing", "ready", "failed"])

export const CampaignState = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  name: Schema.String,
  created_at: Schema.String,
  target_audience_id: Schema.NullOr(Schema.String),
  /** A copy of the linked segment. Decoded on demand, because most reads of a campaign do not need it. */
  audience: Schema.NullOr(Schema.String),
  research: StageProgress,
  research_job: Schema.NullOr(Schema.String),
  /** Generation of the value propositions to select from. */
  options: StageProgress,
  options_job: Schema.NullOr(Schema.String),
  /** Whether value propositions were selected since the last change to an earlier step. */
  selected: Schema.BooleanFromBit,
  build: StageProgress,
  build_job: Schema.NullOr(Schema.String),
  /** The version of the playbook; null until it is drafted. */
  playbook: Schema.NullOr(Schema.Int)
})
export type CampaignState = typeof CampaignState.Type

const decodeAudience = Schema.decodeEffect(Schema.NullOr(Schema.fromJsonString(TargetAudience)))

/** The linked segment. A copy, so that edits of the segment do not affect a build in progress. */
export const audience = ({ audience }: Pick<CampaignState, "audience">) => Effect.orDie(decodeAudience(audience))

/** The gates at which jobs wait for a campaign's research and for its build. */
export const researchGate = (campaign: string) => `research:${campaign}`
export const buildGate = (campaign: string) => `build:${campaign}`

export const overallStatus = ({
  build,
  options,
  research,
  selected
}: Pick<CampaignState, "build" | "options" | "research" | "selected">): Overall => {
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

export const stageStatuses = (state: CampaignState, chosen: Selections): Stages => {
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

/** The steps that are missing before value propositions can be generated. */
export const missingSteps = (state: CampaignState, chosen: Selections): ReadonlyArray<string> => [
  // Failed research must be submitted again; research in progress is waited for.
  ...(state.audience === null || state.research === "failed" ? ["target_audience"] : []),
  ...WorkspaceAssetType.literals.filter((type) => chosen[type] === null)
]
