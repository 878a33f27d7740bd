// layers/text/Words.ts: splits texts into words, stems and sentences, and detects English.

/** A set of words from one string, separated by blanks. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'&_-]|[.,](?=\p{N}))*/gu

export const wordTokens = (text: string): ReadonlyArray<string> => text.match(wordPattern) ?? []

/** At most `maxLength` characters (UTF-16 code units), without half of a surrogate pair at the end. */
export const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")

/** Removes parenthesised text. */
export const removeParentheses = (text: string): string => text.replace(/ ?\([^)]{0,300}\)/g, "")

/** Converts a word to lower case without its possessive ending. */
export const normalizeWord = (word: string): string => {
  const lower = word.toLowerCase()
  return lower.endsWith("'s") ? lower.slice(0, -2) : lower.endsWith("'") ? lower.slice(0, -1) : lower
}

// A full stop after one of these, or after a single letter, does not end a sentence.
const abbreviations = wordSet(
  "mr mrs ms dr prof st incl excl regd betw inc ltd co corp approx vs no est dept e.g i.e etc jr sr bros pvt pty sdn"
)

/**
 * Splits a paragraph into sentences. `Intl.Segmenter` wrongly splits after "Dr." and "Ltd."; `compromise` does not, but
 * takes fifty times as long.
 */
export const splitParagraph = (paragraph: string): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  const sentenceEnd = /(?<![.!?])[.!?]+["')\]]*(?=\s|$)/g
  let start = 0
  for (let match = sentenceEnd.exec(paragraph); match !== null; match = sentenceEnd.exec(paragraph)) {
    const end = match.index + match[0].length
    if (end < paragraph.length && match[0].startsWith(".")) {
      const text = paragraph.slice(start, match.index)
      const lastWord = text.slice(text.lastIndexOf(" ") + 1).toLowerCase()
      if (lastWord.length === 1 ? /[a-z]/.test(lastWord) : abbreviations.has(lastWord)) continue
      // "From 7 a.m. to 7 p.m." continues after "a.m.", but "until 7 p.m. We" is a new sentence.
      if (lastWord.includes(".") && /^\s+\p{Ll}/u.test(paragraph.slice(end, end + 4))) continue
    }
    sentences.push(paragraph.slice(start, end).trim())
    start = end
  }
  const remainder = paragraph.slice(start).trim()
  if (remainder !== "") sentences.push(remainder)
  return sentences
}

/** The first letters of a word without its plural: equal for most forms of a word, such as "invoice" and "invoices". */
export const crudeStem = (word: string): string => {
  const base = word.endsWith("'s") ? word.slice(0, -2) : word
  const singular = base.length > 3 && base.endsWith("s") && !base.endsWith("ss") ? base.slice(0, -1) : base
  return singular.slice(0, 6)
}

const stopWords = wordSet(
  "a about after again all also am an and any are aren't as at be because been before being both but by can can't could " +
    "couldn't did didn't do does doesn't don't down each else even ever every few first for from further get gets go goes got " +
    "had has hasn't have haven't he her here him his how i i'd i'll i'm i've if in into is isn't it it'd it'll it's its just " +
    "last less let's like made make makes many may me might more most much must my need needs never no none nor not now of off " +
    "often on once one only or other our ours out over own per really same see she should so some still such take takes than " +
    "that that's the their them then there there's these they they're this those through to too two under until up us very was " +
    "wasn't we we'd we'll we're we've well were what what's when where which while who who's whose why will with without won't " +
    "would wouldn't yes yet you you'd you'll you're you've your yours"
)

export const isStopWord = (word: string): boolean => stopWords.has(word)

/** The stems of all words that are not stop words. */
export const contentStems = (words: Iterable<string>): Set<string> => {
  const stems = new Set<string>()
  for (const word of words) if (word.length > 2 && !stopWords.has(word)) stems.add(crudeStem(word))
  return stems
}

const foreignSmallWords = wordSet(
  "im zum zur beim vom de la le les des du et un une pour avec dans sur est nous vos der die das und ein eine mit für auf ist nicht wir von einem einer eines einen wurde wurden sind nach oder auch durch ohne jahr jahre sie ihr ihre unser unsere aux leur sont cette qui notre votre " +
    "het een van voor met en op zijn niet wij los las el que para con por del una il di che per della gli och att som för " +
    "det ikke og til są nie w z się na do jest ze dla os uma com não em são ja se ve için bir"
)

const latinText = /^[\p{Script=Latin}\p{M}\P{L}]*$/u

/** Whether a text fits an English email: Latin letters, and at least as many English as foreign function words. */
export const looksEnglish = (text: string): boolean => {
  if (!latinText.test(text)) return false
  let englishCount = 0
  let foreignCount = 0
  for (const word of wordTokens(text.toLowerCase())) {
    if (stopWords.has(word) && word !== "do" && word !== "on") englishCount++
    else if (foreignSmallWords.has(word)) foreignCount++
  }
  return foreignCount === 0 || (foreignCount === 1 && englishCount > 0) || englishCount > 2 * foreignCount
}
