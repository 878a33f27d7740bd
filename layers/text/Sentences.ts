// layers/text/Sentences.ts: splits a user's text into whole sentences and list items, and tells sentences from fragments.
import nlp from "compromise"
import { looksEnglish, setOf } from "#layers/text/Words.ts"

export type Shape = "sentence" | "fragment" | "question"

/** The number of words, counted as a reader would: "8,000" and "call-to-appointment" are one each. */
export const words = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0

const bullet = /^\s*(?:[-*+\u2022\u2013\u2014\u25aa\u25cf]|\d{1,2}[.)]|\((?:\d{1,2}|[a-z])\))\s+/

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    // "About us | We rebuild pumps": what stands between bars are lines as well.
    .split(/\r\n|[\r\n\u2028\u2029]|\s\|\s/)
    .map((line) => line.replace(bullet, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))

/** Long lines are not read by the library, which takes time that grows with them. */
const readable = 4000

/** Texts that each memory of this file holds at most. */
const atMost = 1000
const splitOnce = new Map<string, ReadonlyArray<string>>()

/** The sentences of a text, each exactly as it stands there. */
export const sentencesOf = (text: string): ReadonlyArray<string> => {
  const known = splitOnce.get(text)
  if (known !== undefined) return known
  const found = split(text)
  if (splitOnce.size >= atMost) splitOnce.clear()
  splitOnce.set(text, found)
  return found
}

const abbreviated = setOf("approx incl excl dept govt corp inc ltd est misc temp vol fig tel mins secs")

/** Where the sender writes sentences without capitals, a full stop after a whole word still ends one. */
const uncapitalized = (sentence: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  for (const { index, 0: found } of sentence.matchAll(/(?<=[\p{L}\p{N}%)]{3}[.!?])\s+(?=\p{Ll})/gu)) {
    const word = /(\p{L}+)[.!?]$/u.exec(sentence.slice(0, index))?.[1]?.toLowerCase() ?? ""
    if (abbreviated.has(word) || words(sentence.slice(from, index)) < 3) continue
    pieces.push(sentence.slice(from, index))
    from = index + found.length
  }
  return [...pieces, sentence.slice(from)]
}

const split = (text: string): ReadonlyArray<string> => linesOf(text).flatMap(splitLine).flatMap(uncapitalized)

const splitLine = (line: string): ReadonlyArray<string> => {
  if (line.length > readable) return [line]
  const found: Array<string> = []
  let from = 0
  for (const sentence of nlp.tokenize(line).fullSentences().out("array") as ReadonlyArray<string>) {
    const at = line.indexOf(sentence, from)
    if (at === -1) return [line]
    const to = at + sentence.length
    // A lower-case start means that the full stop before it belonged to an abbreviation.
    const previous = found.at(-1)
    if (previous !== undefined && /^[\p{Ll}\d]/u.test(sentence) && !/[!?]$/.test(previous))
      found[found.length - 1] = line.slice(line.indexOf(previous), to)
    else found.push(line.slice(at, to).trim())
    from = to
  }
  return found.length === 0 ? [line] : found
}

interface Term {
  readonly text: string
  readonly capital: boolean
  readonly tags: ReadonlySet<string>
  /** The punctuation after it. */
  readonly post: string
}

const termsOf = (text: string): ReadonlyArray<Term> => {
  const read = nlp(text).json() as ReadonlyArray<{
    readonly terms: ReadonlyArray<{
      readonly text: string
      readonly implicit?: string
      readonly post?: string
      readonly tags?: ReadonlyArray<string>
    }>
  }>
  return read.flatMap(({ terms }) =>
    terms.map(({ implicit, post, tags, text: own }) => ({
      text: (implicit === undefined || implicit === "" ? own : implicit).toLowerCase(),
      capital: /^\p{Lu}/u.test(own),
      tags: new Set(tags),
      post: post ?? ""
    }))
  )
}

