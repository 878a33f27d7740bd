// layers/generator/bymodel/prompts/Segments.ts: whom the business could write to.
import { Schema } from "effect"
import { prompt } from "#layers/model/Prompt.ts"

const Segments = Schema.Struct({
  segments: Schema.Array(
    Schema.Struct({
      segment_name: Schema.String,
      industry_vertical: Schema.String,
      company_size: Schema.String,
      annual_revenue: Schema.String,
      geographic_location: Schema.String,
      decision_makers: Schema.Array(Schema.String),
      additional_details: Schema.String
    })
  )
})
export type Segments = typeof Segments.Type

export const segments = prompt({
  name: "segments",
  version: 1,
  task: `Name three to six segments of companies and people that the business in the profile should write to, the likeliest buyers first. Segments differ in who decides, in what troubles them or in what makes them buy now, so that an email to one would not fit another. segment_name: two to six words, only its first word with a capital. decision_makers: job titles. company_size, annual_revenue and geographic_location: only what the profile says, else an empty string. additional_details: in two or three sentences why this segment buys and what to open with.`,
  answer: Segments
})
