// layers/reviews/ReviewEmails.ts: the emails of a lead for review, and the checker's findings about a changed text.
import { Struct } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import { checkEmails, type CheckInput, type Evidence, noEvidence } from "#layers/generator/checker/Check.ts"
import { findingColumns, claimGrounds, toMarks, type StoredCheck } from "#layers/lists/LeadColumns.ts"
import { toApiFinding, type LeadRow } from "#layers/lists/LeadQueries.ts"
import type { ListWriting } from "#layers/lists/Store.ts"
import { joinMessages, type ReadyBrief } from "#layers/playbooks/CampaignBrief.ts"
import type { Claim } from "#schema/Findings.ts"
import { leadFields, type Sequence } from "#schema/Lead.ts"
import type { ReviewedEmail } from "#schema/Review.ts"

/** The data that the emails of a list were written from. Lists of an early version may have no brief. */
export interface EmailSources {
  readonly brief: ReadyBrief | null
  readonly writing: ListWriting
}

/** The evidence that the emails are checked against: all data that their writer had. */
const emailEvidence = ({ brief, writing }: EmailSources, { facts, sequence, ...row }: LeadRow): Evidence => {
  const campaign = brief?.campaign ?? null
  const selections =
    campaign === null
      ? []
      : [campaign.value_proposition, campaign.social_proof, campaign.lead_magnet, campaign.risk_reversal]
  const remarks = [writing.additional_details, ...selections.map((choice) => choice?.additional_details ?? null)]
  const leadFacts: ReadonlyArray<Fact> = facts ?? []
  return {
    ...noEvidence,
    campaign,
    // Only these columns, because the checker takes every field as a known fact about the lead.
    lead: Struct.pick(row, [...leadFields, "custom_fields"]),
    message: brief === null ? null : joinMessages(brief.playbook),
    never_say: brief?.playbook.never_say ?? [],
    remarks: remarks.filter((remark) => remark !== null).join("\n") || null,
    facts: leadFacts,
    signature: writing.signature,
    email_count: sequence?.length ?? null
  }
}

const noFindings: StoredCheck = { score: null, findings: [] }

/** The stored review of each email. Early versions stored less. */
export const storedChecks = ({ findings, sequence }: LeadRow): ReadonlyArray<StoredCheck> =>
  (sequence ?? []).map((_, index) => findings?.[index] ?? noFindings)

export const currentVersion = ({ version }: StoredCheck) => version ?? 1

/** The current version of each email. */
export const currentVersions = (row: LeadRow) => {
  const checks = storedChecks(row)
  return (row.sequence ?? []).map(({ step }, index) => ({ step, version: currentVersion(checks[index] ?? noFindings) }))
}

/** An email for review. */
const toReviewedEmail = (email: CheckInput, check: StoredCheck, claims: ReadonlyArray<Claim>): ReviewedEmail => ({
  step: email.step,
  subject: email.subject,
  body: email.body,
  version: currentVersion(check),
  edited: check.author === "person",
  findings: check.findings.map(toApiFinding),
  claims,
  template_id: check.template_id ?? null,
  playbook_version: check.playbook_version ?? null,
  ...toMarks(check.mark)
})

/** Claims are matched again on each read, because rows store only those with a source. */
export const toReviewedEmails = (row: LeadRow, basis: EmailSources): ReadonlyArray<ReviewedEmail> => {
  const emails = row.sequence ?? []
  const storedEmailChecks = storedChecks(row)
  const checkedEmails = checkEmails(emails, emailEvidence(basis, row))
  return emails.map((email, index) =>
    toReviewedEmail(email, storedEmailChecks[index] ?? noFindings, checkedEmails[index]?.claims ?? [])
  )
}

/** A new text of one email, with its author. */
export interface EmailEdit extends Pick<CheckInput, "subject" | "body"> {
  readonly step: number
  readonly origin: Required<Pick<StoredCheck, "author" | "template_id" | "playbook_version">> &
    Pick<StoredCheck, "mark">
}

const isAcrossEmails = ({ place }: StoredCheck["findings"][number]) => place === "sequence"

/**
 * The lead with one email changed. All its emails are checked again, because findings may compare them with each other.
 */
export const applyEdit = (row: LeadRow, basis: EmailSources, { body, origin, step, subject }: EmailEdit) => {
  const editedIndex = (row.sequence ?? []).findIndex((email) => email.step === step)
  const sequence: Sequence = (row.sequence ?? []).map((email) =>
    email.step === step ? { step, subject, body } : email
  )
  const checkedEmails = checkEmails(sequence, emailEvidence(basis, row))
  const newChecks = storedChecks(row).map((check, index): StoredCheck => {
    const { claims = [], findings = [] } = checkedEmails[index] ?? {}
    if (index !== editedIndex) {
      return {
        ...check,
        findings: [...check.findings.filter((finding) => !isAcrossEmails(finding)), ...findings.filter(isAcrossEmails)]
      }
    }
    return { score: null, findings, sources: claimGrounds(claims), ...origin, version: currentVersion(check) + 1 }
  })
  return {
    columns: {
      sequence: JSON.stringify(sequence),
      findings: JSON.stringify(newChecks),
      ...findingColumns(newChecks),
      // Texts written by a person have no score.
      score: null,
      edited: newChecks.some(({ author }) => author === "person") ? 1 : 0
    },
    view: toReviewedEmail(
      sequence[editedIndex] ?? { step, subject, body },
      newChecks[editedIndex] ?? noFindings,
      checkedEmails[editedIndex]?.claims ?? []
    )
  }
}