const subjects = setOf("i we you they it he she nobody everybody everyone this these")
const relatives = setOf(
  "that which who whom whose where when while because if until unless how what why whether although though before after once as so since whatever whenever than"
)
const ambiguousRelatives = setOf("before after as since so than whatever once until")
const coordinators = setOf("and or but")
const opensObject = setOf("a an the its their our his her this us them it all every each")
/** A pronoun directly after a noun starts a relative clause: "the model we built", "bills they can explain". */
const reducedRelative = setOf("i we you they nobody everybody everyone somebody")
const modals = setOf("can could will would must may might should shall cannot")
const helpers = setOf("is are was were am has had have does did do")
/** Verb forms that business texts never use as nouns. */
const onlyVerbs = setOf("goes comes gets gives brings becomes")

const isPlural = ({ tags }: Term) => tags.has("Plural")
const isNoun = ({ capital, tags }: Term) => tags.has("Noun") || tags.has("Pronoun") || (capital && tags.has("Verb"))
const prepositions = setOf(
  "from to in on at by for with within without per of into over under since until via across after before against between down up"
)
/** Verbs whose past is spelled like their present, which the library often takes for nouns. */
const unchanging = setOf("cut put set hit let shut split")

/** Whether a verb's object can start with this word. */
const opens = ({ tags, text }: Term): boolean =>
  !prepositions.has(text) &&
  (opensObject.has(text) || tags.has("Noun") || tags.has("Value") || tags.has("Adjective") || tags.has("Adverb"))

/** Whether a past form is no participle: "went", "fell", "grew". */
const onlyPast = (verb: string): boolean => {
  const [forms] = nlp(`they ${verb}`).verbs().conjugate() as ReadonlyArray<{
    readonly PastTense?: string
    readonly Participle?: string
  }>
  return forms?.Participle !== undefined && forms.Participle !== "" && forms.Participle !== forms.PastTense
}

/** Whether the verb at `at` can only be the verb of a main clause whose subject stands before it. */
const isFinite = (terms: ReadonlyArray<Term>, at: number): boolean => {
  const term = terms[at]
  const before = terms.slice(0, at)
  const previous = terms[at - 1]
  const next = terms[at + 1]
  if (
    term === undefined ||
    previous === undefined ||
    previous.text === "to" ||
    previous.tags.has("Preposition") ||
    previous.post.includes("-")
  )
    return false
  if (term.post.startsWith("-")) return false
  if (/[,;:)]/.test(previous.post) && !before.slice(0, -1).some(({ post }) => /^[,(]/.test(post))) return false
  const direct = subjects.has(previous.text) || previous.text === "not" || previous.text === "never"
  const object = next !== undefined && opens(next)
  if (modals.has(term.text) || helpers.has(term.text))
    return before.some(isNoun) || direct || (at === 1 && previous.capital)
  if (onlyVerbs.has(term.text)) return before.some(isNoun)
  if (unchanging.has(term.text) && isNoun(previous) && object && (previous.capital || opensObject.has(next.text)))
    return true
  if (next === undefined) return subjects.has(previous.text)
  if (subjects.has(previous.text)) return !term.tags.has("Gerund")
  if (!before.some(isNoun) || term.tags.has("Gerund")) return false
  if (term.tags.has("PastTense")) {
    const attributive =
      !isNoun(previous) && !previous.tags.has("Adverb") && !(next.tags.has("Value") && previous.tags.has("Adjective"))
    if (attributive) return false
    return onlyPast(term.text) || (object && !next.tags.has("Adverb") && !/[,;:]/.test(term.post))
  }
  if (!term.tags.has("PresentTense")) return false
  // The subject has to agree: "lines leak", "a line leaks"; else the word is a noun or an adjective.
  return term.text.endsWith("s") && !term.text.endsWith("ss")
    ? isNoun(previous) && !isPlural(previous) && object
    : before.some(isPlural) || before.some(({ text }) => text === "and" || text === "people")
}

const isVerb = ({ tags, text }: Term) => tags.has("Verb") || tags.has("Auxiliary") || unchanging.has(text)

