// layers/lists/Lead.ts: a lead of a list, as its row holds it before and after it is written to.
import { Predicate, Schema, Struct } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type * as Generator from "#layers/Generator.ts"
import { Finding } from "#schema/Findings.ts"
import { type CustomFields, Lead, Sequence } from "#schema/Lead.ts"
import { Grounds } from "#schema/ListLeads.ts"

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

/** What is kept of a lead that was written to: its emails as they are sent, what the checker found, and what research found. */
export interface Written {
  readonly sequence: Sequence
  readonly judged: ReadonlyArray<Generator.Judged>
  readonly playbook_version: number
  readonly facts: ReadonlyArray<Fact>
}

/** The findings of an email as they are stored; emails of earlier versions have fewer of these fields. */
export const StoredReview = Schema.Struct({
  score: Schema.NullOr(Schema.Int),
  findings: Schema.Array(
    Schema.Struct({
      ...Struct.pick(Finding.fields, ["rule", "severity", "place", "message"]),
      start: Schema.optionalKey(Finding.fields.start),
      end: Schema.optionalKey(Finding.fields.end),
      suggestion: Schema.optionalKey(Finding.fields.suggestion),
      offset: Schema.optionalKey(Finding.fields.start)
    })
  ),
  sources: Schema.optionalKey(Schema.Array(Grounds)),
  template_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  playbook_version: Schema.optionalKey(Schema.Int)
})
export type StoredReview = typeof StoredReview.Type

const reviewOf = (
  { claims, findings, score, template_id }: Generator.Judged,
  playbook_version: number
): StoredReview => ({
  score,
  findings,
  sources: claims.flatMap(({ sentence, sources }) =>
    sources.length === 0 ? [] : [{ sentence, sources: sources.map(({ at, from }) => ({ from, at })) }]
  ),
  template_id,
  playbook_version
})

export const columnsOf = ({ facts, judged, playbook_version, sequence }: Written) => {
  const scores = judged.flatMap(({ score }) => (score === null ? [] : [score]))
  return {
    sequence: JSON.stringify(sequence),
    emails: sequence.length,
    score: scores.length < judged.length ? null : Math.min(...scores),
    facts: facts.length === 0 ? null : JSON.stringify(facts),
    findings: JSON.stringify(judged.map((email) => reviewOf(email, playbook_version))),
    persona_id: judged[0]?.persona_id ?? null
  }
}
