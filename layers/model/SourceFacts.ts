// layers/model/SourceFacts.ts: finds numbers, links, addresses and names in a model's text that its material does not
// contain.
import { prose } from "#layers/text/Prose.ts"
import { acronyms, amounts, claims, numbersIn, placesIn, speaksOf } from "#layers/text/Specifics.ts"
import { bare, isStopWord, sentences, words } from "#layers/text/Words.ts"

/** Every text and number in a value. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "number"
      ? [String(value)]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(textsOf)
        : []

export interface SourceFacts {
  readonly text: string
  readonly numbers: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

export const known = (material: unknown): SourceFacts => {
  const text = textsOf(material).join("\n").toLowerCase()
  const found = words(text).map(bare)
  return {
    text,
    numbers: new Set(numbersIn(text)),
    words: new Set([...found, ...found.flatMap((word) => word.split(/[-&']/))])
  }
}

const calendar =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|i(?:'\w+)?)$/

const spaced = (text: string) => text.toLowerCase().replace(/\s+/g, " ").trim()

/** Whether the material contains the sentence word for word, ignoring line breaks and the final full stop. */
export const standsIn = (sentence: string, source: SourceFacts): boolean => {
  const sought = spaced(sentence).replace(/^["“]|[.;,"”]+$/g, "")
  return sought.length > 1 && spaced(source.text).includes(sought)
}

/** Capitalised words that the material does not contain; at the start of a sentence only those used like a name. */
const namesIn = (text: string, source: SourceFacts): ReadonlyArray<string> => {
  const unknown = (word: string) => {
    const lower = bare(word)
    if (!/^\p{Lu}/u.test(word) || acronyms.has(word) || isStopWord(lower) || calendar.test(lower)) return false
    return lower.split(/[-&']/).some((piece) => piece.length > 1 && !source.words.has(piece) && !isStopWord(piece))
  }
  return prose(text.split("\n")).sentences.flatMap(({ words }) =>
    words.filter(
      (word, at) =>
        unknown(word) && (at > 0 || word.endsWith("'s") || claims.test(words[1] ?? "") || unknown(words[1] ?? ""))
    )
  )
}

/** Each unsupported claim once, in the text's own words. */
export const unsupportedClaims = (text: string, source: SourceFacts): ReadonlyArray<string> => [
  ...new Set([
    ...numbersIn(text).filter((number) => number !== "" && !source.numbers.has(number)),
    ...words(text.toLowerCase()).filter((word) => amounts.has(word) && !source.words.has(word)),
    ...placesIn(text).filter((place) => !speaksOf(source.text, place)),
    ...namesIn(text, source)
  ])
]

/** The text without sentences that contain an unsupported claim. */
export const supported = (text: string, source: SourceFacts): string =>
  text
    .split("\n")
    .map((line) =>
      sentences(line)
        .filter((sentence) => unsupportedClaims(sentence, source).length === 0)
        .join(" ")
    )
    .filter((line) => line !== "")
    .join("\n")

export const faultsOf = (found: ReadonlyArray<string>): ReadonlyArray<string> =>
  found.slice(0, 12).map((stranger) => `The material does not say ${JSON.stringify(stranger)}: leave it out.`)
