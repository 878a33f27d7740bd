// layers/answerer/Vocabulary.ts: the words that people ask with, and the sections of the texts that they ask about.
import { stemmer } from "stemmer"
import { isStopWord, setOf, words } from "#layers/text/Words.ts"

/** The section of a text that a question may ask about without the section's own words. */
export interface Section {
  readonly name: string
  /** Matches the heading, or `heading / label` of a labelled line. */
  readonly place: RegExp
  /** Words and phrases of questions about it. They are taken out of the question: a match counts as one term. */
  readonly asks: RegExp
  /** A line of the business about itself that belongs to it, whatever its heading. */
  readonly holds?: RegExp | undefined
}

const us = "(?:we|you|they|it|us|them|the company|the business)"
const nothing = /$^/

/** Headings under which a business writes about itself, and not about its clients. */
export const own = /what it does|also good|contact|apart|choose us|credentials|^proof$/i
/** Headings of what is said about the readers of the emails, their problems and other companies. */
export const ofReaders =
  /troubles|put up with|problems|hesitate|object|fall short|who|reader|audience|missing|questions that would|for them|changes for|case studies/i

const money =
  /(?:[€£$]|\b(?:eur|usd|gbp|chf|dkk|sek|nok|pln|czk|huf|cad|aud|nzd|sgd|hkd|jpy|inr|zar|kr|euros?|dollars?|pounds?)\b)/i
/** Amounts of money in a text. */
export const moneys = new RegExp(`${money.source} ?[\\d.,]+|[\\d.,]+ ?${money.source}`, "gi")
const unpriced =
  "\\b(?:free|gratis|kostenlos\\w*|gratuit\\w*|on request|auf anfrage|sur demande|included|no|without)\\b|\\b(?:one|same|flat) (?:monthly )?(?:rate|price)\\b"
export const amount = new RegExp(`\\d|${unpriced}`, "i")
/** Money or a share. A question about a price is also answered by a line that says there is none. */
export const sum = new RegExp(`${moneys.source}|\\d ?%`, "i")
export const priced = new RegExp(`${sum.source}|${unpriced}`, "i")
/** A line that says what the business does not do, or where alone it does. */
export const denial = /\b(?:not|no|never|neither|only|except|without|nicht|kein\w*|nur|ohne)\b/i
const unit =
  "minute|hour|afternoon|morning|night|weekend|day|week|month|quarter|year|term|(?:\\w+ )?period|shift|season|tage?n?\\b|wochen?|monate?|jahre?|stunden?|jours?|semaines?|mois"
export const duration = new RegExp(
  `(?:\\bmonth-to-|(?:\\d|\\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|same|few|first|second|third|fourth|fifth|sixth|seventh|tenth)\\b|\\dth)[\\s-]?)(?:working |business )?(?:${unit})`,
  "i"
)
const process =
  /\b(?:within|in|door to door|live|back|turnaround|set-?up|takes?|deliver\w*|ready|onboard\w*|install\w*|nach|binnen|dauert|innerhalb|dure)\b/i

