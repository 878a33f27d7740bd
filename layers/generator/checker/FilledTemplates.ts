// layers/generator/checker/FilledTemplates.ts: checks templates when they are saved, filled with example values, and the emails
// filled in from them.
import { type CheckedEmail, checkEmails, type CheckInput, type Evidence } from "#layers/generator/checker/Check.ts"
import { findingAt, quoteShort } from "#layers/generator/checker/EmailText.ts"
import { plainText, type TemplateProblem, templateProblems } from "#layers/generator/playbook/LiquidTemplate.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"
import * as Pattern from "effect/RegExp"
import { leadDataFindings, buildLeadView } from "#layers/generator/checker/LeadData.ts"
import * as Wording from "#layers/generator/checker/Wording.ts"

/** The reader that `plainText` fills in. */
export const exampleReader: Lead = {
  email: "alex.morgan@northfield.example",
  name: "Alex Morgan",
  title: "Operations Manager",
  company: "Northfield"
}

const offsetOf = (source: string, { column, line }: TemplateProblem): number => {
  let from = 0
  for (const newline of source.matchAll(/\r\n|\r|\n/g)) {
    if (line <= 1) break
    from = newline.index + newline[0].length
    line--
  }
  return Math.min(source.length, from + column - 1)
}

/** Errors of its Liquid, as findings. */
const syntaxFindings = (template: Pick<CheckInput, "subject" | "body">): ReadonlyArray<Finding> =>
  templateProblems(template)
    // The checked text may have no subject.
    .filter(({ field }) => template[field].trim() !== "")
    .map((problem) => {
      const start = offsetOf(template[problem.field], problem)
      return findingAt(
        problem.field,
        "template.syntax",
        "fail",
        { start, end: Math.min(template[problem.field].length, start + 1) },
        problem.message
      )
    })

/** The position of rendered text in the template; null if it does not occur there exactly once. */
const spanInTemplate = (
  source: string,
  rendered: string,
  start: number,
  end: number
): { start: number; end: number } | null => {
  const piece = rendered.slice(start, end)
  const first = source.indexOf(piece)
  return piece === "" || first < 0 || source.indexOf(piece, first + 1) >= 0
    ? null
    : { start: first, end: first + piece.length }
}

/**
 * The findings and claims of a template, with offsets in the template itself where the rendered text occurs there
 * unchanged. The lead is an example.
 */
export const checkTemplateText = (template: CheckInput, evidence: Evidence): CheckedEmail => {
  const errors = syntaxFindings(template)
  const text = plainText(template)
  const [checked] = checkEmails([{ ...template, ...text }], { ...evidence, lead: exampleReader })
  if (checked === undefined || (errors.length > 0 && text.body === template.body))
    return { findings: errors, claims: [], score: null }
  const { claims, findings, score } = checked
  return {
    findings: [
      ...errors,
      ...findings.map((finding): Finding => {
        if (finding.place === "sequence" || finding.start === null || finding.end === null) return finding
        const span = spanInTemplate(template[finding.place], text[finding.place], finding.start, finding.end)
        return { ...finding, start: span?.start ?? null, end: span?.end ?? null }
      })
    ],
    claims: claims.map((claim): Claim => ({
      ...claim,
      ...(spanInTemplate(template.body, text.body, claim.start, claim.end) ?? { start: 0, end: 0 })
    })),
    score
  }
}

