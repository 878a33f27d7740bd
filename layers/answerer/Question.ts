// layers/answerer/Question.ts: what a message asks, as far as its words tell.
import nlp from "compromise"
import { corrected, type Index } from "#layers/answerer/Index.ts"
import { amount, contents, date, duration, isFiller, roles, stemOf, topics } from "#layers/answerer/Vocabulary.ts"
import { isStopWord, sentences, words } from "#layers/text/Words.ts"

export interface Query {
  readonly text: string
  /** `@name` of each topic that is asked about by a phrase. */
  readonly topics: ReadonlySet<string>
  /** The same, and of each topic that is asked about by a word. */
  readonly named: ReadonlySet<string>
  /** Stems of the words beyond these phrases. */
  readonly terms: ReadonlySet<string>
  /** Stems of all words. */
  readonly all: ReadonlySet<string>
  /** Verbs that occur nowhere: an answer can do without them ("Which discounts do we grant?"). */
  readonly minor: ReadonlySet<string>
  /** Stems of the names in it, and its words as they are written. */
  readonly names: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
  /** It names something that occurs nowhere, so that whatever else matches would be about something else. */
  readonly stranger: boolean
  /** It asks for what the campaign selected. */
  readonly chosen: boolean
  /** It asks the same of something else: "And the second one?" */
  readonly continues: boolean
  /** It refers to the question before. */
  readonly follows: boolean
  /** It asks about a person or thing that was named before. */
  readonly refers: boolean
  /** It asks about emails and how to write them. */
  readonly ofEmails: boolean
  /** It asks how long something takes. */
  readonly ofTime: boolean
  /** Whether a line holds what is asked for: an amount, a count, a length of time, a date. */
  readonly fits: (text: string) => boolean
}

const mostQuestions = 3
const mostTerms = 40
/** A question is read this far from either end. */
const reach = 600

const number =
  /^(?:\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|half|third|quarter|fifth)$/
const greeting = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b/
const howLong = /\bhow (?:long|fast|soon|quick(?:ly)?)\b|\b(?:turnaround|lead time)s?\b/g

/** Whether a text says how many of something there are: the number is near its word. */
const counts = (what: string) => (text: string) => {
  const all = words(text.toLowerCase())
  return all.some(
    (word, at) =>
      stemOf(word) === what &&
      !/^(?:per|each|every)$/.test(all[at - 1] ?? "") &&
      all.slice(Math.max(0, at - 3), at).some((each) => number.test(each))
  )
}

const kindOf = (text: string): Query["fits"] => {
  const [, counted] = /\bhow many (?:of (?:our|the|your|their) )?(\p{L}+)/u.exec(text) ?? []
  if (counted !== undefined) return counts(stemOf(counted))
  if (/\bhow (?:long|fast|soon|quick(?:ly)?)\b/.test(text)) return (found) => duration.test(found)
  if (/\bhow much\b/.test(text)) return (found) => amount.test(found)
  if (/\bwhen (?:was|were|did|is|are|have|has)\b|\bsince when\b/.test(text)) return (found) => date.test(found)
  return () => true
}

/** A small word with two letters swapped ("teh"). */
const swapped = (word: string) =>
  [...word].some((_, at) =>
    isStopWord(word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2))
  )

