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
  readonly from: number
  readonly length: number
  readonly message: string
  readonly sources: ReadonlyArray<Source>
}

export interface ReadSentence {
  readonly sentence: Sentence
  /** The text with names and verbatim quotations masked; keeps the length. */
  readonly masked: string
  readonly clauses: ReadonlyArray<Clause>
  readonly quantities: ReadonlyArray<Quantity>
  /** Sources that the sentence repeats word for word. */
  readonly verbatim: ReadonlyArray<Source>
  /** The client named in it, or referred to by a pronoun. */
  readonly client: string | null
  readonly named: boolean
  /** Whether it follows a sentence about a client. */
  readonly afterClient: boolean
  readonly before: ReadonlySet<string>
}

export const sourceReference = (each: Pick<Source, "from" | "at" | "text">) => ({
  from: each.from,
  at: each.at,
  text: each.text
})

/** Whether a normalised text contains another as whole words. The first test is quick, and false of nearly all pairs. */
const containsWords = (text: string, part: string): boolean => text.includes(part) && ` ${text} `.includes(` ${part} `)

/** Sources whose text contains the sentence, or is contained in it. */
const verbatimSources = (sentence: Sentence, known: ClaimEvidence): ReadonlyArray<Source> => {
  const normal = normalizeForComparison(sentence.text)
  const long = normal.length >= 12 && normal.includes(" ")
  // The reader's own name or company is no quotation.
  const notes = known.reader.filter(({ at, from }) => from !== "lead" || at.startsWith("custom_fields."))
  return [...notes, ...known.sources.all].filter(
    (source) =>
      (long && containsWords(source.normal, normal)) ||
      (containsWords(normal, source.normal) && source.normal.split(" ").length >= 3)
  )
}

const maskSpan = (text: string, from: number, length: number): string =>
  text.slice(0, from) + "_".repeat(length) + text.slice(from + length)

/** Masks text that needs no support: verbatim text of a source, and names with digits. */
const maskSupported = (plain: string, verbatim: ReadonlyArray<Source>, names: ReadonlyArray<string>): string => {
  let masked = plain
  const lower = plain.toLowerCase()
  for (const text of [...verbatim.map((source) => source.plain.replace(/[.;,!?]+$/, "")), ...names]) {
    const from = text === "" ? -1 : lower.indexOf(text.toLowerCase())
    if (from >= 0) masked = maskSpan(masked, from, text.length)
  }
  return masked
}

/** The reader's company, as typed and as emails write it. */
export const readerCompanyNames = (lead: Lead | null): ReadonlyArray<string> => {
  const said = companyName(lead?.company)
  return [...new Set([lead?.company?.trim() ?? "", said ?? ""])].filter((name) => name.length > 1)
}

export const readSentences = (email: EmailText, known: ClaimEvidence): ReadonlyArray<ReadSentence> => {
  const found: Array<ReadSentence> = []
  const digits = [...readerCompanyNames(known.lead), ...known.sources.senderNames].filter((name) => /\d/.test(name))
  let context: string | null = null
  let before: ReadonlySet<string> = new Set()
  for (const sentence of email.sentences) {
    const named = known.sources.clients.find(({ pattern }) => pattern.test(sentence.plain))?.name ?? null
    const verbatim = verbatimSources(sentence, known)
    // "ISO 9001" and "Microsoft 365" are names if a source has them.
    const numbered = (
      sentence.plain.match(/(?<=[\p{L},] )\p{Lu}[\p{L}-]+ \d[\d:-]*|\b\p{Lu}{2,} \d[\d:-]*/gu) ?? []
    ).filter(
      (name) =>
        known.sources.text.includes(name.toLowerCase()) ||
        known.reader.some(({ plain }) => plain.toLowerCase().includes(name.toLowerCase()))
    )
    const follows = named === null && context !== null
    found.push({
      sentence,
      masked: maskSupported(sentence.plain, verbatim, [...digits, ...numbered]),
      clauses: splitClauses(sentence.plain),
      quantities: quantitiesIn(sentence.plain),
      verbatim,
      client: named ?? (context !== null && personalPronoun.test(sentence.plain) ? context : null),
      named: named !== null,
      afterClient: follows,
      before
    })
    // A pronoun refers to the client until the email turns to the reader, the sender or another topic.
    context =
      named ??
      (context !== null &&
      (personalPronoun.test(sentence.plain) || /\b(?:the|that|later|after|it|we)\b/i.test(sentence.plain)) &&
      !/\b(?:you|your)\b/i.test(sentence.plain)
        ? context
        : null)
    before = sentence.stems
  }
  return found
}

export const makeAssertion = (
  rule: string,
  from: number,
  text: string,
  message: string,
  sources: ReadonlyArray<Source>
): Assertion => {
  const lead = text.length - text.trimStart().length
  return { rule, from: from + lead, length: text.trim().length, message, sources }
}

/** Sources with the same kind of wording and enough of the same words. */
export const similarSources = (
  sources: ReadonlyArray<Source>,
  stems: ReadonlySet<string>,
  least: number,
  kind?: RegExp
): ReadonlyArray<Source> =>
  sources
    .map((source) => ({ source, share: sharedStemRatio(stems, source.stems) }))
    .filter(({ share, source }) => share >= least && (kind === undefined || kind.test(source.plain)))
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source)
