// layers/answerer/Weights.ts: the words and kinds of a question with their weights, which are larger the fewer passages have them.
import type { Index, LineMatch } from "#layers/answerer/Index.ts"
import type { Passage } from "#layers/answerer/Passages.ts"

export interface WeightedTerm {
  readonly word: string
  readonly weight: number
  readonly matches: ReadonlyMap<number, LineMatch>
  /** The largest weight in each passage. */
  readonly bestByPassage: ReadonlyMap<Passage, number>
}

export const weightTerm = (
  index: Index,
  matches: ReadonlyMap<number, LineMatch>,
  word: string,
  factor: number
): WeightedTerm => {
  const bestByPassage = new Map<Passage, number>()
  for (const [id, { weight }] of matches) {
    const passage = index.entries[id]?.passage
    if (passage !== undefined) bestByPassage.set(passage, Math.max(bestByPassage.get(passage) ?? 0, weight))
  }
  return {
    word,
    matches,
    bestByPassage,
    weight: factor * Math.log(1 + index.passages.length / Math.max(1, bestByPassage.size))
  }
}

export const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)

/** The share of the total weight of `all` that the terms in `selected` have, 0 to 1. */
export const share = (selected: ReadonlyArray<WeightedTerm>, allTerms: ReadonlyArray<WeightedTerm>) =>
  sum(selected.filter((each) => allTerms.includes(each)).map(({ weight }) => weight)) /
  Math.max(1, sum(allTerms.map(({ weight }) => weight)))
