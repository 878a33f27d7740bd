// layers/text/Text.ts: how a text is taken apart: words, sentences, paragraphs, syllables, likeness.
import { syllable } from "syllable"

export interface Sentence {
  readonly text: string
  /** As written; a lower-case copy of each is in `lower`. */
  readonly words: ReadonlyArray<string>
  readonly lower: ReadonlyArray<string>
  /** The stems that carry meaning. */
  readonly contents: ReadonlySet<string>
  /** What `ofSentence` found. */
  readonly found: Array<unknown>
}

export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<Sentence>>
  readonly sentences: ReadonlyArray<Sentence>
  readonly count: number
}

const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'&_-]|[.,](?=\p{N}))*/gu

export const words = (text: string): ReadonlyArray<string> => text.match(wordPattern) ?? []

// A stop after one of these, or after a single letter, ends no sentence.
const abbreviations = new Set(
  "mr mrs ms dr prof st inc ltd co corp approx vs no est dept e.g i.e etc jr sr bros".split(" ")
)

/**
 * Sentences of one paragraph, each with its final stop. `Intl.Segmenter` ends one after "Dr." and "Ltd.", and the kept
 * library that does not (compromise) takes fifty times as long, for every wording that a writer tries.
 */
export const sentences = (paragraph: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const stop = /(?<![.!?])[.!?]+["')\]]*(?=\s|$)/g
  let from = 0
  for (let match = stop.exec(paragraph); match !== null; match = stop.exec(paragraph)) {
    const end = match.index + match[0].length
    if (end < paragraph.length && match[0].startsWith(".")) {
      const before = paragraph.slice(from, match.index)
      const last = before.slice(before.lastIndexOf(" ") + 1).toLowerCase()
      if (last.length === 1 ? /[a-z]/.test(last) : abbreviations.has(last)) continue
    }
    found.push(paragraph.slice(from, end).trim())
    from = end
  }
  const rest = paragraph.slice(from).trim()
  if (rest !== "") found.push(rest)
  return found
}

/** Letters of the longest word and the longest sentence that are worth keeping: what people write is shorter. */
const keptWord = 40
const keptSentence = 600

/**
 * Remembers what `find` found for a text that comes back, up to twice `most` of them. Leads bring texts without end and a
 * campaign the same ones: what was asked for since half of it was let go of stays.
 */
export const remembering = <A extends {}>(most: number, longest: number, find: (text: string) => A) => {
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

/** Syllables of a word. */
export const syllables = remembering(10_000, keptWord, (word) => Math.max(1, syllable(word)))

/** A crude stem: enough to see that "invoice" and "invoices" are one word. */
export const stem = (lower: string): string => {
  const bare = lower.endsWith("'s") ? lower.slice(0, -2) : lower
  const single = bare.length > 3 && bare.endsWith("s") && !bare.endsWith("ss") ? bare.slice(0, -1) : bare
  return single.slice(0, 6)
}

const stopWords = new Set(
  (
    "a about after again all also am an and any are aren't as at be because been before being both but by can can't could " +
    "couldn't did didn't do does doesn't don't down each else even ever every few first for from further get gets go goes got " +
    "had has hasn't have haven't he her here him his how i i'd i'll i'm i've if in into is isn't it it'd it'll it's its just " +
    "last less let's like made make makes many may me might more most much must my need needs never no none nor not now of off " +
    "often on once one only or other our ours out over own per really same see she should so some still such take takes than " +
    "that that's the their them then there there's these they they're this those through to too two under until up us very was " +
    "wasn't we we'd we'll we're we've well were what what's when where which while who who's whose why will with without won't " +
    "would wouldn't yes yet you you'd you'll you're you've your yours"
  ).split(" ")
)

export const isStopWord = (lower: string): boolean => stopWords.has(lower)

/** The stems that carry meaning. */
export const content = (lower: Iterable<string>): Set<string> => {
  const found = new Set<string>()
  for (const word of lower) if (word.length > 2 && !stopWords.has(word)) found.add(stem(word))
  return found
}

const sentence = remembering(2000, keptSentence, (text): Sentence => {
  const found = words(text)
  const lower = found.map((word) => word.toLowerCase())
  return { text, words: found, lower, contents: content(lower), found: [] }
})

const paragraph = remembering(2000, keptSentence, (text) => sentences(text).map(sentence))

export const prose = (paragraphs: ReadonlyArray<string>): Prose => {
  const split = paragraphs.map(paragraph)
  const all = split.flat()
  let count = 0
  for (const each of all) count += each.words.length
  return { paragraphs: split, sentences: all, count }
}

let findings = 0

/** Finds something out of a sentence once, however many emails have it. For what the program defines, not for each campaign. */
export const ofSentence = <A extends {}>(find: (sentence: Sentence) => A) => {
  const place = findings++
  // A place holds nothing but what this found; a WeakMap for each would take longer than to find most of it again.
  return (sentence: Sentence): A => (sentence.found[place] ??= find(sentence)) as A
}

/** Which character trigrams a text has, each hashed to one bit. There are so many bits that two rarely share one. */
export interface Trigrams {
  readonly bits: Uint32Array
  readonly size: number
}

const bitsOf = (value: number): number => {
  const pairs = value - ((value >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export const trigrams = (lower: Iterable<string>): Trigrams => {
  const bits = new Uint32Array(512)
  let size = 0
  for (const word of lower) {
    let a = 32
    let b = 32
    for (let at = 0; at <= word.length; at++) {
      const c = at < word.length ? word.charCodeAt(at) : 32
      const mixed = Math.imul(Math.imul(Math.imul(a, 31) + b, 131) + c, 0x9e3779b1) >>> 18
      const place = mixed >>> 5
      const bit = 1 << (mixed & 31)
      const held = bits[place] ?? 0
      if ((held & bit) === 0) {
        bits[place] = held | bit
        size++
      }
      a = b
      b = c
    }
  }
  return { bits, size }
}

/** What two texts share, as a part of what they hold together. */
export const likeness = (a: Trigrams, b: Trigrams): number => {
  let shared = 0
  for (let at = 0; at < a.bits.length; at++) shared += bitsOf((a.bits[at] ?? 0) & (b.bits[at] ?? 0))
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

const foreign = new Set(
  (
    "de la le les des du et un une pour avec dans sur est nous vos der die das und ein eine mit für auf ist nicht wir von " +
    "het een van voor met en op zijn niet wij los las el que para con por del una il di che per della gli och att som för " +
    "det ikke og til są nie w z się na do jest ze dla os uma com não em são ja se ve için bir"
  ).split(" ")
)

const latin = /^[\p{Script=Latin}\p{M}\P{L}]*$/u

/** Whether a piece of text can stand in an English email: Latin letters, and no more foreign small words than English ones. */
export const looksEnglish = (text: string): boolean => {
  if (!latin.test(text)) return false
  let ours = 0
  let theirs = 0
  for (const word of words(text.toLowerCase())) {
    if (stopWords.has(word) && word !== "do" && word !== "on") ours++
    else if (foreign.has(word)) theirs++
  }
  return theirs === 0 || (theirs === 1 && ours > 0) || ours > 2 * theirs
}

/** FNV-1a with a final mix, so that near seeds give unlike numbers. */
export const hash = (text: string): number => {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
