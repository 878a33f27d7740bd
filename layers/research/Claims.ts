// layers/research/Claims.ts: what single sentences claim: a customer's result, a guarantee, a certificate, something free.
import type { Said } from "#layers/research/Blocks.ts"
import { hasMoney } from "#layers/research/Prices.ts"

const number =
  /(?<![\p{L}-])\d[\d.,']*\s?(?:%|percent|x\b|k\b|m\b|hours?|days?|weeks?|months?|years?)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|half|halved|doubled|tripled|twice|a third)\b/iu

const result =
  /\b(?:cut|cuts|reduced?|saved?|saves|went from|gone? from|moved from|increased?|grew|recovered|doubled|tripled|halved|dropped|fell|raised|won|gained|avoided|lowered|improved|shortened|boosted|lifted|earned|closed|booked|added|reached|replaced|now (?:ships?|takes?|runs?|closes?|handles?|pays?|spends?|sells?|has|have|gets?|needs?)|stopped|eliminated|finished|moved)\b/i

/** Someone other than us is named: a company or a kind of customer. */
const other =
  /^(?:["“]|At |For |After |With |In (?:its|their) |When )?(?:\p{Lu}[\p{L}\p{N}&.'’-]+(?:\s+(?:\p{Lu}|&|of|and|de|van)[\p{L}\p{N}&.'’-]*)*|The \p{Lu}\p{L}+|An? [\p{L}\p{N} -]{3,60}?(?:company|firm|practice|clinic|plant|manufacturer|retailer|maker|bakery|hotel|restaurant|agency|chain|distributor|importer|customer|client|school|farm|mine|brewery|shop|team|studio))\b/u

const ourselves =
  /^(?:We|Our|Us|You|Your|If|This|That|These|Every\w*|All|The(?! \p{Lu})|It|They|Most|Each|Some|Many|Since|Founded|No|Free|Prices?|Guarantee)(?![\p{L}])|\bwe have\b/u

export const isCase = ({ block, text }: Said): boolean => {
  if (text.length < 20 || text.length > 600 || text.endsWith("?")) return false
  if (block.topic === "cases") return number.test(text) && !ourselves.test(text)
  if (block.topic === "competitors" || block.topic === "contact" || block.topic === "frustrations") return false
  if (block.topic === "products" && block.kind === "point") return false
  return other.test(text) && !ourselves.test(text) && result.test(text) && number.test(text)
}

export const isGuarantee = (text: string): boolean =>
  /\b(?:we guarantee|is guaranteed|are guaranteed|guaranteed? (?:that|to)|money[- ]back|full refund|we refund|refunded|no charge if|free if|you (?:do not|don't|won't) pay|you pay nothing|pay nothing (?:if|unless|until)|no (?:result|savings?|win)s?,? no fee|(?:\d+|two|three|five|ten)[- ](?:year|month|day)s?'? (?:warranty|guarantee)|warranty (?:of|on|for)|or (?:it|the [\p{L} ]{2,30}|your [\p{L} ]{2,30}|we|that [\p{L} ]{2,30}) (?:is|are|will be) (?:free|on us)|(?:is|are) (?:free|on us) if|at (?:our|no) (?:own )?(?:cost|expense) (?:if|until)|cancel (?:any ?time|at any time))\b/iu.test(
    text
  ) || /^If\b.{5,200}\b(?:free|refund|no charge|don't pay|do not pay|on us)\b/i.test(text)

export const isCredential = (text: string): boolean =>
  text.length < 400 &&
  (/\b(?:ISO(?:\/IEC)?\s?\d{3,5}|SOC\s?[12]\b|HIPAA|PCI[- ]DSS|GMP\b|HACCP|BRC(?:GS)?\b|FSC\b|TÜV|B Corp|Cyber Essentials|CE[- ]marked|FDA[- ](?:approved|registered))/u.test(
    text
  ) ||
    /\b(?:certified|accredited|licensed (?:by|in)|chartered|member of|award(?:ed)?|winner|patent(?:ed)?|approved by|recogni[sz]ed by|rated \d|rated by)\b/i.test(
      text
    ) ||
    /\b(?:since|founded in|established(?: in)?|in business since|est\.?|family[- ](?:owned|run) since) (?:1[6-9]|20)\d\d\b/i.test(
      text
    ) ||
    /\b(?:\d{1,3}|twenty|thirty|forty|fifty)\+? years(?:'|’)? (?:of |in |on )?(?:experience|business|the|in|making|building|old|market|trade)/i.test(
      text
    ) ||
    /\b(?:over|more than|some|trusted by|used by|serving|served)?\s*\d[\d,. ]*\+?\s(?:million )?(?:[\p{L}-]+ ){0,2}(?:customers|clients|companies|installations|projects|users|practices|patients|machines|businesses|sites|countries|employees|engineers|people on (?:the|our) team|reviews)\b|\b(?:trusted|used) by (?:over |more than )?\d/iu.test(
      text
    ))

const gift = /\b(?:free|complimentary|no-cost|no-obligation|without charge|at no cost|download(?:able)?)\b/i
const given =
  /\b(?:audit|assessment|check(?:list|-up)?|consultation|call|trial|sample|guide|template|calculator|e-?book|white ?paper|demo|report|review|workshop|webinar|inspection|quote|estimate|survey|spreadsheet|visit|test|analysis|session|course|newsletter|benchmark|proof|tasting|scan|teardown)s?\b/i

export const isMagnet = (text: string): boolean =>
  text.length < 300 &&
  gift.test(text) &&
  given.test(text) &&
  !isGuarantee(text) &&
  !/\b(?:free if|free of (?!charge)|(?:\w+)-free|free (?:delivery|shipping|returns|parking)|feel free)\b/i.test(text)

export const isDifference = (text: string): boolean =>
  text.length < 500 &&
  /\b(?:unlike (?:other|most|the|our|any)|the only (?:one|company|firm|\p{L}+) (?:in|that|who|to)|where (?:the |other |most )?(?:manufacturers?|others|competitors?|agencies|vendors) (?:needs?|takes?|asks?|charges?)|instead of (?:the usual|weeks|months)|no one else|nobody else|sets us apart|what makes us different|we are different|others? (?:take|need|charge))\b/iu.test(
    text
  )

export const isProblem = (text: string): boolean =>
  text.length < 500 &&
  /\b(?:the problem (?:is|we solve)|the trouble (?:is|with)|too often|struggle(?:s)? (?:with|to)|(?:lose|waste)s? (?:hours|days|weeks|money|time|thousands))\b/i.test(
    text
  )

export const isChange = (text: string): boolean =>
  text.length < 400 &&
  !hasMoney(text) &&
  /^(?:Clients|Customers|You|They|Our clients|Our customers|Teams)\b.*\b(?:go|move|get|come|switch) from\b.{3,200}\bto\b/i.test(
    text
  )

const sells =
  /\b(?:we (?:sell to|serve|work (?:with|for|mainly with|mostly with|exclusively with)|help|supply|equip|support)|our (?:customers|clients) (?:are|include|range)|designed for|built for|made for|(?:aimed|targeted) at|ideal for|(?:typical|ideal|best) (?:customers?|clients?) (?:are|is|have|has)|(?:sells?|sold) (?:mainly |mostly |only )?to)\b/i

export const isAboutClients = (text: string): boolean =>
  text.length < 500 && sells.test(text) && !/^(?:Typical|Our|The)?\s*(?:buyers?|decision makers?)\b/i.test(text)

const buyers =
  /\b(?:(?:typical |our |usual |main )*buyers|decision[- ]makers|the people (?:who|that) (?:buy|call|sign|hire us)|(?:the )?person who signs|we (?:usually |typically |mostly |normally )?(?:talk to|deal with|sell to the)|our contacts)\s*(?:are|is|include|:)?\s*(?:usually |typically |mostly |often )?(.{4,300}?)(?:[.;]|$)/i

/** "Typical buyers are maintenance managers and plant directors." → the roles. */
export const buyersIn = (text: string): string | undefined => {
  const found = buyers.exec(text)?.[1]?.trim()
  return found === undefined || /\b(?:us|you)\b/i.test(found.slice(0, 12)) ? undefined : found
}

const rivals =
  /\b(?:(?:our |main |the |usual )*(?:competitors|competition|rivals|alternatives)(?: (?:are|is|include|includes))?|compete(?:s)? (?:with|against)|(?:customers|clients|they|people|buyers) (?:also )?(?:compare us (?:with|to)|look at|consider)|compared (?:with|to)|an? alternative to|unlike)\s*:?\s*((?:\p{Lu}|[a-z]+\d)[\p{L}\p{N}&.' ]*?(?:(?:,\s*(?:and |or )?|\s+and\s+|\s+or\s+|\s*\/\s*)[\p{Lu}\p{Ll}][\p{L}\p{N}&.' ]*?){0,9})(?=[.;:!?]\s|[.;:!?]?$|,?\s+(?:we|which|who|but|that|whose|where)\b|,\s+(?:our|you|it)\b)/u

/** The names of competitors, as a list. */
export const rivalsIn = (text: string): string | undefined => {
  const found = rivals.exec(text)?.[1]?.trim()
  if (found === undefined) return undefined
  const names = found
    .split(/\s*(?:,\s*(?:and |or )?|\s+and\s+|\s+or\s+|\/)\s*/)
    .map((name) => name.trim())
    .filter(
      (name) =>
        /^(?:\p{Lu}|[a-z]+\d)/u.test(name) &&
        name.split(" ").length <= 4 &&
        !/^(?:Our|The|We|Other|Most|Many|A|An)\b/.test(name)
    )
  return names.length === 0 ? undefined : names.join(", ")
}
