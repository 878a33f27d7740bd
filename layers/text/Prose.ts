// layers/text/Prose.ts: paragraphs as sentences, each taken apart once however often it comes back.
import { content, sentences, words } from "#layers/text/Words.ts"

export interface Sentence {
  readonly text: string
  /** As written; a lower-case copy of each is in `lower`. */
  readonly words: ReadonlyArray<string>
  readonly lower: ReadonlyArray<string>
  /** The stems that carry meaning. */
  readonly contents: ReadonlySet<string>
}

export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<Sentence>>
  readonly sentences: ReadonlyArray<Sentence>
  readonly count: number
}

/** Letters of the longest sentence that is worth keeping: people write shorter ones. */
const keptSentence = 600

/**
 * Remembers what `find` found for a text that comes back, up to twice `most` of them. Leads bring texts without end and a
 * campaign the same ones: what was asked for since half of it was let go of stays.
 */
const remembering = <A extends {}>(most: number, longest: number, find: (text: string) => A) => {
  let young = new Map<string, A>()
  let old = young
  return (text: string): A => {
    const kept = young.get(text)
    if (kept !== undefined) return kept
    const found = old.get(text) ?? find(text)
    if (text.length > longest) return found
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, found)
    return found
  }
}

const sentence = remembering(2000, keptSentence, (text): Sentence => {
  const found = words(text)
  const lower = found.map((word) => word.toLowerCase())
  return { text, words: found, lower, contents: content(lower) }
})

const paragraph = remembering(2000, keptSentence, (text) => sentences(text).map(sentence))

export const prose = (paragraphs: ReadonlyArray<string>): Prose => {
  const split = paragraphs.map(paragraph)
  const all = split.flat()
  let count = 0
  for (const each of all) count += each.words.length
  return { paragraphs: split, sentences: all, count }
}
