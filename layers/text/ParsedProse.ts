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
  /** The number of words. */
  readonly count: number
}

/** Longest cached sentence, in characters. */
const maxCachedLength = 600

/**
 * Caches the results of `find` by text, at most twice `maxEntries` entries. When the cache is full, it drops those not used
 * since the last drop.
 */
const cacheRecent = <A extends {}>(maxEntries: number, maxLength: number, find: (text: string) => A) => {
  let recentEntries = new Map<string, A>()
  let olderEntries = recentEntries
  return (text: string): A => {
    const recent = recentEntries.get(text)
    if (recent !== undefined) return recent
    const result = olderEntries.get(text) ?? find(text)
    if (text.length > maxLength) return result
    if (recentEntries.size >= maxEntries) {
      olderEntries = recentEntries
      recentEntries = new Map()
    }
    recentEntries.set(text, result)
    return result
  }
}

const parseSentence = cacheRecent(2000, maxCachedLength, (text): Sentence => {
  const words = wordTokens(text)
  const lower = words.map((word) => word.toLowerCase())
  return { text, words, lower, contents: contentStems(lower) }
})

const parseParagraph = cacheRecent(2000, maxCachedLength, (text) => splitParagraph(text).map(parseSentence))

export const parseProse = (paragraphs: ReadonlyArray<string>): Prose => {
  const parsedParagraphs = paragraphs.map(parseParagraph)
  const sentences = parsedParagraphs.flat()
  let count = 0
  for (const sentence of sentences) count += sentence.words.length
  return { paragraphs: parsedParagraphs, sentences, count }
}
