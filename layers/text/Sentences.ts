// layers/text/Sentences.ts: splits a user's text into sentences and list items, and classifies them.
import { nlp, tokenize } from "#layers/text/Nlp.ts"
import { looksEnglish, wordSet } from "#layers/text/Words.ts"

export type Shape = "sentence" | "fragment" | "question"

/** Counts words as a reader does: "8,000" and "call-to-appointment" are one each. */
export const countWords = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0

const bulletPattern = /^\s*(?:[-*+\u2022\u2013\u2014\u25aa\u25cf]|\d{1,2}[.)]|\((?:\d{1,2}|[a-z])\))\s+/

const splitLines = (text: string): ReadonlyArray<string> =>
  text
    // "About us | We rebuild pumps": bars separate lines.
    .split(/\r\n|[\r\n\u2028\u2029]|\s\|\s/)
    .map((line) => line.replace(bulletPattern, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))

/** Longer lines are not parsed, because the library's time grows with the length. */
const maxParsedLength = 4000

/** Maximum number of texts in each cache of this file. */
const maxCacheEntries = 1000
const sentenceCache = new Map<string, ReadonlyArray<string>>()

/** Splits a text into sentences, which are not changed. */
export const splitSentences = (text: string): ReadonlyArray<string> => {
  const cached = sentenceCache.get(text)
  if (cached !== undefined) return cached
  const sentences = parseSentences(text)
  if (sentenceCache.size >= maxCacheEntries) sentenceCache.clear()
  sentenceCache.set(text, sentences)
  return sentences
}

const abbreviations = wordSet("approx betw regd incl excl dept govt corp inc ltd est misc temp vol fig tel mins secs")

/** Splits at a full stop after a whole word if the text has sentences without capitals. */
const splitUncapitalized = (sentence: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  for (const { index, 0: gap } of sentence.matchAll(/(?<=[\p{L}\p{N}%)]{3}[.!?])\s+(?=\p{Ll})/gu)) {
    const word = /(\p{L}+)[.!?]$/u.exec(sentence.slice(0, index))?.[1]?.toLowerCase() ?? ""
    if (abbreviations.has(word) || countWords(sentence.slice(from, index)) < 3) continue
    pieces.push(sentence.slice(from, index))
    from = index + gap.length
  }
  return [...pieces, sentence.slice(from)]
}

const parseSentences = (text: string): ReadonlyArray<string> =>
  splitLines(text).flatMap(splitLine).flatMap(splitUncapitalized)

const splitLine = (line: string): ReadonlyArray<string> => {
  if (line.length > maxParsedLength) return [line]
  const sentences: Array<string> = []
  let from = 0
  for (const sentence of tokenize(line).fullSentences().out("array") as ReadonlyArray<string>) {
    const offset = line.indexOf(sentence, from)
    if (offset === -1) return [line]
    const to = offset + sentence.length
    // A lower-case start means that the full stop before it belonged to an abbreviation.
    const previous = sentences.at(-1)
    if (previous !== undefined && /^[\p{Ll}\d]/u.test(sentence) && !/[!?]$/.test(previous))
      sentences[sentences.length - 1] = line.slice(line.indexOf(previous), to)
    else sentences.push(line.slice(offset, to).trim())
    from = to
  }
  return sentences.length === 0 ? [line] : sentences
}

interface Term {
  readonly text: string
  readonly capital: boolean
  readonly tags: ReadonlySet<string>
  /** The punctuation after it. */
  readonly post: string
}

const parseTerms = (text: string): ReadonlyArray<Term> => {
  const nlpSentences = nlp(text).json() as ReadonlyArray<{
    readonly terms: ReadonlyArray<{
      readonly text: string
      readonly implicit?: string
      readonly post?: string
      readonly tags?: ReadonlyArray<string>
    }>
  }>
  return nlpSentences.flatMap(({ terms }) =>
    terms.map(({ implicit, post, tags, text: termText }) => ({
      text: (implicit === undefined || implicit === "" ? termText : implicit).toLowerCase(),
      capital: /^\p{Lu}/u.test(termText),
      tags: new Set(tags),
      post: post ?? ""
    }))
  )
}

