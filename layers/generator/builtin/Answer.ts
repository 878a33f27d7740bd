// layers/generator/builtin/Answer.ts: answers questions in the words of a campaign's files, and says so when they hold no answer.
import type { Answer } from "#layers/knowledge/Knowledge.ts"
import { contents, type Fact } from "#layers/generator/builtin/answer/Facts.ts"
import { covered, type Index, key } from "#layers/generator/builtin/answer/Index.ts"
import { type Query, questions, read } from "#layers/generator/builtin/answer/Question.ts"
import type { Topic } from "#layers/generator/builtin/answer/Topics.ts"
import { isStopWord, looksEnglish, words } from "#layers/generator/Text.ts"
import type { Message } from "#schema/Agent.ts"

/** Of what a question is about, this much has to stand in the answer, rare words counting more. */
const enough = 0.6
const mostPoints = 8
const mostFacts = 3

const unknown = "That is not in this campaign's knowledge."
const rest = "The rest of the question is not in this campaign's knowledge."
const inEnglish = "It is searched best with a question in English."
const help =
  "Ask something about this campaign: what the business does and what it costs, its audience, proof, guarantee, competitors or emails."
const writer = "This chat answers questions and writes no emails; a preview of the campaign does, and so does generate."

/** How near each fact is to a question, earlier questions of the conversation counting less. */
const ranked = (
  { search }: Index,
  terms: ReadonlySet<string>,
  before: ReadonlySet<string>
): ReadonlyMap<number, number> => {
  const near = search.search({
    combineWith: "OR",
    // These are roots already.
    tokenize: (term) => [term],
    processTerm: (term) => term,
    queries: [
      { queries: [...terms], combineWith: "OR" },
      { queries: [...before].filter((term) => !terms.has(term)), combineWith: "OR", boostTerm: () => 0.3 }
    ]
  })
  return new Map(near.map(({ id, score }) => [Number(id), score]))
}

const placeOf = ({ heading, label }: Fact) => (label === "" ? heading : `${heading} / ${label}`)

const distinct = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  [...new Map(facts.toReversed().map((fact) => [key(fact.text), fact])).values()].toReversed()

