// layers/generator/checker/claims/NumberClaims.ts: finds numbers and amounts, and the source that states the same about
// the same thing.
import { contentStemsOf, quoteShort, type Sentence } from "#layers/generator/checker/EmailText.ts"
import { everyClient, unnamedClient, wordPattern } from "#layers/generator/checker/ClaimPatterns.ts"
import type { Quantity } from "#layers/generator/checker/Quantities.ts"
import type { Source } from "#layers/generator/checker/ClaimSources.ts"
import {
  type Clause,
  findNumberSources,
  type NumberQuery,
  splitClauses
} from "#layers/generator/checker/ClaimSupport.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  readerCompanyNames,
  type SentenceAnalysis
} from "#layers/generator/checker/claims/Assertion.ts"

/**
 * Whether a number is part of a condition, which states no fact: "If two half-empty buses ever bother you", "With 60 meals a day, it is often".
 */
const isHypothetical = (text: string, { start }: Quantity): boolean =>
  /^(?:if|when|whenever|should|suppose|say|imagine)\b[^,]*$/i.test(text.slice(0, start)) ||
  (/^(?:with|at|for)\b[^,]*$/i.test(text.slice(0, start)) &&
    /,\s(?:you|it|they|there)\b[^.]*\b(?:often|usually|sometimes|seldom|rarely|soon|can|may|might)\b/i.test(
      text.slice(start)
    ))

/** Whether a statement is about the sender, a client, or companies in general. */
const isAboutSomeone = ({ afterClient, client, sentence }: SentenceAnalysis, { sources }: ClaimEvidence): boolean =>
  client !== null ||
  afterClient ||
  /\b(?:we|we're|we've|us|ours?|clients|customers|users|(?:an?|one|another) (?:[\p{L}-]+ )?(?:client|customer|user)|average)\b/iu.test(
    sentence.normalizedText
  ) ||
  [...sources.senderNames].some((name) => sentence.normalizedText.toLowerCase().includes(name))

export const currencyCode = /^[A-Z]{3}$/

/** Whether a small spelled-out number claims nothing about the sender: "It takes you two minutes", "With two outside firms". */
const isColloquial = (quantity: Quantity, analysis: SentenceAnalysis, evidence: ClaimEvidence): boolean => {
  const { normalizedText, paragraph } = analysis.sentence
  const { end, measure, per, start, value } = quantity
  if (measure === "%" || measure === "x" || (measure !== null && currencyCode.test(measure)) || per !== null)
    return false
  // A subject such as "31 months" names its topic.
  if (
    paragraph < 0 &&
    !/\b(?:\p{L}+(?:ed|s)|we|our|you|your|faster|less|more|fewer|cut|in|within|by)\b/iu.test(
      normalizedText.slice(0, start)
    )
  )
    return measure !== null && value < 100
  return (
    value >= 1 &&
    value <= 12 &&
    /^\p{L}/u.test(normalizedText.slice(start, end)) &&
    !/^\s(?:\p{L}+\s)?(?:in|out of|of every)\s(?:every\s)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred)/iu.test(
      normalizedText.slice(end)
    ) &&
    !/\b(?:within|in|after|under|save[sd]?|saving|faster|cut|cuts|gain)\s$/i.test(normalizedText.slice(0, start)) &&
    !isAboutSomeone(analysis, evidence)
  )
}

/** Whether a number is a claim. In a question, only a percentage, an amount, a multiple or a large number is. */
export const isStated = (quantity: Quantity, analysis: SentenceAnalysis, evidence: ClaimEvidence): boolean =>
  (!analysis.sentence.isQuestion &&
    !(quantity.measure === null && isHypothetical(analysis.sentence.normalizedText, quantity)) &&
    !isColloquial(quantity, analysis, evidence)) ||
  quantity.measure === "%" ||
  (quantity.measure !== null && currencyCode.test(quantity.measure)) ||
  quantity.measure === "x" ||
  quantity.value >= 1000

export const isMasked = (analysis: SentenceAnalysis, { end, start }: Quantity): boolean =>
  /_/.test(analysis.maskedText.slice(start, end))

