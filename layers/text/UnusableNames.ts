// layers/text/UnusableNames.ts: detects values in a name column that are not names: formulas, links, addresses,
// numbers and placeholders.

/** A spreadsheet formula: "=A1", "+SUM(". */
const formula = /^\s*(?:=|[@+-]\s*\p{L}[\p{L}\p{N}.]*\s*\()/u
const spreadsheetError = /^\s*#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)/i
const link = /^\s*(?:https?:\/\/|www\.)\S+/i
const emailAddress = /^\s*\S+@\S+\.\p{L}{2,}\s*$/u
const digits = /^[\d\s().,+/-]*\d[\d\s().,+/-]*$/
const punctuation = /^[^\p{L}\p{N}]+$/u
/** A word for a missing or test value: "n/a", "asdf". */
const placeholder =
  /^(?:n\/a|n\.a\.?|null|nil|none|nan|undefined|unknown|test(?:er|ing)?|dummy|tbd|todo|x{2,}|asdf\w*|lorem(?: ipsum)?)$/i

/** Describes a value that is not a name, for example "a link"; undefined if it may be a name. */
export const unusableKind = (text: string): string | undefined => {
  if (text.trim() === "") return undefined
  if (formula.test(text)) return "a formula"
  if (spreadsheetError.test(text)) return "an error of a spreadsheet"
  if (link.test(text)) return "a link"
  if (emailAddress.test(text)) return "an email address"
  if (digits.test(text)) return "a number"
  if (punctuation.test(text)) return "only punctuation"
  return text
    .trim()
    .split(/\s+/)
    .every((word) => placeholder.test(word))
    ? "a placeholder"
    : undefined
}

/** Like `unusableKind`, but also checks each part of a person's name: "Jane N/A". */
export const unusableNameKind = (name: string): string | undefined => {
  const nameKind = unusableKind(name)
  if (nameKind !== undefined) return nameKind
  const parts = name.trim().split(/\s+/)
  return parts
    .map((part) => (part === "-" || part === "&" ? undefined : unusableKind(part)))
    .find((kind) => kind !== undefined)
}
