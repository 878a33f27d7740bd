// layers/generator/checker/Grammar.ts: broken English that can be found with certainty.
import nlp from "compromise"
import { at, quoted } from "#layers/generator/checker/Findings.ts"
import type { EmailText, Sentence } from "#layers/generator/checker/Text.ts"
import { setOf } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"

// "had had" and "that that" are English; so is a name such as "Duran Duran".
const doubled =
  /(?<![\p{L}'-])(?<word>the|a|an|of|to|in|is|and|for|with|at|on|by|are|we|you|your|our|it|be|or|from|as|if|was|were|has|have|this|will|would|not|but)\s+\k<word>(?![\p{L}'-])/giu

const vowelSound =
  /^(?:[aeio]|u(?!n(?:i(?!n|m)|a\b)|s[aeiu]|t[ei]l|k\b|r[aio]|bi))|^(?:hour|honest|honou?r|heir|mri|sla|seo|sku|xml|html|hr|mba|nda|fda|rfp|rfq|lms|smb|fmcg|sdk|sms|f1)(?![a-gi-z])/i
const consonantSound = /^(?:eu|ew|one\b|once|ouija|u\.?s|uk\b|uni|use|usu|uti|url|ubi)/i
const spelled = /^\p{Lu}{2,}/u

/** "a hour", "an user": only for words whose first sound is sure. */
const article = (sentence: Sentence): ReadonlyArray<Finding> =>
  [...sentence.plain.matchAll(/(?<![\p{L}\p{N}'.-])(?<article>an?)\s+(?<next>[\p{L}][\p{L}'-]*)/giu)].flatMap(
    (found) => {
      const { article = "", next = "" } = found.groups ?? {}
      // The grade "A" and initials are not articles; how an acronym is spoken is not sure.
      if ((article === "A" && found.index > 0) || spelled.test(next)) return []
      const vowel = vowelSound.test(next) && !consonantSound.test(next)
      const wrong =
        article.toLowerCase() === "a"
          ? vowel
          : !vowel && /^[bcdfgjklmnpqrstvwxyz]|^(?:eu|one\b|uni[^nm]|use|usu)/i.test(next)
      if (!wrong) return []
      const right = article.toLowerCase() === "a" ? `${article}n` : article.slice(0, 1)
      return [
        at(
          "body",
          "grammar.article",
          "fail",
          { start: sentence.start + found.index, end: sentence.start + found.index + article.length },
          `${quoted(found[0])} has the wrong article. Write "${right} ${next}".`,
          right
        )
      ]
    }
  )

