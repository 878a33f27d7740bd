// layers/answerer/Terms.ts: cuts texts and questions into search terms.
import { fillers, phrases, synonyms } from "#layers/answerer/Synonyms.ts"
import { stemWord } from "#layers/text/Stem.ts"
import { isStopWord, wordTokens } from "#layers/text/Words.ts"

/** Lower case without diacritics, as questions are typed. */
export const foldCase = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")

/**
 * Synonym terms of a stem in questions and in texts, with the number of their group. Words that mean the same share `=1`.
 * `>1` leads from such a word in a question to the words after `>` in a text, which may answer it.
 */
const questionSynonyms = new Map<string, ReadonlyArray<string>>()
const textSynonyms = new Map<string, ReadonlyArray<string>>()
for (const [index, group] of foldCase(synonyms).split(", ").entries()) {
  const [sameStems = [], nearStems = []] = group.split(" > ").map((side) => side.split(" ").map(stemWord))
  const add = (target: typeof questionSynonyms, stems: Iterable<string>, ...terms: ReadonlyArray<string>) => {
    for (const stem of new Set(stems)) target.set(stem, [...(target.get(stem) ?? []), ...terms])
  }
  add(questionSynonyms, sameStems, `=${index}`, `>${index}`)
  add(textSynonyms, sameStems, `=${index}`)
  add(textSynonyms, nearStems, `>${index}`)
}

/** All words that have a synonym. */
export const synonymWords: ReadonlyArray<string> = foldCase(synonyms).split(/[, >]+/)

const synonymSet = new Set(synonymWords)

const foldedFillers = new Set([...fillers].map(foldCase))

export const isFiller = (word: string): boolean => isStopWord(word) || foldedFillers.has(foldCase(word))

/** Numbers in one form: "1,000" and "1k" are 1000, and "2.5 million" is 2500000. */
export const normalizeNumbers = (text: string): string =>
  text
    .replace(/(?<=(?<![\d.,])[1-9]\d{0,2}(?:[.,]\d{3})*)[.,](?=\d{3}(?!\d))/g, "")
    .replace(/\bhalf a million\b/gi, "500000")
    .replace(/(?<![\d.,])(\d{1,3}(?:\.\d)?)(k\b| ?(?:million|mio)\b)/gi, (_, digits: string, unit: string) =>
      String(Math.round(Number(digits) * (unit.toLowerCase() === "k" ? 1e3 : 1e6)))
    )

const replacePhrases = (text: string) =>
  phrases.reduce((result, [phrase, word]) => result.replace(phrase, word), foldCase(normalizeNumbers(text)))

/** Longest word that is indexed, in characters. Longer strings are no words, and slow to compare. */
const maxWordLength = 40

/** The words that say what a text is about, in lower case. */
export const contentWords = (text: string): Array<string> =>
  wordTokens(replacePhrases(text))
    .flatMap((word) => word.replace(/'(?:s|ve|re|ll|d|m)?$/, "").split(/[-_&]/))
    .filter((word) => (word.length > 1 || /\d/.test(word)) && word.length <= maxWordLength && !isFiller(word))

/** The search terms of a word in a question: its stem and its synonym terms. A kind such as `@money` is its own term. */
export const questionTerms = (word: string): ReadonlyArray<string> =>
  word.startsWith("@") ? [word] : [stemWord(word), ...(questionSynonyms.get(stemWord(word)) ?? [])]

/**
 * The words with synonyms, of 5 letters or more, that a long word begins or ends with, as German compounds do: "mindest"
 * and "honorar" of "mindesthonorar".
 */
const findCompoundParts = (word: string): ReadonlyArray<string> =>
  word.length < 10
    ? []
    : Array.from({ length: word.length - 9 }, (_, index) => [word.slice(0, index + 5), word.slice(index + 5)])
        .flat()
        .filter((part) => synonymSet.has(part))

/** The index terms of a word in a text: its stem and its synonym terms. */
export const textTerms = (word: string): Array<string> =>
  word.startsWith("@")
    ? [word]
    : [stemWord(word), ...[word, ...findCompoundParts(word)].flatMap((each) => textSynonyms.get(stemWord(each)) ?? [])]
