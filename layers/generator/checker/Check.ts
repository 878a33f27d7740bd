// layers/generator/checker/Check.ts: checks emails from any writer, and returns findings with spans and claims with
// sources.
import type { Fact } from "#layers/enrichment/Fact.ts"
import type { Campaign } from "#layers/generator/Brief.ts"
import type { Known } from "#layers/generator/checker/claims/Assertion.ts"
import { claimsOf, subjectClaims } from "#layers/generator/checker/Claims.ts"
import { whole } from "#layers/generator/checker/Findings.ts"
import * as Form from "#layers/generator/checker/Form.ts"
import { grammar } from "#layers/generator/checker/Grammar.ts"
import { language } from "#layers/generator/checker/Language.ts"
import { leadFindings, type LeadView, leadView } from "#layers/generator/checker/LeadData.ts"
import { personal } from "#layers/generator/checker/Personal.ts"
import { padding, saysWhatWeDo } from "#layers/generator/checker/Says.ts"
import { campaignSources, readerSources, type Sources } from "#layers/generator/checker/Sources.ts"
import { type EmailText, emailText } from "#layers/generator/checker/Text.ts"
import * as Wording from "#layers/generator/checker/Wording.ts"
import { likeness, trigrams } from "#layers/text/Likeness.ts"
import { words } from "#layers/text/Words.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"
import type { Message } from "#schema/Playbook.ts"

/** The evidence for a check: everything that the writer was given. Unknown parts are null. */
export interface Evidence {
  readonly campaign: Campaign | null
  readonly lead: Lead | null
  /** The persona's six sentences, which the user approved; they are sources like the campaign's. */
  readonly message: Message | null
  readonly never_say: ReadonlyArray<string>
  readonly remarks: string | null
  readonly facts: ReadonlyArray<Fact>
  readonly signature: string | null
  /** Number of emails in the sequence. */
  readonly email_count: number | null
}

export interface Email {
  readonly step: number
  readonly subject: string
  readonly body: string
}

export interface Checked {
  readonly findings: ReadonlyArray<Finding>
  readonly claims: ReadonlyArray<Claim>
  /** Null until a score ranks emails as readers do. */
  readonly score: number | null
}

/** Evidence without content. */
export const noEvidence: Evidence = {
  campaign: null,
  lead: null,
  message: null,
  never_say: [],
  remarks: null,
  facts: [],
  signature: null,
  email_count: null
}

const noSources: Sources = { all: [], clients: [], rivals: [], own: new Set(), does: [], offers: new Set(), text: "" }

/** Returns a score once one ranks held-out emails as blind readers do (AUC of at least 0.85). */
const scoreOf = (): number | null => null

/** Data that all emails to one reader are compared with. */
interface Context {
  readonly evidence: Evidence
  readonly known: Known
  readonly compared: boolean
  readonly view: LeadView | null
  /** Text in lower case whose links and spam terms are the sender's own. */
  readonly ours: string
}

const contextOf = (evidence: Evidence): Context => {
  const sources = evidence.campaign === null ? noSources : campaignSources(evidence.campaign, evidence.message)
  return {
    evidence,
    known: { sources, reader: readerSources(evidence, sources.clients), lead: evidence.lead },
    compared: evidence.campaign !== null,
    view: evidence.lead === null ? null : leadView(evidence.lead),
    ours: `${sources.text}\n${evidence.signature?.toLowerCase() ?? ""}`
  }
}

const checkOne = (email: Email, text: EmailText, context: Context): Checked => {
  const { compared, evidence, known, ours, view } = context
  const { claims, findings } = claimsOf(text, known, compared)
  const spoken = { subject: email.subject, body: email.body.slice(0, text.signed) }
  return {
    findings: [
      ...(compared && email.step === 1 ? saysWhatWeDo(text, known.sources) : []),
      ...(compared ? padding(text, known.sources, email.step) : []),
      ...(compared ? subjectClaims(text, known) : []),
      ...findings,
      ...(view === null ? [] : leadFindings(spoken, view, ours)),
      ...Wording.leftovers(email.subject, "subject"),
      ...Wording.leftovers(email.body, "body"),
      ...Wording.forbidden(email.subject, "subject", evidence.never_say),
      ...Wording.forbidden(email.body, "body", evidence.never_say),
      ...Wording.spamFindings(spoken, (term) => ours.includes(term.toLowerCase())),
      ...Wording.shortLinks(email.body),
      ...personal(text, ours, evidence.lead, evidence.campaign?.profile.contact_name ?? null),
      ...language(text, ours),
      ...Form.length(text),
      ...Form.repetition(text),
      ...Form.subjectLine(text, email.step),
      ...grammar(text),
      ...Form.taste(text)
    ],
    claims,
    score: scoreOf()
  }
}

/** Findings about emails in comparison with each other; each belongs to the later email. */
const sequenceFindings = (texts: ReadonlyArray<EmailText>): ReadonlyArray<ReadonlyArray<Finding>> => {
  const grams = texts.map(({ sentences }) =>
    trigrams(words(sentences.map(({ plain }) => plain.toLowerCase()).join(" ")))
  )
  return texts.map((text, index) => {
    const own = grams[index]
    const near = texts.slice(0, index).findIndex((_, before) => {
      const other = grams[before]
      return own !== undefined && other !== undefined && likeness(own, other) >= 0.6
    })
    const subject = text.subject.trim().toLowerCase()
    const same =
      subject === "" ? -1 : texts.slice(0, index).findIndex((before) => before.subject.trim().toLowerCase() === subject)
    return [
      ...(near < 0
        ? []
        : [
            whole(
              "sequence",
              "sequence.repeats",
              "warn",
              `This email says much the same as email ${near + 1}. Bring something new.`
            )
          ]),
      ...(same < 0
        ? []
        : [whole("sequence", "sequence.subject", "hint", `Email ${same + 1} has the same subject. Write another.`)])
    ]
  })
}

/** Checks the emails to one reader. A finding about several emails belongs to the first of them. */
export const check = (emails: ReadonlyArray<Email>, evidence: Evidence): ReadonlyArray<Checked> => {
  const context = contextOf(evidence)
  const texts = emails.map((email) => emailText(email, evidence.signature))
  const across = sequenceFindings(texts)
  return emails.map((email, index) => {
    const checked = checkOne(email, texts[index] ?? emailText(email, evidence.signature), context)
    return { ...checked, findings: [...checked.findings, ...(across[index] ?? [])] }
  })
}
