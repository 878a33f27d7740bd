// layers/text/Specifics.ts: finds the details of a text that need a source: numbers, and words that show a claim or a name.
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
