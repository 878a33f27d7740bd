// layers/answerer/Question.ts: what a message asks, as far as its words tell.
import nlp from "compromise"
import { corrected, type Index } from "#layers/answerer/Index.ts"
import { ofSending } from "#layers/answerer/Leads.ts"
import {
  amount,
  contents,
  duration,
  exact,
  inEnglish,
  isFiller,
  moneys,
  sections,
  stemOf,
  sum
} from "#layers/answerer/Vocabulary.ts"
import { isStopWord, sentences, words } from "#layers/text/Words.ts"

export interface Query {
  /** `@name` of each section that it asks about. */
  readonly sections: ReadonlySet<string>
  /** Stems of the words beyond these phrases. */
  readonly terms: ReadonlySet<string>
  /** The sections that a line of another section may answer too, and the stems of all words beside theirs. */
  readonly literal: ReadonlySet<string>
  /** Stems of all words. */
  readonly all: ReadonlySet<string>
  /** Verbs that occur nowhere: an answer can do without them ("Which discounts do we grant?"). */
  readonly minor: ReadonlySet<string>
  /** Stems of its verbs, and of "email", without which a section still answers. */
  readonly verbs: ReadonlySet<string>
  /** It asks whether something is so at a place. */
  readonly ofPlace: boolean
  /** Names and numbers, which a line must have to answer. */
  readonly required: ReadonlyArray<string>
  /** It names something that occurs nowhere, or asks for what was sent to a lead that was not found, so that whatever else matches would be about something else. */
  readonly stranger: boolean
  /** What the clients are that it asks for by name: "Which hotels do we work for?" */
  readonly clients: ReadonlyArray<string>
  /** It asks whom the business works for in general, where no client answers. */
  readonly serves: boolean
  /** It asks for what the campaign selected. */
  readonly chosen: boolean
  /** It asks the same of something else: "And the second one?" */
  readonly continues: boolean
  /** It refers to the question before. */
  readonly follows: boolean
  /** It asks about a person or thing that was named before. */
  readonly refers: boolean
  /** "It" is the subject that was named before. */
  readonly ofIt: boolean
  readonly yesOrNo: boolean
  /** It asks for a fact, not for a reason or a problem. */
  readonly ofSelf: boolean
  /** It asks about emails and how to write them. */
  readonly ofEmails: boolean
  /** Whether a line holds what is asked for: an amount, a count, a length of time, a date, a place. */
  readonly fits: (text: string) => boolean
  /** Whether its words ask for a kind of answer: an amount, a date, a name. */
  readonly hasKind: boolean
}

const mostQuestions = 3
const mostTerms = 40
/** A word in more lines than these, or a twentieth of all, tells little of an answer. */
const mostLines = 8
/** A question is read this far from either end. */
const reach = 600

const number =
  /^(?:\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|half|third|quarter|fifth)$/
const greeting = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b/
const date =
  /\b(?:(?:19|20)\d\d|spring|summer|autumn|winter|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i
const often =
  /\b(?:alle (?:\w+ )?(?:tage|wochen|monate)|täglich|wöchentlich|monatlich|jährlich|daily|nightly|weekly|monthly|quarterly|yearly|annual(?:ly)?|(?:once|twice|every|each|an?|per) (?:night|(?:\w{3,6})?day|week|month|quarter|year))\b/i

/** A first and a last name, the word founder, or a pronoun for a person in the sentence before. */
const namesPerson =
  /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|\b(?:by|von|par|founders?|[Hh]e|[Ss]he|[Tt]hey|[Hh]is|[Hh]er|[Tt]he two|[Bb]oth)\b/u

/** A question about the prices of other companies, which no text has: users say "we" of their own. */
const ofTheirPrices = /\b(?:they|others) (?:charge|ask for)\b/

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

/** The kinds of answers that the head of a question tells. */
const kinds: ReadonlyArray<readonly [RegExp, (text: string) => boolean]> = [
  [/\b(?:what|which) days?\b/, (text) => date.test(text)],
  [/\bhow often\b/, (text) => often.test(text)],
  [/\bhow (?:long|fast|soon|quick(?:ly)?)\b/, (text) => duration.test(text)],
  [/\bhow much\b.*\b(?:saved?|spen[dt]|pay|paid|earn\w*|invest\w*)\b/, (text) => sum.test(text)],
  [/\bhow much\b/, (text) => amount.test(text)],
  [
    /\bhow (?:high|tall|deep|wide|far|big|large|small|heavy)\b/,
    (text) => words(text.toLowerCase().replace(moneys, " ")).some((word) => number.test(word))
  ],
  // Who makes a thing is not said by what it does.
  [
    /\b(?:what|which) (?:company|brand|firm|supplier|manufacturer)\b|\bwho (?:makes|made|builds|built|supplies|manufactures)\b/,
    (text) =>
      /\b(?:made|built|supplied|delivered|bought|manufactured)\b.*\b(?:by|from)\b|\b(?:suppliers?|manufacturers?|brands?)\b/i.test(
        text
      )
  ],
  [
    /\bwho (?:\w+ ){0,5}(?:founded|started|set|began|created|established)\b|\bfounders?\b/,
    (text) => namesPerson.test(text)
  ],
  [/\bwhen (?:was|were|did|is|are|have|has)\b|\bsince when\b|\bwhat year\b/, (text) => date.test(text)],
  [
    /\bwhere\b/,
    (text) => /\b(?:in|at|near|from|across|to|around|of|outside)\s+(?:the )?\p{Lu}|^\p{Lu}[^.]*$/u.test(text)
  ]
]

const anything = () => true

const kindOf = (text: string): Query["fits"] => {
  const [, counted] = /\bhow many (?:of (?:our|the|your|their) )?([\p{L}-]+)/u.exec(text) ?? []
  if (counted !== undefined) return counts(stemOf(counted))
  return kinds.find(([asks]) => asks.test(text))?.[1] ?? anything
}

/** A small word with two letters swapped ("teh"). */
const transposed = (word: string) =>
  [...word].some((_, at) =>
    isStopWord(word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2))
  )

