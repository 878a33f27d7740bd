// layers/text/ParsedProse.ts: paragraphs split into sentences and words, cached by text.
import { contentStems, splitParagraph, wordTokens } from "#layers/text/Words.ts"

export interface Sentence {
  readonly text: string
  /** As written; `lower` has the lower-case words. */
  readonly words: ReadonlyArray<string>
  readonly lower: ReadonlyArray<string>
  /** The stems of content words. */
  readonly contents: ReadonlySet<string>
}

export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<Sentence>>
  readonly sentences: ReadonlyArray<Sentence>
  readonly count: number
}

/** Longest cached sentence, in characters. */
const maxCachedLength = 600

/**
 * Caches the results of `find` by text, at most twice `most` entries. When the cache is full, it drops those not used
 * since the last drop.
 */
const cached = <A extends {}>(maxEntries: number, longest: number, find: (text: string) => A) => {
  let recentEntries = new Map<string, A>()
  let olderEntries = recentEntries
  return (text: string): A => {
    const kept = recentEntries.get(text)
    if (kept !== undefined) return kept
    const found = olderEntries.get(text) ?? find(text)
    if (text.length > longest) return found
    if (recentEntries.size >= maxEntries) {
      olderEntries = recentEntries
      recentEntries = new Map()
    }
    recentEntries.set(text, found)
    return found
  }
}

const parseSentence = cached(2000, maxCachedLength, (text): Sentence => {
  const found = wordTokens(text)
  const lower = found.map((word) => word.toLowerCase())
  return { text, words: found, lower, contents: contentStems(lower) }
})

const parseParagraph = cached(2000, maxCachedLength, (text) => splitParagraph(text).map(parseSentence))

export const parseProse = (paragraphs: ReadonlyArray<string>): Prose => {
  const split = paragraphs.map(parseParagraph)
  const all = split.flat()
  let count = 0
  for (const each of all) count += each.words.length
  return { paragraphs: split, sentences: all, count }
}
