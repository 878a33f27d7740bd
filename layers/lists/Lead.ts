// layers/lists/Lead.ts: a lead of a list, as its row holds it before and after it is written to.
import { Predicate, Schema } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type * as Generator from "#layers/Generator.ts"
import { type CustomFields, Lead, Sequence } from "#schema/Lead.ts"

/** Custom fields were validated when they were accepted, so they are read back as they were typed. */
const Stored = Schema.declare((fields): fields is CustomFields => Predicate.isObject(fields))

/** The custom fields in a row of `leads`. */
export const StoredFields = Schema.NullOr(Schema.fromJsonString(Stored))

/** Nothing was written to it yet. */
export const PendingLead = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  /** How often the process ended while this lead alone was in work. */
  suspect: Schema.Int,
  /** Holds of credits for it: none or one. */
  holds: Schema.Int,
  ...Lead.fields,
  custom_fields: StoredFields
})
export type PendingLead = typeof PendingLead.Type

/** With the emails that were written to it. */
export const WrittenLead = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  linkedin_url: Schema.NullOr(Schema.String),
  company_website: Schema.NullOr(Schema.String),
  custom_fields: StoredFields,
  sequence: Schema.fromJsonString(Sequence)
})
export type WrittenLead = typeof WrittenLead.Type

/** What is kept of a lead that was written to: its emails as they are sent, what is said of each, and what was found. */
export interface Written {
  readonly sequence: Sequence
  readonly judged: ReadonlyArray<Generator.Judged & { readonly sources: ReadonlyArray<Generator.Grounded> }>
  readonly facts: ReadonlyArray<Fact>
}

export const columnsOf = ({ facts, judged, sequence }: Written) => ({
  sequence: JSON.stringify(sequence),
  emails: sequence.length,
  score: Math.min(...judged.map((email) => email.score)),
  facts: facts.length === 0 ? null : JSON.stringify(facts),
  findings: JSON.stringify(judged.map(({ findings, score, sources }) => ({ score, findings, sources })))
})
