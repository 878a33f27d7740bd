// layers/answerer/Ranges.ts: the ranges of numbers in a line, so that "14 weeks" finds "12 to 25 weeks".
import { contentWords, textTerms } from "#layers/answerer/Terms.ts"

/** The lower and the upper bound, both included. */
export type Range = readonly [number, number]

const number = "(\\d+(?:[.,]\\d{3})*(?:[.,]\\d+)?)"
const rangePatterns: ReadonlyArray<readonly [RegExp, (from: number, to: number) => Range]> = [
  [new RegExp(`${number} ?%? ?(?:-|\\u2013|to|until|bis|and) ?${number}`, "giu"), (from, to) => [from, to]],
  [
    new RegExp(
      `\\b(?:up to|under|below|less than|fewer than|until|at most|max\\.?|maximum(?: of)?|bis) ${number}`,
      "giu"
    ),
    (to) => [0, to]
  ],
  [
    new RegExp(`\\b(?:over|above|more than|at least|minimum(?: of)?|ab|über) ${number}`, "giu"),
    (from) => [from, Infinity]
  ],
  [
    new RegExp(`${number} ?(?:\\+|(?:\\p{L}+ )?and (?:over|more|above)|or more|plus\\b)`, "giu"),
    (from) => [from, Infinity]
  ]
]

/** "1,500" and "1.500" are one and a half thousand. */
const valueOf = (text: string): number => Number(text.replace(/[.,](?=\d{3}(?!\d))/g, "").replace(",", "."))

export const rangesIn = (line: string): ReadonlyArray<Range> =>
  rangePatterns.flatMap(([pattern, range]) =>
    [...line.matchAll(pattern)].map(([, first = "", second = ""]) => range(valueOf(first), valueOf(second)))
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
  return neighbours.some((word) => textTerms(word).some((term) => lineTerms.has(term)))
}
