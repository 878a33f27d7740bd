// layers/generator/checker/MakeFinding.ts: constructors of findings.
import type { Span } from "#layers/generator/checker/EmailText.ts"
import type { Finding } from "#schema/Findings.ts"

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
export const spanWithin = (sentence: Span, from: number, length: number): Pick<Span, "start" | "end"> => ({
  start: sentence.start + from,
  end: sentence.start + from + length
})
