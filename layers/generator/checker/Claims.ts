// layers/generator/checker/Claims.ts: finds the claims of an email, and the source that supports each.
import {
  contentStemsOf,
  type EmailText,
  findingAt,
  normalizeForComparison,
  type Span,
  spanWithin
} from "#layers/generator/checker/EmailText.ts"
import { quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source } from "#layers/generator/checker/ClaimSources.ts"
import { contradicts, sharedStemRatio } from "#layers/generator/checker/ClaimSupport.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  readerCompanyNames,
  type SentenceAnalysis,
  analyzeSentences,
  similarSources,
  sourceReference
} from "#layers/generator/checker/claims/Assertion.ts"
import {
  clientClaims,
  swappedTopicClaims,
  unknownCompanyClaims
} from "#layers/generator/checker/claims/ClientClaims.ts"
import { numberClaims } from "#layers/generator/checker/claims/NumberClaims.ts"
import {
  competitorClaims,
  genericClaims,
  guaranteeClaims,
  meetingClaims,
  readerClaims
} from "#layers/generator/checker/claims/StatementClaims.ts"
import type { Claim, Finding } from "#schema/Findings.ts"

/** Least share of a sentence's words that its source has. */
const minSharedRatio = 0.7
/** Least share of the words of each part, so that half of a sentence cannot be invented. */
const minPartShare = 0.5
/** More sources than a person reads say nothing new. */
const maxListedSources = 3
const partSeparator =
  /[,;:()]|\s[-\u2013\u2014]+\s|(?<![\p{L}-])(?:and|as|because|but|by|for|if|or|so|than|that|thanks|until|when|where|which|while|who|with|without)(?![\p{L}-])/iu
/** Words of a frame before the user's own: "What we do differently: ...". */
const introduction = /^[^:_]{1,60}:(?= _)/u

/** Whether a source has the words of each part of a text, and all of its names and figures. */
const coversParts = (text: string, source: Source): boolean =>
  text.split(partSeparator).every((part) => {
    const stems = contentStemsOf(part)
    return stems.size === 0 || sharedStemRatio(stems, source.stems) >= minPartShare
  }) &&
  (text.match(/(?<=[\p{L},] )\p{Lu}[\p{L}-]+|\d[\d.,]*/gu) ?? []).every((nameOrFigure) =>
    source.normalizedText.toLowerCase().includes(nameOrFigure.toLowerCase().replace(/[.,]$/, ""))
  ) &&
  !contradicts(text, source.normalizedText)

/** The text without names of the sender and the reader's company, which need no source. */
const removeNames = (text: string, { lead, sources }: ClaimEvidence): string =>
  [...sources.senderNames, ...readerCompanyNames(lead)].reduce((remaining, name) => {
    const nameStart = remaining.toLowerCase().indexOf(name.toLowerCase())
    return nameStart < 0 ? remaining : remaining.slice(0, nameStart) + remaining.slice(nameStart + name.length)
  }, text)

/** Sources of all that a sentence says, where it makes no checkable claim. */
const supportingSources = (
  { maskedText, quantities, sentence, verbatim }: SentenceAnalysis,
  evidence: ClaimEvidence
) => {
  const uncheckedText = removeNames(maskedText.replace(introduction, ""), evidence)
  const repeatedSources = verbatim.filter((source) => coversParts(uncheckedText.replaceAll("_", " "), source))
  if (repeatedSources.length > 0 || sentence.stems.size < 2 || quantities.length > 0) return repeatedSources
  const text = removeNames(sentence.normalizedText, evidence)
  return similarSources([...evidence.reader, ...evidence.sources.all], contentStemsOf(text), minSharedRatio)
    .filter((source) => coversParts(text, source))
    .slice(0, maxListedSources)
}

const distinctSources = (sources: ReadonlyArray<Source>): Claim["sources"] => {
  const references = new Map(
    sources.map((source) => [`${source.from} ${source.at} ${source.comparisonText}`, sourceReference(source)])
  )
  return [...references.values()].slice(0, maxListedSources)
}

