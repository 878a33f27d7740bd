// layers/answerer/Vocabulary.ts: the words that people ask with, and the sections of the documents that answer them.
import { stemmer } from "stemmer"
import { isStopWord, setOf, words } from "#layers/text/Words.ts"

export interface Topic {
  readonly name: string
  /** The section, or `section / label` of a line of it. */
  readonly place: RegExp
  /** Words for the section that it need not contain. */
  readonly aliases: string
  /** Questions about the section whose words say little on their own. */
  readonly phrases?: RegExp
  /** A pattern that a line must match to answer. */
  readonly needs?: RegExp
  /** Answered by the campaign's own selections before the profile. */
  readonly chosen?: boolean
}

const us = "(?:we|you|they|it|us|them|the company|the business)"

export const amount = /\d|\bfree\b|\brate\b|\b(?:one|same|flat) (?:monthly )?price\b/i
export const duration =
  /(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|same|few)\b)[\s-]?(?:working |business )?(?:minute|hour|day|week|month|quarter|year|term)/i
export const date =
  /\b(?:(?:19|20)\d\d|spring|summer|autumn|winter|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|\w+days?)\b/i
const process =
  /\b(?:within|in|door to door|live|back|turnaround|set-?up|takes?|deliver\w*|ready|onboard\w*|install\w*)\b/i

/** A line that says how long the business's own work takes. */
export const saysHowLong = (place: string, text: string) =>
  /what it does|apart|choose us|products|also good|changes for/i.test(place) &&
  duration.test(text) &&
  process.test(text)

