// layers/generator/checker/Check.ts: checks emails from any writer, and returns findings with spans and claims with
// sources.
import type { Fact } from "#layers/enrichment/Fact.ts"
import type { Campaign } from "#layers/generator/Brief.ts"
import type { ClaimEvidence } from "#layers/generator/checker/claims/Assertion.ts"
import { checkClaims, checkSubjectClaims } from "#layers/generator/checker/Claims.ts"
import { type EmailText, findingOnWhole, parseEmail } from "#layers/generator/checker/EmailText.ts"
import * as Style from "#layers/generator/checker/Style.ts"
import { grammarFindings } from "#layers/generator/checker/Grammar.ts"
import { languageFindings } from "#layers/generator/checker/Language.ts"
import { leadDataFindings, type LeadView, buildLeadView } from "#layers/generator/checker/LeadData.ts"
import { personalFindings } from "#layers/generator/checker/PersonalRemarks.ts"
import { paddingFindings, productStatementFindings } from "#layers/generator/checker/ProductStatement.ts"
import { claimSources, readerClaimSources, type Sources } from "#layers/generator/checker/ClaimSources.ts"
import * as Wording from "#layers/generator/checker/Wording.ts"
import { trigramBits, trigramSimilarity } from "#layers/text/TrigramSimilarity.ts"
import { wordTokens } from "#layers/text/Words.ts"
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

export interface CheckInput {
  readonly step: number
  readonly subject: string
  readonly body: string
}

export interface CheckedEmail {
  readonly findings: ReadonlyArray<Finding>
  readonly claims: ReadonlyArray<Claim>
  /** Always null: no score ranks held-out emails as blind readers do yet; the aim is an AUC of 0.85. */
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

const noSources: Sources = {
  all: [],
  clients: [],
  rivals: [],
  senderNames: new Set(),
  activityStems: [],
  offerStems: new Set(),
  text: ""
}

/** Data that all emails to one reader are compared with. */
interface CheckContext {
  readonly evidence: Evidence
  readonly claimEvidence: ClaimEvidence
  readonly hasCampaign: boolean
  readonly view: LeadView | null
  /** Text in lower case whose links and spam terms are the sender's own. */
  readonly senderText: string
}

const makeCheckContext = (evidence: Evidence): CheckContext => {
  const sources = evidence.campaign === null ? noSources : claimSources(evidence.campaign, evidence.message)
  return {
    evidence,
    claimEvidence: { sources, reader: readerClaimSources(evidence, sources.clients), lead: evidence.lead },
    hasCampaign: evidence.campaign !== null,
    view: evidence.lead === null ? null : buildLeadView(evidence.lead),
    senderText: `${sources.text}\n${evidence.signature?.toLowerCase() ?? ""}`
  }
}

const checkEmail = (email: CheckInput, text: EmailText, context: CheckContext): CheckedEmail => {
  const { hasCampaign, evidence, claimEvidence, senderText, view } = context
  const { claims, findings } = checkClaims(text, claimEvidence, hasCampaign)
  const unsignedEmail = { subject: email.subject, body: email.body.slice(0, text.signatureStart) }
  return {
    findings: [
      ...(hasCampaign && email.step === 1 ? productStatementFindings(text, claimEvidence.sources) : []),
      ...(hasCampaign ? paddingFindings(text, claimEvidence.sources, email.step) : []),
      ...(hasCampaign ? checkSubjectClaims(text, claimEvidence) : []),
      ...findings,
      ...(view === null ? [] : leadDataFindings(unsignedEmail, view, senderText)),
      ...Wording.leftoverFindings(email.subject, "subject"),
      ...Wording.leftoverFindings(email.body, "body"),
      ...Wording.forbiddenFindings(email.subject, "subject", evidence.never_say),
      ...Wording.forbiddenFindings(email.body, "body", evidence.never_say),
      ...Wording.spamFindings(unsignedEmail, (term) => senderText.includes(term.toLowerCase())),
      ...Wording.shortLinkFindings(email.body),
      ...personalFindings(text, senderText, evidence.lead, evidence.campaign?.profile.contact_name ?? null),
      ...languageFindings(text, senderText),
      ...Style.lengthFindings(text),
      ...Style.repetitionFindings(text),
      ...Style.subjectFindings(text, email.step),
      ...grammarFindings(text),
      ...Style.styleFindings(text)
    ],
    claims,
    score: null
  }
}

/** From this share of common trigrams on, an email says much the same as another. */
const repeatingSimilarity = 0.6

/** Findings about emails in comparison with each other; each belongs to the later email. */
const sequenceFindings = (texts: ReadonlyArray<EmailText>): ReadonlyArray<ReadonlyArray<Finding>> => {
  const trigramsByEmail = texts.map(({ sentences }) =>
    trigramBits(wordTokens(sentences.map(({ normalizedText }) => normalizedText.toLowerCase()).join(" ")))
  )
  return texts.map((text, index) => {
    const trigrams = trigramsByEmail[index]
    const similarIndex = texts.slice(0, index).findIndex((_, otherIndex) => {
      const others = trigramsByEmail[otherIndex]
      return (
        trigrams !== undefined && others !== undefined && trigramSimilarity(trigrams, others) >= repeatingSimilarity
      )
    })
    const subject = text.subject.trim().toLowerCase()
    const sameSubjectIndex =
      subject === "" ? -1 : texts.slice(0, index).findIndex((other) => other.subject.trim().toLowerCase() === subject)
    return [
      ...(similarIndex < 0
        ? []
        : [
            findingOnWhole(
              "sequence",
              "sequence.repeats",
              "warn",
              `This email says much the same as email ${similarIndex + 1}. Bring something new.`
            )
          ]),
      ...(sameSubjectIndex < 0
        ? []
        : [
            findingOnWhole(
              "sequence",
              "sequence.subject",
              "hint",
              `Email ${sameSubjectIndex + 1} has the same subject. Write another.`
            )
          ])
    ]
  })
}

/** Checks the emails to one reader, in order. A finding about two similar emails belongs to the later one. */
export const checkEmails = (emails: ReadonlyArray<CheckInput>, evidence: Evidence): ReadonlyArray<CheckedEmail> => {
  const context = makeCheckContext(evidence)
  const texts = emails.map((email) => parseEmail(email, evidence.signature))
  const findingsByEmail = sequenceFindings(texts)
  return emails.map((email, index) => {
    const checked = checkEmail(email, texts[index] ?? parseEmail(email, evidence.signature), context)
    return { ...checked, findings: [...checked.findings, ...(findingsByEmail[index] ?? [])] }
  })
}
