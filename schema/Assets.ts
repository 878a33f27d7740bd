// schema/Assets.ts: the options that a campaign's emails can use: proof, lead magnets, guarantees, value propositions.
import { Schema } from "effect"
import { text, Timestamp } from "#schema/Fields.ts"

export const AssetType = Schema.Literals([
  "social_proof",
  "lead_magnet",
  "risk_reversal",
  "value_proposition"
]).annotate({
  title: "AssetType",
  description: "A step of the build that chooses assets"
})
export type AssetType = typeof AssetType.Type

/** The three types whose options belong to the workspace; value propositions belong to a campaign. */
export const WorkspaceAssetType = Schema.Literals(["social_proof", "lead_magnet", "risk_reversal"])
export type WorkspaceAssetType = typeof WorkspaceAssetType.Type

export const AssetOption = Schema.Struct({
  id: Schema.String.annotate({ description: "To be sent in selected_ids" }),
  name: text(2000).annotate({ description: "The name of the option" }),
  description: text(2000).annotate({ description: "The text of the option" }),
  type: AssetType,
  sentence: Schema.optionalKey(text(2000)).annotate({
    description: "The sentence of the profile that it was made from; only where a model wrote the option"
  })
}).annotate({
  title: "AssetOption",
  description: "An option that a campaign can use",
  examples: [
    {
      id: "01980f3f-02b6-7e10-a6d3-90c1b5f7e824",
      name: "Fewer unplanned stops",
      description: "Huta Wolbrom cut unplanned stops from 19 to 4 a year",
      type: "social_proof"
    }
  ]
})
export type AssetOption = typeof AssetOption.Type

export const Selection = Schema.Struct({
  items: Schema.Array(AssetOption),
  additional_details: Schema.NullOr(Schema.String).annotate({ description: "Additional instructions for the writer" }),
  updated_at: Timestamp
}).annotate({ title: "Selection", description: "What was chosen for one step, with its edits applied" })
export type Selection = typeof Selection.Type
