// layers/lists/Writing.ts: how the emails of a list are to be written, as it is stored with the list.
import { Schema } from "effect"

export const Writing = Schema.Struct({
  /** 1 to 4. */
  email_count: Schema.Int,
  /** Set under every email, line by line. */
  signature: Schema.String,
  additional_details: Schema.NullOr(Schema.String),
  approved_ctas: Schema.Array(Schema.String),
  /** Whether each lead is researched on the web before it is written to. */
  enriched: Schema.Boolean,
  /** Credits for each lead that succeeds. */
  cost: Schema.Int,
  notification_email: Schema.NullOr(Schema.String)
})
export type Writing = typeof Writing.Type