const normal = (index: Index, text: string): string => {
  const short = text.length > 2 * reach ? `${text.slice(0, reach)} ${text.slice(-reach)}` : text
  const lower = inEnglish(short.toLowerCase().replace(/[\u2018\u2019]/g, "'"))
    .replace(greeting, " ")
    .replace(/\b(what|who|where|when|how)'?s\b/g, "$1 is")
  let budget = mostTerms
  return (index.name === undefined ? lower : lower.replace(index.name, "the company")).replace(
    /[\p{L}\p{M}']+/gu,
    (word) => {
      if (word.length === 3 && !isFiller(word) && !index.frequency.has(stemOf(word)) && transposed(word)) return " "
      return budget-- > 0 ? corrected(index, word) : word
    }
  )
}

const verbsIn = (text: string): ReadonlyArray<string> =>
  words(nlp(text).match("#Verb").out("array").join(" ").toLowerCase()).filter((word) => !isFiller(word))

/** Words for the people that these sections are about: the section need not name them. */
const ofAudience = "@people @pains @problems @proof @audience @benefit @objections @trigger @promise @apart".split(" ")
const generic: ReadonlyArray<string> = "client customer prospect buyer people company".split(" ").map(stemOf)

/** Capitalised words inside a sentence: names, known or not. In German every noun is one. */
const namesIn = (index: Index, text: string): ReadonlyArray<string> => {
  if (!/\p{Ll}/u.test(text) || inEnglish(text.toLowerCase()) !== text.toLowerCase()) return []
  const others = index.name === undefined ? text : text.replace(new RegExp(index.name, "giu"), " we ")
  return (others.match(/(?<=[\p{Ll}\d,;:"'(]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu) ?? [])
    .map((capital) => capital.toLowerCase())
    .filter((word) => !isFiller(word))
    .map((word) => stemOf(corrected(index, word)))
}

const ofClients =
  /^\W*(?:which|what) ((?:[\p{L}-]+ ){1,3}?)(?=(?:do|did|have|has|are|is|were|we|you)\b.*(?:\b(?:work\w*|jobs?) (?:for|with)|\b(?:serve|served|supplied|helped)|(?:clients?|customers?)\W*$))/u

/** Whom a question asks for among the clients, unless it asks for all of them. */
const clientsIn = (text: string): ReadonlyArray<string> => {
  const kind = ofClients.exec(text)?.[1] ?? ""
  const stems = contents(kind).map(stemOf)
  return sectioned(kind).found.size > 0 || stems.some((stem) => generic.includes(stem)) ? [] : stems
}

/** "And which councils?" is the question before, about councils. */
export const swapped = (previous: string, text: string): string => {
  const before = inEnglish(previous.toLowerCase())
  const now = /^\W*(?:and|what about|how about)\s+(?:(?:which|what)\s+)?((?:[\p{L}-]+ ?){1,3})\W*$/u.exec(
    inEnglish(text.toLowerCase())
  )
  const [, kind] = ofClients.exec(before) ?? []
  return now === null || kind === undefined || clientsIn(before).length === 0
    ? text
    : before.replace(kind, `${now[1]?.trim()} `)
}

const stemsOf = (text: string) =>
  new Set(
    contents(
      text.replace(
        /\bhow (?:much|many|long|fast|soon|quick|often|high|tall|deep|wide|far|big|large|small|heavy)\b|\b(?:what|which) days?\b/g,
        " "
      )
    )
      .slice(0, mostTerms)
      .map(stemOf)
  )

/** The sections that a question asks about, and the rest of its words. */
const sectioned = (text: string, except: ReadonlyArray<string> = []) => {
  const found = new Set<string>()
  let rest = text
  for (const { asks, name } of sections) {
    if (except.includes(name) || rest.search(asks) < 0) continue
    found.add(name)
    rest = rest.replace(asks, " ")
    // What a reader objects is a text to look for.
    if (name === "@objections") break
  }
  return { found, rest }
}

export const read = (index: Index, text: string): Query => {
  const meant = normal(index, text)
  const { found, rest } = sectioned(meant)
  const terms = stemsOf(rest)
  // "How long does the onboarding take?" asks about the onboarding, and "How long does it take?" about the work.
  if (terms.size > 0) for (const section of ["@duration", "@staff"]) found.delete(section)
  // "Can customers pay by card?" asks about cards.
  const yesOrNo = /^\W*(?:do|does|did|is|are|can|could|will|has|have)\b/.test(meant)
  if (yesOrNo || ofAudience.some((section) => found.has(section))) for (const term of generic) terms.delete(term)
  const all = stemsOf(meant)
  const loosely = sectioned(meant, exact)
  const names = namesIn(index, text.slice(0, 2 * reach))
  // "KB-48" is a name.
  const numbers = [...terms].filter((term) => /^[\d.,]+$/.test(term) && !new RegExp(`\\p{L}-?${term}`, "u").test(meant))
  // A number alone is in many texts and about nothing; one of a price is multiplied.
  if (found.has("@price") || numbers.length === terms.size) for (const each of numbers) terms.delete(each)
  const verbs = verbsIn(text.slice(0, 2 * reach)).map(stemOf)
  // "How much do clients save?" asks about nothing but the verb, as does "What do the boxes consist of?" of boxes.
  const kind = kindOf(meant)
  const isOpen = found.size === 0 && kind === anything
  const isCommon = (term: string) =>
    isOpen && (index.frequency.get(term) ?? 0) > Math.max(mostLines, index.entries.length / 20)
  const isGeneral =
    found.size === 0 && [...terms].every((term) => verbs.includes(term) || generic.includes(term) || isCommon(term))
  const ofNumbers = numbers.length > 0 && terms.size === 0 && found.size === 0
  return {
    sections: found,
    terms,
    literal: new Set([...loosely.found, ...stemsOf(loosely.rest)]),
    all: ofNumbers ? new Set() : all,
    minor: new Set(isGeneral ? [] : verbs.filter((stem) => !index.frequency.has(stem))),
    verbs: new Set([...verbs, stemOf("email")]),
    ofPlace: yesOrNo && nlp(text.slice(0, 2 * reach)).has("#Place"),
    required: [
      ...names,
      ...[...terms].filter((term) => /^\d{2}/.test(term)),
      // What the business itself pays is no price of its own.
      ...(/\b(?:do|did|should) (?:we|you) (pay|spend|earn)\b/.exec(meant) ?? []).slice(1).map(stemOf)
    ],
    stranger:
      names.some((each) => !index.frequency.has(each)) ||
      (ofSending.test(meant) && !found.has("@lists")) ||
      ofTheirPrices.test(meant),
    clients: clientsIn(meant),
    serves: /\bserved?\b/.test(meant),
    chosen: /\b(?:chose|chosen|choose|select(?:ed|ions?)?|pick(?:ed)?|(?:which|what|our|the|this) offer)\b/.test(meant),
    continues: /^\W*(?:and|what about|how about|or)\b/.test(meant),
    follows:
      /^\W*(?:and|what about|how about|or)\b/.test(meant) ||
      /\b(?:it|its|that|this|they|them|their|these|those|ones?|he|him|his|she|her)\b/.test(meant),
    ofIt: /\b(?:it|that|this)\b(?! (?:campaign|company|business|profile|year|month|week))/.test(meant),
    refers: /\b(?:they|them|their|he|him|his|she|her)\b/.test(meant),
    ofSelf: /^\W*(?:do|does|did|is|are|can|could|will|has|have|how|when|where)\b/.test(meant),
    yesOrNo,
    hasKind: kind !== anything,
    ofEmails:
      found.has("@personas") ||
      /\b(?:e-?mails?|subjects?|sequences?|write|writing|body|templates?|personas?|playbook|go out|tone|say|pitch)\b/.test(
        meant
      ),
    // "When is a good moment to write?" asks for no date.
    fits:
      found.size === 0 ||
      terms.size > 0 ||
      found.has("@duration") ||
      found.has("@languages") ||
      found.has("@founder") ||
      /\bwhen (?:was|were|did)\b/.test(meant)
        ? found.has("@days")
          ? anything
          : kind
        : anything
  }
}

const second = /,? and (?=(?:what|who|whom|how|when|where|which|why) )/i
/** Whether a clause has a subject of its own: "who are they" has that of the clause before. */
const speaksOf = (clause: string) =>
  contents(clause).length > 0 ||
  (!/\b(?:they|them|he|she|it)\b/i.test(clause) && sectioned(clause.toLowerCase()).found.size > 0)

/** "Who started it and what did they do before" asks twice; empty for a single question. */
export const clausesOf = (question: string): ReadonlyArray<string> => {
  const clauses = question.split(second)
  return clauses.length > 1 && clauses.every(speaksOf) ? clauses.slice(-mostQuestions) : []
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
