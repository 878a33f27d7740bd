// layers/generator/bymodel/prompts/Segments.ts: the segments that a business could write to.
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
      additional_details: Schema.String,
      sentence: Schema.String
    })
  )
})
export type Segments = typeof Segments.Type

export const segments = prompt({
  name: "segments",
  version: 2,
  task: `Name the segments of companies and people that the profile says the business sells to, the likeliest buyers first: one to six, and no more than the profile tells apart. Segments differ in who decides, in what troubles them or in what makes them buy now, so that an email to one would not fit another. A product, a price tier or a place of the business itself is no segment. sentence: the sentence or line of the profile that names these clients, word for word. segment_name: two to eight words of that sentence, only its first word with a capital. decision_makers: job titles, one each. company_size, annual_revenue and geographic_location: only what the profile says, else an empty string. additional_details: in two or three sentences why this segment buys and what to open with.`,
  answer: Segments
})
