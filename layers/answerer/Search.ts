// layers/answerer/Search.ts: the passages that a question is about, and the lines of them that answer it.
import { aliasesOf, covered, type Index } from "#layers/answerer/Index.ts"
import { key, type Line, type Passage } from "#layers/answerer/Passages.ts"
import type { Query } from "#layers/answerer/Question.ts"
import { contents, roles, topics } from "#layers/answerer/Vocabulary.ts"

/** The lines of one passage that answer a question. */
export interface Found {
  readonly passage: Passage
  readonly lines: ReadonlyArray<Line>
}

/** A line must cover this much of the question, rare words counting more. */
const enough = 0.6
const mostLines = 8
const mostRanked = 40

const needsOf: ReadonlyMap<string, RegExp> = new Map(
  topics.flatMap(({ name, needs }) => (needs === undefined ? [] : [[`@${name}`, needs] as const]))
)

/** Only the places of these topics answer them. */
const strict: ReadonlyArray<string> = ["@duration", ...roles.map(({ name }) => `@${name}`)]

const chosenTopics = new Set(topics.flatMap(({ chosen, name }) => (chosen === true ? [`@${name}`] : [])))

/** Passages by their likeness to the terms, earlier questions of the conversation counting less. */
export const ranked = (
  { passages, search }: Index,
  terms: ReadonlySet<string>,
  before: ReadonlySet<string>
): ReadonlyArray<Passage> =>
  search
    .search({
      combineWith: "OR",
      // These are stems already.
      tokenize: (term) => [term],
      processTerm: (term) => term,
      prefix: (term) => term.length > 4,
      fuzzy: false,
      queries: [
        { queries: [...terms], combineWith: "OR" },
        { queries: [...before].filter((term) => !terms.has(term)), combineWith: "OR", boostTerm: () => 0.3 }
      ]
    })
    .slice(0, mostRanked)
    .flatMap(({ id }) => passages[Number(id)] ?? [])

/** Sections about the readers of the emails, and what they say, are no answer about the business. */
const ofReaders =
  /troubles|put up with|problems|hesitate|object|fall short|who|reader|audience|missing|not known|for them|changes for/i

/** How to write and what was written answer questions about emails alone. */
const admitted = ({ file, heading }: Passage, { named, ofEmails, ofTime }: Query) => {
  if (!ofEmails && (file.source === "playbook" || file.filename === "Email instructions.md")) return false
  // A guarantee and a client's complaint hold amounts and times that are no prices and no deadlines.
  const strictly = (ofTime && !named.has("@guarantee")) || [...named].some((topic) => needsOf.has(topic))
  // "$49 a month" is a price.
  if (ofTime && /products|pricing/i.test(heading)) return false
  return !(strictly && (ofReaders.test(heading) || /guarantee|^risk|risk reversal/i.test(heading)))
}

/** Topics that no other place answers. */
const placed = ["@location", "@phone", "@website", "@region", "@name"]
const contactTopics = ["@contact", "@address", "@phone"]

/** A competitor's name asks for no more than the topic does. */
const isRivalry = ({ named }: Query) => ["@apart", "@weakness", "@competitors"].some((topic) => named.has(topic))

interface Match {
  readonly passage: Passage
  readonly line: Line
  readonly share: number
  readonly near: number
  /** Words of the question that it has in the same form: a managing director is no manager. */
  readonly exact: number
  readonly rank: number
}

