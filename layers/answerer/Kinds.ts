// layers/answerer/Kinds.ts: the kind of answer that a question asks for, such as a person, a price or a date, and the lines that have one.

const moneyPattern = `(?:[€£$¥₹]|\\b(?:${Intl.supportedValuesOf("currency").join("|")}|kr|euros?|dollars?|pounds?|cents?|pence)\\b)`
const numberPattern =
  "(?:\\d|\\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|same|next|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)\\b)"
const unitPattern =
  "minutes?|hours?|nights?|days?|weeks?|months?|quarters?|years?|tagen?|wochen?|monaten?|jahren?|stunden?"

/** A kind, a pattern of the questions for it, and one of the lines that answer them; one that starts with "^" is for headings. */
const answerKinds: ReadonlyArray<readonly [term: string, askedBy: RegExp, foundBy: RegExp]> = [
  [
    "@money",
    /\bhow much\b|\bwhat(?:'s| is) .*\bper\b|\b(?:price|cost|fee|charge|rate|pay|expensive|cheap\w*|kostet|kosten|preise?)s?\b/i,
    new RegExp(
      `${moneyPattern}:? ?\\d|\\d ?${moneyPattern}|\\bon request\\b|\\d ?%|\\b(?:price|cost|fee|rate)s?\\b(?:[^;:|]{0,30}:)? \\d`,
      "i"
    )
  ],
  [
    "@duration",
    /\bhow (?:long|soon|fast|quick\w*)\b|\b(?:turnaround|lead time)s?\b|\bwie lange\b/i,
    new RegExp(`${numberPattern}[ -]?(?:working |business )?(?:${unitPattern})\\b|\\b(?:until|till)\\b`, "i")
  ],
  ["@person", /\bwho(?:'?s)?\b|\bwer\b|\bfounders?\b|\bowners?\b/i, /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u],
  [
    "@story",
    /\bfound(?:ed|ers?)\b|\bwho (?:began|owns|runs?|set|started)\b|\b(?:behind|boss|ceo|history|in charge)\b|\bhow old\b|\bowners?\b/i,
    /^.*(?:about us|began|beginning|come from|founder|from .+ to |history|how (?:it|we) (?:all )?started|people|story|\bteam\b|who (?:is behind|owns|runs|we are))/i
  ],
  [
    "@date",
    /\bwhen\b|\b(?:what|which) (?:year|day|date|month)|\bsince\b|\bhow old\b/i,
    /\b(?:19|20)\d\d\b|\b(?:mon|tues?|wed(?:nes)?|thurs?|fri|satur|sun)(?:days?)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b\d{1,2}(?:[.:]\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b|\b(?:before|after|by|until|at) \d{1,2}\b/i
  ],
  [
    "@deadline",
    /\b(?:by|until|till) when\b|\bwhen (?:\w+ ){0,3}(?:have|need) to\b|\bwhat time\b|\bhow late\b|\bdeadlines?\b|\bcut[- ]?off\b|\blatest\b/i,
    /\b(?:by|until|till|before|no later than) (?:\w+ ){0,2}(?:\d|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|\b(?:ahead|in advance|beforehand)\b/i
  ],
  [
    "@reason",
    /\bwhy\b|\breasons?\b|\bhow come\b|\bcaused?\b/i,
    /\b(?:because|reasons?|due to|so that|in order to|wanted|caused|otherwise)\b|, (?:since|so|as)\b/i
  ],
  [
    "@proof",
    /\b(?:results?|outcomes?|case stud(?:y|ies)|proof|references?|testimonials?|success stor(?:y|ies))\b/i,
    /^.*(?:proof|case stud|results?|references|testimonials|success|clients? (?:say|got))/i
  ],
  [
    "@count",
    /\bhow many\b|\bwie ?viele\b|\bhow (?:big|large|high|heavy)\b|\b(?:small|bigg|larg|high|low|heavi|long|short)est\b|\bm(?:ax|in)(?:imum)?\b/i,
    /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b/i
  ],
  [
    "@objection",
    /\b(?:objections?|come-?back|push-?back|rebuttals?|worried)\b|\b(?:they|he|she|prospects?|clients?|customers?|managers?|someone|people|(?:dr|mrs?|ms)\.? \w+) (?:says?|thinks?|means|claims?|reckons?|complains?|worr(?:y|ies))\b|\b(?:what|how) (?:do|should|can|shall|would) (?:i|we) (?:say|tell|answer|reply|respond|counter|handle)\b|\b(?:our|my|the) (?:answer|reply|response)\b/i,
    /^.*(?:hesitate|object|bring up|push ?back|(?:they|people|prospects|customers|clients) (?:say|ask|worry|fear|think)|doubts|concerns|worries|come-?backs?|rebuttals?|excuses)/i
  ],
  [
    "@products",
    /\b(?:prices?|pricing|costs?|fees?|charges?|how much|products?|services?|packages?)\b/i,
    /^.*(?:products|pric(?:es|ing))/i
  ],
  [
    "@trigger",
    /\bwhen (?:to|should|do|can)\b.*\b(?:write|contact|reach|e?mail|call)\b|\btriggers?\b/i,
    /^.*look for help/i
  ],
  [
    "@rivals",
    /\bcompet\w+|\brivals?\b|\balternatives?\b|\bfall short\b|\b(?:up|los[et]\w*|win) (?:\w+ )?(?:against|to)\b|\bwho else\b/i,
    /^.*(?:competit|rivals|compare|fall short|alternatives|against|versus|\bvs\b|\bbids?\b|(?:who|what) else|in the running|we (?:meet|face)|other (?:firms|suppliers|providers))/i
  ],
  [
    "@refused",
    /\b(?:refus\w+|reject\w*|declin\w+|exclud\w+|avoid|turn\w* (?:\w+ )?(?:down|away)|sa(?:y|id) no|(?:don't|dont|won't|wont|not|never) (?:do|take|serve|accept|offer|work|sell|want))\b/i,
    /^.*(?:turn (?:down|away)|(?:not|don't|never) (?:do|take|serve|accept|offer|for)|leave (?:out|to)|say no|refuse|exclu|decline|limits)/i
  ],
  [
    "@mishap",
    /\bguarant\w*|\bpromis\w*|\bwarrant\w*|\bwhat(?: happens)? if\b|\bwhat happens (?:if|when)\b|\bwhat do(?:es)? (?:they|the \w+) get (?:if|when)\b|\bif (?:\S+ ){1,4}(?:late|wrong|fail\w*|break\w*|broken|isn'?t)\b/i,
    /^(?:guarantee|chosen risk reversal|our promise|service levels|if |when |what (?:happens )?(?:if|when)|.*(?:goes? wrong|fail|break|damage|complaint))/i
  ],
  [
    "@apart",
    /\b(?:differ\w*|unique|usps?|better|apart|stand out|choose us|why us)\b/i,
    /^.*(?:sets it apart|choose us)/i
  ],
  [
    "@audience",
    /\b(?:audience|segments?|target\w*|ideal (?:clients?|customers?)|who (?:is|are) (?:this|the|our) (?:campaign|clients?|customers?|buyers?|prospects?)|(?:whom?|who) (?:do|should|does) (?:we|i|it|they) \w+)\b/i,
    /^.*(?:target audience|who it serves)/i
  ],
  [
    "@pains",
    /\b(?:pains?|troubles?|struggl\w+|complain\w*|frustrat\w+|challenges?)\b/i,
    /^.*(?:troubles them|problems)/i
  ],
  [
    "@magnet",
    /\b(?:magnets?|freebies?|giveaways?|give away|gives away|for free)\b/i,
    /^.*(?:lead magnet|gives away|\bfree\b|download)/i
  ],
  [
    "@area",
    /\b(?:do|can|could|will|would) (?:we|you|they) (?:\w+ ){0,2}(?:to|in|into)\b|\bcountr(?:y|ies)\b|\bwhere (?:do|does|can) (?:we|you|they)\b/i,
    /\b(?:serve|deliver|cover|travel|ship|work|go|drive)s? (?:\w+ ){0,4}\p{Lu}/u
  ],
  [
    "@place",
    /\bwo (?:sitzt|ist)\b|\bwhere (?:are|is) (?:we|you|they|it|the)\b|\bbased\b|\boffices?\b/i,
    /^(?:based in|address)/i
  ],
  [
    "@activity",
    /\bwhat (?:exactly )?(?:do|does) (?!i )(?:\S+ ){1,3}(?:do|sell|make|offer)\b/i,
    /^(?:what it does|products and services)/i
  ]
]

/**
 * Whether a kind is matched by headings. Other kinds match by what an answer looks like and weigh less, because a
 * price, for example, may belong to another topic.
 */
export const isTopic = (kind: string): boolean =>
  kind !== "@products" && answerKinds.some(([term, , foundBy]) => term === kind && foundBy.source.startsWith("^"))

export const kindsInQuestion = (question: string): ReadonlyArray<string> =>
  answerKinds.flatMap(([term, askedBy]) => (askedBy.test(question) ? [term] : []))

export const kindsInLine = (heading: string, line: string): ReadonlyArray<string> =>
  answerKinds.flatMap(([term, , foundBy]) =>
    foundBy.test(foundBy.source.startsWith("^") ? heading : line) ? [term] : []
  )
