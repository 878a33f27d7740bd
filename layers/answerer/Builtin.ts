// layers/answerer/Builtin.ts: answers questions in the words of a campaign's files, and says so when they hold no answer.
import type { Answer, Turn } from "#layers/answerer/Answer.ts"
import type { Fact } from "#layers/answerer/builtin/Facts.ts"
import { type Index, key } from "#layers/answerer/builtin/Index.ts"
import { type Query, questions, read } from "#layers/answerer/builtin/Question.ts"
import { bySearch } from "#layers/answerer/builtin/Search.ts"
import { byTopic, isSilent } from "#layers/answerer/builtin/Sections.ts"
import { isStopWord, looksEnglish, words } from "#layers/text/Words.ts"

const unknown = "That is not in this campaign's knowledge."
const rest = "The rest of the question is not in this campaign's knowledge."
const inEnglish = "It is searched best with a question in English."
const help =
  "Ask something about this campaign: what the business does and what it costs, its audience, proof, guarantee, competitors or emails."
const writer = "This chat answers questions and writes no emails; a preview of the campaign does, and so does generate."

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

export const answer = (index: Index, message: string, history: ReadonlyArray<Turn>): Answer => {
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
