// layers/lists/LeadColumns.ts: a lead of a list, as its row holds it before and after it is written to.
import { Predicate, Schema, Struct } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type * as Generator from "#layers/Generator.ts"
import { type Claim, Finding } from "#schema/Findings.ts"
import { type CustomFields, Lead, Sequence } from "#schema/Lead.ts"
import type { TextOrigin } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { Grounds, type Marks, severities, type WorstSeverity } from "#schema/ListLeads.ts"

/** Custom fields were validated when they were accepted, so they are read back as they were typed. */
const customFieldsRecord = Schema.declare((fields): fields is CustomFields => Predicate.isObject(fields))

/** The custom fields in a row of `leads`. */
export const StoredFields = Schema.NullOr(Schema.fromJsonString(customFieldsRecord))

/** A lead without emails yet. */
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

/** A lead with its emails. */
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
export interface WrittenEmails {
  readonly sequence: Sequence
  readonly judged: ReadonlyArray<Generator.Judged>
  readonly playbook_version: number
  readonly facts: ReadonlyArray<Fact>
}

/** The model that wrote an email, as it is stored; null where none did. */
export const StoredMark = Schema.NullOr(Schema.Struct({ model: Schema.String, prompt_version: Schema.String }))

/** Who wrote a version of an email. */
export const Author = Schema.Literals(["writer", "person", "rewrite"])
export type Author = typeof Author.Type

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
  playbook_version: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  /** Only of an email that was changed; the first version is 1. */
  version: Schema.optionalKey(Schema.Int),
  author: Schema.optionalKey(Author),
  mark: Schema.optionalKey(StoredMark)
})
export type StoredReview = typeof StoredReview.Type

/** A severity as rows have it, so that they can be compared: its place in `severities`. */
export const severityRank = (severity: WorstSeverity) => severities.indexOf(severity)

/** The columns that leads are filtered and sorted by. */
export const findingColumns = (emails: ReadonlyArray<Pick<StoredReview, "findings">>) => {
  const findings = emails.flatMap((email) => email.findings)
  return {
    severity: Math.max(0, ...findings.map(({ severity }) => severityRank(severity))),
    finding_count: findings.length
  }
}

/** Claims as they are stored: sentences with a source, and which that is. */
export const claimGrounds = (claims: ReadonlyArray<Claim>): ReadonlyArray<Grounds> =>
  claims.flatMap(({ sentence, sources }) =>
    sources.length === 0 ? [] : [{ sentence, sources: sources.map(({ at, from }) => ({ from, at })) }]
  )

const storedReview = (
  { claims, findings, mark, score, template_id }: Generator.Judged,
  playbook_version: number
): StoredReview => ({
  score,
  findings,
  sources: claimGrounds(claims),
  template_id,
  playbook_version,
  ...(mark !== undefined && { mark })
})

/** The marks of an email as the API shows them. */
export const marksOf = (mark: TextOrigin): Marks => ({
  ai_generated: mark === undefined ? null : mark !== null,
  model: mark?.model ?? null,
  prompt_version: mark?.prompt_version ?? null
})

const distinct = (values: ReadonlyArray<string>) => (values.length === 0 ? null : [...new Set(values)].join(", "))

/** The marks of a lead: what a model wrote in any of its emails. Null while it has none, or while no origin is known. */
export const leadMarksOf = (emails: ReadonlyArray<{ readonly mark?: TextOrigin }>): Marks => {
  const marks = emails.map(({ mark }) => mark)
  const made = marks.flatMap((mark) => mark ?? [])
  const unknown = marks.length === 0 || marks.includes(undefined)
  return {
    ai_generated: made.length > 0 ? true : unknown ? null : false,
    model: distinct(made.map(({ model }) => model)),
    prompt_version: distinct(made.map(({ prompt_version }) => prompt_version))
  }
}

export const writtenLeadColumns = ({ facts, judged, playbook_version, sequence }: WrittenEmails) => {
  const scores = judged.flatMap(({ score }) => (score === null ? [] : [score]))
  const reviews = judged.map((email) => storedReview(email, playbook_version))
  return {
    sequence: JSON.stringify(sequence),
    emails: sequence.length,
    score: scores.length < judged.length ? null : Math.min(...scores),
    facts: facts.length === 0 ? null : JSON.stringify(facts),
    findings: JSON.stringify(reviews),
    ...findingColumns(reviews),
    persona_id: judged[0]?.persona_id ?? null
  }
}