const subjectPronouns = wordSet("i we you they it he she nobody everybody everyone this these")
const relativePronouns = wordSet(
  "that which who whom whose where when while because if until unless how what why whether although though before after once as so since whatever whenever than"
)
const ambiguousRelatives = wordSet("before after as since so than whatever once until")
const coordinators = wordSet("and or but")
const objectStarts = wordSet("a an the its their our his her this us them it all every each")
/** A pronoun directly after a noun starts a relative clause: "the model we built", "bills they can explain". */
const reducedRelativePronouns = wordSet("i we you they nobody everybody everyone somebody")
const modalVerbs = wordSet("can could will would must may might should shall cannot")
const auxiliaryVerbs = wordSet("is are was were am has had have does did do")
/** Verb forms that business texts never use as nouns. */
const unambiguousVerbs = wordSet("goes comes gets gives brings becomes")

const isPlural = ({ tags }: Term) => tags.has("Plural")
const isNoun = ({ capital, tags }: Term) => tags.has("Noun") || tags.has("Pronoun") || (capital && tags.has("Verb"))
const prepositions = wordSet(
  "from to in on at by for with within without per of into over under since until via across after before against between down up"
)
/** Verbs whose past is spelled like their present, which the library often takes for nouns. */
const unchangingVerbs = wordSet("cut put set hit let shut split")

/** Whether a verb's object can start with this word. */
const opensVerbObject = ({ tags, text }: Term): boolean =>
  !prepositions.has(text) &&
  (objectStarts.has(text) || tags.has("Noun") || tags.has("Value") || tags.has("Adjective") || tags.has("Adverb"))

/** Whether a past form differs from the participle: "went", "fell", "grew". */
const isUnambiguousPast = (verb: string): boolean => {
  const [forms] = nlp(`they ${verb}`).verbs().conjugate() as ReadonlyArray<{
    readonly PastTense?: string
    readonly Participle?: string
  }>
  return forms?.Participle !== undefined && forms.Participle !== "" && forms.Participle !== forms.PastTense
}

/** Whether the verb at `at` is certainly the verb of a main clause with the subject before it. */
const isFiniteVerb = (terms: ReadonlyArray<Term>, index: number): boolean => {
  const term = terms[index]
  const precedingTerms = terms.slice(0, index)
  const previous = terms[index - 1]
  const next = terms[index + 1]
  if (
    term === undefined ||
    previous === undefined ||
    previous.text === "to" ||
    previous.tags.has("Preposition") ||
    previous.post.includes("-")
  )
    return false
  if (term.post.startsWith("-")) return false
  // "10 working days lead time"
  if (term.text === "lead" && /^times?$/.test(next?.text ?? "")) return false
  if (/[,;:)]/.test(previous.post) && !precedingTerms.slice(0, -1).some(({ post }) => /^[,(]/.test(post))) return false
  const followsPronoun = subjectPronouns.has(previous.text) || previous.text === "not" || previous.text === "never"
  const hasObject = next !== undefined && opensVerbObject(next)
  if (modalVerbs.has(term.text) || auxiliaryVerbs.has(term.text))
    return precedingTerms.some(isNoun) || followsPronoun || (index === 1 && previous.capital)
  if (unambiguousVerbs.has(term.text)) return precedingTerms.some(isNoun)
  if (
    unchangingVerbs.has(term.text) &&
    isNoun(previous) &&
    hasObject &&
    (previous.capital || objectStarts.has(next.text))
  )
    return true
  if (next === undefined) return subjectPronouns.has(previous.text)
  if (subjectPronouns.has(previous.text)) return !term.tags.has("Gerund")
  if (!precedingTerms.some(isNoun) || term.tags.has("Gerund")) return false
  if (term.tags.has("PastTense")) {
    const isAttributive =
      !isNoun(previous) && !previous.tags.has("Adverb") && !(next.tags.has("Value") && previous.tags.has("Adjective"))
    if (isAttributive) return false
    return isUnambiguousPast(term.text) || (hasObject && !next.tags.has("Adverb") && !/[,;:]/.test(term.post))
  }
  if (!term.tags.has("PresentTense")) return false
  // A word that does not agree with the subject ("lines leak", "a line leaks") is a noun or an adjective.
  return term.text.endsWith("s") && !term.text.endsWith("ss")
    ? isNoun(previous) && !isPlural(previous) && hasObject
    : precedingTerms.some(isPlural) || precedingTerms.some(({ text }) => text === "and" || text === "people")
}

const isVerb = ({ tags, text }: Term) => tags.has("Verb") || tags.has("Auxiliary") || unchangingVerbs.has(text)

