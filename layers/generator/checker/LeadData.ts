// layers/generator/checker/LeadData.ts: checks that an email takes no instructions, links, addresses, raw names or missing values from
// lead data, and so all of an email that is filled in from a checked template.
import * as Pattern from "effect/RegExp"
import { findingAt, findingOnWhole, quoteShort } from "#layers/generator/checker/EmailText.ts"
import * as Wording from "#layers/generator/checker/Wording.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { firstName } from "#layers/text/PersonNames.ts"
import { unusableNameKind } from "#layers/text/NamePatterns.ts"
import { linksAndAddressesIn } from "#layers/text/Contacts.ts"
import { normalizeWord, wordTokens } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

const suspiciousPattern = /[{}<>[\]=|]|https?:|www\.|\b(?:ignore|instructions?|prompt|system|script|reply|reveal)\b/i

/** Whether a text is plain: without markup, addresses, commands and words of a prompt. */
const isPlainText = (text: string): boolean => !suspiciousPattern.test(text)

/** Data that every email to one lead is compared with. */
export interface LeadView {
  readonly firstName: string | undefined
  readonly company: string | undefined
  readonly nameWords: ReadonlySet<string>
  /** The company as typed, if emails write it differently. */
  readonly rawCompany: string | undefined
  /** Links and addresses in the lead's columns, in lower case. */
  readonly linksAndAddresses: ReadonlyArray<string>
  /** Sequences of words from columns that contain an instruction. */
  readonly instructionTrigrams: ReadonlyArray<string>
  readonly hasName: boolean
  /** What the name field contains if it is not a name, for example "a formula". */
  readonly unusableName: string | undefined
}

