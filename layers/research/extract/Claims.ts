// layers/research/extract/Claims.ts: what single sentences claim: a customer's result, a guarantee, a certificate, something free.
import { shortName } from "#layers/research/extract/Company.ts"
import { hasMoney } from "#layers/research/extract/Prices.ts"
import type { Said } from "#layers/research/extract/Said.ts"

const number =
  /(?<![\p{L}-])\d[\d.,']*\s?(?:%|percent|x\b|k\b|m\b|hours?|days?|weeks?|months?|years?)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|half|halved|doubled|tripled|twice|a third)\b/iu

const result =
  /\b(?:cuts?|reduced?|saved?|saves|(?:went|gone?|moved|fell|rose|up|down) from|increased?|grew|recovered|doubled|tripled|halved|dropped|fell|raised|won|gained|avoided|lowered|improved|shortened|boosted|lifted|earned|closed|closes|booked|added|reached|replaced|now (?:ships?|takes?|runs?|closes?|handles?|pays?|spends?|sells?|has|have|gets?|needs?)|stopped|eliminated|finished|moved|instead of)\b/i
/** What a result looks like under a heading that says so, whatever its verb. */
const figures = /\d\s?%|\d to \d|\b(?:fewer|earlier|faster)\b/i

/** Someone other than us is named: a company or a kind of customer. */
const other =
  /^(?:["“„]|At |For |After |With |In (?:its|their) |When )?(?:\p{Lu}[\p{L}\p{N}&.'’-]+(?:\s+(?:\p{Lu}|&|of|and|de|van)[\p{L}\p{N}&.'’-]*)*|The \p{Lu}\p{L}+|An? [\p{L}\p{N} -]{3,60}?(?:company|firm|practice|clinic|plant|manufacturer|retailer|maker|bakery|hotel|restaurant|agency|chain|distributor|importer|customer|client|school|farm|mine|brewery|shop|team|studio))\b/u

const ourselves =
  /^(?:We|Our|Us|You|Your|How|Why|What|If|This|That|These|Every\w*|All|The(?! \p{Lu})|It|They|Most|Each|Some|Many|Since|Founded|No|Free|Prices?|Guarantee)(?![\p{L}])|\bwe have\b/u

const isOffer = /^(?:Subscribe|Get|Save|Buy|Order|Book|Try)\b|\boff\b|\bmay be\b/

/** A customer's result in figures; `company` is whose text it is, and no customer of its own. */
export const isCase = ({ block, text }: Said, company?: string): boolean => {
  if (company !== undefined && text.startsWith(shortName(company))) return false
  if (text.length < 20 || text.length > 600 || /\?$|["”],? (?:said|says)\b/.test(text)) return false
  if (block.topic === "cases")
    return number.test(text) && (result.test(text) || figures.test(text)) && !ourselves.test(text)
  if (block.topic === "competitors" || block.topic === "contact" || block.topic === "frustrations") return false
  if (block.topic === "products" && block.kind === "point") return false
  const tells = result.test(text) || (block.topic === "clients" && /\d\s?%/.test(text))
  return tells && other.test(text) && !ourselves.test(text) && !isOffer.test(text) && number.test(text)
}

export const isGuarantee = (text: string): boolean =>
  /\b(?:we guarantee|is guaranteed|are guaranteed|guaranteed? (?:that|to)|money[- ]back|full refund|we refund|refunded|no charge if|free if|you (?:do not|don't|won't) pay|you pay nothing|pay nothing (?:if|unless|until)|no (?:result|savings?|win)s?,? no fee|(?:\d+|two|three|five|ten)[- ](?:year|month|day)s?'? (?:warranty|guarantee)|warranty (?:of|on|for)|or (?:it|the [\p{L} ]{2,30}|your [\p{L} ]{2,30}|we|that [\p{L} ]{2,30}) (?:is|are|will be) (?:free|on us)|(?:is|are) (?:free|on us) if|at (?:our|no) (?:own )?(?:cost|expense) (?:if|until)|or we (?:replace|refund|fix|redo|repeat|remake|repair|come back|pay)|we (?:pay|refund) (?:the|your) (?:fine|clean|fee|difference|order|visit|month)|if [^.]{3,80} we (?:replace|refund|redo|fix|repair)|then the next \w+ is free|warrants the|cancel (?:any ?time|at any time))\b/iu.test(
    text
  ) ||
  /^If (?!you (?:want|need|like|prefer|would))\b.{5,200}\b(?:free|refund|no charge|don't pay|do not pay|on us)\b/i.test(
    text
  )

const standard =
  /\b(?:ISO(?:\/IEC)?\s?\d{3,5}|EN\s\d{4,5}|SOC\s?[12]\b|HIPAA|PCI[- ]DSS|GMP\b|GDP[- ]certified|HACCP|BRC(?:GS)?\b|FSC\b|TÜV|B Corp|CREST\b|Cyber Essentials|CE[- ]marked|FDA[- ](?:approved|registered))/u
const honour =
  /\b(?:[Cc]ertified|[Aa]ccredited|[Ll]icensed (?:by|in)|Chartered|[Aa]ward(?:ed|s)?|[Ww]inners?|[Pp]atented|(?:[Aa]pproved|[Rr]ated|[Rr]ecogni[sz]ed|[Rr]egulated|[Rr]egistered) (?:by|with) (?:the )?(?=\p{Lu})|[Mm]embers? of (?:the )?(?=\p{Lu})|[Rr]ated \d|\d(?:\.\d)? stars)/u
const age =
  /\b(?:since|founded in|established(?: in)?|in business since|est\.?|family[- ](?:owned|run) since) (?:1[6-9]|20)\d\d\b|\b(?:\d{1,3}|twenty|thirty|forty|fifty)\+? years(?:'|’)? (?:of |in |on )?(?:experience|business|the|in|making|building|old|market|trade)/i
const reach =
  /\b(?:over|more than|some|trusted by|used by|serving|served)?\s*\d[\d,. ]*\+?\s(?:million )?(?:[\p{L}-]+ ){0,2}(?:customers|clients|companies|installations|projects|users|practices|patients|businesses|countries|reviews)\b|\b(?:trusted|used) by (?:over |more than )?\d/iu

export const isCredential = (text: string, company?: string): boolean =>
  text.length < 400 &&
  !hasMoney(text) &&
  !/^(?:At|In) \p{Lu}|["”],? (?:said|says)\b/u.test(text) &&
  (standard.test(text) ||
    honour.test(text) ||
    // A year or a number counts for the company where the sentence is about it.
    ((age.test(text) || reach.test(text)) &&
      (text.length < 80 ||
        /\b(?:we|our|us|founded|established)\b/i.test(text) ||
        (company !== undefined && text.includes(shortName(company))))))

const gift = /\b(?:free|complimentary|no-cost|no-obligation|without charge|at no cost|download(?:able)?)\b/i
const given =
  /\b(?:audit|assessment|check(?:list|-up)?|consultation|call|trial|sample|guide|template|calculator|e-?book|white ?paper|demo|report|review|workshop|webinar|inspection|quote|estimate|survey|spreadsheet|visit|test|analysis|session|course|newsletter|benchmark|proof|tasting|scan|teardown)s?\b/i

export const isMagnet = (text: string): boolean =>
  text.length < 300 &&
  ((gift.test(text) && given.test(text)) || /\bfree for \d+ (?:days|weeks|months)\b|\bfree \d+[- ]day\b/i.test(text)) &&
  !isGuarantee(text) &&
  !/\b(?:free if|free of (?!charge)|(?:\w+)-free|free (?:delivery|shipping|returns|parking)|feel free)\b/i.test(text)

export const isDifference = (text: string): boolean =>
  text.length < 500 &&
  /\b(?:unlike (?:other|most|the|our|any)|unlike [^,]{2,60}, |the only (?:one|company|firm|\p{L}+) (?:in|that|who|to)|where (?:the |other |most )?(?:manufacturers?|others|competitors?|agencies|vendors) (?:needs?|takes?|asks?|charges?)|instead of (?:the usual|weeks|months)|no one else|nobody else|sets us apart|what makes us different|we are different|others? (?:take|need|charge))\b/iu.test(
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

const firm =
  "(?:\\p{Lu}|[a-z]+\\d)[\\p{L}\\p{N}&.'’-]*(?:\\s(?:(?:de|du|of|and the|the|van)\\s)?(?:\\p{Lu}|&)[\\p{L}\\p{N}&.'’-]*){0,3}"
const rivals = new RegExp(
  `(?:\\b(?:[Oo]ur |[Mm]ain |[Tt]he |[Uu]sual )*(?:[Cc]ompetitors|[Cc]ompetition|[Rr]ivals|[Aa]lternatives)(?: to us)?(?: (?:are|is|include|includes|such as|like))?|[Cc]ompetes? (?:with|against)|(?:[Cc]ustomers|[Cc]lients|[Tt]hey|[Pp]eople|[Bb]uyers) (?:also )?(?:compare us (?:with|to)|look at|consider)|[Cc]ompared (?:with|to)|[Aa]n? alternative to|\\b[Uu]nlike)\\s*:?\\s+(${firm}(?:(?:,\\s*(?:and |or )?|\\s+and\\s+|\\s+or\\s+|\\s*\\/\\s*)${firm}){0,9})`,
  "u"
)

/** The names of competitors, as a list. */
export const rivalsIn = (text: string, company = ""): string | undefined => {
  const [whole = "", all = ""] = rivals.exec(text) ?? []
  // "Unlike Acme, Best makes": after the comma comes who is unlike them.
  const [list = ""] = (/^unlike/i.test(whole) ? /^.*?\s(?:and|or)\s[^,]+|^[^,]+/.exec(all) : [all]) ?? []
  const names = list
    .split(/\s*(?:,\s*(?:and |or )?|\s+and\s+|\s+or\s+|\/)\s*/)
    .map((name) => name.replace(/[.\s]+$/, ""))
    .filter(
      (name) =>
        name !== "" && !company.startsWith(name) && !/^(?:Our|The|We|Other|Most|Many|A|An|I|You|It|They)\b/.test(name)
    )
  return names.length === 0 ? undefined : names.join(", ")
}
