// layers/lists/Pending.ts: a lead that nothing was written to yet, as whoever writes to it needs it.
import { Schema } from "effect"
import { Lead } from "#schema/Lead.ts"

export const PendingLead = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  /** How often the process ended while this lead alone was in work. */
  suspect: Schema.Int,
  /** Holds of credits for it: none or one. */
  holds: Schema.Int,
  ...Lead.fields
})
export type PendingLead = typeof PendingLead.Type
