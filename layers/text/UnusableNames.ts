// layers/text/UnusableNames.ts: recognises what stands in a column of names and is no name: formulas, links, addresses, numbers and
// placeholders.

const formula = /^\s*(?:=|[@+-]\s*\p{L}[\p{L}\p{N}.]*\s*\()/u
const spreadsheetError = /^\s*#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)/i
const link = /^\s*(?:https?:\/\/|www\.)\S+/i
const emailAddress = /^\s*\S+@\S+\.\p{L}{2,}\s*$/u
const digits = /^[\d\s().,+/-]*\d[\d\s().,+/-]*$/
const punctuation = /^[^\p{L}\p{N}]+$/u
const placeholder =
  /^(?:n\/a|n\.a\.?|null|nil|none|nan|undefined|unknown|test(?:er|ing)?|dummy|tbd|todo|x{2,}|asdf\w*|lorem(?: ipsum)?)$/i

/** What a text of a column of names is, where it is no name; undefined for one that may be. */
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

/** The same for a person's name, of which each part can be no name: "Jane N/A". */
export const unusableNameKind = (name: string): string | undefined => {
  const whole = unusableKind(name)
  if (whole !== undefined) return whole
  const parts = name.trim().split(/\s+/)
  return parts
    .map((part) => (part === "-" || part === "&" ? undefined : unusableKind(part)))
    .find((kind) => kind !== undefined)
}