const commandPattern =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|all|prior|earlier|your|the|these)\b.{0,30}\b(?:instructions?|prompts?|rules|messages?|text|guidelines)\b|\bsystem prompt\b|\byou are (?:now )?(?:an?|the) (?:ai|assistant|model|language model|chatbot)\b|\b(?:reply|respond|answer) (?:only )?with\b|\bact as\b|\bnew instructions?\b|\b(?:write|say|include|output|print|reveal|add) (?:exactly|the following|only|verbatim)\b|<\/?[a-z!]|javascript:|\{\{|\{%/i

/** Instructions in a salesperson's notes: "do not mention price", "tell her that it is free". */
const advicePattern =
  /\b(?:do not|don't|never|must|always|please|be sure to|make sure to|remember to) (?:mention|say|write|tell|use|talk|ask|include|sign|offer|promise|confirm|claim|state|link|add|refer|send)\b|\b(?:ignore|disregard|skip) (?:the|all|your|our|this|any|everything)\b|\b(?:write|say|mention|claim|promise|state|pretend|confirm|tell (?:him|her|them|the \p{L}+)) (?:that|them|him|her|it|we|he|she|they)\b|\bsign (?:off )?(?:as|with)\b|\blink to\b/iu

/** The sentences of a column that are commands; the others are facts that an email may use. */
const findCommands = (field: string): ReadonlyArray<string> =>
  commandPattern.test(field)
    ? [field]
    : field.split(/(?<=[.!?;])\s+|\n+/).filter((sentence) => advicePattern.test(sentence))

const wordTrigrams = (field: string): ReadonlyArray<string> => {
  const words = wordTokens(field.toLowerCase()).slice(0, 200)
  return words.slice(0, Math.max(0, words.length - 2)).map((_, from) => words.slice(from, from + 3).join(" "))
}

const findLinks = (field: string): ReadonlyArray<string> =>
  linksAndAddressesIn(field).map((link) =>
    link
      .toLowerCase()
      .replace(/^(?:https?:\/\/)?(?:www\.)?/, "")
      .replace(/[.,/]+$/, "")
  )

export const buildLeadView = (lead: Lead): LeadView => {
  const company = companyName(lead.company)
  // A mark at the end may belong to the sentence.
  const typedCompany =
    lead.company
      ?.replace(/\s+/g, " ")
      .replace(/[ ,.;]+$/, "")
      .trim() ?? ""
  const differsFromName =
    typedCompany !== company &&
    typedCompany.length > 3 &&
    (company === undefined || typedCompany.length > company.length || typedCompany === typedCompany.toUpperCase()) &&
    typedCompany !== typedCompany.toLowerCase()
  const names = [lead.name, lead.title, lead.company].filter((field) => typeof field === "string")
  const customValues = Object.values(lead.custom_fields ?? {}).filter((field) => typeof field === "string")
  const columns = [...names, ...customValues, lead.company_website, lead.linkedin_url, lead.email].filter(
    (field) => typeof field === "string"
  )
  return {
    firstName: firstName(lead.name),
    company,
    nameWords: new Set(wordTokens((lead.name ?? "").normalize("NFC").replace(/\u2019/g, "'")).map(normalizeWord)),
    rawCompany: differsFromName ? typedCompany : undefined,
    linksAndAddresses: [...new Set(columns.flatMap(findLinks))]
      .filter((link) => link.length > 3)
      .sort((a, b) => b.length - a.length),
    // A name that is not plain text counts as an instruction; in a note, words such as "system" or "reply" are normal.
    instructionTrigrams: [
      ...names.filter((field) => !isPlainText(field)),
      ...customValues.flatMap(findCommands)
    ].flatMap(wordTrigrams),
    hasName: typeof lead.name === "string" && lead.name.trim() !== "",
    unusableName: typeof lead.name === "string" ? unusableNameKind(lead.name) : undefined
  }
}

const findSpan = (text: string, part: string) => {
  const start = text.toLowerCase().indexOf(part.toLowerCase())
  return { start: Math.max(0, start), end: Math.max(0, start) + part.length }
}

const linkEnd = /(?:https?:\/\/)?(?:www\.)?$/i

/** Links and addresses from the lead's columns, except the sender's own in `senderText`. */
const leadLinkFindings = (
  text: string,
  place: "subject" | "body",
  view: LeadView,
  senderText: string
): ReadonlyArray<Finding> => {
  if (view.linksAndAddresses.length === 0 || !/\w\.\w|@/.test(text)) return []
  const lower = text.toLowerCase()
  const findings: Array<Finding> = []
  // The longest first, so that a site within a link is not reported again.
  for (const link of view.linksAndAddresses) {
    const from = lower.indexOf(link)
    const nextCharacter = lower[from + link.length] ?? " "
    if (from < 0 || senderText.includes(link) || /[\w@-]/.test(nextCharacter)) continue
    const start = from - (linkEnd.exec(lower.slice(Math.max(0, from - 12), from))?.[0].length ?? 0)
    const end = from + link.length
    if (findings.some((other) => other.start !== null && other.end !== null && start < other.end && other.start < end))
      continue
    findings.push(
      findingAt(
        place,
        "lead.link",
        "fail",
        { start, end },
        "This link or address comes from the lead's data. Remove it."
      )
    )
  }
  return findings
}

/** Words of an instruction in the lead's data that the text repeats. */
const repeatedCommandFindings = (text: string, place: "subject" | "body", view: LeadView): ReadonlyArray<Finding> => {
  if (view.instructionTrigrams.length === 0) return []
  const normalizedText = wordTokens(text.toLowerCase()).join(" ")
  const trigram = view.instructionTrigrams.find((each) => normalizedText.includes(each))
  if (trigram === undefined) return []
  const pattern = new RegExp(trigram.split(" ").map(Pattern.escape).join("[^\\p{L}\\p{N}]+"), "iu")
  const match = pattern.exec(text)
  const message = "This repeats an instruction or markup from the lead's data. Remove it."
  return [
    match === null
      ? findingOnWhole(place, "lead.instruction", "fail", message)
      : findingAt(
          place,
          "lead.instruction",
          "fail",
          { start: match.index, end: match.index + match[0].length },
          message
        )
  ]
}

const greetingPattern =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|day|evening))[ \t]+(?<name>[^\n,!:?]{1,60})[,!:.]?[ \t]*(?:\r?\n|$)/i
const genericGreeting = /^(?:there|all|everyone|team|again|folks|you|both)$/i
const honorific = /^(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|rev|pastor|father|frau|herr)\.?$/i

/** A greeting that is not the reader's name. */
const greetingFindings = (body: string, view: LeadView): ReadonlyArray<Finding> => {
  const match = greetingPattern.exec(body)
  const name = match?.groups?.name?.trim() ?? ""
  if (match === null || name === "" || genericGreeting.test(name) || /^(?:the )?[\p{L}&' -]+ team$/iu.test(name))
    return []
  const start = match[0].indexOf(name)
  const span = { start, end: start + name.length }
  const nameFinding = (message: string) => [
    findingAt("body", "name.wrong", "fail", span, message, view.firstName ?? "there")
  ]
  if (view.firstName === undefined && !view.hasName) return nameFinding("This lead has no name. Greet without one.")
  if (name === view.firstName) return []
  if (view.firstName === undefined && view.unusableName !== undefined)
    return nameFinding(`The lead's name is ${view.unusableName}, not a name. Greet without one.`)
  const parts = name.split(/\s+/).map((part) => part.replace(/[.,]$/, ""))
  const hasHonorific = honorific.test(parts[0] ?? "")
  const greetedWords = hasHonorific ? parts.slice(1) : parts
  if (greetedWords.length === 0)
    return nameFinding(`${quoteShort(name)} is a title, not a name. Greet by name, or with "there".`)
  if (greetedWords.some((part) => !view.nameWords.has(normalizeWord(part)))) {
    const advice = view.firstName === undefined ? "Greet without a name" : `Greet as "${view.firstName}"`
    return nameFinding(`The lead is not called ${quoteShort(name)}. ${advice}.`)
  }
  if ((name.length > 3 && name === name.toUpperCase()) || name === name.toLowerCase())
    return nameFinding(
      `${quoteShort(name)} is not how the name is written. ${view.firstName === undefined ? "Use capitals as usual" : `Greet as "${view.firstName}"`}.`
    )
  // "Mr Tom": a form of address belongs with the last name.
  if (
    view.firstName !== undefined &&
    view.nameWords.size > 1 &&
    greetedWords.length === 1 &&
    /^(?:mr|mrs|ms|mx|herr|frau|miss)\.?$/i.test(parts[0] ?? "") &&
    normalizeWord(greetedWords[0] ?? "") === normalizeWord(view.firstName.split(" ")[0] ?? "")
  )
    return nameFinding(`${quoteShort(name)} joins a form of address to a first name. Greet as "${view.firstName}".`)
  if (view.firstName === undefined || hasHonorific) return []
  const firstWord = view.firstName.split(" ")[0]?.toLowerCase() ?? ""
  return greetedWords.some(
    (part) => normalizeWord(part) === firstWord || view.firstName?.toLowerCase() === part.toLowerCase()
  )
    ? []
    : nameFinding(`${quoteShort(name)} is the lead's last name. Greet as "${view.firstName}".`)
}

const rawNameFindings = (
  text: string,
  place: "subject" | "body",
  { company, rawCompany }: LeadView
): ReadonlyArray<Finding> => {
  if (rawCompany === undefined || !text.includes(rawCompany)) return []
  const message =
    company === undefined
      ? "The company's name cannot be used as it was typed. Leave it out."
      : `A company is not called ${quoteShort(rawCompany)} in an email. Write ${quoteShort(company)}.`
  return [findingAt(place, "name.wrong", "fail", findSpan(text, rawCompany), message, company ?? null)]
}

/**
 * Findings about text that an email wrongly took from its lead. `senderText` is lower-case text with the sender's own
 * links.
 */
export const leadDataFindings = (
  { body, subject }: { subject: string; body: string },
  view: LeadView,
  senderText: string
): ReadonlyArray<Finding> => [
  ...greetingFindings(body, view),
  ...rawNameFindings(subject, "subject", view),
  ...rawNameFindings(body, "body", view),
  ...leadLinkFindings(subject, "subject", view, senderText),
  ...leadLinkFindings(body, "body", view, senderText),
  ...repeatedCommandFindings(subject, "subject", view),
  ...repeatedCommandFindings(body, "body", view)
]

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
 * Findings of one lead's emails, filled from templates that passed the check when they were saved: only what the lead's own data can add.
 */
export const checkFilledTemplate = (
  emails: ReadonlyArray<{ readonly subject: string; readonly body: string }>,
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