const table: ReadonlyArray<readonly [name: string, place: RegExp, asks: string, holds?: RegExp]> = [
  [
    "objections",
    /hesitate|may object/i,
    "objections?|hesitations?|doubts?|what if (?:they|someone|a (?:client|customer|prospect)) (?:says?|tells?)(?: us| me| you)?|(?:if|when) (?:they|someone) (?:says?|tells? (?:us|me))|(?:what|how) (?:do|should|can|could) (?:i|we) (?:say(?! to\\b)|(?:answer|respond|reply|react|counter)(?: to)?)|they (?:say|object)|(?:he|she|someone|somebody|one|guy|lady|client|customer|prospect|buyer|partner|manager|director|owner|boss) (?:says|objects|claims|complains|(?:tells|told) (?:me|us)|is (?:worried|afraid))"
  ],
  [
    "price",
    /products|pricing|prices/i,
    `prices?|priced|pricing|pricey|costs?|fees?|charges?|charged|expensive|cheap|tariffs?|(?:our|your|day|daily|hourly) rates?|how much (?:is|are|was|does|do|for|per|would)\\b(?!.*\\b(?:save|cut|reduce|gain|raise))|(?<=^\\W*what (?:is|are)\\b.* )(?:per|an?|each|every) (?:head|person|seat|user|unit|piece|item|hour|day|week|month|year)(?: (?:each|per|an?|every) (?:hour|day|week|month|year))?(?=\\W*$)`,
    new RegExp(`\\b(?:same|flat) (?:monthly )?(?:rate|price)\\b|${money.source} ?\\d|\\d ?${money.source}`, "i")
  ],
  [
    "products",
    /products/i,
    "products?|services?|packages?|offerings?|what (?:exactly )?do(?:es)? US (?:sell|offer)(?! for free)"
  ],
  [
    "activity",
    /^what it does/i,
    "what (?:exactly )?do(?:es)? US (?:actually |really )?(?:do|make)(?= *$|\\W*$)|who (?:are|is) US(?=\\W*$)|(?:about|summari[sz]e) (?:us|the company|the business)\\W*$"
  ],
  [
    "location",
    /based in|address/i,
    "located|location|headquarters?|(?:head )?offices?|based|where (?:are|is) US(?: based| located)?\\W*$"
  ],
  [
    "area",
    /(?:audience|reader|who they are) \/ where/i,
    "where (?:do|does|can) US (?:work|operate|deliver|serve)\\W*$|(?:which|what) (?:country|countries|regions?|city|cities|areas?)|country|countries|regions?|geography",
    /\b(?:in|across|throughout|around) (?:the )?\p{Lu}(?!\w*day\b)\p{L}{2}/u
  ],
  [
    "trigger",
    /look for help|when to write/i,
    "triggers?|when (?:to|should (?:we|i|one)) (?:write|contact|reach out)(?: to)?|(?:best|good|right) (?:time|moment) to (?:write|contact|reach out|email|call)(?: to)?|makes (?:them|people|clients|customers) (?:look|search|buy)|buying (?:signals?|triggers?)"
  ],
  [
    "audience",
    /target audience|^audience|^who they are|who it serves|who buys|^reader/i,
    "audience|segments?|whom? (?:do|does|are|is|should) US for|(?:(?:do|does|are|is|should) )?US (?:mainly |mostly |usually )?(?:target|targeting|go(?:ing)? after|aim(?:ing)? at|serve|serving|work (?:for|with)|sell to|selling to|write to|writing to|e?mail)|(?:ideal|best|typical|target) (?:clients?|customers?|market)|who (?:is|are) (?:our |your |the |their )?(?:clients?|customers?|prospects?|buyers?)|who is (?:this|the|our) (?:campaign )?for|what kinds? of (?:clients?|customers?|compan(?:y|ies))|which (?:clients?|customers?|companies) (?:fit|suit)"
  ],
  [
    "people",
    /decision makers|job titles/i,
    "decision[- ]?makers?|job titles?|titles?|who decides|who buys|who (?:should|do|can) (?:we|i) (?:write to|e?mail|talk to|sell to|contact)"
  ],
  [
    "size",
    /company size/i,
    "company sizes?|how many (?:employees|people|staff) (?:do|does|should) (?:our|the|your|their) (?:clients?|customers?|companies)(?: have)?|how (?:big|large) (?:are|should)(?: (?:the|our|your|their))? (?:customers?|clients?|companies)(?: be)?"
  ],
  ["industry", /industry$/i, "industry|industries|sectors?|verticals?"],
  [
    "weakness",
    /fall short/i,
    "weakness|weaknesses|(?:(?:competitors?|rivals?|others|they) )?fall(?:ing)? short|wrong(?: with)?|bad about|badly|worse|(?:competitors?|rivals?|others) (?:weak\\w*|bad)"
  ],
  [
    "competitors",
    /they compare|^competitors/i,
    "competitors?|competition|rivals?|alternatives?|(?:compete|competing|up) against|who else|(?:besides|instead of|other than) US|(?:los(?:e|es|ing|t) (?:deals?|work|business|orders?|clients?|customers?|jobs?) to)|compete|compared? (?:US )?(?:to|with|against)"
  ],
  [
    "apart",
    /sets it apart|choose us|fall short/i,
    "differentiators?|usps?|unique|apart|what makes US (?:special|different|better)|stands? out|how (?:do|does|are|is) US (?:differ|different)(?: from| to| than)?|better than|why (?:would|should|do|does|did|are|is|not) (?:\\w+ ){0,3}(?:choose|buy|pick|hire|switch|better)(?: from| to)?(?: US)?"
  ],
  [
    "pains",
    /troubles|put up with/i,
    "pains?(?: points?)?|troubles?|challenges?|struggles?|frustrations?|annoys?|annoying|annoyed|complain(?: about)?|complaints?(?: about)?"
  ],
  ["problems", /troubles|put up with|problems/i, "problems?"],
  [
    "name",
    /^company name/i,
    "(?:company|business|firm)(?:'s)? name|names? of (?:the|our|your) (?:company|business|firm)"
  ],
  [
    "magnet",
    /lead magnet|gives away|^offer|what to offer/i,
    "magnets?|freebies?|giveaways?|lead magnets?|gives? away|gave away|for free|(?:which|what|our|the|this) offers?|what (?:to|should (?:we|i)|can (?:we|i)) offer"
  ],
  [
    "proof",
    /\bproof/i,
    "proofs?|testimonials?|credentials?|evidence|certifications?|certificates?|certified|accredited|references?|case study|case studies|social proof|success story|success stories|which (?:clients|customers)(?: have \\w+ worked with)?|worked with|results? (?:did|do|have|for) (?:our |your |the )?(?:clients|customers)(?: get| got| had)?"
  ],
  ["promise", /promise|value prop/i, "promises?|value propositions?"],
  [
    "guarantee",
    /guarantee|risk reversal|^risk/i,
    "guarantees?|guaranteed|warranty|warranties|refunds?|risk reversals?|money[- ]back|what happens (?:if|when)(?:.* (?:late|fails?|delayed|goes wrong|(?:on|in) time))?|what if(?=.* (?:late|fails?|delayed|wrong|broken|breaks|cracks|dies))"
  ],
  ["benefit", /changes for/i, "benefits?|outcomes?|transformations?"],
  ["phone", /phone/i, "telephone|phone(?: numbers?)?"],
  [
    "contact",
    /^contact/i,
    "contact (?:details?|info\\w*|data|person)|contact|how (?:do|can|should) (?:i|we|one) (?:reach|contact|call)|who (?:do|should|can) (?:i|we) (?:call|speak (?:to|with))"
  ],
  [
    "address",
    /contact (?:\/ )?email/i,
    "(?:\\b(?:his|her|their|our|your) |(?<='s ))?e-?mail address(?:es)?|what is (?:the|our|your) e-?mail(?=\\W*$)|(?:\\b(?:his|her|their|our|your) |(?<='s ))e-?mail"
  ],
  ["website", /website/i, "websites?|homepage|url"],
  ["goal", /\bgoal|^aim/i, "goals?|aims?|objectives?"],
  [
    "days",
    /days to send/i,
    "schedule|(?:what|which) days|when (?:are|should|do|will) (?:the |we )?(?:e-?mails? )?(?:be )?(?:sen[dt]|go out)|how many e-?mails (?:per|for each|does each|in (?:a|the|each|one)) \\w+|how many (?:days|e-?mails) (?:should|do|will|can)(?: (?:we|i|be))?|go out"
  ],
  ["tone", /^tone/i, "tone|style|voice"],
  ["shape", /^shape/i, "structure|what (?:should|do|must) (?:the |an? |our )?e-?mails? (?:say|contain|look like)"],
  ["subjects", /subject/i, "subject lines?|subjects?"],
  [
    "lists",
    /^lists of/i,
    "lists?|leads?|batch|batches|did we generate|status|done|e-?mails? (?:were |are |have been |did we |have we )?(?:written|generated|created|write)|latest|newest"
  ],
  ["personas", /^persona/i, "personas?|what (?:do|should|can) (?:we|i) (?:say|write|tell|pitch)(?: to)?"],
  ["never", /no email may contain/i, "not allowed|forbidden|banned|never say|must not (?:say|write)|phrases"],
  [
    "missing",
    /still missing|questions that would change/i,
    "missing(?: (?:in|from|of) (?:our|the|your|my) profile)?|gaps?|lacking"
  ],
  [
    "staff",
    nothing,
    "how many (?:employees|people|staff|colleagues|staff members)(?: (?:do|does) US (?:have|employ)| (?:work|are) (?:here|there|in the team|on the team|(?:at|for|in) US)| are US)?|(?:team|staff) size|head ?count|how (?:big|large) is (?:the |our |your )?(?:team|company|business|staff)",
    /\b(?:we are|team (?:of|von)|staff of|employs?) (?:about |around |over )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\b|\b\d+ (?:employees|staff|colleagues|people work|of us|mitarbeite\w*|menschen|leuten?)\b/i
  ],
  [
    "languages",
    nothing,
    "(?:what |which )?languages?",
    /\b(?:english|german|french|spanish|italian|dutch|portuguese|polish)\b|\d (?:\p{L}+ )?languages\b/iu
  ],
  // Who founded, owns or runs the business.
  [
    "founder",
    nothing,
    "how long (?:have|has) US (?:been in business|existed|been around)|how old is US|who (?:\\w+ ){0,5}founded|who (?:started|began|created|established|set(?: (?:the|this|our) (?:firm|company|business)| it)? up)|(?:co-?)?founders?|(?<=(?:when|(?:what|which) year) (?:was|were|did) (?:US|our|your|the \\w+) )(?:founded|started|set up|start|established)",
    /\bfound(?:ed|er|ers)\b|\b(?:started|set up|established) (?:\w+ ){0,3}(?:by|in \d{4})\b|\bgegründet\b|\bgründer(?:in)?\b|\bfondée?\b/i
  ],
  [
    "owner",
    nothing,
    "who owns|owners?(?= of)|whose (?:company|business)|who do(?:es)? US belong to|inhaber",
    /\bown(?:ed|er|ers)\b|\bbelongs? to\b|\binhaber\b|\bproprietor\b/i
  ],
  [
    "leader",
    nothing,
    "who (?:runs|leads|heads|is in charge)(?: of)?|ceo|boss|managing director",
    /\b(?:founder|managing (?:director|partner)|chief executive|ceo|president|geschäftsführer\w*)\b/i
  ]
]

