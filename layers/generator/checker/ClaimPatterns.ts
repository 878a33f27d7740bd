// layers/generator/checker/ClaimPatterns.ts: wordings that make a sentence a claim, by kind.

export const wordPattern = {
  /** A multiple or an amount without a number. */
  multiple: /\b(?:doubl(?:e[sd]?|ing)(?![ -]check)|tripl(?:e[sd]?|ing)|quadrupl\w+|twice as|\d+x|tenfold)\b/i,
  /** A large number of people without a figure: "thousands of teams". */
  crowd: /\b(?:hundreds|thousands|millions|dozens) of (?:[\p{L}-]+ ){0,2}[\p{L}-]+/iu,
  /** An award that the sender has won: "we won the regional award". */
  award:
    /\bwe(?:'ve| have)? (?:just |also |recently )?won (?!(?:back|over|the (?:bid|contract|order|tender|work|job))\b)[^.?!;]{0,60}?\b(?:awards?|prizes?|medals?)\b/iu,
  /** A place above all others: "the leading platform", "best in class", "#1". */
  superlative:
    /\b(?:the|our|world's|country's|industry's|market's)\s+(?:(?:single|very|absolute)\s+)?(?:most\s+(?:loved|trusted|advanced|popular|reliable|powerful|accurate|complete|experienced|affordable|efficient|effective|innovative|modern|secure|respected|recommended|successful)|best(?!\s+(?:time|way|person|place|fit|next|of|part|day|thing|case|practice|practices|number|people|one|place|moment|first))|top(?!\s+(?:of|floor|shelf|two|three|five|ten|line|to|right|left|priority|priorities))|leading|largest|biggest|fastest|cheapest|easiest|greatest|safest|smartest|simplest|quickest|strongest|cleanest|friendliest|finest|number one|no\. ?1)\b|\b(?:the only (?:company|agency|app|tool|firm|provider|one|platform|vendor|service|team|maker|supplier|software|system|school|practice|product)|top[- ]rated|best[- ]in[- ]class|world[- ]class|market[- ]leading|industry[- ]leading|award[- ]winning|fastest[- ]growing|most loved|most trusted|safest|smartest|unmatched|unrivalled|unbeatable|second to none|number one|on the planet|in the world)\b|#1\b|\b(?:voted|named|ranked|rated|chosen(?: as)?) (?:the )?(?:best|top|number|no\.)|\bwe(?:'ve| have)? never (?:lost|missed|failed|had a|been late)/iu,
  /** A certificate or recommendation by others: "ISO certified", "recommended by", "official partner". */
  credential:
    /\b(?:recommended|endorsed|approved|accredited|certified|licensed|backed) by\b|\b(?:ISO|SOC|HIPAA|GDPR)[- ](?:certified|compliant|accredited)\b|\bofficial partner\b|\bpartner of\b/i,
  /** A comparison with other products, companies or ways: "faster than any other tool", "unlike most agencies". */
  comparison:
    /\b(?:better|faster|cheaper|quicker|safer|easier|stronger|more\s+[\p{L}-]+|less\s+[\p{L}-]+|fewer|lower|higher|lighter|longer|shorter|\p{L}{3,}er)\s+than\s+(?:your\s+present\s+\p{L}+|what\s+you\s+(?:have|use|pay)|any|all|every|other|others|the\s+competition|(?:your|our)\s+competitors?|competitors?|anyone|anything|most\s+\p{L}+|your\s+current\s+\p{L}+|the\s+(?:rest|others?|market|industry|average))|\bunlike\s+(?:other|most|your|the)\s+[\p{L}-]+|\boutperforms?\b|\bbeats?\s+(?:any|all|every|other)\b|\b(?:no one|nobody) else (?:do|can|in|\p{L}+s)\b/iu,
  /** A lower price, a free part or an offer that ends: "half off", "first month free", "no charge". */
  discount:
    /\b(?:half off|half[- ]price|(?:second|next|third) \p{Ll}+(?: \p{Ll}+)? (?:is|are|comes?) (?:free|half|on us)|(?:a |one |two |three |four |six )?(?:third|quarter|half|ten|twenty|thirty|forty|fifty|\d+) ?(?:percent|per cent) (?:off|less on|discount)|(?:two|three|four|\d+) (?:\p{L}+ )?for (?:one\b|the price of)|knock (?:\p{L}+ )?off|\d+\s?(?:%|percent) (?:off|discount)|discount(?:s|ed)?\b|special (?:price|offer|rate|deal)|coupon|promo(?:tion)? code|(?:free|complimentary) (?:month|months|week|weeks|trial|year|quarter|setup|installation|delivery|consultation|assessment|audit|pilot|migration|onboarding|upgrade)|(?:first|next|second) (?:(?:two|three|six|\d+) )?(?:months?|quarter|year|weeks?|order|delivery|visit|day)(?:'s \w+)? (?:(?:is|are|comes?|for) )?(?:free|on us|on the house)|(?:is|are|'s) on us\b|waive[ds]?|for life\b|no charge|for free|at no cost|free of charge|(?:we'd|we'll|we will|we would) (?:pay|cover)|if you (?:sign|book|order|buy|reply|act|decide) (?:before|by|this|today|now)|offer (?:ends|expires)|only (?:today|this week|until)|(?:until|before|by) the end of (?:the|this) (?:month|week|year|quarter) only)/iu,
  /** A refund, a warranty or a promise that the reader risks nothing: "money-back", "pay nothing", "no risk". */
  guarantee:
    /\b(?:guarantee[ds]?|money[- ]back|full refund|(?:we'll|we will|we'd|we) refund|(?:is|are|gets?) refunded|(?:isn't|is not|aren't|not) billed|(?:don't|do not|won't|wouldn't|never) (?:have to )?pay(?! attention)|pay nothing|no fee|without a fee|or it's free|no[- ]risk|risk[- ]free|only pay (?:if|when|for)|warranty|we promise|promise you)\b/i,
  /** A meeting or conversation with the reader: "as we discussed", "good to meet you". */
  meeting:
    /\b(?:(?:good|great|nice|lovely|a pleasure|wonderful) (?:to (?:meet|meeting|see|speak|talk|chat)(?:ing)? (?:you|with you)|(?:meeting|seeing|speaking|talking|chatting) (?:to |with )?you)|(?:when|since|after|as) we (?:met|spoke|talked|chatted|last spoke|discussed|agreed|said)|(?:the|your) (?:[\p{L}-]+ ){1,2}(?:you|that you) (?:gave|told|showed|sent|shared with) (?:me|us)|(?:I|we) (?:really |so |much )?(?:enjoyed|loved|appreciated) (?:meeting|talking|speaking|chatting|seeing|visiting|the (?:tour|chat|talk|call|visit|conversation|lunch|coffee|story)|our|your (?:talk|tour|visit|presentation|call|story))|(?:good|great|nice|lovely) (?:catching up|to catch up|running into|to run into|bumping into)|(?:I|we) (?:told|promised|showed|mentioned to|sent) you (?:about |that |at |on |in |last )|(?:remember|recall) (?:me|us) from|(?:remember|recall) (?:when we|our (?:chat|talk|call|conversation|meeting))|thank you for (?:your time|the (?:call|chat|meeting|time|tour|visit)|meeting|speaking|having|inviting|getting back|asking|your (?:call|visit|reply|message|order|interest))|as (?:you )?asked|you (?:were kind enough|kindly)|(?:your colleague|your assistant|your office|a friend of yours) (?:\p{Lu}\p{L}+ )?(?:suggested|told|said|asked|recommended|referred|gave)|we (?:met|spoke|talked|chatted) (?:at|on|in|last|yesterday|about|briefly|earlier)|you (?:told|asked|mentioned to|said to|wrote to|promised) (?:us|me)|you (?:mentioned|said) (?:that|you|your|last|at|in|on)|as (?:you )?(?:mentioned|discussed|agreed|promised|requested)|(?:following|after|since|from|on) our (?:last |recent )?(?:call|chat|meeting|conversation|talk|demo)|thanks for (?:your time|the (?:call|chat|meeting|time)|meeting|speaking|getting back)|you (?:downloaded|signed up|registered|visited our|requested|filled in|subscribed))\b/iu,
  /** A promise to the reader of another client's result. */
  promise:
    /\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would| can| could) (?:too|as well|see the same|get the same results?)\b|\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would)\b[^.?!,;]{0,60}, too\b|\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will) (?:never (?:believe|again|lose|miss)|also grow|double|triple|skyrocket|explode|grow|be amazed|adore|beat)\b|\b(?:will|would) (?:grow|double|triple|love|adore|thank) (?:with us|you for it|with it)\b|\bsame (?:result|results|numbers) (?:for|at|in) your?\b/iu,
  /** A statement about the reader's future: "you will", "your team can". */
  toReader: /\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would| can| could)\b/iu,
  /** Words that make a statement uncertain: "if", "may", "usually". */
  hedge:
    /\b(?:if|when|whenever|whether|may|might|could|would|should|probably|perhaps|maybe|usually|often|tends?|likely|guess|suspect|imagine|assume|expect|unless|once|until|sometimes|typically|chances|wonder|hope|looks like|seems?|sounds|say|suppose|sooner or later|eventually|one day|some ?day|any day|then you(?:'re| are| have)|as soon as|the (?:day|moment|minute|week|night) (?:you|your|that|when)|each time|every time|in case)\b|'d\b|\?/i,
  /** A fact about something of the reader's: "your team has lost". "@c..." stands for the company's name. */
  yourState:
    /(?:\byour (?:own )?(?:[\p{L}-]+ ){0,2}?[\p{L}-]+|@c*)(?:\s+(?:has|have|had|is|are|was|were|lost|loses?|can't|cannot|couldn't|don't|doesn't|didn't|isn't|aren't|wasn't|hasn't|haven't|spends?|spent|pays?|paid|struggles?|suffers?|wastes?|wasted|misses|missed|fails?|failed|leaks?|leaked|needs?|hired|raised|opened|launched|announced|posted|grew|won|signed|moved|switched|bought|acquired|closed|just|recently|already|still|\p{L}{4,}ed)\b|'s\s+(?:losing|wasting|struggling|been|got)\b)/iu,
  /** A fact about the reader: "you just raised", "you're losing". */
  youState:
    /\byou(?:\s+(?:lost|hired|raised|opened|launched|posted|announced|signed|missed|spent|wasted|closed|acquired|won|grew)\b(?!')|(?:'ve|\s+have)\s+(?:just |recently |already |always |all )?(?:been (?!\p{L}+ing to)|lost|hired|raised|opened|launched|posted|announced|moved|switched|signed|missed|spent|wasted|grown|won|closed|acquired)|(?:'re|\s+are)\s+(?:currently |still |already )?(?:losing|wasting|struggling|failing|overpaying|bleeding|missing|hiring|expanding|paying too|leaving money))/iu,
  /** The end of a match that reports an event, such as "hired" or "opened". */
  event:
    /\b(?:lost|paid|hired|raised|opened|launched|announced|posted|grew|won|signed|moved|switched|bought|acquired|closed|spent|wasted|missed|failed|was|were|had|\p{L}{4,}ed)$/iu,
  /** Words for problems: "losing", "struggle", "broken". */
  trouble:
    /\b(?:los(?:e|es|ing)|wast(?:e|es|ing)|struggl\w+|suffer\w*|fail\w*|miss(?:es|ing)?|leak\w*|overpay\w*|bleed\w*|can't|cannot|don't|doesn't|angry|furious|worried|unhappy|dirty|bad|terrible|poor|broken|slow|late)\b/i,
  /** Private life: "your wife", "your age". */
  personal:
    /\b(?:your|you and your) (?:\p{L}+ (?:and|or) )?(?:wife|husband|kids?|children|son|daughter|family(?! (?:practice|business|firm|office|dentistry|medicine|dental|company|brand))|spouse|marriage|divorce|mother|father|weight|age|religion|illness)\b|\bbetter (?:father|mother|parent|husband|wife)\b/giu
}

/** Pronouns that may refer to a client of an earlier sentence. */
export const personalPronoun = /\b(?:they|their|theirs|them|they'd|they've|its)\b/i
/** A client without a name: "another footwear brand". */
export const unnamedClient = /\b(?:one|another|an?)\s+(?:[\p{L}-]+\s+){0,3}[\p{L}-]+/iu
/** Clients in general: "our customers", "brands who use". */
export const everyClient =
  /\b(?:our (?:clients|customers|users)|(?:clients|customers|brands|companies|teams|practices|firms|businesses|everyone|everybody) (?:who|that|like|we|on|using|get|see|cut|save|go|lift|keep|book)|(?:all|every|each|most) (?:of our )?(?:\p{L}+ )?(?:clients?|customers?|brands?|compan(?:y|ies)|teams?|practices?|firms?|businesses))\b/iu
/** Verbs after a name at the start of a clause that show that the clause is about a client. */
export const clientVerb =
  "(?:uses?|used|has|had|cut|cuts|saved|grew|won|went|kept|raised|runs?|switched|chose|moved|trusts?|reduced|lifted|booked|closed|doubled|gained|recovered|reached|replaced|found|turned|got|made|halved|started|swears|loves|relies|recommends)"
