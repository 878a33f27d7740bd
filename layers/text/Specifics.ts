// layers/text/Specifics.ts: finds the details of a text that need a source: numbers, links and addresses.
// Imports little of effect, because loading all of it takes most of a thread's start-up time.
import * as Pattern from "effect/RegExp"
import { wordSet } from "#layers/text/Words.ts"

/** Makes "4,200" and "4200" equal, and drops a full stop at the end. */
const normalizeNumber = (text: string): string =>
  text
    .replace(/[.,]+$/, "")
    .replace(/,(?=\d{3}\b)/g, "")
    .toLowerCase()

export const numbersIn = (text: string): ReadonlyArray<string> => (text.match(/\d[\d.,]*/g) ?? []).map(normalizeNumber)

/** Numbers that are written as words. */
export const numberWords = wordSet(
  "twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions dozen dozens double doubled triple tripled twice half halved percent"
)

/** Words in capitals that are not names. */
export const commonAcronyms = wordSet(
  "CEO CFO COO CTO CIO CMO HR IT UK US USA EU UAE VP KPI ERP CRM API SaaS B2B B2C ISO GDPR VAT TMS WMS SLA ROI FAQ PDF QA AI PR SEO " +
    "PPC EUR USD GBP CHF NHS MAT MIS EDI LCL FCL FTL LTL RFQ RFP PO HSE OEM MRO CNC PLC SKU POS FMCG DIY HVAC LED GP A&E CQC PPE EHR PMS"
)

/** Matches the verb after a name at the start of a sentence. */
export const claimVerbs =
  /^(?:(?:has|have|had|is|was|are|were|went|cut|saved|grew|won|got|made|said|says|told|uses?|used|recovered|gained|reduced|lifted|reached|switched|chose|paid)$|\w{3,}ed$)/

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
