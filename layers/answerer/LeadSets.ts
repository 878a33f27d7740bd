// layers/answerer/LeadSets.ts: the leads that a question asks for by a comparison: those that should get no email, that do not fit the
// audience, or that have the highest or lowest value of a column.
import type { Turn } from "#layers/answerer/Answer.ts"
import type { Index } from "#layers/answerer/Index.ts"
import { asksForRows, cellsIn, leadWords, maxRows, numberOf, rowsAskedOf } from "#layers/answerer/LeadRows.ts"
import type { Passage } from "#layers/answerer/Passages.ts"
import { rangesIn } from "#layers/answerer/Ranges.ts"
import { contentWords, questionTerms, textTerms } from "#layers/answerer/Terms.ts"
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
const misfit =
  /\btoo (?:small|big|large|few|many|tiny)\b|\b(?:not|n't|nt) (?:really )?(?:fit|suit|match)\b|\bunsuitable\b|\boutside (?:of )?our\b/i
const peopleQuestion = /^\W*(?:is|are|do|does|have) \w|\b(?:who|whom|which|what|any(?:one|body)?|some(?:one|body)?)\b/i

const asksKnownParty = (question: string) => knownParty.test(question) && asksForRows(question)
const asksNoEmail = (question: string) =>
  noEmail.test(question) &&
  (asksForRows(question) || /\b(?:who|whom|anyone|anybody)\b.*\b(?:should|must|shall|may|can|to)\b/i.test(question))

/** Whether a question asks which leads should get no email, are a client or competitor, or do not fit. */
export const asksExclusions = (question: string): boolean =>
  peopleQuestion.test(question) && (asksKnownParty(question) || asksNoEmail(question) || misfit.test(question))

const numericCell = (cell: string) => {
  const value = numberOf(cell)
  return value === undefined ? [] : [{ label: cell.split(":")[0] ?? "", value, cell }]
}

/** The numbers of leads that lie outside a range of the profile's ideal client: "15 to 300 vans" and the column "Vans". */
const misfits = ({ passages }: Index, question: string, rows: ReadonlyArray<Passage>): LeadSet["rows"] => {
  const isSmall = /\btoo (?:small|few|tiny)\b/i.test(question)
  const isLarge = /\btoo (?:big|large|many)\b/i.test(question)
  const clauses = passages
    .filter(({ file, heading }) => file.source === "profile" && /who it serves/i.test(heading))
    .flatMap(({ text }) => text.split(/[,;.\n] ?| and (?!(?:over|more|above|up|larger)\b)/))
    .flatMap((clause) => {
      const terms = new Set(contentWords(clause).flatMap(textTerms))
      return rangesIn(clause).map((range) => ({ clause: clause.replace(/^- /, "").trim(), range, terms }))
    })
  return rows.flatMap((row) => {
    const reasons = cellsIn(row)
      .flatMap(numericCell)
      .flatMap(({ cell, label, value }) =>
        clauses
          .filter(({ terms }) =>
            contentWords(label)
              .flatMap(textTerms)
              .some((term) => terms.has(term))
          )
          .filter(({ range: [from, to] }) => (value < from && !isLarge) || (value > to && !isSmall))
          .map(({ clause }) => `${cell} is outside “${clause}”.`)
      )
    return reasons.length === 0 ? [] : [{ row, reason: [...new Set(reasons)].join(" ") }]
  })
}

/** The leads with a reason against an email, of a kind if the question names one, and those whose row names the business. */
const excludedRows = (
  { ownName }: Index,
  question: string,
  rows: ReadonlyArray<Passage>,
  exclusions: Exclusions
): LeadSet["rows"] => {
  const kind = /competit|rival/i.test(question)
    ? /competitor|own domain/i
    : asksKnownParty(question) && !/suppress/i.test(question)
      ? /client|names your business/i
      : /suppress/i.test(question)
        ? /suppression/i
        : undefined
  return rows.flatMap((row) => {
    const named = cellsIn(row).find((cell) => ownName !== undefined && cell.search(ownName) >= 0)
    const reason =
      exclusions.get(row.file.link) ?? (named === undefined ? undefined : `“${named}” names your business.`)
    return reason === undefined || kind?.test(reason) === false ? [] : [{ row, reason }]
  })
}

const superlative =
  /\b(most|least|fewest|(?!(?:latest|best|next|last|west|test|guest|request|interest|invest|harvest|forest|rest)\b)\p{L}{2,}(?:est)|meisten|wenigsten|größte\w*|kleinste\w*)\b/iu
const ascending = /^(?:least|fewest|lowest|smallest|shortest|cheapest|youngest|lightest|wenigsten|kleinste)/i

/** The leads in the order of the numeric column that the question names: "Which is the dirtiest?" and "Dirt score". */
const rankedRows = (question: string, rows: ReadonlyArray<Passage>): LeadSet | undefined => {
  const [, most = ""] = superlative.exec(question) ?? []
  if (most === "") return undefined
  const root = stemWord(most.toLowerCase().replace(/i?est$/, ""))
  const terms = new Set(
    contentWords(question)
      .filter((word) => !leadWords.test(word) && word !== most.toLowerCase())
      .flatMap(questionTerms)
  )
  const cells = rows.map((row) => ({ row, cells: cellsIn(row).flatMap(numericCell) }))
  const labels = [...new Set(cells.flatMap((each) => each.cells.map(({ label }) => label)))]
  const isNamed = (label: string) =>
    contentWords(label).some(
      (word) => textTerms(word).some((term) => terms.has(term)) || (root.length > 2 && word.startsWith(root))
    )
  const label = labels.find(isNamed) ?? (asksForRows(question) && labels.length === 1 ? labels[0] : undefined)
  if (label === undefined) return undefined
  const sign = ascending.test(most) ? 1 : -1
  const ranked = cells
    .flatMap(({ cells, row }) =>
      cells.filter((each) => each.label === label).map(({ cell, value }) => ({ row, value, cell }))
    )
    .toSorted((a, b) => sign * (a.value - b.value))
  return {
    title: `The leads in the order of “${label}”, the ${sign > 0 ? "lowest" : "highest"} first`,
    rows: ranked.map(({ cell, row }) => ({ row, reason: cell }))
  }
}

/** The leads that a comparison asks for, with the reason for each; undefined if the question asks for none. */
export const findLeadSet = (
  index: Index,
  question: string,
  history: ReadonlyArray<Turn>,
  exclusions: Exclusions
): LeadSet | undefined => {
  const leads = rowsAskedOf(index, question, history)
  if (leads.length === 0 || !peopleQuestion.test(question)) return undefined
  const found = asksExclusions(question)
    ? [
        ...(misfit.test(question) && !noEmail.test(question) ? [] : excludedRows(index, question, leads, exclusions)),
        ...(asksKnownParty(question) ? [] : misfits(index, question, leads))
      ]
    : undefined
  if (found === undefined) {
    const ranked = rankedRows(question, leads)
    return ranked && { ...ranked, rows: ranked.rows.slice(0, maxRows) }
  }
  const title =
    found.length > 0
      ? "The leads that this applies to, and why"
      : "No lead is known to be a client, a competitor, suppressed or outside of the numbers of your audience"
  const byRow = new Map<Passage, string>()
  for (const { reason, row } of found)
    byRow.set(row, [byRow.get(row), reason].filter((each) => each !== undefined).join(" "))
  return { title, rows: [...byRow].slice(0, maxRows).map(([row, reason]) => ({ row, reason })) }
}