export const sections: ReadonlyArray<Section> = [
  ...table.map(([name, place, asks, holds]) => ({
    name: `@${name}`,
    place,
    asks: new RegExp(`(?<![\\p{L}\\p{N}])(?:${asks.replaceAll("US", us)})(?![\\p{L}\\p{N}])`, "gu"),
    holds
  })),
  {
    name: "@duration",
    place: nothing,
    asks: /\bhow (?:long|fast|soon|quick(?:ly)?)\b(?! (?:has|have)\b)|\b(?:turnaround|lead time)s?\b/gu,
    holds: new RegExp(`${duration.source}.*${process.source}|${process.source}.*${duration.source}`, "i")
  }
]

/** Sections that no other text answers for. */
export const exact: ReadonlyArray<string> =
  "@location @phone @website @area @name @founder @owner @leader @staff @duration @personas @languages @objections".split(
    " "
  )

/** Words of questions that carry no subject. */
const fillers = setOf(
  "tell know please explain give show say says describe information info detail details thing things kind kinds type number " +
    "sort sorts possible available happen happens cover covers work works worked working offer offers offered provide provides use " +
    "uses used using company campaign business find question answer help want like let mean means exactly actually hello hey hi " +
    "thanks thank okay ok anything something everything someone somebody anyone lot good best main deal deals dealing handle serve serves served " +
    "pls plz btw ppl guys guy great old already respond reply react integrate integrates integration cheers thx won win people today happening person " +
    "choose chose chosen select selected pick picked wants according short quick takes took ever " +
    "far others issue helped helpful mention mentioned employ whom include included includes including terms kommt come comes coming hours raise raised current option options hear expect total altogether period policy fit suits suit similar relevant there's we're bring brings themselves ourselves itself myself yourself ago"
)

