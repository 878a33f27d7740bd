// layers/generator/checker/claims/Assertion.ts: the input and output of the rules that find claims in a sentence.
import { personalPronoun } from "#layers/generator/checker/ClaimPatterns.ts"
import { type Quantity, quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source, Sources } from "#layers/generator/checker/ClaimSources.ts"
import { type Clause, splitClauses, sharedStemRatio } from "#layers/generator/checker/ClaimSupport.ts"
import { type EmailText, normalizeForComparison, type Sentence } from "#layers/generator/checker/EmailText.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import type { Lead } from "#schema/Lead.ts"

/** The evidence that claims are compared with. */
export interface ClaimEvidence {
  readonly sources: Sources
  /** Sources from the lead's columns, research and remarks. */
  readonly reader: ReadonlyArray<Source>
  readonly lead: Lead | null
}

/** One claim of a sentence, and its support. */
export interface Assertion {
  readonly rule: string
  /** Offset in the sentence. */
  readonly offset: number
  readonly length: number
  readonly message: string
  readonly sources: ReadonlyArray<Source>
}

/** A sentence with what the rules need to know about it. */
export interface SentenceAnalysis {
  readonly sentence: Sentence
  /** The text with names and verbatim quotations masked; keeps the length. */
  readonly maskedText: string
  readonly clauses: ReadonlyArray<Clause>
  readonly quantities: ReadonlyArray<Quantity>
  /** Sources that the sentence repeats word for word. */
  readonly verbatim: ReadonlyArray<Source>
  /** The client named in it, or referred to by a pronoun. */
  readonly client: string | null
  /** Whether the sentence itself names a client. */
  readonly namesClient: boolean
  /** Whether it follows a sentence about a client. */
  readonly afterClient: boolean
  /** Stems of the previous sentence. */
  readonly previousStems: ReadonlySet<string>
}

export const sourceReference = (source: Pick<Source, "from" | "at" | "text">) => ({
  from: source.from,
  at: source.at,
  text: source.text
})

/** Whether a normalised text contains another as whole words. The first test is quick, and false of nearly all pairs. */
const containsWords = (text: string, phrase: string): boolean =>
  text.includes(phrase) && ` ${text} `.includes(` ${phrase} `)

/** Sources whose text contains the sentence, or is contained in it. */
const verbatimSources = (sentence: Sentence, evidence: ClaimEvidence): ReadonlyArray<Source> => {
  const comparisonText = normalizeForComparison(sentence.text)
  const isLong = comparisonText.length >= 12 && comparisonText.includes(" ")
  // The reader's own name or company is no quotation.
  const notes = evidence.reader.filter(({ at, from }) => from !== "lead" || at.startsWith("custom_fields."))
  return [...notes, ...evidence.sources.all].filter(
    (source) =>
      (isLong && containsWords(source.comparisonText, comparisonText)) ||
      (containsWords(comparisonText, source.comparisonText) && source.comparisonText.split(" ").length >= 3)
  )
}

const maskSpan = (text: string, offset: number, length: number): string =>
  text.slice(0, offset) + "_".repeat(length) + text.slice(offset + length)

/** Masks text that needs no support: verbatim text of a source, and names with digits. */
const maskSupported = (text: string, verbatim: ReadonlyArray<Source>, names: ReadonlyArray<string>): string => {
  let maskedText = text
  const lowerCaseText = text.toLowerCase()
  for (const supportedText of [...verbatim.map((source) => source.normalizedText.replace(/[.;,!?]+$/, "")), ...names]) {
    const start = supportedText === "" ? -1 : lowerCaseText.indexOf(supportedText.toLowerCase())
    if (start >= 0) maskedText = maskSpan(maskedText, start, supportedText.length)
  }
  return maskedText
}

/** The reader's company, as typed and as emails write it. */
export const readerCompanyNames = (lead: Lead | null): ReadonlyArray<string> => {
  const emailName = companyName(lead?.company)
  return [...new Set([lead?.company?.trim() ?? "", emailName ?? ""])].filter((name) => name.length > 1)
}

export const analyzeSentences = (email: EmailText, evidence: ClaimEvidence): ReadonlyArray<SentenceAnalysis> => {
  const analyses: Array<SentenceAnalysis> = []
  const namesWithDigits = [...readerCompanyNames(evidence.lead), ...evidence.sources.senderNames].filter((name) =>
    /\d/.test(name)
  )
  let contextClient: string | null = null
  let previousStems: ReadonlySet<string> = new Set()
  for (const sentence of email.sentences) {
    const namedClient =
      evidence.sources.clients.find(({ pattern }) => pattern.test(sentence.normalizedText))?.name ?? null
    const verbatim = verbatimSources(sentence, evidence)
    // "ISO 9001" and "Microsoft 365" are names if a source has them.
    const numberedNames = (
      sentence.normalizedText.match(/(?<=[\p{L},] )\p{Lu}[\p{L}-]+ \d[\d:-]*|\b\p{Lu}{2,} \d[\d:-]*/gu) ?? []
    ).filter(
      (name) =>
        evidence.sources.text.includes(name.toLowerCase()) ||
        evidence.reader.some(({ normalizedText }) => normalizedText.toLowerCase().includes(name.toLowerCase()))
    )
    const followsClient = namedClient === null && contextClient !== null
    analyses.push({
      sentence,
      maskedText: maskSupported(sentence.normalizedText, verbatim, [...namesWithDigits, ...numberedNames]),
      clauses: splitClauses(sentence.normalizedText),
      quantities: quantitiesIn(sentence.normalizedText),
      verbatim,
      client:
        namedClient ?? (contextClient !== null && personalPronoun.test(sentence.normalizedText) ? contextClient : null),
      namesClient: namedClient !== null,
      afterClient: followsClient,
      previousStems
    })
    // A pronoun refers to the client until the email turns to the reader, the sender or another topic.
    contextClient =
      namedClient ??
      (contextClient !== null &&
      (personalPronoun.test(sentence.normalizedText) ||
        /\b(?:the|that|later|after|it|we)\b/i.test(sentence.normalizedText)) &&
      !/\b(?:you|your)\b/i.test(sentence.normalizedText)
        ? contextClient
        : null)
    previousStems = sentence.stems
  }
  return analyses
}

export const makeAssertion = (
  rule: string,
  offset: number,
  text: string,
  message: string,
  sources: ReadonlyArray<Source>
): Assertion => {
  const leadingBlanks = text.length - text.trimStart().length
  return { rule, offset: offset + leadingBlanks, length: text.trim().length, message, sources }
}

/** Sources with the same kind of wording and enough of the same words. */
export const similarSources = (
  sources: ReadonlyArray<Source>,
  stems: ReadonlySet<string>,
  minShare: number,
  pattern?: RegExp
): ReadonlyArray<Source> =>
  sources
    .map((source) => ({ source, share: sharedStemRatio(stems, source.stems) }))
    .filter(({ share, source }) => share >= minShare && (pattern === undefined || pattern.test(source.normalizedText)))
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source)
