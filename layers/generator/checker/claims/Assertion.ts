// layers/generator/checker/claims/Assertion.ts: what the claims of a sentence are read from, and what they become.
import { pronoun } from "#layers/generator/checker/Patterns.ts"
import { type Quantity, quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source, Sources } from "#layers/generator/checker/Sources.ts"
import { type Clause, clausesOf, shareOf } from "#layers/generator/checker/Support.ts"
import { type EmailText, normalOf, type Sentence } from "#layers/generator/checker/Text.ts"
import { companyName } from "#layers/text/Names.ts"
import type { Lead } from "#schema/Lead.ts"

/** What claims are compared with. */
export interface Known {
  readonly sources: Sources
  /** What the lead's columns, research and remarks say. */
  readonly reader: ReadonlyArray<Source>
  readonly lead: Lead | null
}

/** One statement of a sentence, and what supports it. */
export interface Assertion {
  readonly rule: string
  /** Its place in the sentence. */
  readonly from: number
  readonly length: number
  readonly message: string
  readonly sources: ReadonlyArray<Source>
}

export interface Read {
  readonly sentence: Sentence
  /** The text with names and verbatim quotations of sources masked, of the same length. */
  readonly masked: string
  readonly clauses: ReadonlyArray<Clause>
  readonly quantities: ReadonlyArray<Quantity>
  /** Sources that the sentence repeats word by word. */
  readonly verbatim: ReadonlyArray<Source>
  /** The client named in it, or meant by a pronoun. */
  readonly client: string | null
  readonly named: boolean
  /** Whether it follows a sentence about a client. */
  readonly afterClient: boolean
  readonly before: ReadonlySet<string>
}

export const supportOf = (each: Pick<Source, "from" | "at" | "text">) => ({
  from: each.from,
  at: each.at,
  text: each.text
})

/** Sources whose text stands in the sentence, or the other way round. */
const verbatimIn = (sentence: Sentence, known: Known): ReadonlyArray<Source> => {
  const normal = normalOf(sentence.text)
  const long = normal.length >= 12 && normal.includes(" ")
  // The reader's own name or company, repeated, is no quotation.
  const notes = known.reader.filter(({ at, from }) => from !== "lead" || at.startsWith("custom_fields."))
  return [...notes, ...known.sources.all].filter(
    (source) =>
      (long && ` ${source.normal} `.includes(` ${normal} `)) ||
      (source.normal.split(" ").length >= 3 && ` ${normal} `.includes(` ${source.normal} `))
  )
}

const blank = (text: string, from: number, length: number): string =>
  text.slice(0, from) + "_".repeat(length) + text.slice(from + length)

/** Hides what needs no support: text of a source word by word, and names with digits in them. */
const mask = (plain: string, verbatim: ReadonlyArray<Source>, names: ReadonlyArray<string>): string => {
  let masked = plain
  const lower = plain.toLowerCase()
  for (const text of [...verbatim.map((source) => source.plain.replace(/[.;,!?]+$/, "")), ...names]) {
    const from = text === "" ? -1 : lower.indexOf(text.toLowerCase())
    if (from >= 0) masked = blank(masked, from, text.length)
  }
  return masked
}

/** The reader's company, as it was typed and as it is said. */
export const companyNames = (lead: Lead | null): ReadonlyArray<string> => {
  const said = companyName(lead?.company)
  return [...new Set([lead?.company?.trim() ?? "", said ?? ""])].filter((name) => name.length > 1)
}

export const read = (email: EmailText, known: Known): ReadonlyArray<Read> => {
  const found: Array<Read> = []
  const digits = [...companyNames(known.lead), ...known.sources.own].filter((name) => /\d/.test(name))
  let context: string | null = null
  let before: ReadonlySet<string> = new Set()
  for (const sentence of email.sentences) {
    const named = known.sources.clients.find(({ pattern }) => pattern.test(sentence.plain))?.name ?? null
    const verbatim = verbatimIn(sentence, known)
    // "ISO 9001" and "Microsoft 365" are names where a source has them.
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
      masked: mask(sentence.plain, verbatim, [...digits, ...numbered]),
      clauses: clausesOf(sentence.plain),
      quantities: quantitiesIn(sentence.plain),
      verbatim,
      client: named ?? (context !== null && pronoun.test(sentence.plain) ? context : null),
      named: named !== null,
      afterClient: follows,
      before
    })
    // The client is meant until the email turns to the reader, the sender or another matter.
    context =
      named ??
      (context !== null &&
      (pronoun.test(sentence.plain) || /\b(?:the|that|later|after|it|we)\b/i.test(sentence.plain)) &&
      !/\b(?:you|your)\b/i.test(sentence.plain)
        ? context
        : null)
    before = sentence.stems
  }
  return found
}

export const assertion = (
  rule: string,
  from: number,
  text: string,
  message: string,
  sources: ReadonlyArray<Source>
): Assertion => {
  const lead = text.length - text.trimStart().length
  return { rule, from: from + lead, length: text.trim().length, message, sources }
}

export const each = (text: string, expression: RegExp): ReadonlyArray<RegExpExecArray> => [...text.matchAll(expression)]

/** Sources that have the same kind of wording and enough of the same words. */
export const alikeSources = (
  sources: ReadonlyArray<Source>,
  stems: ReadonlySet<string>,
  least: number,
  kind?: RegExp
): ReadonlyArray<Source> =>
  sources
    .map((source) => ({ source, share: shareOf(stems, source.stems) }))
    .filter(({ share, source }) => share >= least && (kind === undefined || kind.test(source.plain)))
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source)
