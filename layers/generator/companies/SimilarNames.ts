// layers/generator/companies/SimilarNames.ts: whether the names of two companies are spelled so alike that one may be the other.
import { stemWord } from "#layers/text/Stem.ts"

/** Only names that begin with the same letters are compared: typing errors there are rare, and other names are many. */
export const firstLetters = (key: string): string => key.slice(0, 3)

/** A name with what its comparison with thousands of others needs. */
export interface ComparedName {
  readonly key: string
  readonly words: ReadonlyArray<string>
  readonly stems: ReadonlyArray<string>
  /** The name without spaces. */
  readonly letters: string
}

export const toComparedName = (key: string): ComparedName => {
  const words = key.split(" ")
  return {
    key,
    words,
    letters: words.join(""),
    stems: words.map((word) => (word.length < minStemmed ? word : stemWord(word)))
  }
}

/** The fewest letters, without spaces, of names that may differ in single letters. */
const minLetters = 8

/** Whether at most `maxEdits` letters of a word must be added, removed or replaced until it is the other. */
const isWithinEdits = (one: string, other: string, maxEdits: number): boolean => {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const [a, b] = [one.slice(same), other.slice(same)]
  const tooMany = maxEdits + 1
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => Math.min(index, tooMany))
  for (let row = 1; row <= a.length; row++) {
    const currentRow = Array.from({ length: b.length + 1 }, () => tooMany)
    if (row <= maxEdits) currentRow[0] = row
    let fewest = currentRow[0] ?? tooMany
    // More edits are needed outside of these columns.
    for (let column = Math.max(1, row - maxEdits); column <= Math.min(b.length, row + maxEdits); column++) {
      const replaceCost = (previousRow[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const edits = Math.min(replaceCost, (previousRow[column] ?? 0) + 1, (currentRow[column - 1] ?? 0) + 1)
      currentRow[column] = edits
      fewest = Math.min(fewest, edits)
    }
    if (fewest > maxEdits) return false
    previousRow = currentRow
  }
  return (previousRow[b.length] ?? tooMany) <= maxEdits
}

const isPluralOf = (long: string, short: string) =>
  short.length >= 4 && (long === `${short}s` || long === `${short}es` || long === short.replace(/y$/, "ies"))

/** Shorter words have no stem of their own. */
const minStemmed = 5

/** "Kitchen" and "Kitchens"; "Consulting" and "Consultants" too, but not in the first word, which is often a name. */
const isInflectionOf = (a: ComparedName, b: ComparedName, index: number) => {
  const [word = "", other = ""] = [a.words[index], b.words[index]]
  if (isPluralOf(word, other) || isPluralOf(other, word)) return true
  return index > 0 && Math.min(word.length, other.length) >= minStemmed && a.stems[index] === b.stems[index]
}

const withoutDoubles = (word: string) => word.replace(/(\p{L})\1/gu, "$1")

/** Whether one word may lack a letter of the other: "Outdor" and "Outdoor", "Farow" and "Farrow", but not "Eating" and "Heating". */
const mayLackLetter = (a: string, b: string) => {
  const letters = Math.min(a.length, b.length)
  if (Math.abs(a.length - b.length) !== 1 || a[0] !== b[0]) return false
  return letters >= 6 || (letters === 5 && withoutDoubles(a) === withoutDoubles(b))
}

/** Letters in which two words may differ. Shorter words are other words: "Foods" and "Goods", "Painting" and "Printing". */
const allowedEdits = (a: string, b: string, isFirst: boolean) => {
  const letters = Math.min(a.length, b.length)
  if (isFirst && letters >= 9) return 2
  return letters >= (isFirst ? 7 : 9) || mayLackLetter(a, b) ? 1 : 0
}

const maxWordLength = 40

const isMisspelt = (a: string, b: string, isFirst: boolean) => {
  const maxEdits = allowedEdits(a, b, isFirst)
  if (Math.abs(a.length - b.length) > maxEdits || Math.max(a.length, b.length) > maxWordLength) return false
  // "Area 51" and "Area 52" are two names.
  return maxEdits > 0 && !/\p{N}/u.test(a + b) && isWithinEdits(a, b, maxEdits)
}

/**
 * Whether two different names are similar: a plural or other form of a word, different spacing, or one or two letters
 * in one long word that `isCommon` rejects. The longer name may have extra words if the shorter has at least two.
 */
export const isSimilarName = (a: ComparedName, b: ComparedName, isCommon: (word: string) => boolean): boolean => {
  if (a.key === b.key || firstLetters(a.key) !== firstLetters(b.key)) return false
  const [shorter, longer] = a.words.length <= b.words.length ? [a, b] : [b, a]
  if (shorter.letters === longer.letters) return shorter.letters.length >= minLetters
  if (longer.words.length > shorter.words.length && shorter.words.length < 2) return false
  let mismatchCount = 0
  for (const [index, word] of shorter.words.entries()) {
    const other = longer.words[index] ?? ""
    if (word === other || isInflectionOf(shorter, longer, index)) continue
    mismatchCount++
    if (mismatchCount > 1 || isCommon(word) || isCommon(other) || !isMisspelt(word, other, index === 0)) return false
  }
  return mismatchCount === 0 || Math.min(shorter.letters.length, longer.letters.length) >= minLetters
}