const matches = (
  index: Index,
  query: Query,
  terms: ReadonlySet<string>,
  before: ReadonlySet<string>
): ReadonlyArray<Match> => {
  const rivals = isRivalry(query) ? index.rivals : new Set<string>()
  return ranked(index, terms, before)
    .filter((passage) => admitted(passage, query))
    .flatMap((passage, rank) => {
      const needs = [...query.named, ...terms].flatMap((topic) => needsOf.get(topic) ?? [])
      return passage.lines.flatMap((line): ReadonlyArray<Match> => {
        if (!query.fits(line.text) || !needs.every((pattern) => pattern.test(line.text))) return []
        const sets = [line.stems, passage.under, new Set(aliasesOf(passage, line))]
        // Points with a label describe one thing together, so one of them may name it for all.
        const whole =
          line.label === "" ? [] : passage.lines.map(({ aliases, stems }) => new Set([...stems, ...aliases]))
        const contact = contactTopics.some((topic) => query.named.has(topic)) ? whole : []
        const share = covered(index, terms, [...sets, ...contact], query.minor)
        const exactly = placed.filter((topic) => query.named.has(topic))
        const required = [...exactly, ...query.names, ...[...terms].filter((term) => /^\d{2}/.test(term))]
        const said = [...sets, ...contact, rivals]
        if (share < enough || !required.every((term) => said.some((set) => set.has(term)))) return []
        const exact = contents(line.text).filter((word) => query.words.includes(word)).length
        const near = covered(index, before, [...sets, ...whole], query.minor)
        return [{ passage, line, share, near, exact, rank }]
      })
    })
}

/** The best passage with those of its lines that answer equally well. */
const best = (found: ReadonlyArray<Match>, query: Query): Found | undefined => {
  const chosen = query.chosen || [...query.named].some((topic) => chosenTopics.has(topic))
  const place = ({ line, passage: { file, heading } }: Match) => {
    if (file.source === "selections") return chosen ? -1 : 2
    // It repeats the selections and the documents.
    if (file.filename === "Knowledge base.md") return 3
    const aside =
      query.named.size === 0 &&
      (ofReaders.test(heading) || /^(?:industry|company name|job titles|decision makers)$/i.test(line.label || heading))
    return (aside ? 1 : 0) + (file.source === "profile" ? 0.5 : 0)
  }
  const likeness = query.named.size === 0 ? ({ exact }: Match) => exact : () => 0
  const [head] = found.toSorted(
    (a, b) =>
      b.share - a.share || b.near - a.near || place(a) - place(b) || likeness(b) - likeness(a) || a.rank - b.rank
  )
  if (head === undefined) return undefined
  const seen = new Set<string>()
  const lines = found.flatMap(({ line, near, passage, share }) => {
    const same = passage === head.passage && share >= head.share - 0.01 && near >= head.near - 0.01
    if (!same || seen.has(key(line.text))) return []
    seen.add(key(line.text))
    return [line]
  })
  return { passage: head.passage, lines: lines.slice(0, mostLines) }
}

/** What an earlier question was about. */
export interface Subject {
  readonly terms: ReadonlySet<string>
  /** The topics of the latest question. */
  readonly topics: ReadonlySet<string>
}

/** The terms to look for, the best reading first. */
const readings = (index: Index, query: Query, before: Subject): ReadonlyArray<ReadonlySet<string>> => {
  const rivalry = isRivalry(query)
  const own = [...query.topics, ...[...query.terms].filter((term) => !(rivalry && index.rivals.has(term)))]
  if (query.continues && query.named.size === 0 && before.topics.size > 0) return [new Set([...own, ...before.topics])]
  if (own.length === 0) return [before.terms]
  const leans = query.follows && before.terms.size > 0
  if (query.topics.has("@duration") && leans) return [before.terms, new Set(own)]
  if (query.topics.size === 0 || strict.some((topic) => query.topics.has(topic))) return [new Set(own)]
  return [new Set(own), query.all]
}

/** Nothing where no passage answers the question. */
export const answering = (index: Index, query: Query, before: Subject): Found | undefined => {
  if (query.stranger) return undefined
  for (const terms of readings(index, query, before)) {
    const found = matches(index, query, terms, before.terms)
    // What holds of others than those who were named before is no answer.
    const fitting = query.refers && before.terms.size > 0 ? found.filter(({ near }) => near >= 0.5) : found
    const answer = best(fitting, query)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The passages to offer where none answers. */
export const nearest = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Passage> =>
  ranked(index, new Set([...query.topics, ...query.all]), query.follows ? before : new Set())
    .filter((passage) => admitted(passage, query))
    .slice(0, 3)
