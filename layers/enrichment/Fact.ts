// layers/enrichment/Fact.ts: what research found about a lead, as it is kept and written from.
import { Schema } from "effect"

/** Something found about a lead, in the words of its source. */
export const Fact = Schema.Struct({
  statement: Schema.String,
  source_url: Schema.String,
  found_at: Schema.String
})
export type Fact = typeof Fact.Type