/** Two finite verbs without a subject between them, a fragment after an article, a number where a noun belongs. */
const broken: ReadonlyArray<{ readonly expression: RegExp; readonly fix: string }> = [
  {
    expression:
      /(?<!\b(?:it|this|that|there|what) )\b(?:is|are|was|were) (?:has|have|had|does|do|is|are|was|were)\b(?! (?:been|not|what|the|a)\b)/gi,
    fix: "Two verbs stand next to each other. Keep one."
  },
  { expression: /\b(?:has|have|had) (?:is|are|was|were)\b/gi, fix: "Two verbs stand next to each other. Keep one." },
  {
    expression: /\b(?:to|will|would|can|could|should|must) (?:is|are|was|were|has|had)\b/gi,
    fix: "The verb has the wrong form."
  },
  {
    expression:
      /\ban? (?:live|same|only|flat|month to month|open|free|fast|quick) (?:in|on|at|to|across|from|within|for|since)\b/gi,
    fix: "A noun is missing after the article."
  },
  { expression: /\ban? month to month\b(?! [\p{L}]+)/giu, fix: "A noun is missing after the article." },
  {
    expression: /\b(?:a same|an only (?!child))\b/gi,
    fix: 'The article does not fit. Write "the same" or "the only".'
  },
  {
    expression:
      /\b(?:we've|we have|we're|been) (?:been )?(?:an?|\d[\d,.]*) [^.?!]{0,40}?(?:-owned|-run|-led|-based|-certified|supported|owned|dental|medical|only|ed) since \d{4}\b/gi,
    fix: 'A noun is missing before "since".'
  },
  {
    expression:
      /\byou (?:return rates|invoice queues|support tickets|seal leaks) [^.?!]{0,40}\b(?:eat|cost|take|stop|leak)\b/gi,
    fix: "The sentence has two verbs. Rewrite it."
  },
  {
    expression:
      /\b(?:I|we|they) (?:has|does|is|was(?! the| a))\b|\b(?:he|she|it) (?:have|are|were|do)\b(?! (?:to|not))/gi,
    fix: "Subject and verb do not agree."
  },
  { expression: /\b(?:could|would|should|must) of\b/gi, fix: 'Write "have" instead of "of".' },
  { expression: /\b[\p{L}']+ ,[\p{L}]|,,|\.\.(?!\.)(?<!\.\.\.)|\?\.|\.\?/giu, fix: "The punctuation is broken." }
]

const plurals = setOf(
  "exchanges refunds returns results savings leads calls reviews reports days weeks months hours people emails clients customers patients orders"
)

/** "an exchanges across the catalogue". */
const pluralAfterArticle = (sentence: Sentence): ReadonlyArray<Finding> =>
  [...sentence.plain.matchAll(/\ban? (?<noun>[\p{Ll}]+s)\b(?!['-])(?<next>\s+[\p{Ll}]+)?/giu)].flatMap((found) => {
    const { next = "", noun = "" } = found.groups ?? {}
    // "a returns app" is a compound.
    const after = next.trim()
    if (
      !plurals.has(noun.toLowerCase()) ||
      !(after === "" || /^(?:across|in|on|at|for|from|with|to|and|of|per|is|are|a|the|than|by)$/.test(after))
    )
      return []
    return [
      at(
        "body",
        "grammar.broken",
        "fail",
        { start: sentence.start + found.index, end: sentence.start + found.index + found[0].trimEnd().length },
        `${quoted(found[0])} puts a plural after an article. Rewrite it.`
      )
    ]
  })

/** "You get a live in 6 days": an article, no noun, and a preposition, where the tagger is sure of each. */
const missingNoun = (sentence: Sentence): ReadonlyArray<Finding> => {
  const found =
    /\b(?:get|gets|is|have|has|offer|want|been) (?<part>an? (?<word>[\p{Ll}-]+) (?:in|on|at|across|since|within)\b)/iu.exec(
      sentence.plain
    )
  const { part, word } = found?.groups ?? {}
  if (
    found === null ||
    part === undefined ||
    word === undefined ||
    /^(?:few|little|bit|lot|must|first|second|third|quarter|half|regular|live)$/.test(word)
  )
    return []
  const tags = nlp(word).terms().json()[0]?.terms?.[0]?.tags
  if (!Array.isArray(tags) || tags.includes("Noun") || !tags.includes("Adjective")) return []
  const start = sentence.start + found.index + found[0].length - part.length
  return [
    at(
      "body",
      "grammar.broken",
      "warn",
      { start, end: start + part.length },
      `${quoted(part)} lacks a noun. Rewrite the sentence.`
    )
  ]
}

const lowerStart = (sentence: Sentence, first: boolean): ReadonlyArray<Finding> =>
  first && /^\p{Ll}[\p{Ll}']*\s/u.test(sentence.plain) && !/^(?:e[A-Z]|i[A-Z])/.test(sentence.plain)
    ? [
        at(
          "body",
          "grammar.capital",
          "hint",
          { start: sentence.start, end: sentence.start + 1 },
          "The sentence starts with a small letter."
        )
      ]
    : []

const ofSentence = (sentence: Sentence): ReadonlyArray<Finding> => [
  ...[...sentence.plain.matchAll(doubled)].map((found) =>
    at(
      "body",
      "grammar.doubled",
      "fail",
      { start: sentence.start + found.index, end: sentence.start + found.index + found[0].length },
      `${quoted(found[0])} says a word twice. Remove one.`,
      found.groups?.word ?? null
    )
  ),
  ...article(sentence),
  ...broken.flatMap(({ expression, fix }) =>
    [...sentence.plain.matchAll(expression)].map((found) =>
      at(
        "body",
        "grammar.broken",
        "fail",
        { start: sentence.start + found.index, end: sentence.start + found.index + found[0].length },
        `${quoted(found[0])}: ${fix}`
      )
    )
  ),
  ...pluralAfterArticle(sentence),
  ...missingNoun(sentence)
]

export const grammar = (email: EmailText): ReadonlyArray<Finding> =>
  email.sentences.flatMap((sentence, index) => [...ofSentence(sentence), ...lowerStart(sentence, index === 0)])
