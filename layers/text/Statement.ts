// layers/text/Statement.ts: whether a sentence of a company's site states a fact about the company, and of which kind.
import nlp from "compromise"
import { hasContact } from "#layers/text/Contacts.ts"
import { words as wordCount } from "#layers/text/Sentences.ts"
import { isStopWord, looksEnglish, setOf, words } from "#layers/text/Words.ts"

/** What the company is, what it does, how large it is, where it is and since when, or an event. */
export type Kind = "is" | "does" | "size" | "place" | "event"

const shortest = 5
const longestWords = 40
const longest = 300

/** What a company does for its customers, or what happens to a company. Verbs of wishing, feeling and selling are none. */
const activities = setOf(
  "accommodate acquire act advise alter analyse analyze anodise anodize appoint assemble assess audit automate bake bind blend board boat bottle breed brew broker build butcher buy calibrate carry carve cast cater certify chart clean clear coach coat collect commission connect construct consult convert convey cook cover craft cultivate cure customise customize dealer deliver demolish design develop diagnose digitise digitize dispatch dispense draft distil distill distribute drain dredge drill drive dye edit educate embroider employ engineer engrave erect establish examine excavate exhibit expand export extract extrude fabricate farm feed fell film finance find fish fit fly ferment forge forward found fund furnish galvanise galvanize glaze grade graze grind groom grow guard handle harvest help host house illustrate import inspect install insulate insure integrate invest join knit laminate landscape launch lay lease lend lift list maintain make manage manufacture map market measure mend merge mill mine mix model migrate monitor mould move mow operate organise organize own pack package paint partner pave photograph pickle place plan plant plaster plate plumb polish pour prepare press print process produce program promote protect provide publish pump quarry raise rebuild record recycle refine refurbish register relocate remove renovate rent repair replace research resell restore retail roast roll roof run safeguard salvage sail sow seat secure sell serve service sew ship shoot slaughter slice smoke sort source specialise specialize spin stage stitch stock store supply support survey tailor tan teach test tile track trade train translate transport treat trim tune tutor upholster value vet wash weave weld wholesale win wire write"
)

/** Words that state nothing: without others beside them a sentence is a slogan. */
const empty = setOf(
  "service services product products solution solutions quality high range wide variety customer customers client clients need needs business businesses team people company experience experienced value values support help work great good best new full complete professional offer offers provide provides deliver delivers supply everything anything something every time day result results brand brands thing things way world industry market many various different level standard standards care expert experts expertise simple easy better"
)

const boasts =
  /\b(?:the future|dreams?|passion(?:ate)?|passionately|love[sd]?|believe|journey|excellen\w+|peace of mind|second to none|world[- ]class|best[- ]in[- ]class|cutting[- ]edge|state[- ]of[- ]the[- ]art|next level|game[- ]chang\w+|success|results[- ]driven|differences?|hearts?|smiles?|magic|un(?:paralleled|rivall?ed|beatable|matched)|ultimate|perfect|best|number one|no\. ?1|finest|premier|leaders?|highest|outstanding|exceptional|amazing|awesome|happiness|joy|beyond|extra mile|one[- ]stop|proud(?:ly)?|pride|strive|expectations|matters?|happen|to life|potential|trust(?:ed)?|always|never|guarantee\w*|committed|dedicated|innovati\w+|inspir\w+|empower\w*|unlock\w*|transform\w*|unique|simple|simply|easy|delighted|excited|thrilled|welcom\w+|succeed|thrive|flourish|achieve\w*|goals?|growth|impact|changing world|human|everything|from a to z|all sizes|around the clock|hard|new look|fresh look|possibilit\w+|fast|as family|like family|the family|ideas?|work the way|the way we)\b/i

