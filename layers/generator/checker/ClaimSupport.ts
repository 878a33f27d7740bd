// layers/generator/checker/ClaimSupport.ts: checks whether one source supports a clause with numbers.
import { type Quantity, isSameQuantity, sharedStemCount } from "#layers/generator/checker/Quantities.ts"
import type { Source } from "#layers/generator/checker/ClaimSources.ts"
import { contentStemsOf } from "#layers/generator/checker/EmailText.ts"
import { cacheByText } from "#layers/lib/CacheByText.ts"

/** A part of a sentence that makes one statement. */
export interface Clause {
  readonly text: string
  /** Offset in its sentence. */
  readonly offset: number
  readonly stems: ReadonlySet<string>
}

/** Punctuation or a conjunction between two statements: "; ", ", but ". */
const clauseSeparator =
  /(?:;|:|\s-)\s+|,\s+(?:and|but|so|while|whereas|which|because)\s+|\s+(?:and|but|while|whereas)\s+(?=(?:we|our|it|they|you|that|\d[\d,.]*\s+\p{L}+\s+(?:use|have|are|run|trust))\b)|,\s+(?=(?:we|our|you|they)\b)/giu

export const splitClauses = cacheByText((sentence): ReadonlyArray<Clause> => {
  const clauses: Array<Clause> = []
  let clauseStart = 0
  const add = (clauseEnd: number) => {
    const text = sentence.slice(clauseStart, clauseEnd)
    if (text.trim() !== "") clauses.push({ text, offset: clauseStart, stems: contentStemsOf(text) })
  }
  for (const separator of sentence.matchAll(clauseSeparator)) {
    add(separator.index)
    clauseStart = separator.index + separator[0].length
  }
  add(sentence.length)
  return clauses
})

/** The share of the claim's words that the source contains. */
export const sharedStemRatio = (claimStems: ReadonlySet<string>, sourceStems: ReadonlySet<string>): number =>
  claimStems.size === 0 ? 0 : sharedStemCount(claimStems, sourceStems) / claimStems.size

const increasePattern =
  /\b(?:rose|rises?|rising|raised?|raises|raising|increas\w+|grew|grows?|growing|lift(?:s|ed|ing)?|gain(?:s|ed)?|climb\w*|went up|up from|improv\w+|doubl\w+)\b/i
const decreasePattern =
  /\b(?:fell|falls?|falling|drop(?:s|ped)?|cuts?|cutting|reduc\w+|lower(?:s|ed)?|shrank|decreas\w+|declin\w+|went down|down from|sank)\b/i

/** Up or down, if a text mentions only one of them. */
const findDirection = (text: string): "up" | "down" | null => {
  const [up, down] = [increasePattern.test(text), decreasePattern.test(text)]
  return up === down ? null : up ? "up" : "down"
}

const reversesDirection = (
  claimQuantities: ReadonlyArray<Quantity>,
  sourceQuantities: ReadonlyArray<Quantity>,
  claimText: string,
  sourceText: string
): boolean => {
  const rangePattern = /\bfrom\b.{0,60}\bto\b/i
  if (
    rangePattern.test(claimText) &&
    rangePattern.test(sourceText) &&
    !/\b(?:up|down) from\b/i.test(claimText) &&
    claimQuantities.length >= 2
  ) {
    const sourceIndex = (quantity: Quantity | undefined) =>
      sourceQuantities.findIndex(({ value }) => value === quantity?.value)
    const [firstIndex, secondIndex] = [sourceIndex(claimQuantities[0]), sourceIndex(claimQuantities[1])]
    if (firstIndex >= 0 && secondIndex >= 0 && firstIndex > secondIndex) return true
  }
  const [claimDirection, sourceDirection] = [findDirection(claimText), findDirection(sourceText)]
  return claimDirection !== null && sourceDirection !== null && claimDirection !== sourceDirection
}

const negationPattern = /\b(?:no|not|never|without|none|zero|nobody|cannot)\b|n't\b/i
const negatedStems = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/(?:\b(?:no|not|never|without|zero|cannot)\b|n't\b)((?:\s+[\p{L}'-]+){1,3})/giu)].flatMap(
      ([, next = ""]) => [...contentStemsOf(next)]
    )
  )

