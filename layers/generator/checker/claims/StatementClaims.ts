// layers/generator/checker/claims/StatementClaims.ts: superlatives, comparisons, meetings, promises, and statements
// about the reader's company.
import { contentStemsOf, quoteShort } from "#layers/generator/checker/EmailText.ts"
import { wordPattern } from "#layers/generator/checker/ClaimPatterns.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  readerCompanyNames,
  type ReadSentence,
  similarSources
} from "#layers/generator/checker/claims/Assertion.ts"

interface StatementRule {
  readonly rule: string
  readonly expression: RegExp
  /** The pattern that a source must match to support this kind of statement. */
  readonly kind?: RegExp
  readonly least: number
  /** Whether a source must have the last word of what was found: "the largest" is not supported by "the latest". */
  readonly sameWord?: boolean
  readonly message: (text: string) => string
  /** Whether the sentence is one that this kind is searched in. */
  readonly applies?: (read: ReadSentence, known: ClaimEvidence, found: string) => boolean
}

const isAboutSender = ({ sentence }: ReadSentence, { sources }: ClaimEvidence): boolean =>
  /\b(?:we|we're|we've|our|us)\b/i.test(sentence.plain) ||
  [...sources.senderNames].some((name) => sentence.plain.toLowerCase().includes(name))

