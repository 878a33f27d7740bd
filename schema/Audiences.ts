// schema/Audiences.ts: who a campaign speaks to: a reusable segment of the workspace.
import { Schema } from "effect"
import { name, optional, text, Timestamp } from "#schema/Fields.ts"

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

/** A segment as a caller sends it: by `id` the saved one, its fields brought up to date where they are given. */
export const AudienceInput = Schema.Struct({
  id: optional(Schema.String),
  segment_name: optional(name(2000)),
  industry_vertical: optional(text(2000)),
  company_size: optional(text(2000)),
  annual_revenue: optional(text(2000)),
  geographic_location: optional(text(2000)),
  decision_makers: optional(DecisionMakers),
  additional_details: optional(text(10_000))
})
export type AudienceInput = typeof AudienceInput.Type

/** The same where a name is always asked for. */
export const NamedAudience = Schema.Struct({ ...AudienceInput.fields, segment_name: name(2000) })
