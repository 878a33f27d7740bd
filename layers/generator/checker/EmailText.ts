// layers/generator/checker/EmailText.ts: splits an email into sentences with offsets and the stems of their words, and
// constructs findings in it.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { stemWord } from "#layers/text/Stem.ts"
import { isStopWord, splitParagraph, wordSet, wordTokens } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"

/** A sentence and its offset in the subject or body, in UTF-16 code units. */
export interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface Sentence extends Span {
  /** `text` with straight quotes and plain hyphens, of the same length. */
  readonly normalizedText: string
  readonly paragraph: number
  readonly isQuestion: boolean
  readonly stems: ReadonlySet<string>
}

export interface EmailText {
  readonly subject: string
  readonly body: string
  /** The greeting line, if there is one. */
  readonly greeting: Span | null
  /** Without greeting, signature and opt-out line. */
  readonly sentences: ReadonlyArray<Sentence>
  /** The subject as one sentence. */
  readonly subjectSentence: Sentence
  /** Offset of the signature; the length of the body if there is none. */
  readonly signatureStart: number
  readonly wordCount: number
}

/** Frequent words that say little about a topic. */
const weakWords = wordSet(
  "thing things way ways lot lots kind sort bit today now soon later week day hi hello thanks thank please still already " +
    "just really quite rather maybe perhaps probably usually often sometimes always want wants like see look help know think"
)

/** Stems of meaningful words, and of the parts of compounds. */
export const contentStemsOf = cacheByText((text): ReadonlySet<string> => {
  const stems = new Set<string>()
  for (const word of wordTokens(normalizePunctuation(text).toLowerCase())) {
    if (/^\d/.test(word) && !/[a-z]/.test(word)) continue
    for (const compoundPart of word.includes("-") ? [word.replaceAll("-", ""), ...word.split("-")] : [word]) {
      if (compoundPart.length > 1 && !isStopWord(compoundPart) && !weakWords.has(compoundPart))
        stems.add(stemWord(compoundPart))
    }
  }
  return stems
})

/** Replaces quotes, dashes and blanks by plain ones; keeps the length. */
export const normalizePunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\u00a0\u2007\u202f]/g, " ")

