// layers/text/CompanyStatements.ts: classifies sentences of a company's website that state a fact about it.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { nlp } from "#layers/text/Nlp.ts"
import { hasContact } from "#layers/text/Contacts.ts"
import { countWords } from "#layers/text/Sentences.ts"
import { isStopWord, looksEnglish, wordSet, wordTokens } from "#layers/text/Words.ts"

/** What a statement is about: what the company is, what it does, its size, its place and age, or an event. */
export type StatementKind = "is" | "does" | "size" | "place" | "event"

/** Shorter sentences are slogans; longer ones state several things. */
const minWords = 5
const maxWords = 40
const maxCharacters = 300

/** Verbs of what a company does for customers or what happens to it; verbs of wishing, feeling and selling are omitted. */
const activityVerbs = wordSet(
  "accommodate acquire act advise alter analyse analyze anodise anodize appoint assemble assess audit automate bake bind blend board boat bottle breed brew broker build butcher buy calibrate carry carve cast cater certify chart clean clear coach coat collect commission connect construct consult convert convey cook cover craft cultivate cure customise customize dealer deliver demolish design develop diagnose digitise digitize dispatch dispense draft distil distill distribute drain dredge drill drive dye edit educate embroider employ engineer engrave erect establish examine excavate exhibit expand export extract extrude fabricate farm feed fell film finance find fish fit fly ferment forge forward found fund furnish galvanise galvanize glaze grade graze grind groom grow guard handle harvest help host house illustrate import inspect install insulate insure integrate invest join knit laminate landscape launch lay lease lend lift list maintain make manage manufacture map market measure mend merge mill mine mix model migrate monitor mould move mow operate organise organize own pack package paint partner pave photograph pickle place plan plant plaster plate plumb polish pour prepare press print process produce program promote protect provide publish pump quarry raise rebuild record recycle refine refurbish register relocate remove renovate rent repair replace research resell restore retail roast roll roof run safeguard salvage sail sow seat secure sell serve service sew ship shoot slaughter slice smoke sort source specialise specialize spin stage stitch stock store supply support survey tailor tan teach test tile track trade train translate transport treat trim tune tutor upholster value vet wash weave weld wholesale win wire write"
)

/** Words without content; a sentence with no other words is a slogan. */
const emptyWords = wordSet(
  "service services product products solution solutions quality high range wide variety customer customers client clients need needs business businesses team people company experience experienced value values support help work great good best new full complete professional offer offers provide provides deliver delivers supply everything anything something every time day result results brand brands thing things way world industry market many various different level standard standards care expert experts expertise simple easy better"
)

const boastPattern =
  /\b(?:the future|dreams?|passion(?:ate)?|passionately|love[sd]?|believe|journey|excellen\w+|peace of mind|second to none|world[- ]class|best[- ]in[- ]class|cutting[- ]edge|state[- ]of[- ]the[- ]art|next level|game[- ]chang\w+|success|results[- ]driven|differences?|hearts?|smiles?|magic|un(?:paralleled|rivall?ed|beatable|matched)|ultimate|perfect|best|number one|no\. ?1|finest|premier|leaders?|highest|outstanding|exceptional|amazing|awesome|happiness|joy|beyond|extra mile|one[- ]stop|proud(?:ly)?|pride|strive|expectations|matters?|happen|to life|potential|trust(?:ed)?|always|never|guarantee\w*|committed|dedicated|innovati\w+|inspir\w+|empower\w*|unlock\w*|transform\w*|unique|simple|simply|easy|delighted|excited|thrilled|welcom\w+|succeed|thrive|flourish|achieve\w*|goals?|growth|impact|changing world|human|everything|from a to z|all sizes|around the clock|hard|new look|fresh look|possibilit\w+|fast|as family|like family|the family|ideas?|work the way|the way we)\b/i

