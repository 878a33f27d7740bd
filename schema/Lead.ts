// schema/Lead.ts: a person to write to, and what is written.
import { Schema } from "effect"
import { Email, optional, text } from "#schema/Fields.ts"

const field = optional(text(2000))

export const Lead = Schema.Struct({
  email: Email,
  name: field,
  title: field,
  company: field,
  linkedin_url: field,
  company_website: field
})
export type Lead = typeof Lead.Type

/** One email of a sequence. `step` starts at 1; `body` is plain text with `\n` line ends, signature included. */
export const SequenceEmail = Schema.Struct({ step: Schema.Int, subject: Schema.String, body: Schema.String })

export const Sequence = Schema.Array(SequenceEmail)
export type Sequence = typeof Sequence.Type
