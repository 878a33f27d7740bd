// layers/generator/checker/Claims.ts: finds the claims of an email, and the source that supports each.
import {
  type EmailText,
  findingAt,
  normalizeForComparison,
  type Span,
  spanWithin
} from "#layers/generator/checker/EmailText.ts"
import { quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source } from "#layers/generator/checker/ClaimSources.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  type ReadSentence,
  readSentences,
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

/** Sources that share enough words with a sentence that makes no checkable claim. */
const supportingSources = ({ quantities, sentence }: ReadSentence, known: ClaimEvidence): ReadonlyArray<Source> =>
  sentence.stems.size < 2 || quantities.length > 0
    ? []
    : similarSources([...known.reader, ...known.sources.all], sentence.stems, 0.6).slice(0, 3)

const distinctSources = (sources: ReadonlyArray<Source>): Claim["sources"] => {
  const found = new Map(
    sources.map((source) => [`${source.from} ${source.at} ${source.normal}`, sourceReference(source)])
  )
  return [...found.values()].slice(0, 3)
}

const findAssertions = (read: ReadSentence, known: ClaimEvidence): ReadonlyArray<Assertion> => {
  const isVerbatim = read.verbatim.some(({ normal }) =>
    ` ${normal} `.includes(` ${normalizeForComparison(read.sentence.text)} `)
  )
  // The user's own words, unchanged.
  if (isVerbatim) return [makeAssertion("claim.verbatim", 0, read.sentence.plain, "", read.verbatim)]
  const numberAssertions = numberClaims(read, known)
  // If numbers are supported by a client's own source, the client is supported too.
  const supported = numberAssertions.length > 0 && numberAssertions.every(({ sources }) => sources.length > 0)
  return [
    ...guaranteeClaims(read),
    ...meetingClaims(read, known),
    ...readerClaims(read, known),
    ...numberAssertions,
    ...genericClaims(read, known),
    ...competitorClaims(read, known),
    ...swappedTopicClaims(read, known),
    ...clientClaims(read, known, supported),
    ...unknownCompanyClaims(read, known)
  ]
}

export interface CheckedClaims {
  readonly claims: ReadonlyArray<Claim>
  readonly findings: ReadonlyArray<Finding>
}

/** The claims of one email; `known` is null if there is no evidence. */
export const checkClaims = (email: EmailText, known: ClaimEvidence, hasCampaign: boolean): CheckedClaims => {
  const claims: Array<Claim> = []
  const findings: Array<Finding> = []
  for (const one of readSentences(email, known)) {
    const { sentence } = one
    const assertions = findAssertions(one, known)
    const supportingOthers = assertions.length > 0 ? [] : [...one.verbatim, ...supportingSources(one, known)]
    if (assertions.length === 0 && supportingOthers.length === 0) continue
    const failed = assertions.filter(({ sources }) => sources.length === 0)
    claims.push({
      sentence: sentence.text,
      start: sentence.start,
      end: sentence.end,
      supported: hasCampaign ? failed.length === 0 : null,
      sources: hasCampaign
        ? distinctSources([...one.verbatim, ...assertions.flatMap(({ sources }) => sources), ...supportingOthers])
        : []
    })
    if (!hasCampaign) continue
    const spans: Array<Pick<Span, "start" | "end">> = []
    for (const { from, length, message, rule } of failed) {
      // Overlapping findings are reduced to one. Sentences do not overlap.
      const span = spanWithin(sentence, from, length)
      if (spans.some(({ end, start }) => span.start < end && start < span.end)) continue
      spans.push(span)
      findings.push(findingAt("body", rule, "fail", span, message))
    }
  }
  return { claims, findings }
}

/** Numbers, discounts and praise in a subject line. */
export const checkSubjectClaims = (email: EmailText, known: ClaimEvidence): ReadonlyArray<Finding> => {
  const only = { ...email, sentences: [email.subjectSentence] }
  const around = new Set(email.sentences.flatMap(({ stems }) => [...stems]))
  // A subject shortens a sentence of the body, where its number is checked.
  const repeated = new Set(email.sentences.flatMap(({ plain }) => quantitiesIn(plain, true)).map(({ value }) => value))
  return readSentences(only, known)
    .map((one) => ({ ...one, before: around }))
    .flatMap((one) =>
      [
        ...(one.quantities.every(({ value }) => repeated.has(value)) ? [] : numberClaims(one, known)),
        ...genericClaims(one, known),
        ...meetingClaims(one, known)
      ]
        .filter(({ sources }) => sources.length === 0)
        .slice(0, 1)
        .map(({ from, length, message, rule }) =>
          findingAt("subject", rule, "fail", spanWithin(one.sentence, from, length), message)
        )
    )
}
