// schema/Audiences.ts: target audiences: reusable segments of a workspace.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { nonEmptyText, optional, text, Timestamp } from "#schema/Fields.ts"
import { PageQuery, paged } from "#schema/Page.ts"

const Text = text(2000)
export const DecisionMakers = Schema.Union([Text, Schema.Array(Text).check(Schema.isMaxLength(100))])

const about = {
  industry_vertical: { description: "The industry" },
  company_size: { description: "How large the companies are, in your own words" },
  annual_revenue: { description: "Annual revenue, in your own words" },
  geographic_location: { description: "Where the companies are" },
  decision_makers: { description: "Who decides there: one text or a list of job titles" },
  additional_details: { description: "Anything else the writer should know about them" }
}

/** A segment. Fields without data are empty strings. */
export const Segment = Schema.Struct({
  segment_name: Text.annotate({ description: "The name of the segment" }),
  industry_vertical: Text.annotate(about.industry_vertical),
  company_size: Text.annotate(about.company_size),
  annual_revenue: Text.annotate(about.annual_revenue),
  geographic_location: Text.annotate(about.geographic_location),
  decision_makers: DecisionMakers.annotate(about.decision_makers),
  additional_details: Schema.NullOr(text(10_000)).annotate(about.additional_details)
})
export type Segment = typeof Segment.Type

/** A segment with every field empty. */
export const noSegment = {
  segment_name: "",
  industry_vertical: "",
  company_size: "",
  annual_revenue: "",
  geographic_location: "",
  decision_makers: "",
  additional_details: null
} satisfies Segment

const example = {
  id: "01980f3e-91c4-7f0b-8a52-3d7e6b10f9c2",
  segment_name: "Mid-size quarries in Poland",
  industry_vertical: "Mining and quarrying",
  company_size: "50 to 250 people",
  annual_revenue: "10 to 50 million euros",
  geographic_location: "Poland",
  decision_makers: ["Plant Director", "Maintenance Manager"]
}

export const TargetAudience = Schema.Struct({
  id: Schema.String.annotate({ description: "To be sent as target_audience.id" }),
  ...Segment.fields,
  source: Schema.String.annotate({
    description: "`market_research` for a segment that research proposed, `custom` for one that a user described"
  }),
  created_at: Timestamp
}).annotate({
  title: "TargetAudience",
  description: "A saved segment, for any number of campaigns",
  examples: [
    { ...example, additional_details: null, source: "market_research", created_at: "2026-07-14T09:30:00.000Z" }
  ]
})
export type TargetAudience = typeof TargetAudience.Type

export const AudienceInput = Schema.Struct({
  id: optional(Schema.String).annotate({
    description: "The saved segment; required unless `is_custom_target_audience` is true"
  }),
  segment_name: optional(nonEmptyText(2000, "What the segment is called; required of a custom one")),
  industry_vertical: optional(Text).annotate(about.industry_vertical),
  company_size: optional(Text).annotate(about.company_size),
  annual_revenue: optional(Text).annotate(about.annual_revenue),
  geographic_location: optional(Text).annotate(about.geographic_location),
  decision_makers: optional(DecisionMakers).annotate(about.decision_makers),
  additional_details: optional(text(10_000)).annotate(about.additional_details)
}).annotate({
  title: "AudienceInput",
  description: "A saved segment by its id, with the fields to bring up to date, or one of your own",
  examples: [{ id: example.id }]
})
export type AudienceInput = typeof AudienceInput.Type

/** `AudienceInput` with a required name. */
export const NamedAudience = Schema.Struct({
  ...AudienceInput.fields,
  segment_name: nonEmptyText(2000, "The name of the segment")
}).annotate({
  title: "NamedAudienceInput",
  description: "A saved segment by its id and name, or one of your own",
  examples: [{ id: example.id, segment_name: example.segment_name }]
})

export const isCustom = optional(Schema.Boolean).annotate({
  description: "True for a segment of your own, which is saved under its name; false unless said"
})

export class AudiencesApi extends HttpApiGroup.make("target_audiences").add(
  HttpApiEndpoint.get("listTargetAudiences", "/target-audiences", {
    query: {
      ...PageQuery,
      q: Schema.optionalKey(text(200)).annotate({
        description: "Words to look for in all that describes a segment"
      })
    },
    success: paged("TargetAudiencePage", TargetAudience)
  }).annotate(RequiredScope, "campaigns:read")
) {}
