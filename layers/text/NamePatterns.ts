// layers/text/NamePatterns.ts: normalises typed names, and recognises texts that are not names: formulas, links, addresses, numbers
// and placeholders.

/** Normalises quotes, dashes, blanks and letters of a typed name. */
export const normalizeTypedName = (text: string): string =>
  text
    .replace(/[™®©]/g, "")
    // Replaces full-width and ornamental letters by plain ones.
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\p{Cf}\p{Emoji_Presentation}\p{Extended_Pictographic}]/gu, (found) =>
      /^[\d#*]$/.test(found) ? found : ""
    )
    .replace(/\s+/g, " ")
    .trim()

// A text with markup, a placeholder, a formula, a link or an address is not a name.
export const notNamePattern = /[{}<>[\]|\\^~$%=;_]|https?:|www\.|\/\/|\S@\S|^\s*[-+=]|\bjavascript\b/i

/** Matches words of an instruction, which no name contains. */
export const instructionPattern =
  /\b(ignore|disregard|forget|reply|respond|system|prompt|instructions?|previous|assistant|output|password|click|please|send|delete|drop table|select|subscribe|write|tell|say|print|reveal|act as|you are|your)\b/i

/** Matches values that stand for a missing name or title. */
export const placeholderPattern =
  /^(?:n\/?a|none|null|undefined|nan|unknown|test|company(?: ?name)?|your company|tbd|todo|self|self[- ]employed|freelance[r]?|unemployed|retired|student|private|independent|consultant|various|confidential|stealth(?: startup)?|-+|\.+|x+|asdf\w*)$/i

/** A spreadsheet formula: "=A1", "+SUM(". */
const formula = /^\s*(?:=|[@+-]\s*\p{L}[\p{L}\p{N}.]*\s*\()/u
const spreadsheetError = /^\s*#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)/i
const link = /^\s*(?:https?:\/\/|www\.)\S+/i
const emailAddress = /^\s*\S+@\S+\.\p{L}{2,}\s*$/u
const digits = /^[\d\s().,+/-]*\d[\d\s().,+/-]*$/
const punctuation = /^[^\p{L}\p{N}]+$/u
/** A word for a missing or test value: "n/a", "asdf". */
const placeholderWord =
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
    .every((word) => placeholderWord.test(word))
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