const statementRules: ReadonlyArray<StatementRule> = [
  {
    rule: "claim.number",
    expression: wordPattern.multiple,
    kind: /doubl|tripl|quadrupl|twice|\d+x|tenfold/i,
    least: 0.3,
    message: (text) => `No source says ${quoteShort(text)} of this. Use a result that the profile gives, or remove it.`
  },
  {
    rule: "claim.number",
    expression: wordPattern.crowd,
    kind: /hundreds|thousands|millions|dozens|\d{3}/i,
    least: 0.34,
    applies: (read, known) => isAboutSender(read, known),
    message: (text) => `No source supports ${quoteShort(text)}. Give the real number, or remove it.`
  },
  {
    rule: "claim.superlative",
    expression: wordPattern.superlative,
    kind: /\b(?:most|best|top|leading|largest|biggest|fastest|cheapest|easiest|greatest|number one|only|first|award|rated|#1|never|always|all|\p{L}{3,}est)\b/iu,
    least: 0.4,
    sameWord: true,
    applies: (read, known, found) =>
      isAboutSender(read, known) ||
      /^(?:it|it's|this)\b/i.test(read.sentence.plain) ||
      /rated|loved|trusted|class|leading|winning|growing|planet|world|#1|number one/i.test(found),
    message: (text) => `No source supports ${quoteShort(text)}. Say what the product does instead.`
  },
  {
    rule: "claim.award",
    expression: wordPattern.award,
    kind: /\b(?:won|win|winners?|awards?|prizes?|finalists?)\b/i,
    least: 0.4,
    applies: (read, known) => isAboutSender(read, known),
    message: (text) => `No source has the award in ${quoteShort(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.credential",
    expression: wordPattern.credential,
    kind: /recommend|endorse|approve|accredit|certif|licen[cs]|backed|ISO|SOC|HIPAA|GDPR|partner/i,
    least: 0.34,
    message: (text) => `No source supports ${quoteShort(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.comparison",
    expression: wordPattern.comparison,
    kind: /\bthan\b|\bunlike\b|\bonly\b|instead|no other/i,
    least: 0.45,
    message: (text) => `No source supports the comparison ${quoteShort(text)}. Say what you do, without comparing.`
  },
  {
    rule: "claim.discount",
    expression: wordPattern.discount,
    kind: /free|discount|off\b|waive|no charge|without charge|no cost|trial|pilot|\bpay|cover|until|by the end/i,
    least: 0.3,
    message: (text) => `No source offers ${quoteShort(text)}. Offer only what the profile or campaign offers.`
  },
  {
    rule: "claim.guarantee",
    expression: wordPattern.guarantee,
    kind: /guarantee|refund|fee|free|bill|pay|cost|charge|risk|warrant|promise|years? on/i,
    least: 0.3,
    message: (text) =>
      `No source gives the guarantee ${quoteShort(text)}. Use the guarantee of the profile as it stands.`
  }
]

const lastWord = (text: string): string => text.toLowerCase().split(" ").at(-1) ?? ""

/** Finds a generic kind of statement in the sentence, and its sources. */
export const genericClaims = (read: ReadSentence, known: ClaimEvidence): ReadonlyArray<Assertion> => {
  const all = [...known.reader, ...known.sources.all]
  return statementRules.flatMap(({ expression, kind, least, message, rule, sameWord, applies }) => {
    const first = expression.exec(read.masked)
    if (first === null || (applies !== undefined && !applies(read, known, first[0]))) return []
    if (read.sentence.isQuestion && rule !== "claim.discount" && rule !== "claim.superlative") return []
    const clause = read.clauses.findLast(({ from }) => from <= first.index)
    const stems = clause === undefined || clause.stems.size < 2 ? read.sentence.stems : clause.stems
    // "Our guarantee: ..." introduces the wording that follows.
    const announced = /:\s/.test(read.sentence.plain.slice(first.index))
      ? read.verbatim.filter(({ stems }) => stems.size >= 2)
      : []
    // "This is our guarantee." only states that there is one.
    const mentioned =
      /^guarantee$/i.test(first[0]) && /\b(?:our|this|the|a|one|my)\s$/i.test(read.masked.slice(0, first.index))
    const found = mentioned
      ? all.filter(({ at, plain }) => at === "guarantee" || at === "risk_reversal" || /guarantee/i.test(plain))
      : similarSources(all, stems, least, kind).filter(
          ({ plain }) => sameWord !== true || plain.toLowerCase().includes(lastWord(first[0]))
        )
    return [makeAssertion(rule, first.index, first[0], message(first[0]), [...announced, ...found])]
  })
}

const measuredPattern =
  /\b(?:\p{L}{3,}er|better|less|fewer|worse|(?:more|less) \p{L}+(?: \p{L}+)?) than (?<name>(?:the )?\p{Lu}[\p{L}\p{N}&'-]*)|\b(?:unlike|beats?|outperforms?|outranks?|ahead of|instead of paying|(?:leaves?|left) behind) (?<other>\p{Lu}[\p{L}\p{N}&'-]*)/u

/** A comparison with a named competitor, or a sentence that disparages one. */
export const competitorClaims = (read: ReadSentence, known: ClaimEvidence): ReadonlyArray<Assertion> => {
  if (read.sentence.isQuestion) return []
  const { plain, stems } = read.sentence
  const named = known.sources.rivals.find((name) => plain.includes(name))
  const found = measuredPattern.exec(read.masked)
  const versus =
    /\b(?:unlike|cheaper|faster|better|slower|worse|beats?|than|overcharg\w+|fails?|can't|cannot|doesn't|don't|loses?|never)\b/i.exec(
      plain
    )
  const name = found?.groups?.name ?? found?.groups?.other
  const start =
    found !== null && name !== undefined
      ? found.index
      : named !== undefined && versus !== null
        ? Math.min(plain.indexOf(named), versus.index)
        : -1
  if (
    start < 0 ||
    /^(?:I|You|We|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/.test(
      name ?? ""
    )
  )
    return []
  const end = Math.max(start + (found?.[0].length ?? 0), named === undefined ? 0 : plain.indexOf(named) + named.length)
  const text = plain.slice(start, end)
  return [
    makeAssertion(
      "claim.comparison",
      start,
      text,
      `No source supports the comparison ${quoteShort(text)}. Say what you do, without comparing.`,
      similarSources(
        [...known.reader, ...known.sources.all],
        stems,
        0.5,
        /\bthan\b|\bunlike\b|instead|\b(?:can't|cannot|doesn't|don't|no)\b/i
      )
    )
  ]
}

/** Meetings with the reader, and quotations of the reader, that no record supports. */
export const meetingClaims = ({ sentence }: ReadSentence, known: ClaimEvidence): ReadonlyArray<Assertion> => {
  const first = wordPattern.meeting.exec(sentence.plain)
  if (first === null || (sentence.isQuestion && !/\b(?:after|when|since|as) (?:we|you|our)/i.test(first[0]))) return []
  const record = known.reader.filter(({ plain }) =>
    /\b(?:met|meet|meeting|spoke|talk(?:ed)?|call|chat|told|asked|said|event|webinar|conference|fair|booth|demo|intro|dinner|download\w*|sign(?:ed)? up|regist\w+|visit\w*|request\w*|subscrib\w+)\b/i.test(
      plain
    )
  )
  return [
    makeAssertion(
      "claim.meeting",
      first.index,
      first[0],
      `Nothing on record says ${quoteShort(first[0])}. Remove it, or add a column that says so.`,
      record
    )
  ]
}

const problemFields = new Set(["pain_points", "problems_solved", "problem", "consequence", "competitor_frustrations"])

/** Statements about the reader's company as facts. */
export const readerClaims = (read: ReadSentence, known: ClaimEvidence): ReadonlyArray<Assertion> => {
  const { sentence, verbatim } = read
  if (sentence.isQuestion || verbatim.length > 0) return []
  let plain = sentence.plain
  for (const name of readerCompanyNames(known.lead)) {
    const from = plain.indexOf(name)
    if (from >= 0) plain = `${plain.slice(0, from)}@${"c".repeat(name.length - 1)}${plain.slice(from + name.length)}`
  }
  // A client's situation is not known to be this reader's.
  const stated = known.sources.all.filter(({ isResult }) => !isResult)
  return read.clauses.flatMap((clause) => {
    const text = plain.slice(clause.from, clause.from + clause.text.length)
    if (wordPattern.hedge.test(text) || (clause.from === 0 && wordPattern.hedge.test(plain))) return []
    const state = wordPattern.yourState.exec(text)
    const past = wordPattern.youState.exec(text)
    const found = state ?? past
    if (found === null) return []
    const stems = contentStemsOf(text)
    const reader = similarSources(known.reader, stems, 0.34)
    // An event needs a record about this reader; a problem may also be one that similar readers have.
    const event = past !== null || wordPattern.event.test(found[0])
    const given = event
      ? []
      : similarSources(
          wordPattern.trouble.test(text) ? stated.filter(({ at }) => problemFields.has(at)) : stated,
          stems,
          0.5
        )
    return [
      makeAssertion(
        "claim.reader",
        clause.from,
        clause.text,
        "This states as a fact what nothing on record says about the reader's company. Ask it as a question, or say where it is known from.",
        [...reader, ...given]
      )
    ]
  })
}

export const guaranteeClaims = ({ sentence }: ReadSentence): ReadonlyArray<Assertion> => {
  const found = sentence.isQuestion ? null : wordPattern.promise.exec(sentence.plain)
  return found === null
    ? []
    : [
        makeAssertion(
          "claim.guarantee",
          found.index,
          found[0],
          `${quoteShort(found[0])} promises the reader a result that nothing guarantees. Remove it.`,
          []
        )
      ]
}
