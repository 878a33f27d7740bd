// layers/answerer/LeadSets.ts: the leads that a question asks for: those that should get no email, or those in the order of a column.
import type { Turn } from "#layers/answerer/Answer.ts"
import { cellsIn } from "#layers/answerer/Cells.ts"
import type { Index } from "#layers/answerer/Index.ts"
import { asksForRows, leadWords, maxRows, findAskedRows } from "#layers/answerer/LeadRows.ts"
import type { Passage } from "#layers/answerer/Passages.ts"
import { contentWords, questionTerms, textTerms } from "#layers/answerer/Terms.ts"
import { flatMapInTurns, type Turns } from "#layers/lib/Turns.ts"
import { stemWord } from "#layers/text/Stem.ts"

/** The reasons why leads should get no email, by the link of the lead. */
export type Exclusions = ReadonlyMap<string, string>

export interface LeadSet {
  /** What the leads have in common, or that there are none. */
  readonly title: string
  readonly rows: ReadonlyArray<{ readonly row: Passage; readonly reason: string }>
}

const knownParty =
  /\b(?:competit\w+|rivals?|(?:existing|current|already) (?:an? )?(?:clients?|customers?)|(?:clients?|customers?) (?:already|of ours)|(?:our|an?|is|are) (?:clients?|customers?)|suppress\w*|already (?:buy\w*|work\w*|use\w*|order\w*))\b/i
const noEmail =
  /\b(?:no|not|never|n't|nobody|skip|leave out|left out|exclude|remove|take (?:\w+ )?off|avoid)\b.*\b(?:e-?mails?|e?mailed|writ\w+|wrote|contact\w*|send|sent|approach\w*|lists?|leads?)\b/i
const asksWhoOrWhich =
  /^\W*(?:is|are|do|does|have) \w|^\W*(?:the )?leads? (?:with|that|who|whose)\b|\b(?:who|whom|which|what|any(?:one|body)?|some(?:one|body)?)\b/i

/** "Which of them isn't a customer?" asks for the others. */
const notAParty =
  /\b(?:not|isn['’]?t|aren['’]?t|never) (?:\p{Ll}+ )?(?:an? |our |yet )*(?:clients?|customers?|competitors?)\b/iu

const asksKnownParty = (question: string) =>
  knownParty.test(question) && !notAParty.test(question) && asksForRows(question)
const asksNoEmail = (question: string) =>
  noEmail.test(question) &&
  (asksForRows(question) || /\b(?:who|whom|anyone|anybody)\b.*\b(?:should|must|shall|may|can|to)\b/i.test(question))

/** Whether a question asks which leads should get no email, or are a client or competitor. */
export const asksExclusions = (question: string): boolean =>
  asksWhoOrWhich.test(question) && (asksKnownParty(question) || asksNoEmail(question))

/** The leads with a reason against an email, of a kind if the question names one, and those whose row names the business. */
const findExcludedRows = (
  { ownName }: Index,
  question: string,
  rows: ReadonlyArray<Passage>,
  exclusions: Exclusions
): Turns<LeadSet["rows"]> => {
  const kind = /competit|rival/i.test(question)
    ? /competitor|own (?:domain|company)/i
    : asksKnownParty(question) && !/suppress/i.test(question)
      ? /client|names your business/i
      : /suppress/i.test(question)
        ? /suppression/i
        : undefined
  return flatMapInTurns(rows, (row) => {
    const namedCell = cellsIn(row).find((cell) => ownName !== undefined && cell.search(ownName) >= 0)
    const reason =
      exclusions.get(row.file.link) ?? (namedCell === undefined ? undefined : `“${namedCell}” names your business.`)
    return reason === undefined || kind?.test(reason) === false ? [] : [{ row, reason }]
  })
}

const superlative =
  /\b(most|least|fewest|(?!(?:latest|best|next|last|west|test|guest|request|interest|invest|harvest|forest|rest)\b)\p{L}{2,}(?:est)|meisten|wenigsten|größte\w*|kleinste\w*)\b/iu
const ascendingPattern = /^(?:least|fewest|lowest|smallest|shortest|cheapest|youngest|lightest|wenigsten|kleinste)/i

/**
 * The leads in the order of the numeric column that the question names ("Which lead is the dirtiest?" and "Dirt score"), or of
 * the only one.
 */
const rankRows = function* (index: Index, question: string, rows: ReadonlyArray<Passage>): Turns<LeadSet | undefined> {
  const [, superlativeWord = ""] = superlative.exec(question) ?? []
  // "Which customer has the largest rig?" may not be about the leads.
  if (superlativeWord === "" || !asksForRows(question)) return undefined
  const superlativeStem = stemWord(superlativeWord.toLowerCase().replace(/i?est$/, ""))
  const terms = new Set(
    contentWords(question)
      .filter((word) => !leadWords.test(word) && word !== superlativeWord.toLowerCase())
      .flatMap(questionTerms)
  )
  const cells = yield* flatMapInTurns(rows, (row) =>
    (index.cells.byLead.get(row) ?? []).flatMap(({ number, text }) =>
      number === undefined ? [] : [{ row, label: text.split(":", 1)[0] ?? "", value: number, cell: text }]
    )
  )
  const labels = [...new Set(cells.map(({ label }) => label))]
  const isAskedFor = (label: string) =>
    contentWords(label).some(
      (word) =>
        textTerms(word).some((term) => terms.has(term)) ||
        (superlativeStem.length > 2 && word.startsWith(superlativeStem))
    )
  const label = labels.find(isAskedFor) ?? (labels.length === 1 ? labels[0] : undefined)
  if (label === undefined) return undefined
  const sign = ascendingPattern.test(superlativeWord) ? 1 : -1
  const rankedCells = cells.filter((each) => each.label === label).toSorted((a, b) => sign * (a.value - b.value))
  return {
    title: `The leads in the order of “${label}”, the ${sign > 0 ? "lowest" : "highest"} first`,
    rows: rankedCells.map(({ cell, row }) => ({ row, reason: cell }))
  }
}

/** The leads with the reason for each; undefined if the question asks for no such leads. */
export const findLeadSet = function* (
  index: Index,
  question: string,
  history: ReadonlyArray<Turn>,
  exclusions: Exclusions
): Turns<LeadSet | undefined> {
  const leads = findAskedRows(index, question, history)
  if (leads.length === 0 || !asksWhoOrWhich.test(question)) return undefined
  const excluded = asksExclusions(question) ? yield* findExcludedRows(index, question, leads, exclusions) : undefined
  if (excluded === undefined) {
    const rankedSet = yield* rankRows(index, question, leads)
    return rankedSet && { ...rankedSet, rows: rankedSet.rows.slice(0, maxRows) }
  }
  const title =
    excluded.length > 0 ? "The leads that this applies to, and why" : "No lead is known that this applies to"
  return { title, rows: excluded.slice(0, maxRows) }
}
