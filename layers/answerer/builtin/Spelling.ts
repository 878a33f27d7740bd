// layers/answerer/builtin/Spelling.ts: a word with a slip of the pen, read as the one that was meant.

import { isStopWord, setOf } from "#layers/text/Words.ts"

/** Words that are right as they are and a letter away from words of the files. */
const right = setOf("contract contracts contracted form forms prize prizes quite scale scales")

/** Whether one letter more, less, other or swapped with its neighbour makes one word of the other. */
const near = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  return (
    Math.max(left.length, right.length) <= 1 ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
  )
}

/** A small word with two letters swapped ("teh"), the commonest slip of all. */
const swapped = (word: string): string | undefined =>
  [...word].flatMap((_, at) => {
    const each = word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2)
    return each !== word && isStopWord(each) ? [each] : []
  })[0]

/** The known word that was meant, or the word itself. Short words and numbers are too near to one another to guess. */
export const corrected = (word: string, known: ReadonlyArray<ReadonlySet<string>>): string => {
  if (word.length < 3 || /\d/.test(word) || right.has(word) || known.some((words) => words.has(word))) return word
  if (word.length < 5) return swapped(word) ?? word
  // A slip seldom falls on the first letter, and other words often do.
  for (const words of known) for (const each of words) if (each[0] === word[0] && near(word, each)) return each
  return word
}
