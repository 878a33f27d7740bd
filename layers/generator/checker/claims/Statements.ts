// layers/generator/checker/claims/Statements.ts: superlatives, comparisons, meetings, promises, and statements about the
// reader's company.
import { quoted } from "#layers/generator/checker/Findings.ts"
import { pattern } from "#layers/generator/checker/Patterns.ts"
import { contentOf } from "#layers/generator/checker/Text.ts"
import {
  type Known,
  type Assertion,
  type Read,
  companyNames,
  assertion,
  each,
  alikeSources
} from "#layers/generator/checker/claims/Assertion.ts"

interface Kind {
  readonly rule: string
  readonly expression: RegExp
  /** The pattern that a source must match to support this kind of statement. */
  readonly kind?: RegExp
  readonly least: number
  readonly message: (text: string) => string
  /** Whether the sentence is one that this kind is searched in. */
  readonly when?: (read: Read, known: Known, found: string) => boolean
}

const aboutSender = ({ sentence }: Read, { sources }: Known): boolean =>
  /\b(?:we|we're|we've|our|us)\b/i.test(sentence.plain) ||
  [...sources.own].some((name) => sentence.plain.toLowerCase().includes(name))

const kinds: ReadonlyArray<Kind> = [
  {
    rule: "claim.number",
    expression: pattern.multiple,
    kind: /doubl|tripl|quadrupl|twice|\d+x|tenfold/i,
    least: 0.3,
    message: (text) => `No source says ${quoted(text)} of this. Use a result that the profile gives, or remove it.`
  },
  {
    rule: "claim.number",
    expression: pattern.crowd,
    kind: /hundreds|thousands|millions|dozens|\d{3}/i,
    least: 0.34,
    when: (read, known) => aboutSender(read, known),
    message: (text) => `No source supports ${quoted(text)}. Give the real number, or remove it.`
  },
  {
    rule: "claim.superlative",
    expression: pattern.superlative,
    kind: /\b(?:most|best|top|leading|largest|biggest|fastest|cheapest|easiest|greatest|number one|only|first|award|rated|#1|never|always|all|\p{L}{3,}est)\b/iu,
    least: 0.4,
    when: (read, known, found) =>
      aboutSender(read, known) ||
      /^(?:it|it's|this)\b/i.test(read.sentence.plain) ||
      /rated|loved|trusted|class|leading|winning|growing|planet|world|#1|number one/i.test(found),
    message: (text) => `No source supports ${quoted(text)}. Say what the product does instead.`
  },
  {
    rule: "claim.credential",
    expression: pattern.credential,
    kind: /recommend|endorse|approve|accredit|certif|licen[cs]|backed|ISO|SOC|HIPAA|GDPR|partner/i,
    least: 0.34,
    message: (text) => `No source supports ${quoted(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.comparison",
    expression: pattern.comparison,
    kind: /\bthan\b|\bunlike\b|\bonly\b|instead|no other/i,
    least: 0.45,
    message: (text) => `No source supports the comparison ${quoted(text)}. Say what you do, without comparing.`
  },
  {
    rule: "claim.discount",
    expression: pattern.discount,
    kind: /free|discount|off\b|waive|no charge|without charge|no cost|trial|pilot|\bpay|cover|until|by the end/i,
    least: 0.3,
    message: (text) => `No source offers ${quoted(text)}. Offer only what the profile or campaign offers.`
  },
  {
    rule: "claim.guarantee",
    expression: pattern.guarantee,
    kind: /guarantee|refund|fee|free|bill|pay|cost|charge|risk|warrant|promise|years? on/i,
    least: 0.3,
    message: (text) => `No source gives the guarantee ${quoted(text)}. Use the guarantee of the profile as it stands.`
  }
]

/** Finds a generic kind of statement in the sentence, and its sources. */
export const ofKinds = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const all = [...known.reader, ...known.sources.all]
  return kinds.flatMap(({ expression, kind, least, message, rule, when }) => {
    const [first] = each(read.masked, expression)
    if (first === undefined || (when !== undefined && !when(read, known, first[0]))) return []
    if (read.sentence.question && rule !== "claim.discount" && rule !== "claim.superlative") return []
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
      : alikeSources(all, stems, least, kind)
    return [assertion(rule, first.index, first[0], message(first[0]), [...announced, ...found])]
  })
}

const measured =
  /\b(?:\p{L}{3,}er|better|less|fewer|worse|(?:more|less) \p{L}+(?: \p{L}+)?) than (?<name>(?:the )?\p{Lu}[\p{L}\p{N}&'-]*)|\b(?:unlike|beats?|outperforms?|outranks?|ahead of|instead of paying|(?:leaves?|left) behind) (?<other>\p{Lu}[\p{L}\p{N}&'-]*)/gu

/** A comparison with a named competitor, or a sentence that disparages one. */
export const rivalry = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  if (read.sentence.question) return []
  const { plain, stems } = read.sentence
  const named = known.sources.rivals.find((name) => plain.includes(name))
  const [found] = each(read.masked, measured)
  const versus =
    /\b(?:unlike|cheaper|faster|better|slower|worse|beats?|than|overcharg\w+|fails?|can't|cannot|doesn't|don't|loses?|never)\b/i.exec(
      plain
    )
  const name = found?.groups?.name ?? found?.groups?.other
  const start =
    found !== undefined && name !== undefined
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
    assertion(
      "claim.comparison",
      start,
      text,
      `No source supports the comparison ${quoted(text)}. Say what you do, without comparing.`,
      alikeSources(
        [...known.reader, ...known.sources.all],
        stems,
        0.5,
        /\bthan\b|\bunlike\b|instead|\b(?:can't|cannot|doesn't|don't|no)\b/i
      )
    )
  ]
}

/** Meetings with the reader, and quotations of the reader, that no record supports. */
export const meetings = ({ sentence }: Read, known: Known): ReadonlyArray<Assertion> => {
  const [first] = each(sentence.plain, pattern.meeting)
  if (first === undefined || (sentence.question && !/\b(?:after|when|since|as) (?:we|you|our)/i.test(first[0])))
    return []
  const record = known.reader.filter(({ plain }) =>
    /\b(?:met|meet|meeting|spoke|talk(?:ed)?|call|chat|told|asked|said|event|webinar|conference|fair|booth|demo|intro|dinner|download\w*|sign(?:ed)? up|regist\w+|visit\w*|request\w*|subscrib\w+)\b/i.test(
      plain
    )
  )
  return [
    assertion(
      "claim.meeting",
      first.index,
      first[0],
      `Nothing on record says ${quoted(first[0])}. Remove it, or add a column that says so.`,
      record
    )
  ]
}

const troubles = new Set(["pain_points", "problems_solved", "problem", "consequence", "competitor_frustrations"])

/** Statements about the reader's company as facts. */
export const aboutReader = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const { sentence, verbatim } = read
  if (sentence.question || verbatim.length > 0) return []
  let plain = sentence.plain
  for (const name of companyNames(known.lead)) {
    const from = plain.indexOf(name)
    if (from >= 0) plain = `${plain.slice(0, from)}@${"c".repeat(name.length - 1)}${plain.slice(from + name.length)}`
  }
  // A client's situation is not known to be this reader's.
  const stated = known.sources.all.filter(({ result }) => !result)
  return read.clauses.flatMap((clause) => {
    const text = plain.slice(clause.from, clause.from + clause.text.length)
    if (pattern.hedge.test(text) || (clause.from === 0 && pattern.hedge.test(plain))) return []
    const state = each(text, pattern.yourState)[0]
    const past = each(text, pattern.youState)[0]
    const found = state ?? past
    if (found === undefined) return []
    const stems = contentOf(text)
    const reader = alikeSources(known.reader, stems, 0.34)
    // An event needs a record about this reader; a problem may also be one that similar readers have.
    const event = past !== undefined || pattern.event.test(found[0])
    const given = event
      ? []
      : alikeSources(pattern.trouble.test(text) ? stated.filter(({ at }) => troubles.has(at)) : stated, stems, 0.5)
    return [
      assertion(
        "claim.reader",
        clause.from,
        clause.text,
        "This states as a fact what nothing on record says about the reader's company. Ask it as a question, or say where it is known from.",
        [...reader, ...given]
      )
    ]
  })
}

export const promises = ({ sentence }: Read): ReadonlyArray<Assertion> =>
  sentence.question
    ? []
    : each(sentence.plain, pattern.promise)
        .slice(0, 1)
        .map((found) =>
          assertion(
            "claim.guarantee",
            found.index,
            found[0],
            `${quoted(found[0])} promises the reader a result that nothing guarantees. Remove it.`,
            []
          )
        )