/** Normalises a text for comparison: lower case, single blanks, no mark at the end. */
export const normalizeForComparison = cacheByText((text): string =>
  normalizePunctuation(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%$€£'.,&-]+/gu, " ")
    .replace(/[.,]+(?=\s|$)/g, "")
    .replace(/\s+/g, " ")
    .trim()
)

const greetingLine = /^(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|day|evening))\b[^\n.?!]{0,60}[,!.:]?$/i
const optOutLine =
  /\b(?:unsubscribe|opt[ -]?out|stop writing|rather not hear|not hear from (?:me|us)|don't want (?:to hear|my|our|these))\b/i
const farewellPattern =
  /^(?:best|best (?:wishes|regards)|kind(?:est)? regards|warm(?:est)? regards|regards|thanks|thank you|many thanks|cheers|sincerely|yours(?: \w+)?|talk soon|all the best)[,.!]?$/i

const makeSentence = (text: string, start: number, paragraph: number): Sentence => {
  let cachedStems: ReadonlySet<string> | undefined
  return {
    text,
    normalizedText: normalizePunctuation(text),
    start,
    end: start + text.length,
    paragraph,
    isQuestion: /\?["')\]]*$/.test(text),
    get stems() {
      return (cachedStems ??= contentStemsOf(text))
    }
  }
}

/** The offset of the signature. */
const findSignatureStart = (body: string, signature: string | null): number => {
  const trimmedSignature = signature?.trim() ?? ""
  const trimmedBody = body.trimEnd()
  if (trimmedSignature !== "" && trimmedBody.endsWith(trimmedSignature))
    return trimmedBody.length - trimmedSignature.length
  // A farewell on its own line starts the signature if little text follows.
  for (const line of trimmedBody.matchAll(/^.*$/gm)) {
    if (line.index > 0 && farewellPattern.test(line[0].trim()) && trimmedBody.length - line.index < 300)
      return line.index
  }
  return body.length
}

/** Paragraphs with their offsets; a list item is a paragraph. */
const splitIntoParagraphs = (text: string): ReadonlyArray<Span> => {
  const paragraphs: Array<Span> = []
  let paragraphStart = 0
  const add = (paragraphEnd: number) => {
    const block = text.slice(paragraphStart, paragraphEnd)
    const start = paragraphStart + (block.length - block.trimStart().length)
    if (block.trim() !== "") paragraphs.push({ text: block.trim(), start, end: start + block.trim().length })
  }
  for (const gap of text.matchAll(/\r?\n[ \t]*(?:\r?\n\s*|(?=(?:[-*\u2022]|\d{1,2}[.)])[ \t]))/g)) {
    add(gap.index)
    paragraphStart = gap.index + gap[0].length
  }
  add(text.length)
  return paragraphs
}

/** Splits a sentence into parts of at most 1,000 characters, because the time of some rules grows with the square of its length. */
const splitLongSentence = (sentence: string): ReadonlyArray<string> => sentence.match(/[^]{1,1000}/gu) ?? []

export const parseEmail = (email: { subject: string; body: string }, signature: string | null): EmailText => {
  const { body, subject } = email
  const signatureStart = findSignatureStart(body, signature)
  const sentences: Array<Sentence> = []
  let greeting: Span | null = null
  for (const [index, block] of splitIntoParagraphs(body.slice(0, signatureStart)).entries()) {
    let { start, text } = block
    if (index === 0) {
      const line = text.split("\n")[0]?.trimEnd() ?? ""
      if (greetingLine.test(line)) {
        greeting = { text: line, start, end: start + line.length }
        const textAfterGreeting = text.slice(line.length)
        start += line.length + (textAfterGreeting.length - textAfterGreeting.trimStart().length)
        text = textAfterGreeting.trim()
      }
    }
    let cursor = 0
    for (const sentence of splitParagraph(text)) {
      cursor = Math.max(cursor, text.indexOf(sentence, cursor))
      for (const part of splitLongSentence(sentence)) {
        sentences.push(makeSentence(part, start + cursor, index))
        cursor += part.length
      }
    }
  }
  const lastSentence = sentences.at(-1)
  const bodySentences =
    lastSentence !== undefined && sentences.length > 1 && optOutLine.test(lastSentence.normalizedText)
      ? sentences.slice(0, -1)
      : sentences
  return {
    subject,
    body,
    greeting,
    sentences: bodySentences,
    subjectSentence: makeSentence(subject, 0, -1),
    signatureStart,
    wordCount: wordTokens(body.slice(0, signatureStart)).length
  }
}

/** Texts of one source, split like an email. */
export const splitSourceText = (text: string): ReadonlyArray<string> =>
  splitIntoParagraphs(text.replace(/;\s/g, ";\n\n")).flatMap((block) => splitParagraph(block.text))

type Place = Exclude<Finding["place"], "sequence">

/** A finding at a span of the subject or body. */
export const findingAt = (
  place: Place,
  rule: string,
  severity: Finding["severity"],
  { end, start }: Pick<Span, "start" | "end">,
  message: string,
  suggestion: string | null = null
): Finding => ({ rule, severity, place, start, end, message, suggestion })

/** A finding about an email or sequence as a whole. */
export const findingOnWhole = (
  place: Finding["place"],
  rule: string,
  severity: Finding["severity"],
  message: string,
  suggestion: string | null = null
): Finding => ({ rule, severity, place, start: null, end: null, message, suggestion })

/** Whether a sentence is the subject or in the body. */
export const placeOf = ({ paragraph }: Pick<Sentence, "paragraph">) => (paragraph < 0 ? "subject" : "body")

/** A finding with offsets in a sentence, with those in the email. */
export const findingInSentence = (sentence: Sentence, finding: Finding): Finding => ({
  ...finding,
  place: placeOf(sentence),
  start: finding.start === null ? null : sentence.start + finding.start,
  end: finding.end === null ? null : sentence.start + finding.end
})

/** A quotation short enough for a message. */
export const quoteShort = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return `"${
    line.length <= 60
      ? line
      : `${line
          .slice(0, 57)
          .replace(/[\ud800-\udbff]$/, "")
          .trimEnd()}...`
  }"`
}

/** `length` characters at `from` in a sentence, as offsets of the whole text. */
export const spanWithin = (sentence: Span, offset: number, length: number): Pick<Span, "start" | "end"> => ({
  start: sentence.start + offset,
  end: sentence.start + offset + length
})
