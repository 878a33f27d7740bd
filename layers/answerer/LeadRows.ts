// layers/answerer/LeadRows.ts: the leads that a question asks for by their columns: "which leads run more than 40 vans?"
import type { Turn } from "#layers/answerer/Answer.ts"
import { wordMatcher } from "#layers/answerer/Cells.ts"
import { type Index, matchLines } from "#layers/answerer/Index.ts"
import type { Passage } from "#layers/answerer/Passages.ts"
import { type Range, rangesIn } from "#layers/answerer/Ranges.ts"
import { contentWords, questionTerms } from "#layers/answerer/Terms.ts"
import type { Turns } from "#layers/lib/Turns.ts"

/** A question about leads: "which leads", "on our list". */
const rowsQuestion =
  /\bleads\b|^\W*(?:the )?lead (?:with|that|who|whose)\b|\b(?:which|what|any|most|least|\w+est) lead\b|\b(?:which|any|our) (?:contacts|prospects)\b|\b(?:on|in|of|from) (?:the|our|my|this) lists?\b/i
const rowsFollowUp = /\bof (?:them|those|these)\b|\b(?:those|these) (?:two|three|four|leads)\b|\bwhich ones?\b/i
export const leadWords = /^(?:leads?|lists?|contacts?|prospects?|\d.*)$/

/** Maximum number of leads shown. All leads are shown only if there are no more than this and none matches. */
export const maxRows = 8

export interface LeadRows {
  readonly rows: ReadonlyArray<Passage>
  /** Whether no row has a word of the question, so that all are shown. */
  readonly isAll: boolean
  /** The number of matching leads, including those not shown, and the number of leads searched. */
  readonly count: number
  readonly searched: number
}

export const asksForRows = (question: string): boolean => rowsQuestion.test(question)

/** The leads within a range, in the column that the question names next to it: of "more than 40" the bound is excluded. */
const filterByRange = (
  { cells }: Index,
  rows: ReadonlyArray<Passage>,
  question: string,
  [from, to]: Range,
  words: ReadonlyArray<string>
): ReadonlyArray<Passage> => {
  const isAskedFor = wordMatcher(cells, words.flatMap(questionTerms))
  const isStrict = /\b(?:over|above|under|below|than)\b/i.test(question)
  return rows.filter((row) => {
    const value = cells.byLead
      .get(row)
      ?.find(({ label, number }) => number !== undefined && label.some(isAskedFor))?.number
    return value !== undefined && (isStrict ? from < value && value < to : from <= value && value <= to)
  })
}

/** The leads with the rarest words of the question in their rows. */
const rankByWords = function* (
  index: Index,
  rows: ReadonlyArray<Passage>,
  words: ReadonlyArray<string>
): Turns<ReadonlyArray<Passage>> {
  const rowSet = new Set(rows)
  const scores = new Map<Passage, number>()
  for (const word of words) {
    const matches = [...(yield* matchLines(index, word, []))].flatMap(([id, { weight }]) => {
      const passage = index.entries[id]?.passage
      return passage !== undefined && rowSet.has(passage) ? [[passage, weight] as const] : []
    })
    for (const [passage, weight] of matches)
      scores.set(passage, (scores.get(passage) ?? 0) + weight * Math.log(rows.length / matches.length))
  }
  const bestScore = Math.max(...scores.values())
  return rows
    .filter((row) => (scores.get(row) ?? 0) > 0 && (scores.get(row) ?? 0) >= bestScore / 2)
    .toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
}

/** The leads that a question is about: those shown before for "which of them", else those of all lists. */
export const findAskedRows = (index: Index, question: string, history: ReadonlyArray<Turn>): ReadonlyArray<Passage> => {
  const leads = index.passages.filter(({ file }) => file.source === "lead")
  const shownPassages = new Set(
    history.findLast(({ role }) => role === "assistant")?.citations?.map(({ passage }) => passage)
  )
  const earlierRows = rowsFollowUp.test(question) ? leads.filter(({ text }) => shownPassages.has(text)) : []
  return earlierRows.length > 0 ? earlierRows : leads
}

/** The leads with the most values of columns that the question has: "Whose lease ends in 2027?" */
const filterByValues = (
  { cells }: Index,
  rows: ReadonlyArray<Passage>,
  words: ReadonlyArray<string>
): ReadonlyArray<Passage> => {
  const isAskedFor = wordMatcher(cells, words.flatMap(questionTerms))
  const hasAllWords = (cellWords: ReadonlyArray<number>) => cellWords.length > 0 && cellWords.every(isAskedFor)
  const counts = rows.map(
    (row) =>
      // A number alone may be of anything else.
      cells.byLead
        .get(row)
        ?.filter(({ hasLetter, label, value }) => hasAllWords(value) && (hasLetter || hasAllWords(label))).length ?? 0
  )
  const maxCount = Math.max(1, ...counts)
  return rows.filter((_, index) => counts[index] === maxCount)
}

/** A question that may ask for leads without saying so, if it has a value of a column; "who is" asks for a person of the business. */
const whoQuestion = /^\W*(?:and |do(?:es)? )?(?:whose|who (?:has|have|uses?)|which|any(?:one|body)?|how many)\b/i

/** The leads that a question asks for by the words of their rows; undefined if it asks for none. */
export const findRows = function* (
  index: Index,
  question: string,
  history: ReadonlyArray<Turn>
): Turns<LeadRows | undefined> {
  const rows = findAskedRows(index, question, history)
  const isFollowUp = rows.length < index.wordsByLead.size || rowsFollowUp.test(question)
  const asksRows = isFollowUp || asksForRows(question)
  if (rows.length === 0 || !(asksRows || whoQuestion.test(question))) return undefined
  const questionWords = [...new Set(contentWords(question))]
  const words = questionWords.filter((word) => !leadWords.test(word))
  const [range] = rangesIn(question)
  const rowsInRange = range === undefined ? [] : filterByRange(index, rows, question, range, words)
  const exactRows = rowsInRange.length > 0 ? rowsInRange : filterByValues(index, rows, questionWords)
  if (!asksRows && exactRows.length === 0) return undefined
  const matches = exactRows.length > 0 ? exactRows : yield* rankByWords(index, rows, words)
  const searched = rows.length
  if (matches.length > 0) return { rows: matches.slice(0, maxRows), isAll: false, count: matches.length, searched }
  return searched <= maxRows ? { rows, isAll: true, count: 0, searched } : undefined
}