/** Parts of a clause that are joined by a comma or "and", each with its numbers and its offset. */
const splitJoinedParts = (
  clause: Clause,
  quantities: ReadonlyArray<Quantity>,
  sentenceText: string,
  client: string | null
) => {
  const separator = client === null ? /,\s+|\s(?:and|at|with|for)\s/g : /,\s+|\sand\s/g
  const parts: Array<{ clause: Clause; quantities: Array<Quantity> }> = []
  let partStart = clause.offset
  for (const [index, quantity] of quantities.entries()) {
    const between = sentenceText.slice(quantities[index - 1]?.end ?? quantity.start, quantity.start)
    const lastSeparator = [...between.matchAll(separator)].at(-1)
    const lastPart = parts.at(-1)
    if (lastPart !== undefined && lastSeparator === undefined) lastPart.quantities.push(quantity)
    else parts.push({ clause: { ...clause, offset: partStart }, quantities: [quantity] })
    if (lastPart !== undefined && lastSeparator !== undefined) {
      const start = quantity.start - between.length + lastSeparator.index + lastSeparator[0].length
      parts[parts.length - 1] = { clause: { ...clause, offset: start }, quantities: [quantity] }
    }
    partStart = quantity.end
  }
  return parts.map((part, index) => {
    const text = sentenceText.slice(
      part.clause.offset,
      parts[index + 1]?.clause.offset ?? clause.offset + clause.text.length
    )
    return { quantities: part.quantities, clause: { text, offset: part.clause.offset, stems: contentStemsOf(text) } }
  })
}

/** For a list of facts with different sources: the support of all of them, and the first part without support. */
const findListSupport = (
  query: NumberQuery,
  sentenceText: string,
  sources: ReadonlyArray<Source>
): { readonly support: ReadonlyArray<Source>; readonly unsupported: ReadonlyArray<Quantity> } => {
  // If one source has all the numbers, it states something else about them.
  const hasSingleSource = sources.some((source) =>
    query.quantities.every(({ value }) => source.quantities.some((sourceQuantity) => sourceQuantity.value === value))
  )
  const joinedParts = hasSingleSource
    ? []
    : splitJoinedParts(query.clause, query.quantities, sentenceText, query.client)
  if (joinedParts.length < 2) return { support: [], unsupported: query.quantities }
  const support: Array<Source> = []
  for (const { clause, quantities } of joinedParts) {
    const [best] = findNumberSources({ ...query, clause, quantities }, sources)
    if (best === undefined) return { support: [], unsupported: quantities }
    support.push(best)
  }
  return { support, unsupported: [] }
}

/** The claim that a number is about a client, where the source says it about someone else; null if it is not. */
const wrongClientClaim = (
  query: NumberQuery,
  { clients, all }: { readonly clients: ClaimEvidence["sources"]["clients"]; readonly all: ReadonlyArray<Source> },
  sentenceText: string,
  { from, to }: { readonly from: number; readonly to: number }
): Assertion | null => {
  const namedClient = query.namesClient ? clients.find((each) => each.name === query.client) : undefined
  const start = namedClient === undefined ? -1 : sentenceText.search(namedClient.pattern)
  if (namedClient === undefined || start < 0 || start >= from) return null
  if (findNumberSources({ ...query, client: null, namesClient: false }, all).length === 0) return null
  const message = `The source says this about someone else than ${namedClient.name}. Name the right client.`
  return makeAssertion("claim.client", start, sentenceText.slice(start, to), message, [])
}

/** The most numbers of one sentence that are compared with the sources: the work grows with the square of them. */
const maxNumbers = 30

/** The claim of a sentence with more numbers than that, which is not compared. */
const tooManyNumbers = (
  quantities: ReadonlyArray<Quantity>,
  { normalizedText }: Sentence
): ReadonlyArray<Assertion> => {
  const [from, to] = [quantities[0]?.start ?? 0, quantities.at(-1)?.end ?? 0]
  const message = `A sentence with more than ${maxNumbers} numbers is not checked. Split it, or remove numbers.`
  return [makeAssertion("claim.number", from, normalizedText.slice(from, to), message, [])]
}