const normal = (index: Index, text: string): string => {
  const short = text.length > 2 * reach ? `${text.slice(0, reach)} ${text.slice(-reach)}` : text
  const lower = short
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(greeting, " ")
    .replace(/\b(what|who|where|when|how)'?s\b/g, "$1 is")
  let budget = mostTerms
  return (index.name === undefined ? lower : lower.replace(index.name, "the company")).replace(
    /[\p{L}\p{M}']+/gu,
    (word) => {
      if (word.length === 3 && !isFiller(word) && !index.known.has(stemOf(word)) && swapped(word)) return " "
      return budget-- > 0 ? corrected(index, word) : word
    }
  )
}

const verbsIn = (text: string): ReadonlyArray<string> =>
  words(nlp(text).match("#Verb").out("array").join(" ").toLowerCase()).filter((word) => !isFiller(word))

/** The topics that each alias stands for. */
const topicsOf = new Map<string, ReadonlyArray<string>>()
for (const { aliases, name } of topics)
  for (const word of aliases.split(" ").filter((each) => each !== ""))
    topicsOf.set(stemOf(word), [...(topicsOf.get(stemOf(word)) ?? []), `@${name}`])

/** Words for the people that a topic concerns: the section need not name them. */
const ofClients = "@pains @problems @proof @audience @benefit @objections @trigger @promise @apart".split(" ")
const generic: ReadonlyArray<string> = "client customer prospect buyer people".split(" ").map(stemOf)

/** Capitalised words inside a sentence: names, known or not. */
const namesIn = (index: Index, text: string): ReadonlyArray<string> => {
  const capitals = /\p{Ll}/u.test(text) ? (text.match(/(?<=[\p{Ll}\d,;:"'(]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu) ?? []) : []
  // Each word of the business's own name: "Air" of "Hollowell Air" asks for nothing.
  const own = index.name === undefined ? [] : [...text.toLowerCase().matchAll(index.name)]
  const ofName = new Set(own.flatMap(([name]) => words(name)))
  return capitals
    .map((capital) => capital.toLowerCase())
    .filter((word) => !isFiller(word) && !ofName.has(word))
    .map((word) => stemOf(corrected(index, word)))
}

const stemsOf = (text: string) =>
  new Set(
    contents(text.replace(/\bhow (?:much|many)\b/g, " "))
      .slice(0, mostTerms)
      .map(stemOf)
  )

export const read = (index: Index, text: string): Query => {
  const meant = normal(index, text)
  const found = new Set<string>()
  let rest = meant
  const strip = (phrases: RegExp, name: string) => {
    if (meant.search(phrases) < 0) return
    found.add(`@${name}`)
    rest = rest.replace(phrases, " ")
  }
  for (const { name, phrases } of topics) if (phrases !== undefined) strip(phrases, name)
  for (const { asks, name } of roles) strip(asks, name)
  const bare = rest.replace(howLong, " ")
  if (bare !== rest && stemsOf(bare).size === 0 && !/\bhow long (?:has|have)\b/.test(meant)) found.add("@duration")
  rest = bare
  const terms = stemsOf(rest.replace(/\b(?:chose|chosen|choose|selected|picked)\b/g, " "))
  const all = stemsOf(meant)
  const names = namesIn(index, text.slice(0, 2 * reach))
  const named = new Set(found)
  // What a reader objects is a text to look for.
  if (!found.has("@objections"))
    for (const term of terms) for (const topic of topicsOf.get(term) ?? []) named.add(topic)
  if (ofClients.some((topic) => named.has(topic))) for (const term of generic) terms.delete(term)
  const ofNumbers = [...terms].every((term) => /^\d+$/.test(term))
  return {
    text: meant,
    topics: found,
    named,
    // A number alone is in many texts and about nothing.
    terms: ofNumbers ? new Set() : terms,
    all: ofNumbers && found.size === 0 ? new Set() : all,
    minor: new Set(
      verbsIn(text.slice(0, 2 * reach))
        .map(stemOf)
        .filter((stem) => !index.known.has(stem))
    ),
    names,
    words: contents(meant),
    stranger: names.some((each) => !index.known.has(each)),
    chosen: /\b(?:chose|chosen|choose|select(?:ed|ions?)?|pick(?:ed)?)\b/.test(meant),
    continues: /^\W*(?:and|what about|how about|or)\b/.test(meant),
    follows:
      /^\W*(?:and|what about|how about|or)\b/.test(meant) ||
      /\b(?:it|its|that|this|they|them|their|these|those|ones?|he|him|his|she|her)\b/.test(meant),
    refers: /\b(?:they|them|their|he|him|his|she|her)\b/.test(meant),
    ofEmails:
      /\b(?:e-?mails?|subjects?|sequences?|write|writing|body|templates?|personas?|playbook|go out|tone)\b/.test(meant),
    // "When is a good moment to write?" asks for no date.
    fits: found.size > 0 && !found.has("@duration") ? () => true : kindOf(meant),
    ofTime: /\bhow (?:long|fast|soon|quick(?:ly)?)\b/.test(meant)
  }
}

/** The single questions of a message; the other sentences beside a question ask nothing. */
export const questions = (message: string): ReadonlyArray<string> => {
  const asked = message.split("\n").flatMap((line) => sentences(line).filter((each) => each.endsWith("?")))
  const real = asked.filter((each) => contents(each).length > 0)
  if (
    real.length === 0 ||
    (real.length === 1 && contents(message).length < 12 && /\b(?:respond|reply|answer)\b/i.test(message))
  )
    return [message]
  return real.slice(-mostQuestions)
}