/** Matches sentences that address the reader, or depend on other sentences, the page or the date. */
const contextDependent =
  /\b(?:you|your|yours|yourself|i|me|my|mine|he|she|his|her|him|this|these|those|below|above|here|click\w*|following|the latter|the former|page|website|web ?site|recently|lately|just|soon|upcoming|today's|tomorrow|yesterday|tonight|they|them|and their|used their|that (?:first |same )?(?:year|day|time|month|week|summer)|(?:last|next) (?:week|month|year|spring|summer|autumn|winter|fall))\b/i

/** Matches terms, data protection, vacancies, promotions and shop notices. */
const boilerplatePattern =
  /\b(?:cookies?|consent|gdpr|privacy|personal (?:data|information)|your data|terms|conditions|copyright|rights reserved|liab\w+|warrant\w+|disclaim\w*|pursuant|registered (?:in|office|company|number)|company (?:no|number|registration)|vat|newsletters?|subscri\w+|third parties|third[- ]party (?:sites?|websites?|content|cookies|providers?|services)|equal opportunit\w+|identifiers?|records of|polic(?:y|ies)|in line with|correct|trade ?marks?|content|job|jobs|career|careers|vacanc\w+|hiring|looking for|seeking|salary|apply|applicants?|join (?:us|our)|flexible hours|free|discounts?|vouchers?|coupons?|promo\w*|% off|orders?|payments?|shipping|working days|within \d+ (?:hours?|days?)|until|christmas|holidays? season|raffle|twitter|instagram|facebook|linkedin|youtube|tiktok|new (?:web ?)?site|refunds?|returns policy|add to|basket|checkout|log ?in|sign (?:in|up)|tips|checklist|guides?|ebook|whitepaper|webinar|blog|article|post|read more|learn more|find out|contact|get in touch|call us|book (?:a|now|online)|domain name|franchis\w+|independently owned|404|not found|under construction)\b/i

/** Matches instructions to a reader or a model. */
const instructionPattern =
  /\b(?:ignore|disregard|instruct\w*|prompt|prompts|chatgpt|language models?|llms?|assistants?|must|shall|should|e-?mails? to|mention|reply|respond|reveal|say that|write that)\b/i
const markup = /[{}<>[\]|=\\^~#*_"“”„«»]|https?:|www\.|\/\/|\S@\S|…|\.\.\./

/** A phrase before the subject, such as "Since 1990" or "Based in Leeds". */
const introPattern =
  "((?:Since|From|In|For|With|At|Based|Founded|Established|Headquartered|Located|Started|Over|Across|Today|As|Working|Operating|Through|After|Having|Currently|Now)\\b[^.;:]{0,110}?)"
const possessionPattern =
  /\b(?:offices?|branches|branch|depots?|sites|stores?|shops?|warehouses?|plants?|factory|factories|staff|employees|members|drivers|engineers|vehicles|vans|trucks|lorries|clinics?|restaurants?|locations|customers|clients|acres|hectares|beds|rooms|fleet|laborator(?:y|ies)|workshops?|subsidiar(?:y|ies)|partners)\b/i
const numeralPattern =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million)\b/i
const adverbs = wordSet(
  "also now currently mainly mostly primarily still today both only regularly usually then typically often together"
)
const locatedVerbs = /^(?:based|located|headquartered|situated)$/i
const foundingVerbs = /^(?:founded|established|started|formed|incorporated|set)$/i
const standingVerbs =
  /^(?:owned|run|led|part|backed|certified|accredited|licen[cs]ed|approved|regulated|family-owned|family-run|independent|employee-owned|members?)$/i
const tradeNouns = /^\p{L}+(?:ers|ors|ists|ians|ants|makers|wrights|smiths|men)$/u

interface CompanyContext {
  /** The company's names, escaped for a regular expression, longest first. */
  readonly subjects: ReadonlyArray<string>
  /** Whether "the firm" means the company, as at the start of a paragraph on an about page. */
  readonly isIntroduced: boolean
}

const ourNouns =
  "company|firm|business|practice|team|workshops?|factory|factories|plants?|bakery|bakeries|kitchens?|surgery|studios?|farms?|brewery|shops?|stores?|depots?|fleet|warehouses?|laborator(?:y|ies)|offices?|schools?|clinics?|garage|yard|mill|foundry|customers|clients"

const premisesNouns =
  "head office|headquarters|head offices|showroom|factory|workshop|plant|warehouse|offices?|kitchen|farm|shop|depot"

/** The predicate of a sentence whose subject is the company. */
const findPredicate = (sentence: string, { isIntroduced, subjects }: CompanyContext): string | undefined => {
  const name = `(?:[Tt]he )?(?:${subjects.join("|")})(?: (?:plc|group|\\p{Lu}[\\p{L}&]*\\.?)){0,2}`
  const subject = [
    "[Ww]e(?=['’](?:ve|re) )",
    "[Ww]e",
    `[Oo]ur (?:\\p{L}+ )?(?:${ourNouns}|${premisesNouns})`,
    ...(subjects.length === 0 ? [] : [`${name}['’]s (?:${premisesNouns})`, name]),
    ...(isIntroduced ? ["The (?:company|firm|business|practice)"] : [])
  ].join("|")
  const match = new RegExp(
    `^(?:${introPattern}(?:, | (?=[wW]e |[oO]ur )))?(?:${subject})(?: \\([^)]{2,60}\\))?(?:, [^,.]{3,80},)?(?:['’](ve|re))? (?=\\p{Ll}|ISO)(.*)$`,
    "u"
  ).exec(sentence)
  const [, introduction = "", contracted, predicate] = match ?? []
  // A customer's sentence: "With Quay Foods, we run 12 stores".
  if (
    predicate === undefined ||
    subjects.some((companySubject) => new RegExp(`\\b${companySubject}\\b`, "u").test(introduction))
  )
    return undefined
  return contracted === undefined ? predicate : `${contracted === "re" ? "are" : "have"} ${predicate}`
}

/** Cached, because the library takes milliseconds for each verb and sentences share verbs. */
const infinitiveOf = cacheByText((verb) => {
  const doc = nlp(verb)
  doc.tag("Verb")
  return doc.verbs().toInfinitive().text()
})

const infinitive = (verb: string): string => infinitiveOf(verb.toLowerCase())

const isAdverb = (word: string) =>
  /.{2}ly$/i.test(word) && !/^(?:supply|apply|multiply|assembly|family|italy)$/i.test(word)

/** Drops the adverbs at the start. */
const skipAdverbs = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = words.findIndex((word) => !adverbs.has(word.toLowerCase()) && !isAdverb(word))
  return start < 0 ? [] : words.slice(start)
}