const findAssertions = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const isVerbatim = analysis.verbatim.some(({ comparisonText }) =>
    ` ${comparisonText} `.includes(` ${normalizeForComparison(analysis.sentence.text)} `)
  )
  // The user's own words, unchanged.
  if (isVerbatim) return [makeAssertion("claim.verbatim", 0, analysis.sentence.normalizedText, "", analysis.verbatim)]
  const numberAssertions = numberClaims(analysis, evidence)
  // If numbers are supported by a client's own source, the client is supported too.
  const areNumbersSupported = numberAssertions.length > 0 && numberAssertions.every(({ sources }) => sources.length > 0)
  return [
    ...guaranteeClaims(analysis),
    ...meetingClaims(analysis, evidence),
    ...readerClaims(analysis, evidence),
    ...numberAssertions,
    ...genericClaims(analysis, evidence),
    ...competitorClaims(analysis, evidence),
    ...swappedTopicClaims(analysis, evidence),
    ...clientClaims(analysis, evidence, areNumbersSupported),
    ...unknownCompanyClaims(analysis, evidence)
  ]
}

export interface CheckedClaims {
  readonly claims: ReadonlyArray<Claim>
  readonly findings: ReadonlyArray<Finding>
}

/** The claims of one email, and findings for unsupported ones. Without a campaign, `supported` is null and there are no findings. */
export const checkClaims = (email: EmailText, evidence: ClaimEvidence, hasCampaign: boolean): CheckedClaims => {
  const claims: Array<Claim> = []
  const findings: Array<Finding> = []
  for (const analysis of analyzeSentences(email, evidence)) {
    const { sentence } = analysis
    const assertions = findAssertions(analysis, evidence)
    const otherSources = assertions.length > 0 ? [] : supportingSources(analysis, evidence)
    if (assertions.length === 0 && otherSources.length === 0) continue
    const unsupported = assertions.filter(({ sources }) => sources.length === 0)
    claims.push({
      sentence: sentence.text,
      start: sentence.start,
      end: sentence.end,
      supported: hasCampaign ? unsupported.length === 0 : null,
      sources: hasCampaign
        ? distinctSources([...analysis.verbatim, ...assertions.flatMap(({ sources }) => sources), ...otherSources])
        : []
    })
    if (!hasCampaign) continue
    const spans: Array<Pick<Span, "start" | "end">> = []
    for (const { offset, length, message, rule } of unsupported) {
      // Overlapping findings are reduced to one. Sentences do not overlap.
      const span = spanWithin(sentence, offset, length)
      if (spans.some(({ end, start }) => span.start < end && start < span.end)) continue
      spans.push(span)
      findings.push(findingAt("body", rule, "fail", span, message))
    }
  }
  return { claims, findings }
}

/** Findings about numbers, discounts, praise and meetings in a subject line. */
export const checkSubjectClaims = (email: EmailText, evidence: ClaimEvidence): ReadonlyArray<Finding> => {
  const subjectOnly = { ...email, sentences: [email.subjectSentence] }
  const bodyStems = new Set(email.sentences.flatMap(({ stems }) => [...stems]))
  // A subject shortens a sentence of the body, where its number is checked.
  const bodyValues = new Set(
    email.sentences.flatMap(({ normalizedText }) => quantitiesIn(normalizedText, true)).map(({ value }) => value)
  )
  return analyzeSentences(subjectOnly, evidence)
    .map((analysis) => ({ ...analysis, previousStems: bodyStems }))
    .flatMap((analysis) =>
      [
        ...(analysis.quantities.every(({ value }) => bodyValues.has(value)) ? [] : numberClaims(analysis, evidence)),
        ...genericClaims(analysis, evidence),
        ...meetingClaims(analysis, evidence)
      ]
        .filter(({ sources }) => sources.length === 0)
        .slice(0, 1)
        .map(({ offset, length, message, rule }) =>
          findingAt("subject", rule, "fail", spanWithin(analysis.sentence, offset, length), message)
        )
    )
}
