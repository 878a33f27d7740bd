// layers/research/extract/Results.ts: whether a sentence tells what somebody else achieved, with a figure.

const figure =
  /(?<![\p{L}-])\d[\d.,']*|\b(?:two|three|four|five|six|seven|eight|nine|ten|half|halved|doubled|tripled|twice|a third)\b/iu
const achieved =
  /\b(?:cuts?|reduced?|saved?|saves|(?:went|gone?|moved|fell|rose|up|down) from|increased?|grew|recovered|doubled|tripled|halved|dropped|fell|raised|won|gained|avoided|lowered|improved|shortened|boosted|lifted|earned|closed|booked|added|reached|replaced|sold|stopped|eliminated|finished|fewer|earlier|faster)\b|\d\s?%|\d to \d/i
/** A client by name, or by its kind. */
const client =
  /^(?:["“„]|At |For |After |With )?(?:\p{Lu}[\p{L}\p{N}&.'’-]+(?:\s+(?:\p{Lu}|&|of|and|de|van)[\p{L}\p{N}&.'’-]*)*|The \p{Lu}\p{L}+|An? [\p{L}\p{N} -]{3,60}?(?:company|firm|practice|clinic|plant|manufacturer|retailer|maker|bakery|hotel|restaurant|agency|chain|distributor|importer|customer|client|school|farm|mine|brewery|shop|team|studio))\b/u
const ourselves =
  /^(?:We|Our|Us|You|Your|How|Why|What|If|This|That|These|Every\w*|All|The(?! \p{Lu})|It|They|Most|Each|Some|Many|Since|Founded|No|Free|Prices?|Guarantee|Subscribe|Get|Save|Buy|Order|Book|Try|New|Now|In|By|Up|From|Only|Just)(?![\p{L}])|\bwe have\b|\bmay be\b|["”],? (?:said|says)\b/u

/** Under a heading that announces results, the figure and the client are enough. */
export const isResult = (text: string, isAnnounced = false): boolean =>
  text.length >= 20 &&
  text.length <= 600 &&
  !text.endsWith("?") &&
  !ourselves.test(text) &&
  figure.test(text) &&
  achieved.test(text) &&
  (isAnnounced || client.test(text))
