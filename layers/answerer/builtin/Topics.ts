// layers/answerer/builtin/Topics.ts: what people ask about, by the words they ask it in and the place that answers it.
import { setOf } from "#layers/text/Words.ts"

export interface Topic {
  /** Words that name the topic; they ask for it, so the answer need not repeat them. */
  readonly cues: ReadonlyArray<string>
  /** Turns of phrase that do. */
  readonly phrases?: RegExp
  /** Its place: `heading / label` of a fact. */
  readonly place: RegExp
  /** What a fact must say to be an answer. */
  readonly needs?: RegExp
  /** Answered first by what the campaign chose, not by all there is. */
  readonly chosen?: boolean
  /** Where its place says nothing, what other places say is no answer either. */
  readonly strict?: boolean
  /** Its place tells it of the campaign's audience and of nobody else. */
  readonly audience?: boolean
  /** A competitor's name asks for no more than the topic does. */
  readonly rivals?: boolean
}

const topic = (cues: string, place: RegExp, rest: Omit<Topic, "cues" | "place"> = {}): Topic => ({
  cues: cues === "" ? [] : cues.split(" "),
  place,
  ...rest
})

const subject = "(?:i|we|you|they|it|this campaign|the company|the business)"

export const topics: ReadonlyArray<Topic> = [
  topic(
    "price prices pricing priced cost costs fee fees expensive cheap cheapest preis preise kosten kostet prix coûte precio precios cuesta",
    /products|pric/i,
    {
      phrases:
        /\bhow much (?:is|are|would|will)(?: (?:it|that|this|they|one))?\b|\bhow much\s*\?*$|\bdoes it cost\b|\b(?:do|does|would|will|should|can) (?:we|you|they|it|the company) charge\b/g,
      needs: /\d|\bfree\b|: /i
    }
  ),
  topic(
    "product products service services sell sells package packages produkte leistungen produits productos",
    /products/i,
    {
      phrases: new RegExp(`\\bwhat (?:do|does|can) ${subject} offer\\b`, "g")
    }
  ),
  topic(
    "guarantee guarantees guaranteed warranty refund refunds garantie garantía",
    /guarantee|risk reversal|risk taken/i,
    {
      phrases: /\brisk reversals?\b|\bmoney[- ]back\b/g
    }
  ),
  topic(
    "competitor competitors competition rival rivals compete competes wettbewerber konkurrenz konkurrenten concurrents competidores",
    /compare|^competitors/i,
    {
      phrases: /\b(?:alternatives?|up against)\b/g
    }
  ),
  topic("frustration frustrations wrong weak weakness weaknesses", /fall short/i, {
    rivals: true,
    phrases:
      /\b(?:(?:do |where )?(?:competitors?|others|rivals|they) (?:fall|fail)(?:ing)?(?: short)?|wrong with (?:the )?(?:competitors|others|rivals)|weakness(?:es)? of (?:the )?(?:competitors|others|rivals))\b/g
  }),
  topic(
    "audience audiences segment segments zielgruppe",
    /target audience|^audience|^reader|who it serves|who buys|ideal client/i,
    {
      phrases: new RegExp(
        `\\bwhom? (?:do|does|are|is|should) ${subject} (?:target|targeting|serve|write to|writing to|sell to|selling to|for|mail|email|contact)\\b|\\b(?:ideal|best|typical) (?:clients?|customers?)\\b|\\bwho (?:is|are) (?:our |your |the )?(?:clients?|customers?|prospects?|buyers?)\\b|\\btarget(?:ed)? (?:clients?|customers?|market)\\b`,
        "g"
      ),
      chosen: true
    }
  ),
  topic("", /decision makers|job titles/i, {
    phrases: /\b(?:decision[- ]?makers?|job titles?|titles?|roles?|who decides|who buys|buyers?)\b/g,
    chosen: true,
    audience: true
  }),
  topic("", /company size/i, {
    phrases:
      /\b(?:company sizes?|sizes? of (?:the )?(?:company|companies|customers?|clients?)|(?:big|large) companies)\b|\bhow (?:big|large) (?:are|should)\b(?: (?:the|our|your|their) (?:customers?|clients?|companies)\b)?/g,
    chosen: true,
    audience: true
  }),
  topic("country countries region regions geography", /target audience \/ where/i, { chosen: true }),
  topic("", /target audience \/ industry/i, {
    phrases: new RegExp(
      `\\b(?:industry|industries|sectors?|verticals?) (?:do|does|are|is|should) ${subject}\\b(?: (?:in|serve|work (?:in|with)|sell to)\\b)?|\\btarget(?:ed)? (?:industry|industries|sectors?)\\b`,
      "g"
    ),
    chosen: true
  }),
  topic("magnet magnets freebie freebies giveaway giveaways", /lead magnet|gives away|^offer|what to offer/i, {
    phrases: /\blead magnets?\b|\bgives? away\b|\bfor free\b|\bwhat (?:to|should (?:we|i|one)) offer\b/g
  }),
  topic(
    "proof proofs reference references evidence testimonial testimonials credentials result results certification certifications",
    /\bproof/i,
    {
      phrases:
        /\b(?:case (?:study|studies)|social proof|success stor(?:y|ies)|which (?:clients|customers)|results? (?:did|do|have|for) (?:our |your |the )?(?:clients|customers)(?: get| got| had)?)\b/g
    }
  ),
  topic("promise promises", /promise|value prop/i, { phrases: /\bvalue propositions?\b/g, chosen: true }),
  topic("differentiators differentiator usp unique", /sets it apart|choose us/i, {
    rivals: true,
    phrases: new RegExp(
      `\\bsets? (?:us|you|it|them) apart\\b|\\bwhat makes ${subject.replace("we", "us")} (?:special|different|better)\\b|\\bwhy (?:choose|buy from|pick) (?:us|you|them)\\b|\\bstands? out\\b|\\bwhy (?:are|is) ${subject} better\\b|\\b(?:(?:better|worse) than|compared? (?:us |you |it |them )?(?:to|with|against)|differ(?:s|ent)? from|reasons? to (?:buy|choose))\\b|\\bwhy (?:would|should|do|does|did) (?:\\w+ ){0,3}(?:choose|buy|pick|hire)(?: from)?(?: us| you| them)?\\b`,
      "g"
    )
  }),
  topic("pain pains trouble troubles challenge challenges struggle struggles", /troubles|put up with/i, {
    phrases:
      /\bpain points?\b|\b(?:clients?|customers?|prospects?|buyers?|they) (?:care|worry|complain)(?: about)?\b|\bcomplain(?:ts?)?(?: about)?\b/g
  }),
  topic("problem problems", /problems|troubles/i),
  topic("trigger triggers", /look for help|when to write/i, {
    phrases:
      /\bwhen (?:to|should (?:we|i|one)) (?:write|contact|reach out)\b|\bmakes (?:them|people|clients|customers) (?:look|search|buy)\b|\btriggers? (?:a|the|their) (?:purchase|search|sale)\b|\bbest time to (?:write|contact|reach out)\b(?: to)?|\bbuying (?:signals?|triggers?)\b/g
  }),
  topic("objection objections hesitate hesitation doubt doubts", /hesitate|may object/i, {
    phrases:
      /\b(?:what|how) (?:do|should|can|could) (?:i|we) (?:say|answer|respond|reply|react|counter)\b|\b(?:they|clients?|customers?|prospects?) (?:say|says|object)\b|\bsays? (?:the|a|my|our) (?:client|customer|prospect)\b/g
  }),
  topic("benefit benefits outcome outcomes transformation", /changes for/i, {
    phrases: /\bwhat (?:changes|improves) for\b/g
  }),
  topic("phone telephone telefonnummer", /phone/i, { phrases: /\b(?:tele)?phone numbers?\b/g }),
  topic("", /contact (?:\/ )?email/i, { phrases: /\be-?mail address\b|\bcontact e-?mail\b/g }),
  topic("website homepage url", /website/i),
  topic("address adresse", /address/i),
  topic("", /company name/i, {
    phrases: /\bnames? of (?:the|your|our) (?:company|business|firm)\b|\b(?:company|business|firm)(?:'s)? name\b/g
  }),
  topic("located headquarters office offices", /based in|home region|address/i, {
    phrases: new RegExp(`\\bwhere (?:are|is) ${subject}(?: based| located)?\\b|\\bbased\\b`, "g")
  }),
  topic("", /^contact/i, {
    phrases: /\bhow (?:do|can|should) (?:i|we|one) (?:reach|contact|call)\b|\bcontact (?:details?|info\w*|data)\b/g
  }),
  topic("contact", /^contact(?: \/ name)?$/i, {
    phrases:
      /\bcontact (?:person|name)\b|\bwho (?:do|should|can) (?:i|we) (?:contact|call|speak (?:to|with)|talk to)\b|\bwho runs\b/g
  }),
  topic("goal goals aim aims objective objectives", /\bgoal|^aim/i),
  topic("industry industries sector vertical", /industry/i),
  topic("", /days to send/i, {
    phrases:
      /\b(?:what|which) days\b|\bwhen (?:are|should|do|will) (?:the |we )?(?:e-?mails? )?(?:be )?sen[dt]\b|\bhow many (?:days|e-?mails)\b/g
  }),
  topic("", /^subject$/i, { phrases: /\bsubject lines?\b/g }),
  topic("", /^body$/i, { phrases: /\bhow (?:long|many words)\b(?=.*\be-?mails?\b)/g, needs: /\bwords\b/i }),
  topic("employees staff", /what it does|also good|at a glance|sets it apart/i, {
    phrases:
      /\bhow many (?:people|employees|staff)\b(?=.*\b(?:the company|we|us|you)\b)|\bhow (?:big|large) (?:is|are) (?:we|you|the company|(?:the|your|our) team)\b|\bteam size\b/g,
    needs: /\b(?:employ\w*|staff|team of|\d+ people|people work)\b/i,
    strict: true
  }),
  topic("call-to-action cta ctas", /^body$/i, { phrases: /\bcalls? to action\b/g, needs: /\bask\b/i }),
  topic("tone style", /^tone$/i),
  topic("", /^shape$/i, {
    phrases:
      /\bwhat (?:should|do|must) (?:the |an? |our )?e-?mails? (?:say|contain|look like)\b|\bhow (?:should|do) (?:we|i) write\b/g
  }),
  topic("missing gaps", /still missing|not known yet/i, { phrases: /\bdon't (?:you|we) know\b/g }),
  topic("", /chosen (?:target audience|value proposition)/i, {
    phrases: /\bwhat is (?:this|the|our) campaign (?:about|for)\b|\bsummar(?:y of|i[sz]e) (?:this|the|our) campaign\b/g,
    chosen: true
  }),
  topic("", /what it does/i, {
    phrases: new RegExp(
      `\\bwhat (?:do|does) ${subject}(?: actually| really)? do\\b|\\bwho are (?:we|you|they)\\b(?! up)|\\b(?:summary|overview) of (?:the|our|your) (?:company|business)\\b|\\b(?:about|summari[sz]e) (?:the company|the business|yourself|us)\\W*$`,
      "g"
    )
  })
]

/** Words that go with any topic and ask for nothing more. */
export const loose: ReadonlySet<string> = setOf(
  "number policy raise raised mention target targets targeted targeting option options current email emails sent send list hear expect fit fits suit suits similar relevant asset assets"
)

/** Every word that a topic goes by, for reading past a slip of the pen. */
export const cueWords: ReadonlySet<string> = new Set([
  ...topics.flatMap(({ cues, phrases }) => [...cues, ...(phrases?.source.match(/[a-z]{4,}/g) ?? [])]),
  ..."value proposition propositions days sent much many".split(" ")
])
