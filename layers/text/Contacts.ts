// layers/text/Contacts.ts: email addresses, telephone numbers, links and web addresses in a text, the text without them, and those
// that its sources lack. Imports little of effect, because loading all of it takes most of a thread's start-up time.
import * as Pattern from "effect/RegExp"

/** Also matches full-width signs, and "at" or "dot" in brackets. */
const addressPattern =
  /[\p{L}\p{N}._%+'-]+\s?(?:@|\uff20|[([{]\s?at\s?[)\]}])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|\uff0e|[([{]\s?dot\s?[)\]}])\s?[\p{L}\p{N}-]+)+/giu
const contactLinkPattern =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![\w@.-])[a-z]{2,3}\.linkedin\.com\S*|(?<![\w@.-])linkedin\.com\S*/gi
const labelledNumber =
  /(?<![\p{L}\p{N}])(?:tel(?:ephone|efon)?|phone|mobile|mob|cell|fax|fon|call|ring|dial|whatsapp|direct|ext)\b\.?:?(?:\s\p{L}+){0,3}\s?\+?\(?\d[\d ()./\u00a0\u2010-\u2013-]{4,20}\d/giu
const numberPattern =
  /(?<![\p{L}\p{N}.,:])(?:\+\s?|\()?\d[\d ()./\u00a0\u2010-\u2013-]{5,22}\d(?![\p{L}\p{N}]|[.,]\d)/gu

/** Matches years, dates and amounts, which are not telephone numbers. */
const figurePattern =
  /^(?:(?:19|20)\d\d\s?[-\u2010-\u2013/]\s?(?:19|20)?\d\d|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}|[1-9]\d?(?:[ \u00a0]\d{3})+|\d{1,3}(?:\.\d{3})+|[1-9]\d{0,3}\s?[-\u2010-\u2013]\s?[1-9]\d{2,4})$/

const isPhoneNumber = (text: string): boolean => {
  const count = text.replace(/\D/g, "").length
  return count >= 7 && count <= 15 && !figurePattern.test(text.trim())
}

export interface Contact {
  readonly start: number
  readonly end: number
  readonly text: string
}

const findContacts = (text: string, pattern: RegExp): ReadonlyArray<Contact> =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ start: index, end: index + match.length, text: match }))

/** All contact data in a text, with offsets. */
export const contactsIn = (text: string): ReadonlyArray<Contact> => {
  // A text without a digit, an "at" or an address has no contacts.
  if (!/\d|@|\uff20|at\s?[)\]}]|:\/\/|www\.|linkedin\.com/i.test(text)) return []
  const contacts = [
    ...findContacts(text, addressPattern),
    ...findContacts(text, contactLinkPattern),
    ...findContacts(text, labelledNumber),
    ...findContacts(text, numberPattern).filter((contact) => isPhoneNumber(contact.text))
  ].toSorted((a, b) => a.start - b.start || b.end - a.end)
  let end = 0
  return contacts.filter((contact) => {
    if (contact.start < end) return false
    end = contact.end
    return true
  })
}

/** Whether a text has an email address or a telephone number. */
export const hasMailboxOrPhone = (text: string): boolean =>
  contactsIn(text).some((contact) => !/:\/\/|^www\.|linkedin/i.test(contact.text))

export const hasContact = (text: string): boolean => contactsIn(text).length > 0

/** Replaces each contact in a text. */
export const replaceContacts = (text: string, replace: (contact: string) => string): string => {
  let offset = 0
  let result = ""
  for (const contact of contactsIn(text)) {
    result += text.slice(offset, contact.start) + replace(contact.text)
    offset = contact.end
  }
  return result + text.slice(offset)
}

/** Removes contacts from a text, with the brackets and separators around them. */
export const removeContacts = (text: string): string =>
  hasContact(text)
    ? replaceContacts(text, () => " ")
        .replace(/[<([{]\s*[>)\]}]/g, " ")
        .replace(/\s+/g, " ")
        .replace(/(?:^|\s)[)\]}>]+(?=\s|$)|[<([{]+\s*$/g, "")
        .replace(/(?:^|[\s,;|/-])(?:e-?mail|mail|tel|phone|mobile|[tme]):?\s*$/i, "")
        .replace(/^[\s,;:|/<>-]+|[\s,;:|/<>-]+$/g, "")
        .trim()
    : text

/** A key that is equal for different spellings of one contact. */
export const contactKey = (text: string): string =>
  /@|\uff20|:\/\/|\p{L}/u.test(text) ? text.toLowerCase().replace(/\s/g, "") : text.replace(/\D/g, "")

// A word whose ending is not a top-level domain ("v2.5", "e.g.") is not a link.
const linkPattern =
  /\b(?:https?:\/\/|www\.)[^\s)>"]+|(?<![\w@.-])[a-z0-9][a-z0-9-]*\.(?:com|net|org|io|co|ai|app|dev|eu|ly|link|example|info|biz|me)(?:\/[^\s)>"]*)?(?![\w-])/gi

const linksIn = (text: string): ReadonlyArray<string> =>
  // Most emails have no dot inside a word and no URL scheme, so they skip the search.
  /\.[a-z]|:\/\//i.test(text) ? (text.match(linkPattern) ?? []) : []

const placePattern = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@.-])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?![\w-])/gi

/** Links, email addresses, and other texts that a mail program shows as links. */
export const linksAndAddressesIn = (text: string): ReadonlyArray<string> =>
  /\.[a-z]{2}|:\/\//i.test(text) ? [...linksIn(text), ...(text.match(placePattern) ?? [])] : []

/** Whether a lower-case text contains the whole link or address, not as a part of another. */
export const containsPlace = (text: string, place: string): boolean =>
  new RegExp(`(?<![\\w@.-])${Pattern.escape(place.toLowerCase().replace(/[.,/]+$/, ""))}(?![\\w-]|\\.\\w)`).test(text)

// Wider than `placePattern`: any scheme, any script, and the full stops of other scripts, which mail programs also take
// for parts of a link.
const dotPattern = "[.\\u3002\\uff0e\\uff61\\u2024]"
const labelPattern = "[\\p{L}\\p{N}-]+"
const anyPlacePattern = new RegExp(
  [
    '\\b[a-z][a-z\\d+.-]{0,20}:\\/\\/[^\\s)>"]+',
    '\\b(?:mailto|tel|sms|javascript|vbscript):[^\\s)>"]+',
    `(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]+@${labelPattern}(?:${dotPattern}${labelPattern})*`,
    `(?<![\\p{L}\\p{N}_@.-])${labelPattern}(?:${dotPattern}${labelPattern})*${dotPattern}\\p{L}[\\p{L}\\p{N}-]+(?:[/?#:][^\\s)>"]*)?`,
    '(?<!\\S)\\\\\\\\[^\\s)>"]+'
  ].join("|"),
  "giu"
)

const removeScheme = (text: string) => text.toLowerCase().replace(/\bhttps?:\/\/(?:www\.)?|\bwww\./g, "")

/** Links and addresses, in any form that a mail program may show as a link, that the sources lack. */
export const unknownPlaces = (text: string, sources: string) => {
  const knownText = removeScheme(sources)
  return [...text.matchAll(anyPlacePattern)].flatMap(({ 0: match, index }) => {
    const place = match.replace(/[.,;:!?'/]+$/, "")
    return containsPlace(knownText, removeScheme(place)) ? [] : [{ start: index, end: index + place.length }]
  })
}