/** Matches opinions and vague nouns after "is a". */
const opinionWords =
  /\b(?:pleasure|joy|delight|place|name|family of|friends?|friendly|lovely|wonderful|problem|solvers|creatives|thinkers|makers and|lot|bit|way)\b/i

const classifyState = (words: ReadonlyArray<string>): StatementKind | undefined => {
  const [first = "", ...others] = skipAdverbs(words)
  if (/^(?:an?|one|part)$/i.test(first)) return opinionWords.test(words.slice(0, 6).join(" ")) ? undefined : "is"
  if (/^(?:in|near|at|on)$/i.test(first)) return /\p{Lu}/u.test(words.join(" ")) ? "place" : undefined
  if (/^the$/i.test(first) && opinionWords.test(words.slice(0, 4).join(" "))) return undefined
  if (/^the$/i.test(first))
    return /^(?:only|right|same|answer|first choice|place|people)/i.test(others.join(" ")) ? undefined : "is"
  if (locatedVerbs.test(first)) return "place"
  if (foundingVerbs.test(first)) return "place"
  if (standingVerbs.test(first) || /^ISO\b/.test(first)) return "is"
  if (/^(?:looking|seeking|searching|hiring|recruiting)$/i.test(first)) return undefined
  if (/ing$/i.test(first) && activityVerbs.has(infinitive(first))) return "does"
  return words.slice(0, 5).some((word) => tradeNouns.test(word)) ? "is" : undefined
}

const hasNumber = (words: ReadonlyArray<string>) => numeralPattern.test(words.slice(0, 6).join(" "))

/** Classifies what follows "have" or "has": a possession or an event. */
const classifyPossession = (words: ReadonlyArray<string>, predicate: string): StatementKind | undefined => {
  const [verb = "", ...otherWords] = skipAdverbs(words)
  if (/^been$/i.test(verb)) return classifyState(otherWords)
  if (/^(?:opened|started|begun|completed|signed|acquired|appointed|expanded|launched|merged|relocated)$/i.test(verb))
    return "event"
  if (/^won$/i.test(verb)) return prizePattern.test(predicate) ? "event" : undefined
  if (/^moved$/i.test(verb)) return /\b(?:in)?to\b/.test(predicate) ? "event" : undefined
  if (/(?:ed|wn|one|ght)$/i.test(verb)) return undefined
  return possessionPattern.test(words.slice(0, 10).join(" ")) && (hasNumber(words) || /\p{Lu}/u.test(predicate))
    ? "size"
    : undefined
}

const prizePattern = /\b(?:award|awards|prize|contract|contracts|tender|medal|accreditation)\b/i