const ruleOf = (quantities: ReadonlyArray<Quantity>) =>
  quantities.some(({ measure }) => measure !== null && currencyCode.test(measure)) ? "claim.amount" : "claim.number"

/** Numbers and amounts by clause, so that two facts in one sentence may have different sources. */
export const numberClaims = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const { afterClient, previousStems, client, clauses, namesClient, quantities, sentence } = analysis
  const figures = quantities.filter((each) => isStated(each, analysis, evidence) && !isMasked(analysis, each))
  if (figures.length === 0) return []
  if (figures.length > maxNumbers) return tooManyNumbers(figures, sentence)
  const sources = [...evidence.reader, ...evidence.sources.all]
  // A short sentence ("Now it is 2%") continues the one before.
  const contextStems =
    sentence.stems.size > 2 && namesClient ? sentence.stems : new Set([...sentence.stems, ...previousStems])
  const sentenceClause = { offset: 0, text: sentence.normalizedText, stems: sentence.stems }
  const sentenceQuery = { contextStems, clause: sentenceClause, client, namesClient, quantities: figures }
  const groups =
    findNumberSources(sentenceQuery, sources).length > 0
      ? [{ clause: sentenceClause, quantities: figures }]
      : clauses.map((clause, index) => ({
          clause,
          quantities: figures.filter(
            ({ start }) => start >= clause.offset && start < (clauses[index + 1]?.offset ?? Infinity)
          )
        }))
  return groups.flatMap(({ clause, quantities }) => {
    if (quantities.length === 0) return []
    // A clause with its own subject is not about the client of the one before.
    const hasOwnSubject = clause.offset > 0 && /^\s*(?:\d|we\b|our\b|you\b|your\b)/i.test(clause.text)
    const subject = hasOwnSubject ? { client: null, namesClient: false } : { client, namesClient }
    const query = { contextStems, clause, quantities, ...subject }
    const ownSources = findNumberSources(query, sources)
    const { support, unsupported } =
      ownSources.length > 0
        ? { support: ownSources, unsupported: quantities }
        : findListSupport(query, sentence.normalizedText, sources)
    const spanQuantities = support.length === 0 ? unsupported : quantities
    const [from, to] = [spanQuantities[0]?.start ?? 0, spanQuantities.at(-1)?.end ?? 0]
    const text = sentence.normalizedText.slice(from, to)
    const numberClauses = splitClauses(clause.text).filter(({ offset, text }) =>
      quantities.some(({ start }) => start >= clause.offset + offset && start < clause.offset + offset + text.length)
    )
    const guaranteeFault = misappliedResult(
      numberClauses.map(({ text }) => text).join(" "),
      sentence,
      support,
      afterClient || namesClient,
      readerCompanyNames(evidence.lead)
    )
    if (guaranteeFault !== null)
      return [makeAssertion("claim.guarantee", clause.offset, clause.text, guaranteeFault, [])]
    const wrongClient =
      support.length === 0
        ? wrongClientClaim(query, { clients: evidence.sources.clients, all: sources }, sentence.normalizedText, {
            from,
            to
          })
        : null
    if (wrongClient !== null) return [wrongClient]
    return [
      makeAssertion(
        ruleOf(quantities),
        from,
        text,
        `No single source supports ${quoteShort(text)} here, with this subject and unit. Use the figure as the profile or campaign gives it, or remove it.`,
        support
      )
    ]
  })
}

/** The fault of applying a client's result to the reader or to everybody; null if there is none. */
const misappliedResult = (
  text: string,
  sentence: Sentence,
  sources: ReadonlyArray<Source>,
  isAboutClient: boolean,
  companies: ReadonlyArray<string>
): string | null => {
  if (sources.length === 0 || !sources.every(({ isResult }) => isResult)) return null
  if (
    wordPattern.toReader.test(text) ||
    (/\b(?:will|would|can)\b|'ll\b/i.test(text) && companies.some((name) => text.includes(name)))
  )
    return "This promises the reader a result that one client had. Say who had it, and promise nothing."
  return !isAboutClient && everyClient.test(sentence.normalizedText) && !unnamedClient.test(text)
    ? "This says of many clients what the source says of one. Name that client."
    : null
}