/** Other readers are spoken to, or the sentence needs its neighbours, its page or its day to be understood. */
const notAlone =
  /\b(?:you|your|yours|yourself|i|me|my|mine|he|she|his|her|him|this|these|those|below|above|here|click\w*|following|the latter|the former|page|website|web ?site|recently|lately|just|soon|upcoming|today's|tomorrow|yesterday|tonight|they|them|and their|used their|that (?:first |same )?(?:year|day|time|month|week|summer)|(?:last|next) (?:week|month|year|spring|summer|autumn|winter|fall))\b/i

/** Terms, data protection, vacancies, promotions and shop notices. */
const boilerplate =
  /\b(?:cookies?|consent|gdpr|privacy|personal (?:data|information)|your data|terms|conditions|copyright|rights reserved|liab\w+|warrant\w+|disclaim\w*|pursuant|registered (?:in|office|company|number)|company (?:no|number|registration)|vat|newsletters?|subscri\w+|third parties|third[- ]party (?:sites?|websites?|content|cookies|providers?|services)|equal opportunit\w+|identifiers?|records of|polic(?:y|ies)|in line with|correct|trade ?marks?|content|job|jobs|career|careers|vacanc\w+|hiring|looking for|seeking|salary|apply|applicants?|join (?:us|our)|flexible hours|free|discounts?|vouchers?|coupons?|promo\w*|% off|orders?|payments?|shipping|working days|within \d+ (?:hours?|days?)|until|christmas|holidays? season|raffle|twitter|instagram|facebook|linkedin|youtube|tiktok|new (?:web ?)?site|refunds?|returns policy|add to|basket|checkout|log ?in|sign (?:in|up)|tips|checklist|guides?|ebook|whitepaper|webinar|blog|article|post|read more|learn more|find out|contact|get in touch|call us|book (?:a|now|online)|domain name|franchis\w+|independently owned|404|not found|under construction)\b/i

/** Orders to a reader or a model, and talk about what to write. */
const orders =
  /\b(?:ignore|disregard|instruct\w*|prompt|prompts|chatgpt|language models?|llms?|assistants?|must|shall|should|e-?mails? to|mention|reply|respond|reveal|say that|write that)\b/i
const markup = /[{}<>[\]|=\\^~#*_"“”„«»]|https?:|www\.|\/\/|\S@\S|…|\.\.\./

/** A phrase before the subject, such as "Since 1990" or "Based in Leeds". */
const intro =
  "((?:Since|From|In|For|With|At|Based|Founded|Established|Headquartered|Located|Started|Over|Across|Today|As|Working|Operating|Through|After|Having|Currently|Now)\\b[^.;:]{0,110}?)"
const possessions =
  /\b(?:offices?|branches|branch|depots?|sites|stores?|shops?|warehouses?|plants?|factory|factories|staff|employees|members|drivers|engineers|vehicles|vans|trucks|lorries|clinics?|restaurants?|locations|customers|clients|acres|hectares|beds|rooms|fleet|laborator(?:y|ies)|workshops?|subsidiar(?:y|ies)|partners)\b/i
const numeral =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million)\b/i
const adverbs = setOf(
  "also now currently mainly mostly primarily still today both only regularly usually then typically often together"
)
const states = /^(?:based|located|headquartered|situated)$/i
const beginnings = /^(?:founded|established|started|formed|incorporated|set)$/i
const standings =
  /^(?:owned|run|led|part|backed|certified|accredited|licen[cs]ed|approved|regulated|family-owned|family-run|independent|employee-owned|members?)$/i
const trades = /^\p{L}+(?:ers|ors|ists|ians|ants|makers|wrights|smiths|men)$/u

interface Scene {
  /** The company's names, escaped for an expression, the longest first. */
  readonly subjects: ReadonlyArray<string>
  /** Whether "the firm" is the company: at the start of a paragraph of a page about it. */
  readonly isIntroduced: boolean
}

const ours =
  "company|firm|business|practice|team|workshops?|factory|factories|plants?|bakery|bakeries|kitchens?|surgery|studios?|farms?|brewery|shops?|stores?|depots?|fleet|warehouses?|laborator(?:y|ies)|offices?|schools?|clinics?|garage|yard|mill|foundry|customers|clients"

const premises =
  "head office|headquarters|head offices|showroom|factory|workshop|plant|warehouse|offices?|kitchen|farm|shop|depot"

/** The sentence from its verb on, where its subject is the company. */
const predicateOf = (sentence: string, { isIntroduced, subjects }: Scene): string | undefined => {
  const name = `(?:[Tt]he )?(?:${subjects.join("|")})(?: (?:plc|group|\\p{Lu}[\\p{L}&]*\\.?)){0,2}`
  const subject = [
    "[Ww]e(?=['’](?:ve|re) )",
    "[Ww]e",
    `[Oo]ur (?:\\p{L}+ )?(?:${ours}|${premises})`,
    ...(subjects.length === 0 ? [] : [`${name}['’]s (?:${premises})`, name]),
    ...(isIntroduced ? ["The (?:company|firm|business|practice)"] : [])
  ].join("|")
  const found = new RegExp(
    `^(?:${intro}(?:, | (?=[wW]e |[oO]ur )))?(?:${subject})(?: \\([^)]{2,60}\\))?(?:, [^,.]{3,80},)?(?:['’](ve|re))? (?=\\p{Ll}|ISO)(.*)$`,
    "u"
  ).exec(sentence)
  const [, before = "", contracted, predicate] = found ?? []
  // A customer's sentence: "With Quay Foods, we run 12 stores".
  if (predicate === undefined || subjects.some((own) => new RegExp(`\\b${own}\\b`, "u").test(before))) return undefined
  return contracted === undefined ? predicate : `${contracted === "re" ? "are" : "have"} ${predicate}`
}

/** Sentences of a site share their verbs, and the library takes milliseconds for each. */
const infinitives = new Map<string, string>()

const infinitive = (verb: string): string => {
  const lower = verb.toLowerCase()
  const known = infinitives.get(lower)
  if (known !== undefined) return known
  const read = nlp(lower)
  read.tag("Verb")
  const found = read.verbs().toInfinitive().text()
  infinitives.set(lower, found)
  return found
}

const isAdverb = (word: string) =>
  /.{2}ly$/i.test(word) && !/^(?:supply|apply|multiply|assembly|family|italy)$/i.test(word)

/** The words from the first that is no adverb. */
const withoutAdverbs = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = all.findIndex((word) => !adverbs.has(word.toLowerCase()) && !isAdverb(word))
  return start < 0 ? [] : all.slice(start)
}

