// layers/generator/builtin/Answer.ts: answers questions in the words of a campaign's files, and says so when they hold no answer.
import { RegExp as Pattern } from "effect"
import MiniSearch from "minisearch"
import type { Answer, KnowledgeFile } from "#layers/Answerer.ts"
import { contents, cut, type Fact, isFiller, sense } from "#layers/generator/builtin/answer/Facts.ts"
import { corrected } from "#layers/generator/builtin/answer/Spelling.ts"
import { cueWords, loose, type Topic, topics } from "#layers/generator/builtin/answer/Topics.ts"
import { companyName } from "#layers/generator/Names.ts"
import { sentences, words } from "#layers/generator/Text.ts"
import type { Message } from "#schema/Agent.ts"

export interface Index {
  readonly files: ReadonlyArray<KnowledgeFile>
  readonly facts: ReadonlyArray<Fact>
  readonly search: MiniSearch<Fact>
  /** Words as they are written in the files, and in how many facts each root stands. */
  readonly known: ReadonlySet<string>
  readonly frequency: ReadonlyMap<string, number>
  /** The business's own name, which any question may carry in place of "you". */
  readonly name: RegExp | undefined
}

/** Of what a question is about, this much has to stand in the answer, rare words counting more. */
const enough = 0.6
const mostPoints = 8
const mostFacts = 3
const mostQuestions = 3
/** A question is read for this many words, and this far from either end. */
const mostTerms = 40
const reach = 600

const unknown = "That is not in this campaign's knowledge."
const rest = "The rest of the question is not in this campaign's knowledge."
const nothing =
  "Ask something about this campaign: what the business does and what it costs, its audience, proof, guarantee, competitors or emails."

const key = (text: string) => words(text.toLowerCase()).join(" ")