/** Classifies an event or a founding date; both are in the past tense. */
const classifyEvent = (lemma: string, predicate: string): StatementKind | undefined => {
  if (lemma === "win") return prizePattern.test(predicate) ? "event" : undefined
  if (lemma === "move" || lemma === "relocate") return /\b(?:in)?to\b/.test(predicate) ? "event" : undefined
  if (lemma === "join") return /\p{Lu}/u.test(predicate) ? "event" : undefined
  if (lemma === "start" || lemma === "begin")
    return /\bin (?:\p{L}+ ){0,2}\d{4}\b/u.test(predicate) ? "place" : undefined
  return /^(?:open|complete|acquire|appoint|expand|launch|merge)$/.test(lemma) ? "event" : undefined
}

const classifyPredicate = (predicate: string): StatementKind | undefined => {
  const [verb = "", ...others] = skipAdverbs(wordTokens(predicate))
  if (/^(?:is|are|was|were|became|remain|remains)$/i.test(verb)) return classifyState(others)
  if (/^(?:have|has)$/i.test(verb)) return classifyPossession(others, predicate)
  const lemma = infinitive(verb)
  // The past tense does not state what a company does now, and customers use it for their orders.
  const isPast = verb.toLowerCase() !== lemma && !/s$/i.test(verb)
  if (isPast) return classifyEvent(lemma, predicate)
  if (/^(?:sure|certain|use|up|out|it|the most)$/i.test(others[0] ?? "")) return undefined
  if (lemma === "work") {
    const isPlaced = /^(?:in|across|from)$/.test(others[0] ?? "") && /\p{Lu}|\d/u.test(predicate)
    return /^(?:with|for)$/.test(others[0] ?? "") || isPlaced ? "does" : undefined
  }
  if (lemma === "care") return others[0] === "for" && hasNumber(others) ? "does" : undefined
  if (lemma === "look") return others[0] === "after" ? "does" : undefined
  if (lemma === "employ") return hasNumber(others) ? "size" : undefined
  if (/^(?:include|range|come)$/.test(lemma)) return /\p{Lu}|\bfrom\b/u.test(predicate) ? "does" : undefined
  return activityVerbs.has(lemma) ? "does" : undefined
}

/** Whether the predicate has enough words that are specific to this company. */
const isSpecific = (predicate: string): boolean => {
  const [, ...others] = wordTokens(predicate)
  const specificWords = others.filter(
    (word) => word.length > 2 && !isStopWord(word.toLowerCase()) && !emptyWords.has(word.toLowerCase())
  )
  return specificWords.length >= 2 || numeralPattern.test(predicate) || others.some((word) => /^\p{Lu}/u.test(word))
}

const isWellFormedSentence = (sentence: string): boolean => {
  const wordCount = countWords(sentence)
  return (
    wordCount >= minWords &&
    wordCount <= maxWords &&
    sentence.length <= maxCharacters &&
    /^[\p{Lu}\p{N}].*[\p{L}\p{N})%]\.$/u.test(sentence) &&
    !/:\s|;\s|\s[-–—]\s.*\s[-–—]\s.*\s[-–—]\s/.test(sentence)
  )
}

const isUnusable = (sentence: string): boolean =>
  [markup, contextDependent, boilerplatePattern, instructionPattern, boastPattern].some((pattern) =>
    pattern.test(sentence)
  ) || hasContact(sentence)

/** The kind of fact that a sentence states about the company; undefined if uncertain. */
export const classifyStatement = (sentence: string, context: CompanyContext): StatementKind | undefined => {
  if (!isWellFormedSentence(sentence) || !looksEnglish(sentence)) return undefined
  // A company may be called "Trust" or "Simple".
  const maskedSentence = context.subjects.reduce((text, name) => text.replace(new RegExp(name, "gu"), "It"), sentence)
  if (isUnusable(maskedSentence)) return undefined
  const predicate = findPredicate(sentence, context)
  if (predicate === undefined || !isSpecific(predicate)) return undefined
  // A customer's sentence: "We have bought from Quay Foods".
  const isCustomer = context.subjects.some((name) =>
    new RegExp(`(?<!\\p{Lu}\\p{L}+ )\\b${name}\\b`, "u").test(predicate)
  )
  if (isCustomer || /\b(?:not|n't|cannot|unlike|than (?:other|any))\b|n['’]t\b/i.test(predicate)) return undefined
  return classifyPredicate(predicate)
}
