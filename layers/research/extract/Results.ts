// layers/research/extract/Results.ts: whether a sentence may state a client's result: a figure, and a change of it.

const figure = /(?<![\p{L}-])\d|\b(?:half|halved|doubled|tripled|twice|a third)\b/iu
const change =
  /\b(?:cuts?|reduced|saved|saves|from|increased|grew|recovered|doubled|tripled|halved|dropped|fell|raised|won|gained|avoided|lowered|improved|up|down|now|stopped|replaced|fewer|earlier|faster|finished|found)\b|\d\s?%/i
/** Its subject is the business, its reader or nobody. */
const ourselves =
  /^(?:We|Our|Us|I|You|Your|How|Why|What|If|This|That|These|Every\w*|All|It|They|Most|Each|Some|Many|Since|Founded|No|Free|Prices?|Guarantee|Get|Save|Buy|Order|Book|Try|New|Now|In|By|Up|From|Only|Just)(?!\p{L})|\bwe have\b/u

export const isResult = (text: string): boolean =>
  text.length >= 20 &&
  text.length <= 600 &&
  /^["“„]?\p{Lu}/u.test(text) &&
  !text.endsWith("?") &&
  !ourselves.test(text) &&
  figure.test(text) &&
  change.test(text)

/** Two capitalised words, one before its verb or a colon, or "A bakery ...": enough to say whose result it is. */
export const namesClient = (text: string): boolean =>
  /^(?:(?:At|For|The) )?\p{Lu}\S* (?:(?:of|and|&|de|the) )?\p{Lu}|^\p{Lu}[\p{L}'’&-]+(?::| (?:cut|cuts|saved|saves|went|now|reduced|doubled|halved|stopped|won|gained)\b)|^An? \p{L}/u.test(
    text
  )