export const index = (files: ReadonlyArray<KnowledgeFile>): Index => {
  const facts = cut(files)
  const search = new MiniSearch<Fact>({
    fields: ["text", "heading"],
    tokenize: (text) => [...contents(text)],
    processTerm: sense,
    searchOptions: {
      boost: { text: 2 },
      combineWith: "OR",
      prefix: (term) => term.length > 4,
      weights: { prefix: 0.3, fuzzy: 0.3 }
    }
  })
  search.addAll(facts)
  const frequency = new Map<string, number>()
  // A fact that stands in three files is no commoner for it.
  const unique = new Map(facts.map((fact) => [key(fact.text), fact]))
  for (const { says, under } of unique.values())
    for (const each of new Set([...says, ...under])) frequency.set(each, (frequency.get(each) ?? 0) + 1)
  const known = new Set(facts.flatMap(({ heading, text }) => words(`${heading} ${text}`.toLowerCase())))
  const summary = files.find(({ filename }) => filename === "Company summary.md")?.content ?? ""
  const named = companyName(/^# (.+)$/m.exec(summary)?.[1])?.toLowerCase() ?? ""
  const [first = ""] = named.split(" ")
  // "Tidewell" stands for Tidewell Boilers; "general" does not for General Pumps, where it is a word like any other.
  const alone = first.length > 3 && !files.some(({ content }) => content.includes(` ${first} `))
  const escaped = [named, ...(alone ? [first] : [])].map(Pattern.escape)
  const name =
    named === "" ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu")
  return { files, facts, search, known, frequency, name }
}

/** A question as it is understood. */
interface Query {
  readonly text: string
  readonly topics: ReadonlyArray<Topic>
  /** What it is about beyond its topics, and that with the words that name them. */
  readonly terms: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** A name that stands nowhere in the files. Whatever else matches, the answer would be about something else. */
  readonly stranger: boolean
  /** It wants what the campaign chose. */
  readonly chosen: boolean
  /** It wants a number. */
  readonly amount: boolean
}

const read = ({ frequency, known, name }: Index, text: string): Query => {
  const short = text.length > 2 * reach ? `${text.slice(0, reach)} ${text.slice(-reach)}` : text
  const lower = short
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\b(what|who|where|when|how)'?s\b/g, "$1 is")
  let budget = mostTerms
  const meant = (name === undefined ? lower : lower.replace(name, "the company")).replace(/[\p{L}\p{M}']+/gu, (word) =>
    isFiller(word) || budget-- <= 0 ? word : corrected(word, [cueWords, known])
  )
  // A turn of phrase says more than a word in it: an email address is no address.
  const phrased = topics.filter(({ phrases }) => phrases !== undefined && meant.search(phrases) >= 0)
  const bare = phrased.reduce((left, { phrases = /$/ }) => left.replace(phrases, " "), meant)
  const said = new Set(words(bare).flatMap((word) => [word, ...word.split("-")]))
  const named = topics.filter((each) => !phrased.includes(each) && each.cues.some((cue) => said.has(cue)))
  const found = [...phrased, ...named]
  const cues = new Set(named.flatMap((each) => each.cues))
  const about = (of: string, except: ReadonlySet<string>) =>
    new Set(
      contents(of.replace(measure, " "))
        .filter((word) => !except.has(word) && !choosing.test(word))
        .slice(0, mostTerms)
        .map(sense)
    )
  const capitals = /\p{Ll}/u.test(short) ? short.match(/(?<=[\p{Ll}\d,;:"'(]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu) : null
  return {
    text: meant,
    topics: found,
    terms: about(bare, found.length === 0 ? cues : new Set([...cues, ...loose])),
    all: about(meant, new Set()),
    stranger: (capitals ?? []).some((capital) => {
      const word = capital.toLowerCase()
      return !isFiller(word) && !cueWords.has(word) && !frequency.has(sense(corrected(word, [cueWords, known])))
    }),
    chosen:
      /\b(?:chosen|chose|choose|select(?:ed)?|selections?|picked|which (?:lead magnet|guarantee|risk reversal|proof|case study))\b/.test(
        meant
      ),
    amount: /\bhow (?:much|many)\b/.test(meant)
  }
}

const measure = /\bhow (?:much|many|long|often|big|large|fast)\b/g

const choosing = /^(?:chosen|chose|choose|selected|select|selections?|picked|pick)$/

const rarity = ({ facts, frequency }: Index, term: string): number =>
  Math.log(1 + (facts.length + 1) / ((frequency.get(term) ?? 0) + 0.5))

/** How much of what is asked a fact speaks of, 0 to 1. */
const covered = (index: Index, terms: ReadonlySet<string>, ...said: ReadonlyArray<ReadonlySet<string>>): number => {
  let asked = 0
  let met = 0
  for (const term of terms) {
    const weight = rarity(index, term)
    asked += weight
    if (said.some((each) => each.has(term))) met += weight
  }
  return asked === 0 ? 0 : met / asked
}

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
  const own = query.terms.size > 0
  const terms = own ? query.terms : before
  const first = query.chosen || query.topics.some(({ chosen }) => chosen === true)
  const rank = ({ file }: Fact) =>
    index.files[file]?.filename === "Selections" ? (first ? -1 : index.files.length) : file

  const section = (topics: ReadonlyArray<Topic>): ReadonlyArray<Fact> => {
    const fitting = index.facts
      .filter((fact) =>
        topics.every(({ needs, place }) => place.test(placeOf(fact)) && (needs?.test(fact.text) ?? true))
      )
      .map((fact) => ({ fact, share: covered(index, terms, fact.says, fact.under) }))
    const best = Math.max(0, ...fitting.map(({ share }) => share))
    if (own && best < enough) return []
    // What came before narrows the answer where it can; it never forbids one.
    const near = own || best >= 0.5 ? fitting.filter(({ share }) => share >= best - 0.01) : fitting
    const facts = near.map(({ fact }) => fact).toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
    const [head] = facts
    return distinct(facts.filter(({ file, heading }) => file === head?.file && heading === head.heading)).slice(
      0,
      mostPoints
    )
  }

  const together = section(query.topics)
  // Two topics may meet in one place ("decision makers of the audience"), or be two questions in one.
  return together.length > 0 ? together : distinct(query.topics.flatMap((each) => section([each])))
}

/** The facts that speak of what is asked, wherever they stand. */
const bySearch = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Fact> => {
  const own = query.all.size > 0
  const terms = own ? query.all : before
  if (terms.size === 0) return []
  const scores = ranked(index, terms, before)
  const ofEmails = /\b(?:e-?mails?|subjects?|sequences?|write|writing|body)\b/.test(query.text)
  // "They" are whoever was spoken of; what holds of others is no answer.
  const others = own && before.size > 0 && /\b(?:they|them|their|he|him|his|she|her)\b/.test(query.text)
  const near = index.facts
    .flatMap((fact) => {
      const score = scores.get(fact.id)
      const { says, text, under } = fact
      const fits =
        score !== undefined &&
        (!query.amount || /\d/.test(text)) &&
        (ofEmails || index.files[fact.file]?.filename !== instructions) &&
        (!others || covered(index, before, says, under) >= 0.5) &&
        covered(index, terms, says) > 0
      return fits ? [{ fact, score, share: covered(index, terms, says, under) }] : []
    })
    .filter(({ share }) => share >= enough)
    .sort((a, b) => b.share - a.share || b.score - a.score || a.fact.id - b.fact.id)
  const counted = near.filter(({ fact }) => counts(fact.text, query))
  const fitting = counted.length > 0 ? counted : near
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

/** Whether a text says how many there are of what the question counts. */
const counts = (text: string, { text: question }: Query): boolean => {
  const what = sense(/\bhow many (\p{L}+)/u.exec(question)?.[1] ?? "")
  return [...text.matchAll(/\d\S*\s+(\p{L}+)/gu)].some(([, noun = ""]) => sense(noun) === what)
}

const instructions = "Email instructions.md"

const factsFor = (
  index: Index,
  query: Query,
  before: ReadonlySet<string>,
  last: Query | undefined
): ReadonlyArray<Fact> => {
  if (query.stranger) return []
  // "And the second one?" asks the same of something else.
  const same =
    query.topics.length === 0 && last !== undefined && /^\W*(?:and|what about|how about|or)\b/.test(query.text)
  const on = same ? { ...query, topics: last.topics } : query
  if (on.topics.length > 0) {
    const found = byTopic(index, on, before)
    if (found.length > 0) return found
    if (on.topics.some(({ strict }) => strict === true)) return []
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

/** The single questions of a message; what is no question beside one says nothing that is asked. */
const questions = (message: string): ReadonlyArray<string> => {
  const asked = message.split("\n").flatMap((line) => sentences(line).filter((each) => each.endsWith("?")))
  const real = asked.filter((each) => contents(each).length > 0)
  return real.length === 0 ? [message] : real.slice(-mostQuestions)
}

const speaks = ({ all, topics: found }: Query) => all.size > 0 || found.length > 0

const more = /^\W*(?:(?:and|what|anything|tell me|is there|say)\W+)*(?:else|more)\b/i

export const answer = (
  index: Index,
  message: string,
  history: ReadonlyArray<Pick<Message, "role" | "content">>
): Answer => {
  const earlier = history
    .flatMap(({ content, role }) => (role === "user" ? questions(content).map((each) => read(index, each)) : []))
    .filter(speaks)
  const last = earlier.at(-1)
  // The nearest turn that was about something in particular; "it" is that.
  const before = earlier.findLast(({ terms }) => terms.size > 0)?.terms ?? new Set<string>()
  const told = history.flatMap(({ content, role }) => (role === "assistant" ? [key(content)] : []))

  const answers = questions(message).map((text) => {
    const query = read(index, text)
    if (speaks(query)) return { said: true, facts: factsFor(index, query, before, last) }
    if (last === undefined || !more.test(text)) return { said: text.endsWith("?") && words(text).length > 3, facts: [] }
    const fresh = factsFor(index, last, before, undefined).filter(
      (fact) => !told.some((each) => each.includes(key(fact.text)))
    )
    return { said: true, facts: fresh }
  })

  if (answers.every(({ said }) => !said)) return { content: nothing, citations: [] }
  const held = answers.filter(({ facts }) => facts.length > 0)
  if (held.length === 0) return { content: unknown, citations: [] }
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
