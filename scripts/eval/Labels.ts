// scripts/eval/Labels.ts: compares the router and the checker with labelled titles and rated emails.
import { checkEmails, noEvidence } from "#layers/generator/checker/Check.ts"
import { readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { type Campaign, noChoices } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails, type DetailsPatch } from "#schema/Details.ts"
import type { Finding } from "#schema/Findings.ts"
import type { Named, RatedEmails, RatedEmail, Title } from "./Sets.ts"

export interface Routing {
  readonly half: string
  readonly titles: number
  readonly department: number
  readonly seniority: number
}

/** How many titles of a labelled half are read right. */
export const measureRouting = ({ name, value }: Named<ReadonlyArray<Title>>): Routing => {
  const readings = value.map((label) => ({ label, reading: readTitle(label.title) }))
  return {
    half: name.replace("titles-", ""),
    titles: value.length,
    department: readings.filter(({ label, reading }) => reading.department === label.department).length,
    seniority: readings.filter(({ label, reading }) => reading.seniority === label.seniority).length
  }
}

interface RatedFault {
  readonly fault: string
  readonly emails: number
  /** With a fail or a warning anywhere. */
  readonly flagged: number
  /** With a fail or a warning at the faulty text. */
  readonly atSpan: number
}

export interface CheckerReport {
  readonly good: number
  readonly goodFailed: number
  readonly bad: number
  readonly badFlagged: number
  readonly badAtSpan: number
  readonly faults: ReadonlyArray<RatedFault>
  /** Ids of good emails that fail, with the rules that they fail by. */
  readonly wronglyFailed: ReadonlyArray<{ readonly id: string; readonly rules: ReadonlyArray<string> }>
  /** Ids of bad emails that are not flagged at the faulty text. */
  readonly missed: ReadonlyArray<string>
}

/** All that is known of a rated email's campaign is its profile. */
const campaignOf = (patch: DetailsPatch): Campaign => ({
  profile: { ...noDetails, ...patch },
  audience: { ...noSegment, decision_makers: patch.target_job_titles ?? "" },
  ...noChoices
})

/** Whether a finding is about the faulty text; a fault of the whole email has none, and any finding will do. */
const isAtSpan = ({ end, place, start }: Finding, { body, span, subject }: RatedEmail): boolean => {
  if (span === null) return true
  if (place === "sequence" || start === null || end === null) return false
  const spanStart = (place === "subject" ? subject : body).indexOf(span)
  return spanStart >= 0 && start < spanStart + span.length && end > spanStart
}

export const checkerReport = ({ emails, profiles }: RatedEmails): CheckerReport => {
  const campaigns = new Map(Object.entries(profiles).map(([name, patch]) => [name, campaignOf(patch)]))
  const checkedEmails = emails.map((email) => {
    const { body, email_count, lead, profile, step, subject } = email
    const campaign = campaigns.get(profile) ?? null
    const findings = checkEmails([{ step, subject, body }], { ...noEvidence, campaign, lead, email_count })
      .flatMap((checked) => checked.findings)
      .filter(({ severity }) => severity !== "hint")
    return { email, findings, fails: findings.filter(({ severity }) => severity === "fail") }
  })
  const good = checkedEmails.filter(({ email }) => email.label === "good")
  const failed = good.filter(({ fails }) => fails.length > 0)
  const bad = checkedEmails
    .filter(({ email }) => email.label === "bad")
    .map(({ email, findings }) => ({
      email,
      flagged: findings.length > 0,
      atSpan: findings.some((finding) => isAtSpan(finding, email))
    }))
  const kinds = [...new Set(bad.map(({ email }) => email.fault ?? "other"))].toSorted()
  const count = (emailsOfKind: typeof bad) => ({
    emails: emailsOfKind.length,
    flagged: emailsOfKind.filter(({ flagged }) => flagged).length,
    atSpan: emailsOfKind.filter(({ atSpan }) => atSpan).length
  })
  const all = count(bad)
  return {
    good: good.length,
    goodFailed: failed.length,
    bad: all.emails,
    badFlagged: all.flagged,
    badAtSpan: all.atSpan,
    faults: kinds.map((fault) => ({ fault, ...count(bad.filter(({ email }) => (email.fault ?? "other") === fault)) })),
    wronglyFailed: failed.map(({ email, fails }) => ({
      id: email.id,
      rules: [...new Set(fails.map(({ rule }) => rule))]
    })),
    missed: bad.filter(({ atSpan }) => !atSpan).map(({ email }) => email.id)
  }
}
