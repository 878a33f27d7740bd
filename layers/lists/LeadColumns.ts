// layers/lists/LeadColumns.ts: the columns of a lead, before and after its emails are written.
import { Predicate, Schema, Struct } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type * as Generator from "#layers/Generator.ts"
import { type Claim, Finding } from "#schema/Findings.ts"
import { type CustomFields, Lead, Sequence } from "#schema/Lead.ts"
import type { TextOrigin } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { Grounds, type Marks, severities, type WorstSeverity } from "#schema/ListLeads.ts"

/** Not validated again, because custom fields were validated when the list was accepted. */
const customFieldsRecord = Schema.declare((fields): fields is CustomFields => Predicate.isObject(fields))

/** The custom fields in a row of `leads`. */
export const StoredFields = Schema.NullOr(Schema.fromJsonString(customFieldsRecord))

/** A lead without emails yet. */
export const PendingLead = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  /** How often the worker crashed while this lead was marked as a suspect. */
  suspect: Schema.Int,
  /** Number of credit holds for the lead: 0 or 1. */
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

/** The result of a lead: its emails, the checker's findings, and the facts from research. */
export interface WrittenEmails {
  readonly sequence: Sequence
  readonly judged: ReadonlyArray<Generator.JudgedEmail>
  readonly playbook_version: number
  readonly facts: ReadonlyArray<Fact>
}

/** The model that wrote an email; null if none did. */
export const StoredMark = Schema.NullOr(Schema.Struct({ model: Schema.String, prompt_version: Schema.String }))

/** Who wrote a version of an email. */
export const Author = Schema.Literals(["writer", "person", "rewrite"])
export type Author = typeof Author.Type

/** The findings of an email. Rows of earlier versions lack some of these fields. */
export const StoredCheck = Schema.Struct({
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
  /** Set for edited emails only; the first version is 1. */
  version: Schema.optionalKey(Schema.Int),
  author: Schema.optionalKey(Author),
  mark: Schema.optionalKey(StoredMark)
})
export type StoredCheck = typeof StoredCheck.Type

/** A severity as the number that is stored, for comparisons. */
export const severityRank = (severity: WorstSeverity) => severities.indexOf(severity)

/** The columns that leads are filtered and sorted by. */
export const findingColumns = (emails: ReadonlyArray<Pick<StoredCheck, "findings">>) => {
  const findings = emails.flatMap((email) => email.findings)
  return {
    severity: Math.max(0, ...findings.map(({ severity }) => severityRank(severity))),
    finding_count: findings.length
  }
}

/** Sentences that have sources, with those sources, as they are stored. */
export const claimGrounds = (claims: ReadonlyArray<Claim>): ReadonlyArray<Grounds> =>
  claims.flatMap(({ sentence, sources }) =>
    sources.length === 0 ? [] : [{ sentence, sources: sources.map(({ at, from }) => ({ from, at })) }]
  )

const toStoredCheck = (
  { claims, findings, mark, score, template_id }: Generator.JudgedEmail,
  playbook_version: number
): StoredCheck => ({
  score,
  findings,
  sources: claimGrounds(claims),
  template_id,
  playbook_version,
  ...(mark !== undefined && { mark })
})

/** The marks of generated text that the API shows for an email. */
export const toMarks = (mark: TextOrigin): Marks => ({
  ai_generated: mark === undefined ? null : mark !== null,
  model: mark?.model ?? null,
  prompt_version: mark?.prompt_version ?? null
})

const joinDistinct = (values: ReadonlyArray<string>) => (values.length === 0 ? null : [...new Set(values)].join(", "))

/** The marks of a lead: whether a model wrote any of its emails. Null if it has no email or no origin is known. */
export const combineMarks = (emails: ReadonlyArray<{ readonly mark?: TextOrigin }>): Marks => {
  const marks = emails.map(({ mark }) => mark)
  const generated = marks.flatMap((mark) => mark ?? [])
  const hasUnknownOrigin = marks.length === 0 || marks.includes(undefined)
  return {
    ai_generated: generated.length > 0 ? true : hasUnknownOrigin ? null : false,
    model: joinDistinct(generated.map(({ model }) => model)),
    prompt_version: joinDistinct(generated.map(({ prompt_version }) => prompt_version))
  }
}

export const writtenLeadColumns = ({ facts, judged, playbook_version, sequence }: WrittenEmails) => {
  const scores = judged.flatMap(({ score }) => (score === null ? [] : [score]))
  const reviews = judged.map((email) => toStoredCheck(email, playbook_version))
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
