// layers/text/NounPhrases.ts: finds short noun phrases in a text, for subjects and questions.
import { nlp } from "#layers/text/Nlp.ts"
import { isStopWord, wordSet, crudeStem, wordTokens } from "#layers/text/Words.ts"

export interface NounPhrase {
  readonly text: string
  readonly plural: boolean
  /** Whether all of its words are nouns: "return rates", not "local language". */
  readonly compound: boolean
  /** Whether it can be used in a sentence unchanged. */
  readonly lower: boolean
}

/** Verbs whose past is spelled like their present, which the library often takes for nouns. */
const unchangingVerbs = wordSet("cut put set hit let shut split")

interface Term {
  readonly text: string
  readonly post: string
  readonly tags: ReadonlySet<string>
}

// Head nouns that are too vague to name a subject.
const vagueNouns = wordSet(
  "day days week weeks month months year years hour hours minute minutes time times way ways here there thing things person people lot lots half " +
    "part percent point points number numbers kind kinds case cases reason reasons end start one ones something everything " +
    "nothing anything somebody anybody everybody nobody someone anyone item items place places side other others"
)
const nonWords = wordSet(
  "not no never only enough also even same other such own more most less every each all any some both another few many much several"
)

const parseTerms = (text: string): ReadonlyArray<Term> => {
  const sentences = nlp(text).json() as ReadonlyArray<{
    readonly terms: ReadonlyArray<{
      readonly text: string
      readonly post?: string
      readonly tags?: ReadonlyArray<string>
    }>
  }>
  return sentences.flatMap(({ terms }) =>
    terms.map((term) => ({ text: term.text, post: term.post ?? "", tags: new Set(term.tags) }))
  )
}

const isHead = ({ tags, text }: Term) =>
  tags.has("Noun") &&
  !["Pronoun", "Possessive", "Date", "Value", "Person", "Verb", "Duration", "Money"].some((tag) => tags.has(tag)) &&
  /^[\p{L}-]{3,}$/u.test(text) &&
  !vagueNouns.has(text.toLowerCase())

const isModifier = (term: Term, index: number, next: Term | undefined): boolean => {
  const { tags, text } = term
  if (nonWords.has(text.toLowerCase()) || /(?:body|thing)$/i.test(text) || !/^[\p{L}-]{2,}$/u.test(text)) return false
  if (
    [
      "Pronoun",
      "Determiner",
      "Value",
      "Possessive",
      "Preposition",
      "Conjunction",
      "Adverb",
      "Auxiliary",
      "Copula",
      "Date"
    ].some((tag) => tags.has(tag))
  )
    return false
  if (tags.has("Adjective") && !tags.has("Comparable")) return true
  if (tags.has("Adjective") || tags.has("Noun")) return true
  // "Return rates", "missed calls", "cleaning crews": the first word of a text is not a verb if a plural follows.
  return (
    tags.has("Verb") &&
    index === 0 &&
    next !== undefined &&
    (next.tags.has("Plural") || (tags.has("PastTense") && isHead(next)))
  )
}

/** A word before one of these is a verb: "works out". */
const verbParticles = wordSet("out off up down over back away in on")

/** Plurals that often come before another noun. */
const attributivePlurals = wordSet(
  "customs logistics electronics sports sales operations parts goods savings claims benefits communications returns accounts services"
)

/** Longer texts are not parsed, because the library's time grows with the length. */
const maxParsedLength = 1000
/** The caches are cleared at this size. */
const maxCacheEntries = 2000

const phraseCache = new Map<string, ReadonlyArray<NounPhrase>>()

const uncertainFollower = /^ (?!is\b|was\b|has\b|does\b)\p{Ll}+s\b/u

const isName = ({ text }: Term) => /^\p{Lu}/u.test(text)

const isAcronym = ({ text }: Term) => /^\p{Lu}+s?$/u.test(text)

/** Runs of words that can form a noun phrase, separated only by blanks and hyphens. */
const nounRuns = (terms: ReadonlyArray<Term>): ReadonlyArray<ReadonlyArray<Term>> => {
  const runs: Array<Array<Term>> = []
  let isOpen = false
  for (const [index, term] of terms.entries()) {
    const previous = terms[index - 1]
    const isVerb = index > 0 && unchangingVerbs.has(term.text)
    const isInPhrase = !isVerb && (isHead(term) || isModifier(term, index, terms[index + 1]))
    // "96-unit building", "60,000 square foot", "Desert Ridge": the rest of a longer name or measure is not a phrase.
    const isCutOff =
      previous !== undefined &&
      (previous.post.startsWith("-") || previous.tags.has("Value") || (isName(term) && isName(previous)))
    if (isInPhrase && isOpen) runs.at(-1)?.push(term)
    else if (isInPhrase) runs.push(isCutOff ? [{ ...term, tags: new Set(), text: "" }] : [term])
    isOpen = isInPhrase && /^[ -]$/.test(term.post)
  }
  return runs
}

