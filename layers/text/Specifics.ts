// layers/text/Specifics.ts: what in a text has to come from somewhere: figures, amounts, names, links and addresses.
// All of effect would take most of the time and memory that it takes to start a thread.
import * as Pattern from "effect/RegExp"
import { setOf } from "#layers/text/Words.ts"

/** "4,200" and "4200" are one number; a full stop at its end is the sentence's. */
const numberOf = (written: string): string =>
  written
    .replace(/[.,]+$/, "")
    .replace(/,(?=\d{3}\b)/g, "")
    .toLowerCase()

export const numbersIn = (text: string): ReadonlyArray<string> => (text.match(/\d[\d.,]*/g) ?? []).map(numberOf)

/** Numbers that are written as words. */
export const amounts = setOf(
  "twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions dozen dozens double doubled triple tripled twice half halved percent"
)

/** Words in capitals that are no names. */
export const acronyms = setOf(
  "CEO CFO COO CTO CIO CMO HR IT UK US USA EU UAE VP KPI ERP CRM API SaaS B2B B2C ISO GDPR VAT TMS WMS SLA ROI FAQ PDF QA AI PR SEO " +
    "PPC EUR USD GBP CHF NHS MAT MIS EDI LCL FCL FTL LTL RFQ RFP PO HSE OEM MRO CNC PLC SKU POS FMCG DIY HVAC LED GP A&E CQC PPE EHR PMS"
)

/** What follows a name at the start of a sentence. */
export const claims =
  /^(?:(?:has|have|had|is|was|are|were|went|cut|saved|grew|won|got|made|said|says|told|uses?|used|recovered|gained|reduced|lifted|reached|switched|chose|paid)$|\w{3,}ed$)/

// A bare word with an ending that is no top-level domain ("v2.5", "e.g.") is no link.
const link =
  /\b(?:https?:\/\/|www\.)[^\s)>"]+|(?<![\w@.-])[a-z0-9][a-z0-9-]*\.(?:com|net|org|io|co|ai|app|dev|eu|ly|link|example|info|biz|me)(?:\/[^\s)>"]*)?(?![\w-])/gi

export const linksIn = (text: string): ReadonlyArray<string> =>
  // Nearly no email has a stop inside a word or a scheme; those that have none need no closer look.
  /\.[a-z]|:\/\//i.test(text) ? (text.match(link) ?? []) : []

const place = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@.-])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?![\w-])/gi

/** Links, email addresses, and whatever else a mail program would make a link of. */
export const placesIn = (text: string): ReadonlyArray<string> =>
  /\.[a-z]{2}|:\/\//i.test(text) ? [...linksIn(text), ...(text.match(place) ?? [])] : []

/** Whether a text in lower case has the place: all of it, and not as a part of another. */
export const speaksOf = (text: string, found: string): boolean =>
  new RegExp(`(?<![\\w@.-])${Pattern.escape(found.toLowerCase().replace(/[.,/]+$/, ""))}(?![\\w-]|\\.\\w)`).test(text)