/** After "is a": a feeling, a name or nothing in particular. */
const opinions =
  /\b(?:pleasure|joy|delight|place|name|family of|friends?|friendly|lovely|wonderful|problem|solvers|creatives|thinkers|makers and|lot|bit|way)\b/i

const kindOfState = (all: ReadonlyArray<string>): Kind | undefined => {
  const [first = "", ...others] = withoutAdverbs(all)
  if (/^(?:an?|one|part)$/i.test(first)) return opinions.test(all.slice(0, 6).join(" ")) ? undefined : "is"
  if (/^(?:in|near|at|on)$/i.test(first)) return /\p{Lu}/u.test(all.join(" ")) ? "place" : undefined
  if (/^the$/i.test(first) && opinions.test(all.slice(0, 4).join(" "))) return undefined
  if (/^the$/i.test(first))
    return /^(?:only|right|same|answer|first choice|place|people)/i.test(others.join(" ")) ? undefined : "is"
  if (states.test(first)) return "place"
  if (beginnings.test(first)) return "place"
  if (standings.test(first) || /^ISO\b/.test(first)) return "is"
  if (/^(?:looking|seeking|searching|hiring|recruiting)$/i.test(first)) return undefined
  if (/ing$/i.test(first) && activities.has(infinitive(first))) return "does"
  return all.slice(0, 5).some((word) => trades.test(word)) ? "is" : undefined
}

const hasNumber = (all: ReadonlyArray<string>) => numeral.test(all.slice(0, 6).join(" "))

/** After "have" and "has": what the company owns, or what has happened. */
const kindOfHaving = (all: ReadonlyArray<string>, predicate: string): Kind | undefined => {
  const [next = "", ...rest] = withoutAdverbs(all)
  if (/^been$/i.test(next)) return kindOfState(rest)
  if (/^(?:opened|started|begun|completed|signed|acquired|appointed|expanded|launched|merged|relocated)$/i.test(next))
    return "event"
  if (/^won$/i.test(next)) return prizes.test(predicate) ? "event" : undefined
  if (/^moved$/i.test(next)) return /\b(?:in)?to\b/.test(predicate) ? "event" : undefined
  if (/(?:ed|wn|one|ght)$/i.test(next)) return undefined
  return possessions.test(all.slice(0, 10).join(" ")) && (hasNumber(all) || /\p{Lu}/u.test(predicate))
    ? "size"
    : undefined
}

const prizes = /\b(?:award|awards|prize|contract|contracts|tender|medal|accreditation)\b/i

