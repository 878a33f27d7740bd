// schema/Assets.ts: what a campaign can bring forward: proof, a gift, a guarantee, a promise.
import { Schema } from "effect"
import { text } from "#schema/Fields.ts"

export const AssetType = Schema.Literals(["social_proof", "lead_magnet", "risk_reversal", "value_proposition"])
export type AssetType = typeof AssetType.Type

/** The three types whose options belong to the workspace; value propositions belong to a campaign. */
export const WorkspaceAssetType = Schema.Literals(["social_proof", "lead_magnet", "risk_reversal"])
export type WorkspaceAssetType = typeof WorkspaceAssetType.Type

export const AssetOption = Schema.Struct({
  id: Schema.String,
  name: text(2000),
  description: text(2000),
  type: AssetType
})
export type AssetOption = typeof AssetOption.Type

/** What a person chose for one step of a campaign, with their edits applied. */
export const Selection = Schema.Struct({
  items: Schema.Array(AssetOption),
  additional_details: Schema.NullOr(Schema.String),
  updated_at: Schema.String
})
export type Selection = typeof Selection.Type
