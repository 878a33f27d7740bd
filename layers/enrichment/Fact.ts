// layers/enrichment/Fact.ts: a fact about a lead from research, as it is stored and used by the writer.
import { Schema } from "effect"

/** A fact in the words of its source. */
export const Fact = Schema.Struct({
  statement: Schema.String,
  source_url: Schema.String,
  found_at: Schema.String
})
export type Fact = typeof Fact.Type
