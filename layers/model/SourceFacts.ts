// layers/model/SourceFacts.ts: finds numbers, links, addresses and names in a model's text that do not occur in its
// sources.
import { containsPlace, linksAndAddressesIn } from "#layers/text/Contacts.ts"
import { parseProse } from "#layers/text/ParsedProse.ts"
import { claimVerbs, commonAcronyms, numbersIn, numberWords } from "#layers/text/Specifics.ts"
import { normalizeWord, isStopWord, splitParagraph, wordTokens } from "#layers/text/Words.ts"

/** Every string and number in a value. */
export const allTexts = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "number"
      ? [String(value)]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(allTexts)
        : []

export interface SourceFacts {
  readonly text: string
  readonly numbers: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

export const makeSourceFacts = (material: unknown): SourceFacts => {
  const text = allTexts(material).join("\n").toLowerCase()
  const words = wordTokens(text).map(normalizeWord)
  return {
    text,
    numbers: new Set(numbersIn(text)),
    words: new Set([...words, ...words.flatMap((word) => word.split(/[-&']/))])
  }
}

const calendar =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|i(?:'\w+)?)$/

const normalizeSpaces = (text: string) => text.toLowerCase().replace(/\s+/g, " ").trim()

/** Whether the sources contain the sentence word for word, ignoring line breaks and closing punctuation. */
export const occursIn = (sentence: string, source: SourceFacts): boolean => {
  const phrase = normalizeSpaces(sentence).replace(/^["“]|[.;,"”]+$/g, "")
  return phrase.length > 1 && normalizeSpaces(source.text).includes(phrase)
}

/** Capitalised words that the sources lack; at the start of a sentence only those used like a name. */
const unsupportedNames = (text: string, source: SourceFacts): ReadonlyArray<string> => {
  const isUnknown = (word: string) => {
    const lower = normalizeWord(word)
    if (!/^\p{Lu}/u.test(word) || commonAcronyms.has(word) || isStopWord(lower) || calendar.test(lower)) return false
    return lower.split(/[-&']/).some((piece) => piece.length > 1 && !source.words.has(piece) && !isStopWord(piece))
  }
  return parseProse(text.split("\n")).sentences.flatMap(({ words }) =>
    words.filter(
      (word, index) =>
        isUnknown(word) &&
        (index > 0 || word.endsWith("'s") || claimVerbs.test(words[1] ?? "") || isUnknown(words[1] ?? ""))
    )
  )
}

/** The unsupported claims, without duplicates, in the text's own words. */
export const unsupportedClaims = (text: string, source: SourceFacts): ReadonlyArray<string> => [
  ...new Set([
    ...numbersIn(text).filter((number) => number !== "" && !source.numbers.has(number)),
    ...wordTokens(text.toLowerCase()).filter((word) => numberWords.has(word) && !source.words.has(word)),
    ...linksAndAddressesIn(text).filter((place) => !containsPlace(source.text, place)),
    ...unsupportedNames(text, source)
  ])
]

/** The text without the sentences that contain an unsupported claim. */
export const supportedItems = (text: string, source: SourceFacts): string =>
  text
    .split("\n")
    .map((line) =>
      splitParagraph(line)
        .filter((sentence) => unsupportedClaims(sentence, source).length === 0)
        .join(" ")
    )
    .filter((line) => line !== "")
    .join("\n")

export const listFaults = (unsupported: ReadonlyArray<string>): ReadonlyArray<string> =>
  unsupported.slice(0, 12).map((claim) => `The material does not say ${JSON.stringify(claim)}: leave it out.`)