export const topics: ReadonlyArray<Topic> = [
  {
    name: "price",
    place: /products|pricing|prices/i,
    aliases:
      "price pricing cost fee charge expensive cheap tariff preis preise kosten kostet prix coûte precio precios cuesta",
    phrases: /\bhow (?:much|expensive) (?:is|are|was|does|do|for)\b(?=(?:(?!\b(?:save|cut|reduce|gain|raise)).)*$)/g,
    needs: amount
  },
  { name: "products", place: /products/i, aliases: "product service sell sold offering package" },
  {
    name: "activity",
    place: /^what it does/i,
    aliases: "",
    phrases: new RegExp(
      `\\bwhat (?:exactly )?(?:do|does) ${us}(?: actually| really)? (?:do|make|offer)\\b|\\bwho (?:are|is) ${us}\\b(?! up)|\\b(?:about|summari[sz]e) (?:us|the company|the business)\\W*$`,
      "g"
    )
  },
  {
    name: "location",
    place: /based in|address/i,
    aliases: "located location headquarters office based",
    phrases: new RegExp(`\\bwhere (?:are|is) ${us}(?: based| located)?\\W*$`, "g")
  },
  {
    name: "audience",
    place: /target audience|^audience|^who they are|who it serves|who buys|^reader/i,
    aliases: "audience segment target",
    phrases: new RegExp(
      `\\bwhom? (?:do|does|are|is|should) ${us} (?:target|targeting|serve|write to|writing to|sell to|selling to|for|mail|email)\\b|\\b(?:ideal|best|typical|target) (?:clients?|customers?|market)\\b|\\bwho (?:is|are) (?:our |your |the |their )?(?:clients?|customers?|prospects?|buyers?)\\b|\\bwho is (?:this|the|our) (?:campaign )?for\\b`,
      "g"
    ),
    chosen: true
  },
  {
    name: "people",
    place: /decision makers|job titles/i,
    aliases: "role",
    phrases:
      /\b(?:decision[- ]?makers?|job titles?|titles?|who decides|who buys)\b|\bwho (?:should|do|can) (?:we|i) (?:write to|email|mail|talk to|sell to)\b/g,
    chosen: true
  },
  {
    name: "size",
    place: /company size/i,
    aliases: "",
    phrases:
      /\bcompany sizes?\b|\bhow (?:big|large) (?:are|should)(?: (?:the|our|your|their))?(?: (?:customers?|clients?|companies))?\b(?: be\b)?/g,
    chosen: true
  },
  { name: "region", place: /audience \/ where|\/ where$/i, aliases: "country region geography", chosen: true },
  { name: "industry", place: /industry$/i, aliases: "industry sector vertical", chosen: true },
  {
    name: "competitors",
    place: /they compare|^competitors/i,
    aliases: "competitor competition rival alternative compete",
    phrases: /\b(?:compared? (?:us |you |it |them )?(?:to|with|against))\b/g
  },
  {
    name: "weakness",
    place: /fall short/i,
    aliases: "weakness competitor rival",
    phrases: /\bfall(?:ing)? short\b|\bwrong with (?:the |our )?(?:competitors|others|rivals)\b/g
  },
  {
    name: "apart",
    place: /sets it apart|choose us|fall short/i,
    aliases: "differentiator usp unique apart",
    phrases: new RegExp(
      `\\bwhat makes ${us} (?:special|different|better)\\b|\\bstands? out\\b|\\b(?:how (?:do|does|are|is) ${us} (?:differ|different)(?: from| to| than)?)\\b|\\bbetter than\\b|\\bwhy (?:would|should|do|does|did|are|is) (?:\\w+ ){0,3}(?:choose|buy|pick|hire|switch|better)(?: from| to)?(?: ${us})?\\b`,
      "g"
    )
  },
  {
    name: "pains",
    place: /troubles|put up with/i,
    aliases: "pain trouble challenge struggle complaint frustration",
    phrases: /\bpain points?\b|\bannoy(?:s|ing|ed)?\b|\bcomplain(?:ts?)?(?: about)?\b/g
  },
  { name: "problems", place: /troubles|put up with|problems/i, aliases: "problem" },
  {
    name: "name",
    place: /^company name/i,
    aliases: "",
    phrases: /\b(?:company|business|firm)(?:'s)? name\b|\bnames? of (?:the|our|your) (?:company|business|firm)\b/g
  },
  {
    name: "objections",
    place: /hesitate|may object/i,
    aliases: "objection hesitation doubt",
    phrases:
      /\bwhat if (?:they|someone|a (?:client|customer|prospect)) (?:say|says|tell|tells)\b(?: us| me| you)?|\bif (?:they|someone) (?:say|says|tells? (?:us|me))\b|\b(?:what|how) (?:do|should|can|could) (?:i|we) (?:say|answer|respond|reply|react|counter)(?: to)?\b|\bthey (?:say|object)\b/g
  },
  {
    name: "trigger",
    place: /look for help|when to write/i,
    aliases: "trigger",
    phrases:
      /\bwhen (?:to|should (?:we|i|one)) (?:write|contact|reach out)\b(?: to)?|\b(?:best|good|right) (?:time|moment) to (?:write|contact|reach out|email|call)\b(?: to)?|\bmakes (?:them|people|clients|customers) (?:look|search|buy)\b|\bbuying (?:signals?|triggers?)\b/g
  },
  {
    name: "magnet",
    place: /lead magnet|gives away|^offer|what to offer/i,
    aliases: "magnet freebie giveaway",
    phrases:
      /\blead magnets?\b|\bg(?:i|a)ves? away\b|\bfor free\b|\bis (?:it|that) free\b|\bwhat (?:to|should (?:we|i)|can (?:we|i)) offer\b/g
  },
  {
    name: "proof",
    place: /\bproof/i,
    aliases: "proof testimonial credential evidence certification",
    phrases:
      /\b(?:case (?:study|studies)|social proof|success stor(?:y|ies)|which (?:clients|customers)(?: have \w+ worked with)?|results? (?:did|do|have|for) (?:our |your |the )?(?:clients|customers)(?: get| got| had)?)\b/g
  },
  {
    name: "promise",
    place: /promise|value prop/i,
    aliases: "promise",
    phrases: /\bvalue propositions?\b/g,
    chosen: true
  },
  {
    name: "guarantee",
    place: /guarantee|risk reversal|^risk/i,
    aliases: "guarantee warranty refund late garantie garantía",
    phrases: /\brisk reversals?\b|\bmoney[- ]back\b/g
  },
  { name: "benefit", place: /changes for/i, aliases: "benefit outcome transformation" },
  { name: "phone", place: /phone/i, aliases: "telephone phone" },
  {
    name: "contact",
    place: /^contact/i,
    aliases: "contact",
    phrases:
      /\bcontact (?:details?|info\w*|data|person)\b|\bhow (?:do|can|should) (?:i|we|one) (?:reach|contact|call)\b|\bwho (?:do|should|can) (?:i|we) (?:contact|call|speak (?:to|with))\b/g
  },
  {
    name: "address",
    place: /contact (?:\/ )?email/i,
    aliases: "",
    phrases:
      /\b(?:(?:his|her|their|our|your) |(?<='s ))?e-?mail address(?:es)?\b|(?:\b(?:his|her|their|our|your) |(?<='s ))e-?mail\b/g,
    needs: /@/
  },
  { name: "website", place: /website/i, aliases: "website homepage url" },
  { name: "goal", place: /\bgoal|^aim/i, aliases: "goal aim objective" },
  {
    name: "days",
    place: /days to send/i,
    aliases: "schedule",
    phrases:
      /\b(?:what|which) days\b|\bwhen (?:are|should|do|will) (?:the |we )?(?:e-?mails? )?(?:be )?(?:sen[dt]|go out)\b|\bhow many (?:days|e-?mails) (?:should|do|will|can)\b(?: (?:we|i|be))?|\bgo out\b/g
  },
  { name: "tone", place: /^tone/i, aliases: "tone style voice" },
  {
    name: "shape",
    place: /^shape/i,
    aliases: "structure",
    phrases: /\bwhat (?:should|do|must) (?:the |an? |our )?e-?mails? (?:say|contain|look like)\b/g
  },
  { name: "subjects", place: /subject/i, aliases: "", phrases: /\bsubject lines?\b/g },
  {
    name: "lists",
    place: /^lists of/i,
    aliases: "list lead batch generated written latest newest failed",
    phrases: /\b(?:last|latest|newest) (?:list|batch)\b|\b(?:list|batch)\b.*\blast\b/g
  },
  { name: "personas", place: /^persona/i, aliases: "persona" },
  { name: "missing", place: /still missing|questions that would change/i, aliases: "missing gap lacking" }
]

/** Who founded, owns or runs the business: its contact, where the title says so. */
export const roles: ReadonlyArray<{ readonly name: string; readonly asks: RegExp; readonly holds: RegExp }> = [
  {
    name: "founder",
    asks: /\bwho (?:founded|started|set up|created|established)\b|\b(?:co-?)?founders?\b/g,
    holds: /\bfounde[rd]|\b(?:started|set up|established) by\b/i
  },
  { name: "owner", asks: /\bwho owns\b|\bowners?\b(?= of)/g, holds: /\bowne[rd]\b|\bproprietor\b/i },
  {
    name: "leader",
    asks: /\bwho (?:runs|leads|heads|is in charge)\b(?: of)?|\b(?:ceo|boss)\b/g,
    holds: /\b(?:founder|owner|managing (?:director|partner)|chief executive|ceo|president)\b/i
  }
]

/** Words of questions that carry no subject. */
const asking = setOf(
  "tell know please explain give show say says describe information info detail details thing things kind kinds type number " +
    "sort sorts make makes possible available happen happens cover covers work works worked working offer offers offered provide provides use " +
    "uses used using company campaign business find question answer help want like let mean means exactly actually hello hey hi " +
    "thanks thank okay ok anything something everything someone somebody anyone lot good best main deal deals dealing handle serve serves served " +
    "great old already respond reply react integrate integrates integration cheers thx won win people today happening person " +
    "choose chose chosen select selected pick picked want wants according short quick often long take takes took ever " +
    "far others issue helped helpful mention mentioned raise raised current option options hear expect fit suits suit similar relevant there's we're bring brings " +
    // Of short questions in German, French and Spanish, whose topics have words above.
    "der die das ist wie viel quel quelle est le la les combien cuál cuánto qué es el los"
)

const classes =
  "client customer, employee staff, technician staff, people staff, firm company, telephone phone, mail email, begin start, assessment survey, " +
  "setup connection, onboarding connection, installation connection, implementation connection, lab laboratory, certificate certified, " +
  "certification certified, accreditation accredited, fee price, cost price, rate price, expensive price, charge price, store keep, kept keep, " +
  "stay keep, host keep, prize award, ill sick, rent hire"

const synonyms = new Map(
  classes.split(", ").map((pair) => {
    const [word = "", means = ""] = pair.split(" ").map(stemmer)
    return [word, means]
  })
)

/** The stem of a word, the same for words that mean the same. */
export const stemOf = (word: string): string => {
  const lower = word.toLowerCase().replace(/'s?$/, "")
  // A managing director is no manager.
  const stem = lower === "managing" ? lower : stemmer(lower)
  return synonyms.get(stem) ?? stem
}

export const isFiller = (word: string): boolean => isStopWord(word) || asking.has(word)

/** The words of a text that say what it is about, in lower case. */
export const contents = (text: string): ReadonlyArray<string> =>
  words(text.toLowerCase().replace(/\bat least\b/g, "minimum"))
    .flatMap((word) => word.split(/[-_&]/))
    .filter((word) => (word.length > 1 || /\d/.test(word)) && !isFiller(word))
