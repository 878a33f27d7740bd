// layers/generator/companies/SimilarNames.ts: whether the names of two companies are spelled so alike that one may be the other.
import { stemWord } from "#layers/text/Stem.ts"

/** Only names that begin with the same letters are compared: typing errors there are rare, and other names are many. */
export const firstLetters = (key: string): string => key.slice(0, 3)

/** The fewest letters, without spaces, of names that may differ in single letters. */
const minLetters = 8

/** Letters of a word to be added, removed or replaced until it is the other. */
const editDistance = (a: string, b: string): number => {
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaceCost = (previousRow[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      currentRow.push(Math.min(replaceCost, (previousRow[column] ?? 0) + 1, (currentRow[column - 1] ?? 0) + 1))
    }
    previousRow = currentRow
  }
  return previousRow[b.length] ?? 0
}

const isPluralOf = (long: string, short: string) =>
  short.length >= 4 && (long === `${short}s` || long === `${short}es` || long === short.replace(/y$/, "ies"))

/** "Kitchen" and "Kitchens"; "Consulting" and "Consultants" too, but not in the first word, which is often a name. */
const isInflectionOf = (a: string, b: string, isFirst: boolean) =>
  isPluralOf(a, b) || isPluralOf(b, a) || (!isFirst && Math.min(a.length, b.length) >= 5 && stemWord(a) === stemWord(b))

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
  return maxEdits > 0 && !/\p{N}/u.test(a + b) && editDistance(a, b) <= maxEdits
}

/**
 * Whether two different names are similar: a plural or other form of a word, different spacing, or one or two letters
 * in one long word that `isCommon` rejects. The longer name may have extra words if the shorter has at least two.
 */
export const isSimilarName = (a: string, b: string, isCommon: (word: string) => boolean): boolean => {
  if (a === b || firstLetters(a) !== firstLetters(b)) return false
  const [shorterWords = [], longerWords = []] = [a.split(" "), b.split(" ")].toSorted((x, y) => x.length - y.length)
  const [shorterName, longerName] = [shorterWords.join(""), longerWords.join("")]
  if (shorterName === longerName) return shorterName.length >= minLetters
  if (longerWords.length > shorterWords.length && shorterWords.length < 2) return false
  let mismatchCount = 0
  const isAlike = shorterWords.every((word, index) => {
    const other = longerWords[index] ?? ""
    if (word === other || isInflectionOf(word, other, index === 0)) return true
    mismatchCount++
    return !isCommon(word) && !isCommon(other) && isMisspelt(word, other, index === 0)
  })
  return (
    isAlike &&
    (mismatchCount === 0 || (mismatchCount === 1 && Math.min(shorterName.length, longerName.length) >= minLetters))
  )
}