/** What a template leaves where a variable is empty: "Hi ,", "at .", "()". */
const emptyVariablePattern =
  /(?<![\p{L}'-])(?:at|for|to|of|with|in|and|from|by|hi|hello|dear|your|the|an?)[ \t]+[,.!?;:]|\([ \t]*\)|""|\u201c\u201d|[ \t]'s\b|,[ \t]*,/giu
/** Values that stand for a missing one: "n/a", "null", "-". */
const missingValuePattern =
  /^(?:n\.?\/?a\.?|none|null|undefined|nan|unknown|tbd|todo|test|-+|\.+|\?+|x{2,}|#(?:n\/a|ref!|value!|name\?|div\/0!)|\[object object\]|\(blank\)|blank|empty|leer|keine?|true|false)$/i

/** Longest value, in characters, that fits into a sentence. */
const maxValueLength = 160

interface ColumnValue {
  readonly key: string
  readonly text: string
}

/** Placeholders in columns, such as "n/a", that appear in the text. */
const placeholderFindings = (
  text: string,
  place: "subject" | "body",
  values: ReadonlyArray<ColumnValue>
): ReadonlyArray<Finding> =>
  values.flatMap(({ key, text: value }) => {
    const isPlaceholder = missingValuePattern.test(value)
    if (!isPlaceholder && value.length <= maxValueLength && !value.includes("\n")) return []
    const found = isPlaceholder
      ? new RegExp(`(?<![\\p{L}\\p{N}])${Pattern.escape(value)}(?![\\p{L}\\p{N}])`, "u").exec(text)?.index
      : text.indexOf(value)
    if (found === undefined || found < 0) return []
    const span = { start: found, end: found + value.length }
    return [
      isPlaceholder
        ? findingAt(
            place,
            "value.empty",
            "fail",
            span,
            `The column ${quoteShort(key)} holds ${quoteShort(value)}, which is no value. Correct the lead, or use a default.`
          )
        : findingAt(
            place,
            "value.long",
            "warn",
            span,
            `The value of the column ${quoteShort(key)} is too long for a sentence. Shorten it in the lead.`
          )
    ]
  })

const emptyVariableFindings = (text: string, place: "subject" | "body"): ReadonlyArray<Finding> =>
  [...text.matchAll(emptyVariablePattern)].map((match) =>
    findingAt(
      place,
      "value.missing",
      "fail",
      { start: match.index, end: match.index + match[0].length },
      `A value is missing at ${quoteShort(match[0])}. Use a default in the template.`
    )
  )

const columnValues = ({ company, custom_fields, title }: Lead): ReadonlyArray<ColumnValue> =>
  Object.entries({ ...custom_fields, company, title }).flatMap(([key, value]) =>
    typeof value === "string" && value.trim() !== "" ? [{ key, text: value.trim() }] : []
  )

/**
 * Findings of one lead's emails, filled from templates that passed `checkTemplateText`: only what the lead's own data can add.
 */
export const checkFilledTemplate = (
  emails: ReadonlyArray<CheckInput>,
  {
    lead,
    never_say,
    signature
  }: { readonly lead: Lead; readonly never_say: ReadonlyArray<string>; readonly signature: string | null }
): ReadonlyArray<{ readonly findings: ReadonlyArray<Finding> }> => {
  const view = buildLeadView(lead)
  const values = columnValues(lead)
  const unusualValues = values.filter(
    ({ text }) => missingValuePattern.test(text) || text.length > maxValueLength || text.includes("\n")
  )
  const leadSpamTerms = Wording.findSpamTerms(values.map(({ text }) => text).join("\n")).map(({ term }) =>
    term.toLowerCase()
  )
  const trimmedSignature = signature?.trim() ?? ""
  return emails.map(({ body, subject }) => {
    const text =
      trimmedSignature !== "" && body.trimEnd().endsWith(trimmedSignature)
        ? body.trimEnd().slice(0, -trimmedSignature.length)
        : body
    return {
      findings: [
        ...leadDataFindings({ subject, body: text }, view, trimmedSignature.toLowerCase()),
        ...Wording.leftoverFindings(subject, "subject"),
        ...Wording.leftoverFindings(text, "body"),
        ...Wording.forbiddenFindings(subject, "subject", never_say),
        ...Wording.forbiddenFindings(text, "body", never_say),
        ...(leadSpamTerms.length === 0
          ? []
          : Wording.spamFindings({ subject, body: text }, (term) => !leadSpamTerms.includes(term.toLowerCase()))),
        ...placeholderFindings(subject, "subject", unusualValues),
        ...placeholderFindings(text, "body", unusualValues),
        ...emptyVariableFindings(subject, "subject"),
        ...emptyVariableFindings(text, "body")
      ]
    }
  })
}
