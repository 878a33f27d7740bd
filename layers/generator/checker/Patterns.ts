// layers/generator/checker/Patterns.ts: the wordings that make a sentence a claim, by kind.

export const pattern = {
  /** Several times more, or an amount without a number. */
  multiple: /\b(?:doubl(?:e[sd]?|ing)(?![ -]check)|tripl(?:e[sd]?|ing)|quadrupl\w+|twice as|\d+x|tenfold)\b/gi,
  crowd: /\b(?:hundreds|thousands|millions|dozens) of (?:[\p{L}-]+ ){0,2}[\p{L}-]+/giu,
  superlative:
    /\b(?:the|our|world's|country's|industry's|market's)\s+(?:(?:single|very|absolute)\s+)?(?:most\s+(?:loved|trusted|advanced|popular|reliable|powerful|accurate|complete|experienced|affordable|efficient|effective|innovative|modern|secure|respected|recommended|successful)|best(?!\s+(?:time|way|person|place|fit|next|of|part|day|thing|case|practice|practices|number|people|one|place|moment|first))|top(?!\s+(?:of|floor|shelf|two|three|five|ten|line|to|right|left|priority|priorities))|leading|largest|biggest|fastest|cheapest|easiest|greatest|safest|smartest|simplest|quickest|strongest|cleanest|friendliest|finest|number one|no\. ?1)\b|\b(?:the only (?:company|agency|app|tool|firm|provider|one|platform|vendor|service|team|maker|supplier|software|system|school|practice|product)|top[- ]rated|best[- ]in[- ]class|world[- ]class|market[- ]leading|industry[- ]leading|award[- ]winning|fastest[- ]growing|most loved|most trusted|safest|smartest|unmatched|unrivalled|unbeatable|second to none|number one|on the planet|in the world)\b|#1\b/giu,
  credential:
    /\b(?:recommended|endorsed|approved|accredited|certified|licensed|backed) by\b|\b(?:ISO|SOC|HIPAA|GDPR)[- ](?:certified|compliant|accredited)\b|\bofficial partner\b|\bpartner of\b/gi,
  comparison:
    /\b(?:better|faster|cheaper|quicker|safer|easier|stronger|more\s+[\p{L}-]+|less\s+[\p{L}-]+|fewer|lower|higher|lighter|longer|shorter|\p{L}{3,}er)\s+than\s+(?:any|all|every|other|others|the\s+competition|(?:your|our)\s+competitors?|competitors?|anyone|anything|most\s+\p{L}+|your\s+current\s+\p{L}+|the\s+(?:rest|others?|market|industry|average))|\bunlike\s+(?:other|most|your|the)\s+[\p{L}-]+|\boutperforms?\b|\bbeats?\s+(?:any|all|every|other)\b|\b(?:no one|nobody) else (?:does|do|offers|has|can|makes|gives|in)\b/giu,
  discount:
    /\b(?:half off|half price|\d+\s?(?:%|percent) (?:off|discount)|discount(?:s|ed)?\b|special (?:price|offer|rate|deal)|coupon|promo(?:tion)? code|free (?:month|months|week|weeks|trial|year|setup|pilot|migration|onboarding|upgrade)|first (?:month|quarter|year)(?:'s \w+)? (?:free|on us)|(?:is|are|'s) on us\b|waive[ds]?|for life\b|no charge|for free|at no cost|free of charge|(?:we'd|we'll|we will|we would) (?:pay|cover)|if you (?:sign|book|order|buy|reply|act|decide) (?:before|by|this|today|now)|offer (?:ends|expires)|only (?:today|this week|until))/gi,
  guarantee:
    /\b(?:guarantee[ds]?|money[- ]back|full refund|(?:we'll|we will|we'd|we) refund|(?:is|are|gets?) refunded|(?:isn't|is not|aren't|not) billed|(?:don't|do not|won't|wouldn't|never) (?:have to )?pay(?! attention)|pay nothing|no fee|without a fee|or it's free|no[- ]risk|risk[- ]free|only pay (?:if|when|for)|warranty|we promise|promise you)\b/gi,
  meeting:
    /\b(?:(?:good|great|nice|lovely|a pleasure|wonderful) (?:to (?:meet|meeting|see|speak|talk|chat)(?:ing)? (?:you|with you)|(?:meeting|seeing|speaking|talking|chatting) (?:to |with )?you)|(?:when|since|after|as) we (?:met|spoke|talked|chatted|last spoke)|we (?:met|spoke|talked|chatted) (?:at|on|in|last|yesterday|about|briefly|earlier)|you (?:told|asked|mentioned to|said to|wrote to|promised) (?:us|me)|you (?:mentioned|said) (?:that|you|your|last|at|in|on)|as (?:you )?(?:mentioned|discussed|agreed|promised|requested)|(?:following|after|since|from|on) our (?:last |recent )?(?:call|chat|meeting|conversation|talk|demo)|thanks for (?:your time|the (?:call|chat|meeting|time)|meeting|speaking|getting back)|you (?:downloaded|signed up|registered|visited our|requested|filled in|subscribed))\b/gi,
  /** What another client got, promised to the reader. */
  promise:
    /\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would| can| could) (?:too|as well|see the same|get the same results?)\b|\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would)\b[^.?!,;]{0,60}, too\b|\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will) (?:never (?:believe|again|lose|miss)|also grow|double|triple|skyrocket|explode|grow|be amazed|adore|beat)\b|\b(?:will|would) (?:grow|double|triple|love|adore|thank) (?:with us|you for it|with it)\b|\bsame (?:result|results|numbers) (?:for|at|in) your?\b/giu,
  toReader: /\b(?:you|your [\p{L}]+(?: [\p{L}]+)?)(?:'ll| will|'d| would| can| could)\b/iu,
  hedge:
    /\b(?:if|when|whenever|whether|may|might|could|would|should|probably|perhaps|maybe|usually|often|tends?|likely|guess|suspect|imagine|assume|expect|unless|once|until|sometimes|typically|chances|wonder|hope|looks like|seems?|sounds|say|suppose)\b|'d\b|\?/i,
  yourState:
    /(?:\byour (?:own )?(?:[\p{L}-]+ ){0,2}?[\p{L}-]+|@c*)(?:\s+(?:has|have|had|is|are|was|were|lost|loses?|can't|cannot|couldn't|don't|doesn't|didn't|isn't|aren't|wasn't|hasn't|haven't|spends?|spent|pays?|paid|struggles?|suffers?|wastes?|wasted|misses|missed|fails?|failed|leaks?|leaked|needs?|hired|raised|opened|launched|announced|posted|grew|won|signed|moved|switched|bought|acquired|closed|just|recently|already|still|\p{L}{4,}ed)\b|'s\s+(?:losing|wasting|struggling|been|got)\b)/giu,
  youState:
    /\byou(?:\s+(?:lost|hired|raised|opened|launched|posted|announced|signed|missed|spent|wasted|closed|acquired|won|grew)\b|(?:'ve|\s+have)\s+(?:just |recently |already |always |all )?(?:been (?!\p{L}+ing to)|lost|hired|raised|opened|launched|posted|announced|moved|switched|signed|missed|spent|wasted|grown|won|closed|acquired)|(?:'re|\s+are)\s+(?:currently |still |already )?(?:losing|wasting|struggling|failing|overpaying|bleeding|missing|hiring|expanding|paying too|leaving money))/giu,
  event:
    /\b(?:lost|paid|hired|raised|opened|launched|announced|posted|grew|won|signed|moved|switched|bought|acquired|closed|spent|wasted|missed|failed|was|were|had|\p{L}{4,}ed)$/iu,
  trouble:
    /\b(?:los(?:e|es|ing)|wast(?:e|es|ing)|struggl\w+|suffer\w*|fail\w*|miss(?:es|ing)?|leak\w*|overpay\w*|bleed\w*|can't|cannot|don't|doesn't|angry|furious|worried|unhappy|dirty|bad|terrible|poor|broken|slow|late)\b/i,
  personal:
    /\b(?:your|you and your) (?:\p{L}+ (?:and|or) )?(?:wife|husband|kids?|children|son|daughter|family(?! (?:practice|business|firm|office|dentistry|medicine|dental|company|brand))|spouse|marriage|divorce|mother|father|weight|age|religion|illness)\b|\bbetter (?:father|mother|parent|husband|wife)\b/giu
}

/** Two clauses later the client is still meant. */
export const pronoun = /\b(?:they|their|theirs|them|they'd|they've|its)\b/i
/** One client that is not named: "another footwear brand". */
export const unnamed = /\b(?:one|another|an?)\s+(?:[\p{L}-]+\s+){0,3}[\p{L}-]+/iu
export const everyClient =
  /\b(?:our (?:clients|customers|users)|(?:clients|customers|brands|companies|teams|practices|firms|businesses|everyone|everybody) (?:who|that|like|we|on|using|get|see|cut|save|go|lift|keep|book)|(?:all|every|each|most) (?:of our )?(?:\p{L}+ )?(?:clients?|customers?|brands?|compan(?:y|ies)|teams?|practices?|firms?|businesses))\b/iu
/** What a name at the start of a clause does when the clause is about a client. */
export const clientVerb =
  "(?:uses?|used|has|had|cut|cuts|saved|grew|won|went|kept|raised|runs?|switched|chose|moved|trusts?|reduced|lifted|booked|closed|doubled|gained|recovered|reached|replaced|found|turned|got|made|halved|started|swears|loves|relies|recommends)"
