// layers/answerer/Ranges.ts: the ranges of numbers in a line, so that "14 weeks" finds "12 to 25 weeks".
import { contentWords, normalizeNumbers, questionTerms, textTerms } from "#layers/answerer/Terms.ts"

/** The lower and the upper bound, both included. */
export type Range = readonly [number, number]

const numberPattern = "(\\d+(?:[.,]\\d+)?)"
const rangePatterns: ReadonlyArray<readonly [RegExp, (lower: number, upper: number) => Range]> = [
  [
    new RegExp(`${numberPattern} ?%? ?(?:-|\\u2013|to|until|bis|and) ?${numberPattern}`, "giu"),
    (first, second) => [Math.min(first, second), Math.max(first, second)]
  ],
  [
    new RegExp(
      `\\b(?:up to|under|below|less than|fewer than|until|at most|max\\.?|maximum(?: of)?|bis) ${numberPattern}`,
      "giu"
    ),
    (upper) => [0, upper]
  ],
  [
    new RegExp(`\\b(?:over|above|more than|at least|minimum(?: of)?|ab|über) ${numberPattern}`, "giu"),
    (lower) => [lower, Infinity]
  ],
  [
    new RegExp(`${numberPattern} ?(?:\\+|(?:\\p{L}+ )?(?:and|or) (?:over|more|above|up|larger|bigger)|plus\\b)`, "giu"),
    (lower) => [lower, Infinity]
  ]
]

const valueOf = (text: string): number => Number(text.replace(",", "."))

export const rangesIn = (line: string): ReadonlyArray<Range> =>
  rangePatterns.flatMap(([pattern, range]) =>
    [...normalizeNumbers(line).matchAll(pattern)].map(([, first = "", second = ""]) =>
      range(valueOf(first), valueOf(second))
    )
  )

/** Whether one of a line's ranges includes the number, and the line has a word that is next to the number in the question. */
export const rangeHasNumber = (
  ranges: ReadonlyArray<Range>,
  number: string,
  neighbours: ReadonlyArray<string>,
  text: string
): boolean => {
  const value = valueOf(number)
  if (!ranges.some(([from, to]) => from <= value && value <= to)) return false
  const lineTerms = new Set(contentWords(text).flatMap(textTerms))
  return neighbours.some((word) => questionTerms(word).some((term) => lineTerms.has(term)))
}
