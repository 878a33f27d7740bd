// layers/answerer/Cells.ts: the cells of the leads' rows with their words as numbers, so that a question compares thousands of rows quickly.
import type { Passage } from "#layers/answerer/Passages.ts"
import { contentWords, normalizeNumbers, textTerms } from "#layers/answerer/Terms.ts"
import type { Turns } from "#layers/lib/Turns.ts"

/** A cell with a label: a column's. */
interface Cell {
  readonly text: string
  readonly label: ReadonlyArray<number>
  readonly value: ReadonlyArray<number>
  /** Whether the value is more than a number. */
  readonly hasLetter: boolean
  /** The value as a number: "85", "1,100" or "GBP 85". */
  readonly number: number | undefined
}

export interface Cells {
  readonly byLead: ReadonlyMap<Passage, ReadonlyArray<Cell>>
  /** The words that have a search term. */
  readonly wordsByTerm: ReadonlyMap<string, ReadonlyArray<number>>
  readonly wordCount: number
}

/** A row's value may have the separator of cells many times. */
const maxCells = 120

/** The cells of a lead's row; those of columns have labels. */
export const cellsIn = ({ text }: Passage): ReadonlyArray<string> => text.replace(/^- /, "").split("; ", maxCells)

const numberOf = (cell: string) => {
  const [, value] = /^[^:]+: \D{0,4}(\d[\d.,]*)\D*$/.exec(cell) ?? []
  return value === undefined ? undefined : Number(normalizeNumbers(value))
}

export const buildCells = function* (leads: ReadonlyArray<Passage>): Turns<Cells> {
  const wordIds = new Map<string, number>()
  const wordsByTerm = new Map<string, Array<number>>()
  const idOf = (word: string): number => {
    const known = wordIds.get(word)
    if (known !== undefined) return known
    const id = wordIds.size
    wordIds.set(word, id)
    for (const term of textTerms(word)) {
      const words = wordsByTerm.get(term)
      if (words === undefined) wordsByTerm.set(term, [id])
      else words.push(id)
    }
    return id
  }
  const toCell = (text: string): ReadonlyArray<Cell> => {
    const [label = "", value] = text.split(": ", 2)
    if (value === undefined) return []
    const words = { label: contentWords(label).map(idOf), value: contentWords(value).map(idOf) }
    return [{ text, ...words, hasLetter: /\p{L}/u.test(value), number: numberOf(text) }]
  }
  const byLead = new Map<Passage, ReadonlyArray<Cell>>()
  for (const lead of leads) {
    byLead.set(lead, cellsIn(lead).flatMap(toCell))
    yield
  }
  return { byLead, wordsByTerm, wordCount: wordIds.size }
}

/** A function that says whether a word of the cells has one of the terms. */
export const wordMatcher = ({ wordCount, wordsByTerm }: Cells, terms: Iterable<string>) => {
  const matching = new Uint8Array(wordCount)
  for (const term of terms) for (const word of wordsByTerm.get(term) ?? []) matching[word] = 1
  return (word: number): boolean => matching[word] === 1
}