/** Whether a main clause with its own subject and verb opens the text; anything doubtful is none. */
const hasMainClause = (terms: ReadonlyArray<Term>): boolean => {
  let waiting = 0
  let relative = false
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]
    const next = terms[at + 1]
    if (term === undefined) return false
    const subordinates =
      relatives.has(term.text) &&
      !(at === 0 && (term.text === "that" || term.text === "this")) &&
      (!ambiguousRelatives.has(term.text) || terms.slice(at + 1, at + 5).some(({ text }) => subjects.has(text)))
    if (subordinates) {
      waiting++
      relative = true
    }
    // "the model we built": a relative clause without its pronoun.
    else if (
      isNoun(term) &&
      !subjects.has(term.text) &&
      term.post.trim() === "" &&
      next !== undefined &&
      reducedRelative.has(next.text)
    )
      waiting++
    else if (coordinators.has(term.text) && next !== undefined && subjects.has(next.text) && waiting === 0) return false
    else if (isVerb(term) && at > 0) {
      let end = at
      while (terms[end + 1] !== undefined && continues(terms, end)) end++
      const before = terms[at - 1]
      const led =
        before !== undefined && (before.tags.has("Adverb") || ["not", "never"].includes(before.text))
          ? terms[at - 2]
          : before
      if (waiting > 0) {
        // "errors that employees find": a plural that the library takes for a verb.
        const plural =
          led !== undefined && relatives.has(led.text) && term.text.endsWith("s") && next !== undefined && isVerb(next)
        if (!term.tags.has("Gerund") && !(plural && end === at)) waiting--
      } else if (relative && led !== undefined && coordinators.has(led.text)) {
        // "crews that change and leave": still the relative clause.
      } else if (isFinite(terms, at)) return true
      at = end
    }
  }
  return false
}

/** Whether the next term belongs to the same group of verbs: "do not rise", "can be sold". */
const continues = (terms: ReadonlyArray<Term>, at: number): boolean => {
  const next = terms[at + 1]
  const term = terms[at]
  if (next === undefined || term === undefined || term.post.trim() !== "") return false
  const helping =
    modals.has(term.text) ||
    helpers.has(term.text) ||
    ["not", "never", "be", "been", "also", "only"].includes(term.text)
  return helping && (isVerb(next) || ["not", "never", "be", "been", "also", "only"].includes(next.text))
}

/** "Returns teardown: we order ...", "Sizes - from 2": a label and what it stands for. */
export const labelOf = (text: string): { readonly label: string; readonly rest: string } | null => {
  const match = /^([^:.!?\n]{2,60}?)(?::\s+|\s+[\u2013\u2014]\s+)(\S[\s\S]*)$/u.exec(text.trim())
  return match?.[1] === undefined || match[2] === undefined || words(match[1]) > 7
    ? null
    : { label: match[1].trim(), rest: match[2].trim() }
}

/** A leading subordinate clause and the clause after its comma: "When calls are missed, ...". */
const leading =
  /^(?:if|when|whenever|while|where|because|although|though|unless|until|once|after|before|since)\b[^,;:]*,\s+(\S.*)$/isu

/** A request is a sentence: "Send us a plan". */
const asking = /^(?:send|give|show|tell|ask|bring|let) (?:us|me)\b/i