/** Whether one text negates what the other asserts. */
export const contradicts = (claimText: string, sourceText: string): boolean => {
  const [claimNegates, sourceNegates] = [negationPattern.test(claimText), negationPattern.test(sourceText)]
  if (claimNegates === sourceNegates) return false
  const stemsOfNegation = negatedStems(claimNegates ? claimText : sourceText)
  const otherStems = contentStemsOf(claimNegates ? sourceText : claimText)
  // "leak-free" is a negation too.
  if (/-(?:free|less)\b/i.test(claimNegates ? sourceText : claimText)) return false
  return [...stemsOfNegation].some((stem) => otherStems.has(stem))
}

/** The clause of a source that contains a number. */
const clauseAround = ({ normalizedText }: Source, { start }: Quantity): string => {
  const clause = splitClauses(normalizedText).findLast(({ offset }) => offset <= start)
  if (clause === undefined) return normalizedText
  // "replaced 22 pumps and had no leak": the negation does not concern the 22.
  const parts = clause.text.split(/(\s+and\s+)/)
  let offset = clause.offset
  for (const part of parts) {
    if (start < offset + part.length) return part
    offset += part.length
  }
  return clause.text
}

export interface NumberQuery {
  readonly clause: Clause
  readonly quantities: ReadonlyArray<Quantity>
  /** Stems of the sentence and of the previous one, which may name what is counted. */
  readonly contextStems: ReadonlySet<string>
  /** The client that the clause names or refers to. */
  readonly client: string | null
  /** Whether the clause itself names that client. */
  readonly namesClient: boolean
}

/** The sources that have every number of a clause with the same subject and unit, best first. */
export const findNumberSources = (
  { contextStems, clause, client, namesClient, quantities }: NumberQuery,
  sources: ReadonlyArray<Source>
): ReadonlyArray<Source> => {
  const matches: Array<{ readonly source: Source; readonly share: number }> = []
  for (const source of sources) {
    if (namesClient && client !== null && source.client !== client) continue
    if (client !== null && source.client !== null && source.client !== client) continue
    const matchedQuantities: Array<Quantity> = []
    for (const quantity of quantities) {
      // A column such as "headcount: 140" names its number in one word.
      const isUnlabelled = source.from === "lead" && source.quantities.length === 1
      const sourceQuantity = source.quantities.find(
        (each) =>
          (isUnlabelled && each.value === quantity.value) || isSameQuantity(quantity, each, contextStems, source.stems)
      )
      if (sourceQuantity !== undefined) matchedQuantities.push(sourceQuantity)
    }
    // Two exact figures of a named client are its result, however the sentence names what they count.
    const hasExactFigures =
      namesClient &&
      source.client !== null &&
      quantities.length > 1 &&
      quantities.every(
        (quantity) =>
          !quantity.isPartOfWhole &&
          !quantity.isChange &&
          source.quantities.some((each) => each.value === quantity.value && each.measure === quantity.measure)
      ) &&
      quantities.every(({ nouns }) => nouns.length === 0 || nouns.some((noun) => source.stems.has(noun)))
    if (matchedQuantities.length < quantities.length && !hasExactFigures) continue
    if (reversesDirection(quantities, source.quantities, clause.text, source.normalizedText)) continue
    if (matchedQuantities.some((quantity) => contradicts(clause.text, clauseAround(source, quantity)))) continue
    const share = Math.max(sharedStemRatio(clause.stems, source.stems), sharedStemRatio(source.stems, clause.stems))
    // An equal number alone does not show that both are about the same thing: one word in five, or one in four of the
    // context, must be the same.
    const isCustomField = source.from === "lead" && source.at.startsWith("custom_fields.")
    if (!isCustomField && clause.stems.size >= 3 && share < 0.2 && sharedStemRatio(contextStems, source.stems) < 0.25)
      continue
    matches.push({ source, share })
  }
  return matches.sort((a, b) => b.share - a.share).map(({ source }) => source)
}
