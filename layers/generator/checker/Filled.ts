// layers/generator/checker/Filled.ts: a quick check of emails from templates that were checked when they were saved.
import * as Pattern from "effect/RegExp"
import type { Email } from "#layers/generator/checker/Check.ts"
import { at, quoted } from "#layers/generator/checker/Findings.ts"
import { leadFindings, leadView } from "#layers/generator/checker/LeadData.ts"
import * as Wording from "#layers/generator/checker/Wording.ts"
import type { Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

const hole =
  /(?<![\p{L}'-])(?:at|for|to|of|with|in|and|from|by|hi|hello|dear|your|the|an?)[ \t]+[,.!?;:]|\([ \t]*\)|""|\u201c\u201d|[ \t]'s\b|,[ \t]*,/giu
const noValue =
  /^(?:n\.?\/?a\.?|none|null|undefined|nan|unknown|tbd|todo|test|-+|\.+|\?+|x{2,}|#(?:n\/a|ref!|value!|name\?|div\/0!)|\[object object\]|\(blank\)|blank|empty|leer|keine?|true|false)$/i

/** Longer than a value that a person would write into a sentence. */
const longest = 160

interface Value {
  readonly key: string
  readonly text: string
}

/** Placeholders in columns, such as "n/a", that appear in the text. */
const absurd = (text: string, place: "subject" | "body", values: ReadonlyArray<Value>): ReadonlyArray<Finding> =>
  values.flatMap(({ key, text: value }) => {
    const short = noValue.test(value)
    if (!short && value.length <= longest && !value.includes("\n")) return []
    const found = short
      ? new RegExp(`(?<![\\p{L}\\p{N}])${Pattern.escape(value)}(?![\\p{L}\\p{N}])`, "u").exec(text)?.index
      : text.indexOf(value)
    if (found === undefined || found < 0) return []
    const span = { start: found, end: found + value.length }
    return [
      short
        ? at(
            place,
            "value.empty",
            "fail",
            span,
            `The column ${quoted(key)} holds ${quoted(value)}, which is no value. Correct the lead, or use a default.`
          )
        : at(
            place,
            "value.long",
            "warn",
            span,
            `The value of the column ${quoted(key)} is too long for a sentence. Shorten it in the lead.`
          )
    ]
  })

const holes = (text: string, place: "subject" | "body"): ReadonlyArray<Finding> =>
  [...text.matchAll(hole)].map((found) =>
    at(
      place,
      "value.missing",
      "fail",
      { start: found.index, end: found.index + found[0].length },
      `A value is missing at ${quoted(found[0])}. Use a default in the template.`
    )
  )

const valuesOf = ({ company, custom_fields, title }: Lead): ReadonlyArray<Value> =>
  Object.entries({ ...custom_fields, company, title }).flatMap(([key, value]) =>
    typeof value === "string" && value.trim() !== "" ? [{ key, text: value.trim() }] : []
  )

/**
 * Findings of one lead's emails, filled from templates that passed `checkTemplate`: only what the lead's own data can add.
 */
export const checkFilled = (
  emails: ReadonlyArray<Email>,
  {
    lead,
    never_say,
    signature
  }: { readonly lead: Lead; readonly never_say: ReadonlyArray<string>; readonly signature: string | null }
): ReadonlyArray<{ readonly findings: ReadonlyArray<Finding> }> => {
  const view = leadView(lead)
  const values = valuesOf(lead)
  const odd = values.filter(({ text }) => noValue.test(text) || text.length > longest || text.includes("\n"))
  const brought = Wording.spamTerms(values.map(({ text }) => text).join("\n")).map(({ term }) => term.toLowerCase())
  const own = signature?.trim() ?? ""
  return emails.map(({ body, subject }) => {
    const text = own !== "" && body.trimEnd().endsWith(own) ? body.trimEnd().slice(0, -own.length) : body
    return {
      findings: [
        ...leadFindings({ subject, body: text }, view, own.toLowerCase()),
        ...Wording.leftovers(subject, "subject"),
        ...Wording.leftovers(text, "body"),
        ...Wording.forbidden(subject, "subject", never_say),
        ...Wording.forbidden(text, "body", never_say),
        ...(brought.length === 0
          ? []
          : Wording.spamFindings({ subject, body: text }, (term) => !brought.includes(term.toLowerCase()))),
        ...absurd(subject, "subject", odd),
        ...absurd(text, "body", odd),
        ...holes(subject, "subject"),
        ...holes(text, "body")
      ]
    }
  })
}
