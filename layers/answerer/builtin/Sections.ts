// layers/answerer/builtin/Sections.ts: the sections of the files that answer a question by what they are about.
import type { Fact } from "#layers/answerer/builtin/Facts.ts"
import { covered, enough, type Index, key } from "#layers/answerer/builtin/Index.ts"
import type { Query } from "#layers/answerer/builtin/Question.ts"
import type { Topic } from "#layers/answerer/builtin/Topics.ts"

const mostPoints = 8

const placeOf = ({ heading, label }: Fact) => (label === "" ? heading : `${heading} / ${label}`)

const distinct = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  [...new Map(facts.toReversed().map((fact) => [key(fact.text), fact])).values()].toReversed()

/** The facts of the sections that answer the topics of a question best. */
export const byTopic = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Fact> => {
  const first = query.chosen || query.topics.some(({ chosen }) => chosen === true)
  const rank = ({ file }: Fact) =>
    index.files[file]?.filename === "Selections" ? (first ? -1 : index.files.length) : file

  const section = (topics: ReadonlyArray<Topic>, own: ReadonlySet<string>): ReadonlyArray<Fact> => {
    const terms = own.size > 0 ? own : before
    const fitting = index.facts
      .filter((fact) =>
        topics.every(({ needs, place }) => place.test(placeOf(fact)) && (needs?.test(fact.text) ?? true))
      )
      .map((fact) => ({ fact, share: covered(index, terms, fact.says, fact.under) }))
    const best = Math.max(0, ...fitting.map(({ share }) => share))
    if (own.size > 0 && best < enough) return []
    // What came before narrows the answer where it can; it never forbids one.
    const near = own.size > 0 || best >= 0.5 ? fitting.filter(({ share }) => share >= best - 0.01) : fitting
    const facts = near.map(({ fact }) => fact).toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
    const [head] = facts
    return distinct(facts.filter(({ file, heading }) => file === head?.file && heading === head.heading)).slice(
      0,
      mostPoints
    )
  }

  const together = section(query.topics, query.terms)
  if (together.length > 0) return together
  // Two topics may meet in one place ("decision makers of the audience"), or be two questions in one.
  const each = distinct(query.topics.flatMap((topic) => section([topic], query.terms)))
  // Where nothing is said of one competitor, what is said of all of them holds.
  const rival = query.topics.some(({ rivals }) => rivals === true) && query.terms.isSubsetOf(index.rivals)
  return each.length > 0 || !rival ? each : section(query.topics, new Set())
}

/** The place of a topic knows what is asked about, and not this of it: a product without a price. */
export const isSilent = (index: Index, { terms, topics }: Query): boolean =>
  topics.some(
    ({ needs, place }) =>
      needs !== undefined &&
      index.facts.some(
        (fact) =>
          place.test(placeOf(fact)) && !needs.test(fact.text) && covered(index, terms, fact.says, fact.under) >= enough
      )
  )
