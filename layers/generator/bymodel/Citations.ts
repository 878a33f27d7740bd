// layers/generator/bymodel/Citations.ts: checks a model's emails, and each sentence that cites a source against that
// source alone.
import * as Pattern from "effect/RegExp"
import { type Campaign, noChoices } from "#layers/generator/Brief.ts"
import type { Cited } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import type { NumberedSource } from "#layers/generator/bymodel/SourceList.ts"
import type { CitedClaim } from "#layers/generator/bymodel/Verification.ts"
import { checkEmails, type CheckedEmail, type CheckInput, type Evidence } from "#layers/generator/checker/Check.ts"
import { allTexts } from "#layers/model/SourceFacts.ts"
import { unknownPlaces } from "#layers/text/Contacts.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails, listFields } from "#schema/Details.ts"
import type { Finding } from "#schema/Findings.ts"
import { messageParts, noMessage } from "#schema/Playbook.ts"

export interface CitingEmail extends CheckInput {
  readonly facts: ReadonlyArray<Cited>
}

export interface ReviewedEmail extends CheckedEmail {
  /** The factual sentences, each with the source that the model cites. */
  readonly cited: ReadonlyArray<Omit<CitedClaim, "email">>
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Sentences become regular expressions, whose size is limited. */
const maxSentenceLength = 5000

/** Finds a sentence in the body, ignoring white space. A longer text is no sentence of the body. */
const findSentence = (body: string, sentence: string): Span | undefined => {
  if (sentence.length > maxSentenceLength) return undefined
  const words = sentence.trim().split(/\s+/).map(Pattern.escape)
  const match = words[0] === "" ? null : new RegExp(words.join("\\s+")).exec(body)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}

const overlapsSpan = (span: Span, { end, start }: { readonly start: number | null; readonly end: number | null }) =>
  start !== null && end !== null && start < span.end && span.start < end

const isListField = (field: string): boolean => listFields.some((listField) => listField === field)

/** The campaign reduced to one text, apart from names. */
const campaignFromSource = ({ profile }: Campaign, source: NumberedSource): Campaign => {
  const names = { company_name: profile.company_name, competitors: profile.competitors }
  const withField = (field: string, value: unknown): Campaign => ({
    profile: { ...noDetails, ...names, ...(field === "" ? {} : { [field]: value }) },
    audience: noSegment,
    ...noChoices
  })
  if (source.from === "profile") {
    if (source.at === "core_products") return withField("core_products", [{ product: source.text, pricing: "" }])
    return withField(source.at, isListField(source.at) ? [source.text] : source.text)
  }
  if (source.from !== "campaign" || !(source.at in noChoices)) return withField("", null)
  const choice = { items: [{ name: "", description: source.text }], additional_details: null }
  return { ...withField("", null), [source.at]: choice }
}

/** The evidence reduced to one source. */
const evidenceFromSource = (evidence: Evidence, source: NumberedSource): Evidence => {
  const { at, from, text } = source
  const part = messageParts.find((messagePart) => at === `message.${messagePart}`)
  const key = at.replace(/^custom_fields\./, "")
  const { campaign, lead } = evidence
  return {
    ...evidence,
    campaign: campaign === null ? null : campaignFromSource(campaign, source),
    message: part === undefined ? null : { ...noMessage, [part]: text },
    lead: lead === null ? null : { ...lead, custom_fields: from === "lead" ? { [key]: text } : {} },
    remarks: from === "remark" ? text : null,
    facts: from === "research" ? [{ statement: text, source_url: at, found_at: "" }] : []
  }
}

const isClaim = ({ rule }: Finding) => rule.startsWith("claim.")

const unsupportedSentence = ({ end, start }: Span): Finding => ({
  rule: "claim.source",
  severity: "fail",
  place: "body",
  start,
  end,
  message: "The source that this sentence cites does not say this. Say what the source says, or remove the sentence.",
  suggestion: null
})

interface Citation {
  readonly span: Span
  readonly sentence: string
  readonly source: NumberedSource
}

/** Sentences that none of their cited sources supports alone; a sentence with two sources may state one fact from each. */
const uncoveredSentences = (
  email: CitingEmail,
  citations: ReadonlyArray<Citation>,
  evidence: Evidence
): ReadonlyArray<Finding> => {
  const failuresBySource = new Map(
    citations.map(({ source }) => {
      const [checked] = checkEmails([email], evidenceFromSource(evidence, source))
      return [source, (checked?.findings ?? []).filter((finding) => isClaim(finding) && finding.severity === "fail")]
    })
  )
  const spans = new Map(citations.map(({ span }) => [`${span.start}-${span.end}`, span]))
  return [...spans.values()].flatMap((span) => {
    const failures = citations
      .filter((citation) => citation.span.start === span.start && citation.span.end === span.end)
      .map(({ source }) => (failuresBySource.get(source) ?? []).filter((finding) => overlapsSpan(span, finding)))
    const [firstFailures = [], ...otherFailures] = failures
    const failsForAll = firstFailures.some(({ end, start }) =>
      otherFailures.every(
        (findings) => start !== null && end !== null && findings.some((other) => overlapsSpan({ start, end }, other))
      )
    )
    return failsForAll ? [unsupportedSentence(span)] : []
  })
}

/**
 * Links and addresses that appear in no text of the user. Those of the lead and of its site do not count, because a
 * stranger may have written them.
 */
const linkFindings = ({ body, subject }: CheckInput, knownTexts: string): ReadonlyArray<Finding> =>
  [
    { place: "subject" as const, text: subject },
    { place: "body" as const, text: body }
  ].flatMap(({ place, text }) =>
    unknownPlaces(text, knownTexts).map((span): Finding => ({
      rule: "claim.source",
      severity: "fail",
      place,
      ...span,
      message: "No source has this link or address. Remove it.",
      suggestion: null
    }))
  )

/**
 * Checks all emails to one reader, or the texts of templates. `emailTexts` is the user's own text of each email, and
 * `otherTexts` are other texts of the user, whose links may be used.
 */
export const reviewEmails = (
  emails: ReadonlyArray<CitingEmail>,
  sources: ReadonlyArray<NumberedSource>,
  evidence: Evidence,
  {
    emailTexts = [],
    otherTexts = []
  }: { readonly emailTexts?: ReadonlyArray<string>; readonly otherTexts?: ReadonlyArray<string> } = {}
): ReadonlyArray<ReviewedEmail> => {
  const { campaign, message, remarks } = evidence
  const knownTexts = allTexts({ campaign, message, remarks, emailTexts, otherTexts }).join("\n")
  const byId = new Map(sources.map((source) => [source.id, source]))
  return checkEmails(emails, evidence).flatMap((checked, index) => {
    const email = emails[index]
    if (email === undefined) return []
    const isUserText = ({ end, start }: Span) => (emailTexts[index] ?? "").includes(email.body.slice(start, end))
    const citations = email.facts.flatMap(({ sentence, source: id }): ReadonlyArray<Citation> => {
      const span = findSentence(email.body, sentence)
      const source = byId.get(id.trim())
      return span === undefined || source === undefined || isUserText(span) ? [] : [{ span, sentence, source }]
    })
    const findClaim = (finding: Finding) =>
      checked.claims.find((claim) => overlapsSpan(claim, { start: finding.start, end: finding.end }))
    const ownFindings = checked.findings.map((finding): Finding => {
      const sentence = isClaim(finding) && finding.place === "body" ? findClaim(finding) : undefined
      // The user approved this sentence in the template, so the finding is shown and does not block the email.
      return sentence !== undefined && isUserText(sentence) ? { ...finding, severity: "warn" } : finding
    })
    const cited = citations.map(({ sentence, source }) => ({ sentence, source: source.text }))
    const uncitedClaims = checked.claims.flatMap((claim) => {
      const [source] = claim.sources
      const isCited = citations.some(({ span }) => overlapsSpan(span, claim))
      return source === undefined || isCited || isUserText(claim) || claim.sentence === source.text
        ? []
        : [{ sentence: claim.sentence, source: source.text }]
    })
    return [
      {
        ...checked,
        findings: [
          ...ownFindings,
          ...uncoveredSentences(email, citations, evidence),
          ...linkFindings(email, knownTexts)
        ],
        cited: [...cited, ...uncitedClaims]
      }
    ]
  })
}

export const failingFindings = (reviews: ReadonlyArray<CheckedEmail>): ReadonlyArray<Finding> =>
  reviews.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "fail"))

/** The body without a sentence and the gap that it leaves. */
export const removeSentence = (body: string, sentence: string): string => {
  const span = findSentence(body, sentence)
  if (span === undefined) return body
  return `${body.slice(0, span.start).replace(/[^\S\n]+$/, "")}${body.slice(span.end)}`
    .replace(/\n[^\S\n]+/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/** The faults, each with its text, as they are quoted to the model. */
export const describeFaults = (
  name: string,
  { body, subject }: CheckInput,
  { findings }: CheckedEmail
): ReadonlyArray<string> =>
  findings.flatMap(({ end, message, place, severity, start, suggestion }) => {
    if (severity !== "fail") return []
    const text = place === "subject" ? subject : body
    const quote = start === null || end === null ? "" : ` ${JSON.stringify(text.slice(start, end))}:`
    return [`${name}, ${place}:${quote} ${message}${suggestion === null ? "" : ` Suggestion: ${suggestion}`}`]
  })
