// layers/text/NounPhrases.ts: short noun phrases that stand in a text word for word, for subjects and questions.
import nlp from "compromise"
import { isStopWord, setOf, stem, words } from "#layers/text/Words.ts"

export interface NounPhrase {
  readonly text: string
  readonly plural: boolean
  /** Whether it can stand inside a sentence as it is. */
  readonly lower: boolean
}

/** Verbs whose past is spelled like their present, which the library often takes for nouns. */
const unchanging = setOf("cut put set hit let shut split")

interface Term {
  readonly text: string
  readonly post: string
  readonly tags: ReadonlySet<string>
}

// Heads that name no subject of their own.
const vague = setOf(
  "day days week weeks month months year years hour hours minute minutes time times way ways here there thing things person people lot lots half " +
    "part percent point points number numbers kind kinds case cases reason reasons end start one ones something everything " +
    "nothing anything somebody anybody everybody nobody someone anyone item items place places side other others"
)
const noWord = setOf(
  "not no never only enough also even same other such own more most less every each all any some both another few many much several"
)

const termsOf = (text: string): ReadonlyArray<Term> => {
  const read = nlp(text).json() as ReadonlyArray<{
    readonly terms: ReadonlyArray<{
      readonly text: string
      readonly post?: string
      readonly tags?: ReadonlyArray<string>
    }>
  }>
  return read.flatMap(({ terms }) =>
    terms.map((term) => ({ text: term.text, post: term.post ?? "", tags: new Set(term.tags) }))
  )
}

const isHead = ({ tags, text }: Term) =>
  tags.has("Noun") &&
  !["Pronoun", "Possessive", "Date", "Value", "Person", "Verb", "Duration", "Money"].some((tag) => tags.has(tag)) &&
  /^[\p{L}-]{3,}$/u.test(text) &&
  !vague.has(text.toLowerCase())

const isModifier = (term: Term, at: number, next: Term | undefined): boolean => {
  const { tags, text } = term
  if (noWord.has(text.toLowerCase()) || /(?:body|thing)$/i.test(text) || !/^[\p{L}-]{2,}$/u.test(text)) return false
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
  // "Return rates", "missed calls", "cleaning crews": the first word of a text, before a plural, is no verb.
  return (
    tags.has("Verb") &&
    at === 0 &&
    next !== undefined &&
    (next.tags.has("Plural") || (tags.has("PastTense") && isHead(next)))
  )
}

/** A word that makes a verb of the one before it: "works out". */
const particles = setOf("out off up down over back away in on")

/** Plurals that often stand before another noun. */
const joining = setOf(
  "customs logistics electronics sports sales operations parts goods savings claims benefits communications returns accounts services"
)

const remembered = new Map<string, ReadonlyArray<NounPhrase>>()

const unsure = /^ (?!is\b|was\b|has\b|does\b)\p{Ll}+s\b/u

const isName = ({ text }: Term) => /^\p{Lu}/u.test(text)

const isAcronym = ({ text }: Term) => /^\p{Lu}+s?$/u.test(text)

/** Runs of words that only blanks and hyphens separate, and that can all belong to a noun phrase. */
const runsOf = (terms: ReadonlyArray<Term>): ReadonlyArray<ReadonlyArray<Term>> => {
  const runs: Array<Array<Term>> = []
  let open = false
  for (const [at, term] of terms.entries()) {
    const before = terms[at - 1]
    const verb = at > 0 && unchanging.has(term.text)
    const belongs = !verb && (isHead(term) || isModifier(term, at, terms[at + 1]))
    // "96-unit building", "60,000 square foot", "Desert Ridge": the rest of a longer name or measure is no phrase.
    const torn =
      before !== undefined &&
      (before.post.startsWith("-") || before.tags.has("Value") || (isName(term) && isName(before)))
    if (belongs && open) runs.at(-1)?.push(term)
    else if (belongs) runs.push(torn ? [{ ...term, tags: new Set(), text: "" }] : [term])
    open = belongs && /^[ -]$/.test(term.post)
  }
  return runs
}

const compoundPattern = /(?<![\p{L}\p{N}-])\p{L}{2,}-\p{L}{3,} \p{Ll}{3,}(?![\p{L}-])/gu

/** "One-page summary", "after-hours calls": two words that a hyphen joins, which the library takes apart. */
const compounds = (text: string): ReadonlyArray<NounPhrase> =>
  [...text.matchAll(compoundPattern)].flatMap(([spelled]) => {
    const head = termsOf(`the ${spelled.slice(spelled.lastIndexOf(" ") + 1)}`).at(-1)
    return head === undefined || !isHead(head)
      ? []
      : [{ text: spelled, plural: head.tags.has("Plural"), lower: /^\p{Ll}/u.test(spelled) }]
  })