/** Small words of German, French and Spanish questions. */
const foreignFillers = setOf(
  "der die das den dem des ein eine einen ist sind gibt es wir ihr sie seid habt haben hat hatte unser unsere euer eure auch und oder für von mit bei " +
    "an am im als zu zum zur ich er man wenn dass aus um kann können muss noch schon heute jemand ihnen ihm ihre ihren etwas sehr dann diese dieser dieses unserem unseren unserer wird werden nicht geben bieten bietet machen macht est le la les un une des du de nous vous avez avons il quel quelle es el los que son"
)

/** What words of such questions say in English. */
const english: ReadonlyArray<readonly [RegExp, string]> = (
  [
    ["(?:was|wie) (?:sagen|antworten) wir,? wenn|que répondre si", "what do we say if"],
    ["sind unsere|sind eure|sont nos", "are our"],
    ["ist unsere?|ist eure?|est notre", "is our"],
    ["was passiert,? wenn", "what happens if"],
    ["wie lange|combien de temps|cuánto tiempo", "how long"],
    ["wie ?viele?|combien|cuánt[oa]s?", "how many"],
    ["wie teuer", "how expensive"],
    ["wie schnell|wie bald", "how fast"],
    ["(?:wurde|ist) es", "was it"],
    ["(?:was machen wir|que faisons-nous)(?=\\W*$)", "what do we do"],
    [
      "(?:was |quel |que |combien )?(?:kostet|kosten|coûte|coûtent|cuesta|cuestan)|preise?|prix|precios?|tarife?",
      "price"
    ],
    ["wer|wem|wen|(?:à )?qui|quién", "who"],
    ["wo|où|dónde", "where"],
    ["wann|quand|cuándo", "when"],
    ["cuál", "what"],
    ["welche[nrs]?|quels?|quelles?", "which"],
    ["gründer(?:in)?", "founder"],
    ["gegründet|gründete|fondé|fundó", "founded"],
    ["sitzt|sitz|standort|adresse", "based"],
    ["telefon(?:nummer)?|téléphone", "phone"],
    ["kunden|clientes", "clients"],
    ["wettbewerber|konkurrenz|konkurrenten|concurrents", "competitors"],
    ["garantien?|garantía", "guarantee"],
    ["ansprechpartner(?:in)?", "contact"],
    ["mitarbeiter", "employees"],
    ["zielgruppe", "target audience"],
    ["dauert", "take"],
    ["wurden?", "was"],
    ["geschäftsführer(?:in)?|gérante?", "managing director"],
    ["angebote?|offre", "offer"],
    ["ausgewählt|gewählt|choisie?s?", "chosen"],
    ["geschrieben|écrit", "written"],
    ["geschickt|gesendet|envoyée?s?", "sent"],
    ["geöffnet|ouverte?s?", "opened"],
    ["geantwortet|beantwortet|répondu", "replied"],
    ["betreff(?:zeile)?|objet", "subject"],
    ["erste[nrs]?|premi(?:er|ère)", "first"],
    ["zweite[nrs]?|deuxième", "second"],
    ["dritte[nrs]?|troisième", "third"],
    ["turn(?:ed|ing)? over", "turnover"],
    ["wie oft", "how often"],
    ["wie hoch", "how high"],
    ["wie", "how"],
    ["bei|beim|chez", "at"],
    ["und", "and"]
  ] as const
).map(([from, to]) => [new RegExp(`(?<![\\p{L}])(?:${from})(?![\\p{L}])`, "giu"), to])