/** Where the verb of the main clause that the text starts with stands, if it certainly has a subject; else -1. */
const mainVerbIndex = (terms: ReadonlyArray<Term>): number => {
  let openClauses = 0
  let hasRelative = false
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index]
    const next = terms[index + 1]
    if (term === undefined) return -1
    const startsSubordinate =
      relativePronouns.has(term.text) &&
      !(index === 0 && (term.text === "that" || term.text === "this")) &&
      (!ambiguousRelatives.has(term.text) ||
        terms.slice(index + 1, index + 5).some(({ text }) => subjectPronouns.has(text)))
    if (startsSubordinate) {
      openClauses++
      hasRelative = true
    }
    // "the model we built": a relative clause without its pronoun.
    else if (
      isNoun(term) &&
      !subjectPronouns.has(term.text) &&
      term.post.trim() === "" &&
      next !== undefined &&
      reducedRelativePronouns.has(next.text)
    )
      openClauses++
    else if (coordinators.has(term.text) && next !== undefined && subjectPronouns.has(next.text) && openClauses === 0)
      return -1
    else if (isVerb(term) && index > 0) {
      let end = index
      while (terms[end + 1] !== undefined && continuesVerbGroup(terms, end)) end++
      const previous = terms[index - 1]
      const leadTerm =
        previous !== undefined && (previous.tags.has("Adverb") || ["not", "never"].includes(previous.text))
          ? terms[index - 2]
          : previous
      if (openClauses > 0) {
        // "errors that employees find": a plural that the library takes for a verb.
        const isMistaggedPlural =
          leadTerm !== undefined &&
          relativePronouns.has(leadTerm.text) &&
          term.text.endsWith("s") &&
          next !== undefined &&
          isVerb(next)
        if (!term.tags.has("Gerund") && !(isMistaggedPlural && end === index)) openClauses--
      } else if (hasRelative && leadTerm !== undefined && coordinators.has(leadTerm.text)) {
        // "crews that change and leave": still the relative clause.
      } else if (isFiniteVerb(terms, index)) return index
      index = end
    }
  }
  return -1
}

/** Whether the next term belongs to the same group of verbs: "do not rise", "can be sold". */
const continuesVerbGroup = (terms: ReadonlyArray<Term>, index: number): boolean => {
  const next = terms[index + 1]
  const term = terms[index]
  if (next === undefined || term === undefined || term.post.trim() !== "") return false
  const isHelper =
    modalVerbs.has(term.text) ||
    auxiliaryVerbs.has(term.text) ||
    ["not", "never", "be", "been", "also", "only"].includes(term.text)
  return isHelper && (isVerb(next) || ["not", "never", "be", "been", "also", "only"].includes(next.text))
}