const compoundPattern = /(?<![\p{L}\p{N}-])\p{L}{2,}-\p{L}{3,} \p{Ll}{3,}(?![\p{L}-])/gu

/** Phrases that start with a hyphenated word, which the library splits: "one-page summary", "after-hours calls". */
const compoundPhrases = (text: string): ReadonlyArray<NounPhrase> =>
  [...text.matchAll(compoundPattern)].flatMap(([spelled]) => {
    const head = parseTerms(`the ${spelled.slice(spelled.lastIndexOf(" ") + 1)}`).at(-1)
    return head === undefined || !isHead(head)
      ? []
      : [{ text: spelled, plural: head.tags.has("Plural"), compound: true, lower: /^\p{Ll}/u.test(spelled) }]
  })

/** Verbs that the library takes for plurals after a singular noun. */
const thirdPersonVerbs = wordSet(
  "asks comes fails gets goes knows leaves moves needs runs says takes waits wants works"
)

/**
 * Whether a phrase is a subject and its verb, which the library takes for a plural: "co-packer moves" before "the date",
 * "customer waits" after "when the", "regulator asks".
 */
const isClause = (text: string, { plural, text: spelled }: NounPhrase): boolean => {
  const offset = text.indexOf(spelled)
  return (
    thirdPersonVerbs.has(spelled.split(" ").at(-1)?.toLowerCase() ?? "") ||
    (plural && /^ (?:the|an?|its|their|your|our|his|her)\b/i.test(text.slice(offset + spelled.length))) ||
    /\b(?:when|whenever|if|while|because|until|that|who|which) (?:(?:the|an?|your|their|our|its) )?$/i.test(
      text.slice(0, offset)
    )
  )
}

const parsePhrases = (text: string): ReadonlyArray<NounPhrase> => {
  const phrases = [...compoundPhrases(text), ...findPhrases(text)].filter((phrase) => !isClause(text, phrase))
  const phrasesByText = new Map(phrases.map((phrase) => [phrase.text, phrase]))
  return [...phrasesByText.values()].toSorted((a, b) => text.indexOf(a.text) - text.indexOf(b.text))
}

const findPhrases = (text: string): ReadonlyArray<NounPhrase> =>
  nounRuns(parseTerms(text)).flatMap((run) => {
    const words = run.slice(0, run.findLastIndex(isHead) + 1)
    const spelled = words.map(({ post, text: word }, index) => word + (index === words.length - 1 ? "" : post)).join("")
    // "Grove City", "Ridgeline Footwear": part of a name, unless the text starts with all of it.
    const isPartOfName = words.some((term, index) => index > 0 && isName(term) && !isAcronym(term))
    if (isPartOfName && !text.startsWith(spelled)) return []
    if (words.length > 4 || words[0]?.text === "" || !spelled.includes(" ") || !text.includes(spelled)) return []
    // "charge guard companies penalties": two objects of one verb.
    if (
      words.some(
        ({ tags, text: word }, index) =>
          index < words.length - 1 && tags.has("Plural") && !attributivePlurals.has(word.toLowerCase())
      )
    )
      return []
    const plural = words.at(-1)?.tags.has("Plural") === true
    const textAfter = text.slice(text.indexOf(spelled) + spelled.length)
    // "Independent ISO" before "17025", "animating starts" before "and": the rest of a name, or a verb.
    if (/^[ -]\d/.test(textAfter)) return []
    if (/ing$/i.test(words[0]?.text ?? "") && text.indexOf(spelled) > 0 && words.length < 3) return []
    // "whole lot needs": "lot" names nothing, and what follows is a verb.
    if (words.some(({ text: word }) => verbParticles.has(word.toLowerCase()) || vagueNouns.has(word.toLowerCase())))
      return []
    // "Two-minute sound" before "recording", "site" before "visit": the noun follows, which the library reads as a verb.
    if (/^ (?:audit|check|count|recording|report|review|survey|test|trial|visit|walk)\b/.test(textAfter)) return []
    // "when an auditor asks": an indefinite article cannot precede a plural.
    if (plural && /\b(?:an?|each|every) $/i.test(text.slice(0, text.indexOf(spelled)))) return []
    // "small construction firms": the library reads the noun that follows as a verb.
    if (!plural && uncertainFollower.test(textAfter)) return []
    const compound = words.every(({ tags }) => tags.has("Noun") && !tags.has("Adjective"))
    return [{ text: spelled, plural, compound, lower: /^(?:\p{Ll}|\p{Lu}{2})/u.test(spelled) }]
  })