const read = (text: string): ReadonlyArray<NounPhrase> => {
  const found = new Map([...compounds(text), ...phrases(text)].map((phrase) => [phrase.text, phrase]))
  return [...found.values()].toSorted((a, b) => text.indexOf(a.text) - text.indexOf(b.text))
}

const phrases = (text: string): ReadonlyArray<NounPhrase> =>
  runsOf(termsOf(text)).flatMap((run) => {
    const whole = run.slice(0, run.findLastIndex(isHead) + 1)
    const spelled = whole.map(({ post, text: own }, at) => own + (at === whole.length - 1 ? "" : post)).join("")
    // "Grove City", "Ridgeline Footwear": part of a name, unless the text starts with all of it.
    const named = whole.some((term, at) => at > 0 && isName(term) && !isAcronym(term))
    if (named && !text.startsWith(spelled)) return []
    if (whole.length > 4 || whole[0]?.text === "" || !spelled.includes(" ") || !text.includes(spelled)) return []
    // "charge guard companies penalties": two objects of one verb.
    if (
      whole.some(
        ({ tags, text: word }, at) => at < whole.length - 1 && tags.has("Plural") && !joining.has(word.toLowerCase())
      )
    )
      return []
    const plural = whole.at(-1)?.tags.has("Plural") === true
    const after = text.slice(text.indexOf(spelled) + spelled.length)
    // "Independent ISO" before "17025", "animating starts" before "and": the rest of a name, or a verb.
    if (/^[ -]\d/.test(after)) return []
    if (/ing$/i.test(whole[0]?.text ?? "") && text.indexOf(spelled) > 0 && whole.length < 3) return []
    if (whole.some(({ text: word }) => particles.has(word.toLowerCase()))) return []
    // "when an auditor asks": no plural follows an article of one.
    if (plural && /\b(?:an?|each|every) $/i.test(text.slice(0, text.indexOf(spelled)))) return []
    // "small construction firms": the library takes the noun that follows for a verb.
    if (!plural && unsure.test(after)) return []
    return [{ text: spelled, plural, lower: /^(?:\p{Ll}|\p{Lu}{2})/u.test(spelled) }]
  })

const countedPattern = /(?<![\d.,$\u20ac\u00a3])\b\d[\d,]* (?:\p{Ll}[\p{L}-]* ){0,2}\p{Ll}[\p{L}-]*s\b(?= )/gu

/** "38 implant consults", "22 sealed pumps": a number and what it counts, as it stands in a text. */
export const countedPhrase = (text: string): string | null => {
  if (text.length > 1000) return null
  for (const [spelled] of text.matchAll(countedPattern)) {
    // A number of ordinary things is no subject: "2 winters", "61 bays".
    if (words(spelled).length < 3) continue
    const [, ...rest] = termsOf(spelled)
    const head = rest.at(-1)
    const joined = rest.some(({ tags }) =>
      ["Preposition", "Determiner", "Conjunction", "Pronoun", "Adverb"].some((tag) => tags.has(tag))
    )
    if (head !== undefined && !joined && !vague.has(head.text.toLowerCase())) return spelled
  }
  return null
}

/** Whether a word alone can only be the plural of a noun. */
export const isPluralNoun = (word: string): boolean => {
  const [term] = termsOf(word)
  return term !== undefined && isHead(term) && term.tags.has("Plural")
}

/** Whether a text without a verb ends with the noun that it is about. */
export const endsInNoun = (text: string): boolean => {
  const terms = termsOf(text)
  const head = terms.at(-1)
  return head !== undefined && isHead(head) && terms.every(({ tags }, at) => at === 0 || !tags.has("Verb"))
}

const nounsRead = new Map<string, ReadonlySet<string>>()

/** The stems of the nouns of a text, without names and without those that name no subject. */
export const nounsOf = (text: string): ReadonlySet<string> => {
  if (text.length > 1000) return new Set()
  const known = nounsRead.get(text)
  if (known !== undefined) return known
  const terms = termsOf(text)
  const named = (at: number) => {
    const [before, term, next] = [terms[at - 1], terms[at], terms[at + 1]]
    if (term === undefined || !isName(term) || isAcronym(term)) return false
    return at > 0 || (next !== undefined && isName(next)) || before !== undefined
  }
  const found = new Set(
    terms.flatMap((term, at) => {
      const lower = term.text.toLowerCase()
      return isHead(term) && !named(at) && !isStopWord(lower) ? lower.split("-").map(stem) : []
    })
  )
  if (nounsRead.size >= 2000) nounsRead.clear()
  nounsRead.set(text, found)
  return found
}

/** In the order in which they stand; only those that are surely noun phrases. */
export const nounPhrases = (text: string): ReadonlyArray<NounPhrase> => {
  if (text.length > 1000) return []
  const known = remembered.get(text)
  if (known !== undefined) return known
  const found = read(text)
  if (remembered.size >= 2000) remembered.clear()
  remembered.set(text, found)
  return found
}
