// schema/Audiences.ts: who a campaign speaks to: a reusable segment of the workspace.
import { Schema } from "effect"
import { Timestamp, text } from "#schema/Fields.ts"

const Text = text(2000)
export const DecisionMakers = Schema.Union([Text, Schema.Array(Text).check(Schema.isMaxLength(100))])

/** What describes a segment; what nobody said is an empty string. */
export const Segment = Schema.Struct({
  segment_name: Text,
  industry_vertical: Text,
  company_size: Text,
  annual_revenue: Text,
  geographic_location: Text,
  decision_makers: DecisionMakers,
  additional_details: Schema.NullOr(text(10_000))
})
export type Segment = typeof Segment.Type

export const TargetAudience = Schema.Struct({
  id: Schema.String,
  ...Segment.fields,
  /** `market_research` for a segment that research proposed, `custom` for one that a user described. */
  source: Schema.String,
  created_at: Timestamp
})
export type TargetAudience = typeof TargetAudience.Type
