// layers/generator/builtin/answer/Topics.ts: what people ask about, by the words they ask it in and the place that answers it.

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
}

const topic = (cues: string, place: RegExp, rest: Omit<Topic, "cues" | "place"> = {}): Topic => ({
  cues: cues === "" ? [] : cues.split(" "),
  place,
  ...rest
})

const subject = "(?:we|you|they|it|this campaign|the company|the business)"

export const topics: ReadonlyArray<Topic> = [
  topic("price prices pricing priced cost costs fee fees expensive cheap cheapest", /products|pric/i, {
    phrases:
      /\bhow much (?:is|are|would|will)(?: (?:it|that|this|they|one))?\b|\bhow much\s*\?*$|\bdoes it cost\b|\b(?:do|does) (?:we|you|they|it|the company) charge\b/g,
    needs: /\d|\bfree\b/i
  }),
  topic("product products service services sell sells package packages", /products/i, {
    phrases: new RegExp(`\\bwhat (?:do|does|can) ${subject} offer\\b`, "g")
  }),
  topic("guarantee guarantees guaranteed warranty refund refunds", /guarantee|risk reversal|risk taken/i, {
    phrases: /\brisk reversals?\b|\bmoney[- ]back\b/g
  }),
  topic("competitor competitors competition rival rivals compete competes", /compare|^competitors/i, {
    phrases: /\b(?:compared? (?:us|you|it|them)?\s*(?:to|with|against)|alternatives?)\b/g
  }),
  topic("frustration frustrations", /fall short/i, {
    phrases:
      /\b(?:(?:do |where )?(?:competitors?|others|rivals|they) (?:fall|fail)(?:ing)?(?: short)?|wrong with (?:the )?(?:competitors|others|rivals)|weakness(?:es)? of (?:the )?(?:competitors|others|rivals))\b/g
  }),
  topic(
    "audience audiences segment segments",
    /target audience|^audience|^reader|who it serves|who buys|ideal client/i,
    {
      phrases: new RegExp(
        `\\bwhom? (?:do|does|are|is|should) ${subject} (?:target|targeting|serve|write to|writing to|sell to|selling to|for|mail|email|contact)\\b|\\bideal (?:clients?|customers?)\\b|\\btarget(?:ed)? (?:clients?|customers?|market)\\b`,
        "g"
      ),
      chosen: true
    }
  ),
  topic("", /decision makers|job titles/i, {
    phrases: /\b(?:decision[- ]?makers?|job titles?|titles?|roles?|who decides|who buys|buyers?)\b/g,
    chosen: true
  }),
  topic("", /company size/i, { phrases: /\bcompany sizes?\b|\bhow (?:big|large) are\b/g, chosen: true }),
  topic("magnet magnets freebie freebies giveaway giveaways", /lead magnet|gives away|^offer|what to offer/i, {
    phrases: /\blead magnets?\b|\bgives? away\b|\bfor free\b/g
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
    phrases: new RegExp(
      `\\bsets? (?:us|you|it|them) apart\\b|\\bwhat makes ${subject.replace("we", "us")} (?:special|different|better)\\b|\\bwhy (?:choose|buy from|pick) (?:us|you|them)\\b|\\bstands? out\\b|\\bwhy (?:would|should|do|does|did) (?:\\w+ ){0,3}(?:choose|buy|pick|hire)(?: from)?(?: us| you| them)?\\b`,
      "g"
    )
  }),
  topic("pain pains trouble troubles challenge challenges struggle struggles", /troubles|put up with/i, {
    phrases: /\bpain points?\b/g
  }),
  topic("problem problems", /problems|troubles/i),
  topic("trigger triggers", /look for help|when to write/i, {
    phrases:
      /\bwhen (?:to|should (?:we|i|one)) (?:write|contact|reach out)\b|\bmakes (?:them|people|clients|customers) (?:look|search|buy)\b/g
  }),
  topic("objection objections hesitate hesitation doubt doubts", /hesitate|may object/i),
  topic("benefit benefits outcome outcomes transformation", /changes for/i, {
    phrases: /\bwhat (?:changes|improves) for\b/g
  }),
  topic("phone telephone", /phone/i, { phrases: /\b(?:tele)?phone numbers?\b/g }),
  topic("", /contact (?:\/ )?email/i, { phrases: /\be-?mail address\b|\bcontact e-?mail\b/g }),
  topic("website homepage url", /website/i),
  topic("address", /address/i),
  topic("located headquarters", /based in|home region|address/i, {
    phrases: new RegExp(`\\bwhere (?:are|is) ${subject}(?: based| located)?\\b|\\bbased\\b`, "g")
  }),
  topic("", /^contact/i, { phrases: /\bhow (?:do|can|should) (?:i|we|one) (?:reach|contact|call)\b/g }),
  topic("contact", /contact (?:\/ )?(?:name|title)/i, {
    phrases:
      /\bcontact (?:person|name)\b|\bwho (?:do|should|can) (?:i|we) (?:contact|call|speak (?:to|with)|talk to)\b|\bwho runs\b/g
  }),
  topic("goal goals aim aims objective objectives", /\bgoal|^aim/i),
  topic("industry industries sector vertical", /industry/i),
  topic("", /days to send/i, {
    phrases:
      /\b(?:what|which) days\b|\bwhen (?:are|should|do|will) (?:the |we )?(?:e-?mails? )?(?:be )?sen[dt]\b|\bhow many days\b/g
  }),
  topic("", /^subject$/i, { phrases: /\bsubject lines?\b/g }),
  topic("", /^body$/i, { phrases: /\bhow (?:long|many words)\b(?=.*\be-?mails?\b)/g, needs: /\bwords\b/i }),
  topic("employees staff headcount", /what it does|also good|at a glance|sets it apart/i, {
    phrases: /\bhow many (?:people|employees|staff)\b(?=.*\b(?:the company|we|us|you)\b)/g,
    needs: /\b(?:employ\w*|staff|team of|people work)\b/i,
    strict: true
  }),
  topic("", /chosen (?:target audience|value proposition)/i, {
    phrases: /\bwhat is (?:this|the|our) campaign (?:about|for)\b|\bsummar(?:y of|i[sz]e) (?:this|the|our) campaign\b/g,
    chosen: true
  }),
  topic("", /what it does/i, {
    phrases: new RegExp(`\\bwhat (?:do|does) ${subject}(?: actually| really)? do\\b|\\bwho are (?:we|you|they)\\b`, "g")
  })
]

/** Words that go with any topic and ask for nothing more. */
export const loose: ReadonlySet<string> = new Set(
  "number policy raise raised mention target targets targeted targeting option options current email emails sent send list".split(
    " "
  )
)

/** Every word that a topic goes by, for reading past a slip of the pen. */
export const cueWords: ReadonlySet<string> = new Set([
  ...topics.flatMap(({ cues }) => cues),
  ..."lead magnet risk reversal case study studies decision makers value proposition propositions days sent audience based"
    .split(" ")
    .values()
])
