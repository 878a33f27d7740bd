// layers/generator/checker/claims/StatementClaims.ts: superlatives, comparisons, meetings, promises, and statements
// about the reader's company.
import { contentStemsOf, quoteShort } from "#layers/generator/checker/EmailText.ts"
import { wordPattern } from "#layers/generator/checker/ClaimPatterns.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  readerCompanyNames,
  type SentenceAnalysis,
  similarSources
} from "#layers/generator/checker/claims/Assertion.ts"

interface StatementRule {
  readonly rule: string
  readonly expression: RegExp
  /** The pattern that a source must match to support this kind of statement. */
  readonly sourcePattern?: RegExp
  /** The share of the clause's words that a source must have: the less the pattern says, the more words. */
  readonly minShare: number
  /** Whether a source must have the last word of what was found: "the largest" is not supported by "the latest". */
  readonly needsLastWord?: boolean
  readonly message: (text: string) => string
  /** Whether the sentence is one that this kind is searched in. */
  readonly applies?: (analysis: SentenceAnalysis, evidence: ClaimEvidence, matchText: string) => boolean
}

const mentionsSender = ({ sentence }: SentenceAnalysis, { sources }: ClaimEvidence): boolean =>
  /\b(?:we|we're|we've|our|us)\b/i.test(sentence.normalizedText) ||
  [...sources.senderNames].some((name) => sentence.normalizedText.toLowerCase().includes(name))