/** Words of German questions that English has too. */
const ambiguous: typeof english = [
  [/(?<!\p{L})was(?!\p{L})/giu, "what"],
  [/(?<!\p{L})hat(?!\p{L})/giu, "has"]
]

export const inEnglish = (question: string): string => {
  const translated = english.reduce((text, [from, to]) => text.replace(from, to), question)
  const isForeign =
    translated !== question ||
    /(?<!\p{L})(?:ist|sind|haben|habt|wir|ihr|unsere?|der|das|eine?|gibt)(?!\p{L})/iu.test(question)
  return isForeign ? ambiguous.reduce((text, [from, to]) => text.replace(from, to), translated) : question
}

/** Words that mean the same in the texts of a business. */
const synonyms = new Map(
  (
    "client customer, employee staff, technician staff, firm company, telephone phone, mail email, begin start, assessment survey, " +
    "onboarding setup, installation setup, implementation setup, connection setup, lab laboratory, certificate certified, " +
    "certification certified, accreditation accredited, akkreditiert accredited, fee price, cost price, expensive price, charge price, store keep, " +
    "ft feet, foot feet, kept keep, stay keep, host keep, prize award, ill sick, try trial, rent hire, invoice payment"
  )
    .split(", ")
    .map((pair) => {
      const [word = "", means = ""] = pair.split(" ").map(stemmer)
      return [word, means]
    })
)

/** The stem of a word, the same for words that mean the same. */
export const stemOf = (word: string): string => {
  const lower = word.toLowerCase().replace(/'s?$/, "")
  // A managing director is no manager.
  const stem = lower === "managing" ? lower : stemmer(lower).replace(/(?<=.{4})en$|(?<=[äöüß]\p{L}*)e[mnrs]?$/u, "")
  return synonyms.get(stem) ?? stem
}

export const isFiller = (word: string): boolean => isStopWord(word) || fillers.has(word) || foreignFillers.has(word)

/** The words of a text that say what it is about, in lower case. */
export const contents = (text: string): ReadonlyArray<string> =>
  words(
    text
      .toLowerCase()
      .replace(/\bat least\b/g, "minimum")
      .replace(/\bgo(?:es|ing)? live\b/g, "setup")
      // "40ft" is 40 feet.
      .replace(/(?<=\d)(?=\p{L}{2,}\b)(?!st\b|nd\b|rd\b|th\b)/gu, " ")
  )
    .flatMap((word) => word.split(/[-_&]/))
    .filter((word) => (word.length > 1 || /\d/.test(word)) && !isFiller(word))
