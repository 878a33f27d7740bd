// layers/generator/routing/PhraseFinder.ts: finds the phrases of a table in a title, the longest first.
import { conjunction, foldText, isConjunction, type Token, titleWords } from "#layers/generator/routing/TitleTokens.ts"

interface Pattern<A> {
  readonly words: ReadonlyArray<string>
  /** How strongly a pattern matches, for comparison with others. */
  readonly weight: number
  readonly value: A
}

export interface Match<A> {
  /** Index of the first word, and the index after the last. */
  readonly start: number
  readonly end: number
  readonly weight: number
  readonly value: A
}

export type Finder<A> = (title: ReadonlyArray<Token>) => ReadonlyArray<Match<A>>

const matchesWord = (pattern: string, word: string): boolean => {
  if (pattern.endsWith("*"))
    return pattern.startsWith("*") ? word.includes(pattern.slice(1, -1)) : word.startsWith(pattern.slice(0, -1))
  return pattern.startsWith("*")
    ? word.endsWith(pattern.slice(1)) && word.length >= pattern.length
    : pattern === word || `${pattern}s` === word
}

/** The index after a pattern that starts at `from`, or -1. */
const matchEnd = (pattern: ReadonlyArray<string>, title: ReadonlyArray<Token>, from: number, at = 0): number => {
  const expected = pattern[at]
  if (expected === undefined) return from
  if (expected === "*") {
    for (let skip = 1; skip <= 3; skip++) {
      const end = matchEnd(pattern, title, from + skip, at + 1)
      if (end > 0 && end <= title.length) return end
    }
    return -1
  }
  const token = title[from]
  if (token === undefined || !matchesWord(expected, token.word)) return -1
  // A phrase does not cross a comma: "Director, Sales" is not "director sales".
  if (at > 0 && token.gap === "break") return -1
  return matchEnd(pattern, title, from + 1, at + 1)
}

/** A phrase of the table, split like a title, with its stars. */
const parsePhrase = (phrase: string): ReadonlyArray<string> =>
  phrase.includes("*")
    ? phrase
        .split(/\s+/)
        .map((part) =>
          isConjunction(part) ? conjunction : part.includes("*") ? foldText(part) : (titleWords(part)[0] ?? "")
        )
    : titleWords(phrase)

const umlauts: ReadonlyArray<readonly [RegExp, string]> = [
  [/ä/g, "ae"],
  [/ö/g, "oe"],
  [/ü/g, "ue"]
]

/** The phrases of a comma-separated list; a phrase with umlauts is also added without them. */
export const splitPhrases = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "")
    .flatMap((phrase) => {
      const typed = umlauts.reduce((text, [umlaut, plain]) => text.replace(umlaut, plain), phrase)
      return typed === phrase ? [phrase] : [phrase, typed]
    })

interface PhraseIndex<A> {
  /** By the first word. */
  readonly exact: ReadonlyMap<string, ReadonlyArray<Pattern<A>>>
  /** Patterns whose first word starts with letters and has a star, by the first two letters. */
  readonly starting: ReadonlyMap<string, ReadonlyArray<Pattern<A>>>
  /** Patterns that start with a star, which are always tried. */
  readonly open: ReadonlyArray<Pattern<A>>
}

const indexPhrases = <A>(entries: Iterable<readonly [string, A]>, priority: (value: A) => number): PhraseIndex<A> => {
  const exact = new Map<string, Array<Pattern<A>>>()
  const starting = new Map<string, Array<Pattern<A>>>()
  const open: Array<Pattern<A>> = []
  const seen = new Set<string>()
  for (const [phrase, value] of entries) {
    const words = parsePhrase(phrase)
    const key = words.join(" ")
    if (words.length === 0 || seen.has(key)) continue
    seen.add(key)
    // A complete word is stronger than a pattern; then the phrase with more letters wins.
    const weight = (key.includes("*") ? 0 : 1000) + priority(value) * 100 + key.replaceAll("*", "").length
    const pattern = { words, weight, value }
    const first = words[0] ?? ""
    const two = first.slice(0, 2)
    if (first.startsWith("*") || (first.includes("*") && first.length < 3)) open.push(pattern)
    else if (first.includes("*")) starting.set(two, [...(starting.get(two) ?? []), pattern])
    else exact.set(first, [...(exact.get(first) ?? []), pattern])
  }
  return { exact, starting, open }
}

/**
 * Finds phrases that do not overlap: longer ones first, and of equal ones the first in the title. The phrases are indexed at the
 * first title, because the tables are long and most commands read no title.
 */
export const phraseFinder = <A>(
  entries: Iterable<readonly [string, A]>,
  priority: (value: A) => number = () => 0
): Finder<A> => {
  let index: PhraseIndex<A> | undefined
  return (title) => {
    const { exact, open, starting } = (index ??= indexPhrases(entries, priority))
    const found: Array<Match<A>> = []
    for (const [start, { word }] of title.entries())
      // "Owners" matches "owner".
      for (const pattern of [
        ...(exact.get(word) ?? []),
        ...(exact.get(word.replace(/s$/, "")) ?? []),
        ...(starting.get(word.slice(0, 2)) ?? []),
        ...open
      ]) {
        const end = matchEnd(pattern.words, title, start)
        if (end > start) found.push({ start, end, weight: pattern.weight, value: pattern.value })
      }
    found.sort((a, b) => b.end - b.start - (a.end - a.start) || b.weight - a.weight || a.start - b.start)
    const taken = new Set<number>()
    const kept: Array<Match<A>> = []
    for (const match of found) {
      const places = Array.from({ length: match.end - match.start }, (_, at) => match.start + at)
      if (places.some((place) => taken.has(place))) continue
      for (const place of places) taken.add(place)
      kept.push(match)
    }
    return kept.sort((a, b) => a.start - b.start)
  }
}
