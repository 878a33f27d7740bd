// layers/text/NounPhrases.ts: short noun phrases that stand in a text word for word, for subjects and questions.
import nlp from "compromise"
import { setOf } from "#layers/text/Words.ts"

export interface NounPhrase {
  readonly text: string
  readonly plural: boolean
  /** Whether it can stand inside a sentence as it is. */
  readonly lower: boolean
}

interface Term {
  readonly text: string
  readonly post: string
  readonly tags: ReadonlySet<string>
}

// Heads that name no subject of their own.
const vague = setOf(
  "day days week weeks month months year years hour hours minute minutes time times way ways thing things people lot lots half " +
    "part percent point points number numbers kind kinds case cases reason reasons end start one ones something everything " +
    "nothing anything somebody anybody everybody nobody someone anyone item items place places side other others"
)
const noWord = setOf(
  "not no never only also even same other such own more most less every each all any some both another few many much several"
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
  if (noWord.has(text.toLowerCase()) || !/^[\p{L}-]{2,}$/u.test(text)) return false
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
  return tags.has("Verb") && at === 0 && next !== undefined && next.tags.has("Plural")
}

const remembered = new Map<string, ReadonlyArray<NounPhrase>>()

const read = (text: string): ReadonlyArray<NounPhrase> => {
  const terms = termsOf(text)
  const found: Array<NounPhrase> = []
  for (let at = 0; at < terms.length; at++) {
    let end = at
    while (end < terms.length - 1 && end - at < 4) {
      const term = terms[end]
      if (term === undefined || !isModifier(term, end, terms[end + 1]) || !/^[ -]$/.test(term.post)) break
      end++
    }
    const run = terms.slice(at, end + 1)
    const head = run.at(-1)
    const next = terms[end + 1]
    // A noun that follows without a break would belong to the phrase too.
    const whole =
      next === undefined || !/^ $/.test(head?.post ?? "") || !(next.tags.has("Noun") && !next.tags.has("Pronoun"))
    const spelled = run.map((term, index) => term.text + (index === run.length - 1 ? "" : term.post)).join("")
    if (head !== undefined && run.length >= 2 && run.length <= 4 && isHead(head) && whole && text.includes(spelled)) {
      const first = run[0]?.text ?? ""
      found.push({
        text: spelled,
        plural: head.tags.has("Plural"),
        lower: /^(?:\p{Ll}|\p{Lu}{2})/u.test(first)
      })
      at = end
    } else if (run.length > 1) at = end - 1
  }
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