/** The facts of the sections that answer the topics of a question best. */
const byTopic = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Fact> => {
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
const isSilent = (index: Index, { terms, topics }: Query): boolean =>
  topics.some(
    ({ needs, place }) =>
      needs !== undefined &&
      index.facts.some(
        (fact) =>
          place.test(placeOf(fact)) && !needs.test(fact.text) && covered(index, terms, fact.says, fact.under) >= enough
      )
  )

/** Those that a wish holds for, if there are any. */
const narrowed = <A>(all: ReadonlyArray<A>, wish: (each: A) => boolean): ReadonlyArray<A> => {
  const some = all.filter(wish)
  return some.length > 0 ? some : all
}

/** The facts that speak of what is asked, wherever they stand. */
const bySearch = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Fact> => {
  const own = query.all.size > 0
  const terms = own ? query.all : before
  if (terms.size === 0) return []
  const scores = ranked(index, terms, before)
  const ofEmails = /\b(?:e-?mails?|subjects?|sequences?|write|writing|body)\b/.test(query.text)
  // What holds of others than those who were spoken of is no answer.
  const others = own && before.size > 0 && query.others
  const near = index.facts
    .flatMap((fact) => {
      const score = scores.get(fact.id)
      const { says, text, under } = fact
      const fits =
        score !== undefined &&
        query.fits(text) &&
        (ofEmails || index.files[fact.file]?.filename !== instructions) &&
        (!others || covered(index, before, says, under) >= 0.5) &&
        covered(index, terms, says) > 0 &&
        [...query.names].every((each) => says.has(each) || under.has(each))
      return fits ? [{ fact, score, share: covered(index, terms, says, under) }] : []
    })
    .filter(({ share }) => share >= enough)
    // A promise is made of other facts, and says them shorter.
    .sort(
      (a, b) =>
        b.share - a.share ||
        Number(isPromise(a.fact)) - Number(isPromise(b.fact)) ||
        b.score - a.score ||
        a.fact.id - b.fact.id
    )
  // A managing director is no manager, although both words have one root.
  const fitting = narrowed(near, ({ fact }) => {
    const said = new Set(contents(fact.text))
    return query.words.every((each) => said.has(each))
  })
  const [best] = fitting
  if (best === undefined) return []
  const taken: Array<Fact> = []
  for (const { fact, score, share } of fitting) {
    if (taken.length >= mostFacts || share < best.share - 0.01 || score < 0.7 * best.score) continue
    // What says again what stands there already makes an answer longer and no better.
    const fresh = [...fact.says].filter((each) => !taken.some(({ says }) => says.has(each)))
    if (taken.length === 0 || fresh.length > 0.5 * fact.says.size) taken.push(fact)
  }
  return taken
}

const isPromise = ({ heading }: Fact): boolean => /value proposition|promise/i.test(heading)

const instructions = "Email instructions.md"

/** "And the second one?" asks the same of something else, and so does "Is it free?". */
const followed = (query: Query, last: Query | undefined): Query => {
  const follows =
    /^\W*(?:and|what about|how about|or)\b/.test(query.text) ||
    (query.terms.size > 0 && /\b(?:it|that|this|they|them|these|those|ones?)\b/.test(query.text))
  return last !== undefined && query.topics.length === 0 && follows ? { ...query, topics: last.topics } : query
}

const factsFor = (
  index: Index,
  query: Query,
  before: ReadonlySet<string>,
  last: Query | undefined
): ReadonlyArray<Fact> => {
  if (query.stranger) return []
  // Of whoever was spoken of; the place tells it of the audience.
  const elsewhere =
    query.others &&
    query.topics.some(({ audience }) => audience === true) &&
    last !== undefined &&
    !last.topics.some(({ chosen }) => chosen === true)
  if (query.topics.length > 0 && !elsewhere) {
    const found = byTopic(index, query, before)
    if (found.length > 0) return found
    if (query.topics.some(({ strict }) => strict === true) || isSilent(index, query)) return []
  }
  return bySearch(index, query, before)
}

const stopped = (text: string): string => (/[.!?…:]["')\]]*$/.test(text) ? text : `${text}.`)

/** Points as a list under their heading, sentences as prose; a point that says it all stands alone. */
const composed = (facts: ReadonlyArray<Fact>): string => {
  const [only] = facts
  if (only !== undefined && facts.length === 1) {
    const bare = only.point && !only.text.includes(": ") && words(only.text).length < 5
    return stopped(bare ? `${only.heading}: ${only.text}` : only.text)
  }
  const blocks: Array<string> = []
  let last: Fact | undefined
  for (const fact of facts) {
    const same = last?.heading === fact.heading && last.file === fact.file && last.point === fact.point
    const at = blocks.length - 1
    if (same && fact.point) blocks[at] += `\n- ${fact.text}`
    else if (same) blocks[at] += ` ${stopped(fact.text)}`
    else blocks.push(fact.point ? `${fact.heading}:\n- ${fact.text}` : stopped(fact.text))
    last = fact
  }
  return blocks.join("\n\n")
}

const speaks = ({ all, topics: found }: Query) => all.size > 0 || found.length > 0

const more =
  /^\W*(?:(?:(?:and|what|anything|any|tell me|is there|say)\W+)*(?:else|more)|(?:what|how) about (?:them|it|that|those))\b/i

/** Said to whoever it is that answers, and asking nothing of the files. */
const small: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^\W*(?:(?:please|can|could|would|you)\s+)*(?:write|draft|compose|generate)\b.*\b(?:e-?mails?|sequences?)\b/i,
    writer
  ],
  [/\bwhat can you (?:do|help)\b|\bare you (?:an? )?(?:human|person|bot|robot|ai|real)\b/i, help]
]

export const answer = (
  index: Index,
  message: string,
  history: ReadonlyArray<Pick<Message, "role" | "content">>
): Answer => {
  const spoken = small.find(([pattern]) => pattern.test(message))
  if (spoken !== undefined) return { content: spoken[1], citations: [] }
  const earlier = history
    .flatMap(({ content, role }) => (role === "user" ? questions(content).map((each) => read(index, each)) : []))
    .filter(speaks)
    .reduce<ReadonlyArray<Query>>((turns, query) => [...turns, followed(query, turns.at(-1))], [])
  const last = earlier.at(-1)
  // The nearest turn that named something in particular; "it" is that.
  const before = earlier.findLast(({ others, terms }) => terms.size > 0 && !others)?.terms ?? new Set<string>()
  const told = history.flatMap(({ content, role }) => (role === "assistant" ? [key(content)] : []))

  const answers = questions(message).map((text) => {
    const query = followed(read(index, text), last)
    if (speaks(query) && !(more.test(text) && query.terms.size === 0))
      return { said: true, facts: factsFor(index, query, before, last) }
    if (last === undefined || !more.test(text)) return { said: text.endsWith("?") && words(text).length > 3, facts: [] }
    const fresh = factsFor(index, last, before, undefined).filter(
      (fact) => !told.some((each) => each.includes(key(fact.text)))
    )
    return { said: true, facts: fresh }
  })

  if (answers.every(({ said }) => !said)) {
    return { content: /\b(?:thanks?|thx|cheers)\b/i.test(message) ? "You are welcome." : help, citations: [] }
  }
  const held = answers.filter(({ facts }) => facts.length > 0)
  if (held.length === 0) {
    const foreign = !looksEnglish(message) && !words(message.toLowerCase()).some(isStopWord)
    return { content: foreign ? `${unknown} ${inEnglish}` : unknown, citations: [] }
  }
  const parts = held.map(({ facts }) => composed(facts))
  const missed = answers.some(({ facts, said }) => said && facts.length === 0)
  const used = new Set(held.flatMap(({ facts }) => facts.map(({ file }) => file)))
  return {
    content: [...new Set(parts), ...(missed ? [rest] : [])].join("\n\n"),
    citations: [...used].flatMap((file) => {
      const cited = index.files[file]
      return cited === undefined ? [] : [{ file_id: cited.file_id, filename: cited.filename }]
    })
  }
}