/** What has happened, or since when there is the company: only the past tense says so. */
const kindOfEvent = (lemma: string, predicate: string): Kind | undefined => {
  if (lemma === "win") return prizes.test(predicate) ? "event" : undefined
  if (lemma === "move" || lemma === "relocate") return /\b(?:in)?to\b/.test(predicate) ? "event" : undefined
  if (lemma === "join") return /\p{Lu}/u.test(predicate) ? "event" : undefined
  if (lemma === "start" || lemma === "begin")
    return /\bin (?:\p{L}+ ){0,2}\d{4}\b/u.test(predicate) ? "place" : undefined
  return /^(?:open|complete|acquire|appoint|expand|launch|merge)$/.test(lemma) ? "event" : undefined
}

const kindOfPredicate = (predicate: string): Kind | undefined => {
  const [verb = "", ...others] = withoutAdverbs(words(predicate))
  if (/^(?:is|are|was|were|became|remain|remains)$/i.test(verb)) return kindOfState(others)
  if (/^(?:have|has)$/i.test(verb)) return kindOfHaving(others, predicate)
  const lemma = infinitive(verb)
  // What a company did once is no fact about what it does, and customers tell of their orders in the past tense.
  const isPast = verb.toLowerCase() !== lemma && !/s$/i.test(verb)
  if (isPast) return kindOfEvent(lemma, predicate)
  if (/^(?:sure|certain|use|up|out|it|the most)$/i.test(others[0] ?? "")) return undefined
  if (lemma === "work") {
    const isPlaced = /^(?:in|across|from)$/.test(others[0] ?? "") && /\p{Lu}|\d/u.test(predicate)
    return /^(?:with|for)$/.test(others[0] ?? "") || isPlaced ? "does" : undefined
  }
  if (lemma === "care") return others[0] === "for" && hasNumber(others) ? "does" : undefined
  if (lemma === "look") return others[0] === "after" ? "does" : undefined
  if (lemma === "employ") return hasNumber(others) ? "size" : undefined
  if (/^(?:include|range|come)$/.test(lemma)) return /\p{Lu}|\bfrom\b/u.test(predicate) ? "does" : undefined
  return activities.has(lemma) ? "does" : undefined
}

/** Whether enough of it is particular to this company. */
const isParticular = (predicate: string): boolean => {
  const [, ...others] = words(predicate)
  const telling = others.filter(
    (word) => word.length > 2 && !isStopWord(word.toLowerCase()) && !empty.has(word.toLowerCase())
  )
  return telling.length >= 2 || numeral.test(predicate) || others.some((word) => /^\p{Lu}/u.test(word))
}

const isRunning = (sentence: string): boolean => {
  const count = wordCount(sentence)
  return (
    count >= shortest &&
    count <= longestWords &&
    sentence.length <= longest &&
    /^[\p{Lu}\p{N}].*[\p{L}\p{N})%]\.$/u.test(sentence) &&
    !/:\s|;\s|\s[-–—]\s.*\s[-–—]\s.*\s[-–—]\s/.test(sentence)
  )
}

const isAside = (sentence: string): boolean =>
  [markup, notAlone, boilerplate, orders, boasts].some((pattern) => pattern.test(sentence)) || hasContact(sentence)

/** What kind of fact about the company a sentence states; undefined for everything that is not surely one. */
export const kindOf = (sentence: string, scene: Scene): Kind | undefined => {
  if (!isRunning(sentence) || !looksEnglish(sentence)) return undefined
  // A company may be called "Trust" or "Simple".
  const unnamed = scene.subjects.reduce((text, name) => text.replace(new RegExp(name, "gu"), "It"), sentence)
  if (isAside(unnamed)) return undefined
  const predicate = predicateOf(sentence, scene)
  if (predicate === undefined || !isParticular(predicate)) return undefined
  // A customer's sentence: "We have bought from Quay Foods".
  const isCustomer = scene.subjects.some((name) => new RegExp(`(?<!\\p{Lu}\\p{L}+ )\\b${name}\\b`, "u").test(predicate))
  if (isCustomer || /\b(?:not|n't|cannot|unlike|than (?:other|any))\b|n['’]t\b/i.test(predicate)) return undefined
  return kindOfPredicate(predicate)
}