const shapeOfOne = (sentence: string): Shape => {
  if (/\?["\u201d\u2019)]*$/.test(sentence)) return "question"
  if (sentence.length > 600) return "fragment"
  const labelled = labelOf(sentence)
  if (labelled !== null) return "fragment"
  const main = leading.exec(sentence)?.[1]
  if (asking.test(sentence) || (main !== undefined && shapeOfOne(main) === "sentence")) return "sentence"
  const terms = termsOf(sentence)
  const [first, second] = terms
  if (first === undefined || second === undefined) return "fragment"
  if (first.tags.has("PastTense") && !helpers.has(first.text) && !subjects.has(first.text))
    return second.tags.has("Noun") && terms.some(({ text }) => onlyVerbs.has(text)) ? "sentence" : "fragment"
  if (/^(?:and|or|but|which|who|whose|to|by|with|without|from|for|because|than|no|not|more|less)$/.test(first.text))
    return hasSurePronoun(terms) ? "sentence" : "fragment"
  if (/^(?:if|when|whenever)$/.test(first.text) && hasLaterClause(terms)) return "sentence"
  return hasMainClause(terms) && !isListOfThings(sentence) ? "sentence" : "fragment"
}

/** "Open shifts, unbilled hours, overtime that we approved": a list of things, even if its last item has a clause. */
const isListOfThings = (sentence: string): boolean => {
  const [first = "", ...others] = sentence.split(/,\s/)
  if (others.length < 2) return false
  const terms = termsOf(first)
  const [opening] = terms
  const introduces =
    opening === undefined || relatives.has(opening.text) || prepositions.has(opening.text) || opening.tags.has("Adverb")
  return !introduces && terms.length >= 2 && !terms.some(isVerb)
}

/** A main clause after a condition without a comma: "If the script is wrong you owe nothing". */
const hasLaterClause = (terms: ReadonlyArray<Term>): boolean =>
  terms.some(({ text }, at) => {
    const verb = terms[at + 1]
    return at > 3 && subjects.has(text) && verb !== undefined && isVerb(verb) && terms.slice(1, at).some(isVerb)
  })

/** "With us, you pay once": a comma and then a pronoun with its verb. */
const hasSurePronoun = (terms: ReadonlyArray<Term>): boolean =>
  terms.some(({ post }, at) => {
    const [subject, verb] = [terms[at + 1], terms[at + 2]]
    return (
      post.startsWith(",") && subject !== undefined && verb !== undefined && subjects.has(subject.text) && isVerb(verb)
    )
  })

/** Verbs that the library takes for plurals at the start of a text. */
const startingVerbs = setOf(
  "works runs fits connects starts comes goes needs takes makes gives keeps saves lets helps covers includes replaces reads"
)

/** Whether a fragment is about something that it does not name: "Works with your software", "Built in Leeds". */
export const startsWithVerb = (text: string): boolean => {
  const [first] = text.length > readable ? [] : termsOf(text)
  return first !== undefined && (startingVerbs.has(first.text) || (isVerb(first) && !first.tags.has("Gerund")))
}

const remembered = new Map<string, Shape>()

/** What a text is as a whole. A fragment when in doubt: a frame for fragments takes a sentence without harm. */
export const shapeOf = (text: string): Shape => {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const shapes = sentencesOf(text).map(shapeOfOne)
  const shape: Shape = shapes.length === 0 || shapes.includes("fragment") ? "fragment" : (shapes.at(-1) ?? "fragment")
  if (remembered.size >= atMost) remembered.clear()
  remembered.set(text, shape)
  return shape
}

/** Whether each of the parts that commas separate can stand alone as a noun phrase of two words or more. */
const isCommaList = (parts: ReadonlyArray<string>): boolean =>
  parts.length > 1 &&
  parts.every((part) => {
    const [first] = termsOf(part)
    return (
      words(part) >= 2 &&
      first !== undefined &&
      !relatives.has(first.text) &&
      !/^(?:not|in|on|at|for|with|without|by|from|to|per|and|or|but|then|even|rather|including|like)$/.test(
        first.text
      ) &&
      shapeOf(part) === "fragment"
    )
  })

/** The items of a field that holds a list: by lines, then semicolons, then sentences, and commas where that is safe. */
export const itemsOf = (text: string | null | undefined): ReadonlyArray<string> => {
  const lines = linesOf(text ?? "")
  const parts = lines.flatMap((line) =>
    line
      .split(/;\s*/)
      .flatMap((part) => (lines.length > 1 && !line.includes(";") ? [part] : sentencesOf(part)))
      .map((part) =>
        part
          .replace(/^(?:and|or)\s+/i, "")
          .replace(bullet, "")
          .trim()
      )
      .filter((part) => /[\p{L}\p{N}]/u.test(part))
  )
  return parts.flatMap((part) => {
    if (parts.length > 1 || part.length > readable || shapeOf(part) !== "fragment" || labelOf(part) !== null)
      return [part]
    // The library reads English: it takes a sentence of another language for a fragment.
    if (!looksEnglish(part)) return [part]
    const pieces = part.split(/,(?=\s)/).map((piece) => piece.trim().replace(/^(?:and|or)\s+/i, ""))
    return isCommaList(pieces) ? pieces : [part]
  })
}