const countedPattern = /(?<![\d.,$\u20ac\u00a3])\b\d[\d,]* (?:\p{Ll}[\p{L}-]* ){0,2}\p{Ll}[\p{L}-]*s\b(?= )/gu

/** The first number in a text with what it counts, unchanged: "38 implant consults". Null if there is none. */
export const countedPhrase = (text: string): string | null => {
  if (text.length > maxParsedLength) return null
  for (const [spelled] of text.matchAll(countedPattern)) {
    // A number of ordinary things is not a subject: "2 winters", "61 bays".
    if (wordTokens(spelled).length < 3) continue
    const [, ...terms] = parseTerms(spelled)
    const head = terms.at(-1)
    const hasFunctionWord = terms.some(({ tags }) =>
      ["Preposition", "Determiner", "Conjunction", "Pronoun", "Adverb"].some((tag) => tags.has(tag))
    )
    if (head !== undefined && !hasFunctionWord && !vagueNouns.has(head.text.toLowerCase())) return spelled
  }
  return null
}

/** Whether a word alone can only be the plural of a noun. */
export const isPluralNoun = (word: string): boolean => {
  const [term] = parseTerms(word)
  return term !== undefined && isHead(term) && term.tags.has("Plural")
}

/** Whether a text without a verb ends with the noun that it is about. */
export const endsInNoun = (text: string): boolean => {
  const terms = parseTerms(text)
  const head = terms.at(-1)
  return head !== undefined && isHead(head) && terms.every(({ tags }, index) => index === 0 || !tags.has("Verb"))
}

const nounStemCache = new Map<string, ReadonlySet<string>>()

/** The stems of the nouns of a text, without names and vague nouns. */
export const nounStems = (text: string): ReadonlySet<string> => {
  if (text.length > maxParsedLength) return new Set()
  const cached = nounStemCache.get(text)
  if (cached !== undefined) return cached
  const terms = parseTerms(text)
  const isPartOfName = (index: number) => {
    const [previous, term, next] = [terms[index - 1], terms[index], terms[index + 1]]
    if (term === undefined || !isName(term) || isAcronym(term)) return false
    return index > 0 || (next !== undefined && isName(next)) || previous !== undefined
  }
  const stems = new Set(
    terms.flatMap((term, index) => {
      const lower = term.text.toLowerCase()
      return isHead(term) && !isPartOfName(index) && !isStopWord(lower) ? lower.split("-").map(crudeStem) : []
    })
  )
  if (nounStemCache.size >= maxCacheEntries) nounStemCache.clear()
  nounStemCache.set(text, stems)
  return stems
}

/** The noun phrases of a text in order; uncertain ones are omitted. */
export const nounPhrases = (text: string): ReadonlyArray<NounPhrase> => {
  if (text.length > maxParsedLength) return []
  const cached = phraseCache.get(text)
  if (cached !== undefined) return cached
  const phrases = parsePhrases(text)
  if (phraseCache.size >= maxCacheEntries) phraseCache.clear()
  phraseCache.set(text, phrases)
  return phrases
}

/** Singular nouns that need no article. */
const uncountableNouns = wordSet(
  "advice business capacity cash churn coffee compliance corrosion damage data demand documentation downtime dust electricity energy " +
    "engagement equipment evidence feedback fraud freight fuel gas grease growth hardware heat inventory labor labour machinery " +
    "maintenance management milk moisture money noise oil overtime packaging paper paperwork payroll power rain rent research " +
    "retention revenue rust search snow software staff steel stock storage support theft traffic training turnover waste water work"
)
const uncountableEnding = /(?:tion|sion|ness|ity|ance|ence|ing|ware|ism|logy|metry|graphy)$/

/** Whether a text starts with a noun that lacks its article: "Insurer wants proof", "Machine stands at the customer". */
export const lacksArticle = (text: string): boolean => {
  const terms = parseTerms(text)
  const end = terms.findIndex((term) => !isHead(term) && !term.tags.has("Adjective"))
  const head = terms[end - 1]
  const verb = terms[end]
  if (head === undefined || verb === undefined || !isHead(head) || head.tags.has("Plural")) return false
  if (terms.slice(1, end).some(isName) || isAcronym(head) || head.tags.has("ProperNoun")) return false
  const word = head.text.toLowerCase()
  return (
    !uncountableNouns.has(word) &&
    !uncountableEnding.test(word) &&
    ["Verb", "Auxiliary", "Copula", "Preposition"].some((tag) => verb.tags.has(tag))
  )
}