/** Splits "Returns teardown: we order ..." and "Sizes - from 2" into the label and the rest. */
export const splitLabel = (text: string): { readonly label: string; readonly rest: string } | null => {
  const match = /^([^:.!?\n]{2,60}?)(?::\s+|\s+[\u2013\u2014-]\s+)(\S[\s\S]*)$/u.exec(text.trim())
  // A colon within quotation marks does not end a label: PDF "Booking an interpreter: 10 questions".
  const isTorn = (match?.[1]?.match(/["“”„]/g) ?? []).length % 2 === 1
  return match?.[1] === undefined || match[2] === undefined || countWords(match[1]) > 7 || isTorn
    ? null
    : { label: match[1].trim(), rest: match[2].trim() }
}

/** A leading subordinate clause and the clause after its comma: "When calls are missed, ...". */
const leadingClause =
  /^(?:if|when|whenever|while|where|because|although|though|unless|until|once|after|before|since)\b[^,;:]*,\s+(\S.*)$/isu

/** A request is a sentence: "Send us a plan". */
const requestStart = /^(?:send|give|show|tell|ask|bring|let) (?:us|me)\b/i

/** "Acme designs, builds and installs kitchens.": the library takes the verbs behind a name for plurals. */
const nameWithVerbs =
  /^(?:\p{Lu}[\p{L}\d&.'’-]*\s+){1,4}\p{Ll}+s(?:, \p{Ll}+s)*,? and \p{Ll}+s (?!(?:and|or|at|for|from|in|of|on|to|with)\b)\p{L}.*\.$/u

/** "Premium reduced by £22,400": a result without the verb that says who did it, unlike "Costs fell by half". */
const verblessResult =
  /^(?!(?:i|we|you|they|it|he|she|who)\b)(?:[^\s,.;:]+ ){1,4}(?<!\b(?:has|have|had|is|are|was|were|be|been|being|gets?|got) )(?:avoided|brought|cut|eliminated|extended|halted|lowered|prevented|put off|raised|recovered|reduced|removed|replaced|saved|shortened) (?:after|at|by|down|from|in|on|to|within)\b/i

const classifySentence = (sentence: string): Shape => {
  if (/\?["\u201d\u2019)]*$/.test(sentence)) return "question"
  if (sentence.length > 600) return "fragment"
  const labelParts = splitLabel(sentence)
  if (labelParts !== null) return "fragment"
  const mainClause = leadingClause.exec(sentence)?.[1]
  if (verblessResult.test(sentence)) return "fragment"
  if (
    requestStart.test(sentence) ||
    nameWithVerbs.test(sentence) ||
    (mainClause !== undefined && classifySentence(mainClause) === "sentence")
  )
    return "sentence"
  const terms = parseTerms(sentence)
  const [first, second] = terms
  if (first === undefined || second === undefined) return "fragment"
  if (first.tags.has("PastTense") && !auxiliaryVerbs.has(first.text) && !subjectPronouns.has(first.text))
    return second.tags.has("Noun") && terms.some(({ text }) => unambiguousVerbs.has(text)) ? "sentence" : "fragment"
  if (/^(?:and|or|but|which|who|whose|to|by|with|without|from|for|because|than|no|not|more|less)$/.test(first.text))
    return hasSurePronoun(terms) ? "sentence" : "fragment"
  if (/^(?:if|when|whenever)$/.test(first.text) && hasLaterClause(terms)) return "sentence"
  return mainVerbIndex(terms) !== -1 && !isListOfThings(sentence) ? "sentence" : "fragment"
}

/** "Open shifts, unbilled hours, overtime that we approved": a list of things, even if its last item has a clause. */
const isListOfThings = (sentence: string): boolean => {
  const [first = "", ...others] = sentence.split(/,\s/)
  if (others.length < 2) return false
  const terms = parseTerms(first)
  const [opening] = terms
  const isIntroduction =
    opening === undefined ||
    relativePronouns.has(opening.text) ||
    prepositions.has(opening.text) ||
    opening.tags.has("Adverb")
  return !isIntroduction && terms.length >= 2 && !terms.some(isVerb)
}

/** Whether a term can stand in a subject of a few words: no clause, no pronoun, no second verb. */
const isPlainSubjectTerm = (term: Term): boolean =>
  /^[ -]?$/.test(term.post) &&
  !subjectPronouns.has(term.text) &&
  !relativePronouns.has(term.text) &&
  (!isVerb(term) || term.tags.has("Gerund"))

/** The subject of a sentence, word for word: what stands before its verb; null where a clause makes that uncertain. */
export const wordsBeforeVerb = (text: string): string | null => {
  if (text.length > maxParsedLength || classifyShape(text) !== "sentence") return null
  const terms = parseTerms(text)
  const subjectTerms = terms.slice(
    0,
    terms.findIndex((_, index) => index > 0 && isFiniteVerb(terms, index))
  )
  const head = subjectTerms.at(-1)
  if (head === undefined || !isNoun(head) || subjectTerms.length > 6 || !subjectTerms.every(isPlainSubjectTerm))
    return null
  // The library splits "call-to-appointment" into three terms.
  const count = subjectTerms.filter(({ post }) => post !== "-").length
  const subject = text.trim().split(/\s+/).slice(0, count).join(" ")
  return /^[\p{L}\p{N}’' -]+$/u.test(subject) ? subject : null
}

/** A main clause after a condition without a comma: "If the script is wrong you owe nothing". */
const hasLaterClause = (terms: ReadonlyArray<Term>): boolean =>
  terms.some(({ text }, index) => {
    const verb = terms[index + 1]
    return (
      index > 3 && subjectPronouns.has(text) && verb !== undefined && isVerb(verb) && terms.slice(1, index).some(isVerb)
    )
  })

/** "With us, you pay once": a comma and then a pronoun with its verb. */
const hasSurePronoun = (terms: ReadonlyArray<Term>): boolean =>
  terms.some(({ post }, index) => {
    const [subject, verb] = [terms[index + 1], terms[index + 2]]
    return (
      post.startsWith(",") &&
      subject !== undefined &&
      verb !== undefined &&
      subjectPronouns.has(subject.text) &&
      isVerb(verb)
    )
  })

/** Verbs that the library takes for plurals at the start of a text. */
const ambiguousStartVerbs = wordSet(
  "works runs fits connects starts comes goes needs takes makes gives keeps saves lets helps covers includes replaces reads"
)

/** Whether a fragment starts with the verb of a missing subject: "Works with your software", "Built in Leeds". */
export const startsWithVerb = (text: string): boolean => {
  const [first] = text.length > maxParsedLength ? [] : parseTerms(text)
  return first !== undefined && (ambiguousStartVerbs.has(first.text) || (isVerb(first) && !first.tags.has("Gerund")))
}

/** Base verbs that business texts do not use as nouns before another noun. */
const sureVerbs = wordSet(
  "assemble bake bring build calibrate connect convert create deliver develop fill find fit fix give grow handle harden help hire install keep make " +
    "manufacture operate organise organize produce provide recycle remove run sell solve teach treat write"
)

/** Whether a fragment certainly starts with what its writer does: "fix rubber surfaces", but not "route planning". */
export const startsWithSureVerb = (text: string): boolean =>
  /^\p{Ll}+(?= \p{L})/u.test(text) && sureVerbs.has(text.split(" ")[0] ?? "")

const shapeCache = new Map<string, Shape>()

/** Classifies a text as a whole. Returns "fragment" if uncertain, because a frame for fragments also fits a sentence. */
export const classifyShape = (text: string): Shape => {
  const cached = shapeCache.get(text)
  if (cached !== undefined) return cached
  const shapes = splitSentences(text).map(classifySentence)
  const shape: Shape = shapes.length === 0 || shapes.includes("fragment") ? "fragment" : (shapes.at(-1) ?? "fragment")
  if (shapeCache.size >= maxCacheEntries) shapeCache.clear()
  shapeCache.set(text, shape)
  return shape
}

/** Past forms that are nothing else, which the library does not always find behind a subject. */
const surePast =
  /^(?:(?!(?:that|where|which|who)\b)\S+ ){1,4}(?:began|broke|came|fell|gave|got|grew|ran|rose|saw|threw|took|went|wrote)\b/i

const pastCache = new Map<string, boolean>()

/** Whether a text says what was: "Fuel use had crept up 11%", but not "The man who wound it has retired". */
export const isAboutPast = (text: string): boolean => {
  const cached = pastCache.get(text)
  if (cached !== undefined) return cached
  const terms = text.length > maxParsedLength || !looksEnglish(text) ? [] : parseTerms(text)
  const isPastPerfect = ({ text }: Term, index: number) =>
    text === "had" && terms[index + 1]?.tags.has("PastTense") === true
  const verb = terms[mainVerbIndex(terms)]
  const isPast =
    (terms.length > 0 && surePast.test(text)) ||
    terms.some(isPastPerfect) ||
    verb?.tags.has("PastTense") === true ||
    /^(?:was|were|had|did)$/.test(verb?.text ?? "")
  if (pastCache.size >= maxCacheEntries) pastCache.clear()
  pastCache.set(text, isPast)
  return isPast
}

/** Whether each part between commas is a noun phrase of at least two words. */
const isCommaList = (parts: ReadonlyArray<string>): boolean =>
  parts.length > 1 &&
  parts.every((part) => {
    if (part.includes(": ")) return false
    const [first] = parseTerms(part)
    return (
      countWords(part) >= 2 &&
      first !== undefined &&
      !relativePronouns.has(first.text) &&
      !/^(?:not|in|on|at|for|with|without|by|from|to|per|and|or|but|then|even|rather|including|like)$/.test(
        first.text
      ) &&
      classifyShape(part) === "fragment"
    )
  })

/** Splits a list field into items: at line breaks, else semicolons, else sentence ends, else commas if that is safe. */
export const splitItems = (text: string | null | undefined): ReadonlyArray<string> => {
  const lines = splitLines(text ?? "")
  const parts = lines.flatMap((line) =>
    line
      .split(/;\s*/)
      .flatMap((part) => (lines.length > 1 && !line.includes(";") ? [part] : splitSentences(part)))
      .map((part) =>
        part
          .replace(/^(?:and|or)\s+/i, "")
          .replace(bulletPattern, "")
          .trim()
      )
      .filter((part) => /[\p{L}\p{N}]/u.test(part))
  )
  return parts.flatMap((part) => {
    if (
      parts.length > 1 ||
      part.length > maxParsedLength ||
      classifyShape(part) !== "fragment" ||
      splitLabel(part) !== null
    )
      return [part]
    // The library only parses English; a sentence in another language looks like a fragment.
    if (!looksEnglish(part)) return [part]
    const pieces = part.split(/,(?=\s)/).map((piece) => piece.trim().replace(/^(?:and|or)\s+/i, ""))
    return isCommaList(pieces) ? pieces : [part]
  })
}