const statementRules: ReadonlyArray<StatementRule> = [
  {
    rule: "claim.number",
    expression: wordPattern.multiple,
    sourcePattern: /doubl|tripl|quadrupl|twice|\d+x|tenfold/i,
    minShare: 0.3,
    message: (text) => `No source says ${quoteShort(text)} of this. Use a result that the profile gives, or remove it.`
  },
  {
    rule: "claim.number",
    expression: wordPattern.crowd,
    sourcePattern: /hundreds|thousands|millions|dozens|\d{3}/i,
    minShare: 0.34,
    applies: (analysis, evidence) => mentionsSender(analysis, evidence),
    message: (text) => `No source supports ${quoteShort(text)}. Give the real number, or remove it.`
  },
  {
    rule: "claim.superlative",
    expression: wordPattern.superlative,
    sourcePattern:
      /\b(?:most|best|top|leading|largest|biggest|fastest|cheapest|easiest|greatest|number one|only|first|award|rated|#1|never|always|all|\p{L}{3,}est)\b/iu,
    minShare: 0.4,
    needsLastWord: true,
    applies: (analysis, evidence, matchText) =>
      mentionsSender(analysis, evidence) ||
      /^(?:it|it's|this)\b/i.test(analysis.sentence.normalizedText) ||
      /rated|loved|trusted|class|leading|winning|growing|planet|world|#1|number one/i.test(matchText),
    message: (text) => `No source supports ${quoteShort(text)}. Say what the product does instead.`
  },
  {
    rule: "claim.award",
    expression: wordPattern.award,
    sourcePattern: /\b(?:won|win|winners?|awards?|prizes?|finalists?)\b/i,
    minShare: 0.4,
    applies: (analysis, evidence) => mentionsSender(analysis, evidence),
    message: (text) => `No source has the award in ${quoteShort(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.credential",
    expression: wordPattern.credential,
    sourcePattern: /recommend|endorse|approve|accredit|certif|licen[cs]|backed|ISO|SOC|HIPAA|GDPR|partner/i,
    minShare: 0.34,
    message: (text) => `No source supports ${quoteShort(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.comparison",
    expression: wordPattern.comparison,
    sourcePattern: /\bthan\b|\bunlike\b|\bonly\b|instead|no other/i,
    minShare: 0.45,
    message: (text) => `No source supports the comparison ${quoteShort(text)}. Say what you do, without comparing.`
  },
  {
    rule: "claim.discount",
    expression: wordPattern.discount,
    sourcePattern:
      /free|discount|off\b|waive|no charge|without charge|no cost|trial|pilot|\bpay|cover|until|by the end/i,
    minShare: 0.3,
    message: (text) => `No source offers ${quoteShort(text)}. Offer only what the profile or campaign offers.`
  },
  {
    rule: "claim.guarantee",
    expression: wordPattern.guarantee,
    sourcePattern: /guarantee|refund|fee|free|bill|pay|cost|charge|risk|warrant|promise|years? on/i,
    minShare: 0.3,
    message: (text) =>
      `No source gives the guarantee ${quoteShort(text)}. Use the guarantee of the profile as it stands.`
  }
]

const lastWord = (text: string): string => text.toLowerCase().split(" ").at(-1) ?? ""

/** Finds a generic kind of statement in the sentence, and its sources. */
export const genericClaims = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const allSources = [...evidence.reader, ...evidence.sources.all]
  return statementRules.flatMap(({ expression, sourcePattern, minShare, message, rule, needsLastWord, applies }) => {
    const match = expression.exec(analysis.maskedText)
    if (match === null || (applies !== undefined && !applies(analysis, evidence, match[0]))) return []
    if (analysis.sentence.isQuestion && rule !== "claim.discount" && rule !== "claim.superlative") return []
    const clause = analysis.clauses.findLast(({ offset }) => offset <= match.index)
    const stems = clause === undefined || clause.stems.size < 2 ? analysis.sentence.stems : clause.stems
    // "Our guarantee: ..." introduces the wording that follows.
    const introducedSources = /:\s/.test(analysis.sentence.normalizedText.slice(match.index))
      ? analysis.verbatim.filter(({ stems }) => stems.size >= 2)
      : []
    // "This is our guarantee." only states that there is one.
    const isOnlyMention =
      /^guarantee$/i.test(match[0]) && /\b(?:our|this|the|a|one|my)\s$/i.test(analysis.maskedText.slice(0, match.index))
    const matches = isOnlyMention
      ? allSources.filter(
          ({ at, normalizedText }) => at === "guarantee" || at === "risk_reversal" || /guarantee/i.test(normalizedText)
        )
      : similarSources(allSources, stems, minShare, sourcePattern).filter(
          ({ normalizedText }) => needsLastWord !== true || normalizedText.toLowerCase().includes(lastWord(match[0]))
        )
    return [makeAssertion(rule, match.index, match[0], message(match[0]), [...introducedSources, ...matches])]
  })
}

const comparisonPattern =
  /\b(?:\p{L}{3,}er|better|less|fewer|worse|(?:more|less) \p{L}+(?: \p{L}+)?) than (?<name>(?:the )?\p{Lu}[\p{L}\p{N}&'-]*)|\b(?:unlike|beats?|outperforms?|outranks?|ahead of|instead of paying|(?:leaves?|left) behind) (?<other>\p{Lu}[\p{L}\p{N}&'-]*)/u

/** A comparison with a named competitor, or a sentence that disparages one. */
export const competitorClaims = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  if (analysis.sentence.isQuestion) return []
  const { normalizedText, stems } = analysis.sentence
  const rival = evidence.sources.rivals.find((name) => normalizedText.includes(name))
  const match = comparisonPattern.exec(analysis.maskedText)
  const comparisonWord =
    /\b(?:unlike|cheaper|faster|better|slower|worse|beats?|than|overcharg\w+|fails?|can't|cannot|doesn't|don't|loses?|never)\b/i.exec(
      normalizedText
    )
  const name = match?.groups?.name ?? match?.groups?.other
  const start =
    match !== null && name !== undefined
      ? match.index
      : rival !== undefined && comparisonWord !== null
        ? Math.min(normalizedText.indexOf(rival), comparisonWord.index)
        : -1
  if (
    start < 0 ||
    /^(?:I|You|We|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/.test(
      name ?? ""
    )
  )
    return []
  const end = Math.max(
    start + (match?.[0].length ?? 0),
    rival === undefined ? 0 : normalizedText.indexOf(rival) + rival.length
  )
  const text = normalizedText.slice(start, end)
  return [
    makeAssertion(
      "claim.comparison",
      start,
      text,
      `No source supports the comparison ${quoteShort(text)}. Say what you do, without comparing.`,
      similarSources(
        [...evidence.reader, ...evidence.sources.all],
        stems,
        0.5,
        /\bthan\b|\bunlike\b|instead|\b(?:can't|cannot|doesn't|don't|no)\b/i
      )
    )
  ]
}

/** Meetings with the reader, and quotations of the reader, that no record supports. */
export const meetingClaims = ({ sentence }: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const match = wordPattern.meeting.exec(sentence.normalizedText)
  if (match === null || (sentence.isQuestion && !/\b(?:after|when|since|as) (?:we|you|our)/i.test(match[0]))) return []
  const meetingSources = evidence.reader.filter(({ normalizedText }) =>
    /\b(?:met|meet|meeting|spoke|talk(?:ed)?|call|chat|told|asked|said|event|webinar|conference|fair|booth|demo|intro|dinner|download\w*|sign(?:ed)? up|regist\w+|visit\w*|request\w*|subscrib\w+)\b/i.test(
      normalizedText
    )
  )
  return [
    makeAssertion(
      "claim.meeting",
      match.index,
      match[0],
      `Nothing on record says ${quoteShort(match[0])}. Remove it, or add a column that says so.`,
      meetingSources
    )
  ]
}

const problemFields = new Set(["pain_points", "problems_solved", "problem", "consequence", "competitor_frustrations"])

/** Statements about the reader's company as facts. */
export const readerClaims = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const { sentence, verbatim } = analysis
  if (sentence.isQuestion || verbatim.length > 0) return []
  let textWithoutNames = sentence.normalizedText
  for (const name of readerCompanyNames(evidence.lead)) {
    const nameStart = textWithoutNames.indexOf(name)
    if (nameStart >= 0)
      textWithoutNames = `${textWithoutNames.slice(0, nameStart)}@${"c".repeat(name.length - 1)}${textWithoutNames.slice(nameStart + name.length)}`
  }
  // A client's situation is not known to be this reader's.
  const nonResultSources = evidence.sources.all.filter(({ isResult }) => !isResult)
  return analysis.clauses.flatMap((clause) => {
    const text = textWithoutNames.slice(clause.offset, clause.offset + clause.text.length)
    if (wordPattern.hedge.test(text) || (clause.offset === 0 && wordPattern.hedge.test(textWithoutNames))) return []
    const stateMatch = wordPattern.yourState.exec(text)
    const eventMatch = wordPattern.youState.exec(text)
    const match = stateMatch ?? eventMatch
    if (match === null) return []
    const stems = contentStemsOf(text)
    const readerSources = similarSources(evidence.reader, stems, 0.34)
    // An event needs a record about this reader; a problem may also be one that similar readers have.
    const isEvent = eventMatch !== null || wordPattern.event.test(match[0])
    const senderSources = isEvent
      ? []
      : similarSources(
          wordPattern.trouble.test(text)
            ? nonResultSources.filter(({ at }) => problemFields.has(at))
            : nonResultSources,
          stems,
          0.5
        )
    return [
      makeAssertion(
        "claim.reader",
        clause.offset,
        clause.text,
        "This states as a fact what nothing on record says about the reader's company. Ask it as a question, or say where it is known from.",
        [...readerSources, ...senderSources]
      )
    ]
  })
}

export const guaranteeClaims = ({ sentence }: SentenceAnalysis): ReadonlyArray<Assertion> => {
  const match = sentence.isQuestion ? null : wordPattern.promise.exec(sentence.normalizedText)
  return match === null
    ? []
    : [
        makeAssertion(
          "claim.guarantee",
          match.index,
          match[0],
          `${quoteShort(match[0])} promises the reader a result that nothing guarantees. Remove it.`,
          []
        )
      ]
}
