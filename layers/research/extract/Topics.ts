// layers/research/extract/Topics.ts: what a heading, a label or a column speaks of, in the words that companies use.

const topics = {
  contact:
    /^(?:(?:your |our )?contacts?|contact (?:us|details|information|person)|(?:get|keep|stay) in touch|reach us|talk to us|find us|visit us|where (?:we are|to find us)|imprint|impressum)\b/,
  products:
    /^(?:(?:our|core|main|the)\s+)*(?:products?|services?|offers?|offerings?|solutions?|pricing|prices?|price list|cennik|preisliste|plans?|packages?|rates?|fees|catalogue|catalog|menu|treatments|courses|workshops)(?:\s*(?:and|&|\/|,)\s*(?:prices?|pricing|services?|products?|fees|plans?|rates|packages))*(?: 20\d\d)?$|^what (?:we|you can) (?:offer|sell|do|make|build|buy|get|order)|^what it costs|^how much/,
  buyers:
    /^(?:typical |our |the )*(?:buyers?|decision[ -]makers?|target (?:job )?(?:titles?|roles?|buyers?)|job titles?|who (?:buys|decides|orders|signs|calls us)|personas?)\b/,
  clients:
    /^(?:who (?:we|it|this|they)\b.*(?:serve|help|for|work)|(?:our |ideal |typical |target |best )+(?:clients?|customers?|markets?|audience|fit)|clients? we (?:serve|like)|industries(?: we serve| served)?|markets?(?: we serve| served)?|sectors?|who (?:is )?(?:it|this) (?:is )?for|ideal (?:client|customer)(?: profile| description)?|target (?:market|audience)|icp|built for|made for)\b/,
  urls: /^(?:example|ideal|sample) (?:clients?|customers?) (?:urls?|websites?|sites?)\b|^ideal client urls?/,
  cases:
    /^(?:case stud|(?:client |customer )?(?:success|customer) stor|(?:customer |client )?(?:results|outcomes)|(?:our )?track record|proof|social proof|what (?:our )?(?:clients|customers) (?:say|got|achieve)|testimonials?|references|selected (?:work|projects)|(?:recent |our )?(?:work|projects)$|in numbers|(?:customers|clients)$)/,
  guarantee: /^(?:our |the )*(?:guarantees?|warranty|warranties|promise|risk[ -]reversal|no[ -]risk|money[ -]back)\b/,
  competitors:
    /^(?:our |main |the )*(?:competitors?|competition|alternatives?|compared (?:with|to)|rivals|others in the market)\b/,
  frustrations:
    /^(?:competitor (?:frustrations?|weakness)|(?:where|what) (?:others|competitors|they|alternatives) (?:fail|fall short|get wrong|miss)|(?:problems?|trouble) with (?:others|competitors|alternatives|other))/,
  credibility:
    /^(?:(?:our )?(?:certificat|accreditation|credential|quality and certif|awards?|memberships?|standards?)|credib|why trust us|trusted by|key (?:facts|figures)|facts(?: and figures)?$|about us in numbers|licen[cs]es?)/,
  magnets:
    /^(?:free\b|lead magnets?|resources?$|downloads?$|try (?:it|us)|start (?:for )?free|before you buy|no[ -]obligation)/,
  differentiators:
    /^(?:why (?:us\b|choose|(?:our )?(?:clients|customers)\b|(?:[\p{L}-]+ )*(?:buy|choose|pick|stay|switch|trust|work with)\b|we(?:'re| are)? (?:different|win)|\w+\?$)|what (?:makes|sets) us|(?:our |the |unique )*(?:difference|differentiators?|advantages?|usp|strengths)|how we(?:'re| are) different|(?:our |unique )?value propositions?$)/u,
  problems:
    /^(?:the )?(?:problems?|challenges?)(?: (?:we|you|it) (?:solves?|fix|face))?|^(?:what|problems?) we (?:solve|fix)/,
  pains:
    /^(?:(?:client |customer |typical |common )*pain points?|pains?$|what keeps (?:them|you)|frustrations?$|sound familiar)/,
  triggers:
    /^(?:(?:solution |buying )?triggers?|when (?:to call|clients? call|customers? call|do (?:they|clients|customers)|companies call|people call)|signs (?:that )?you need)/,
  objections:
    /^(?:objections?(?: and (?:answers|responses))?|faqs?|frequently asked|questions(?: and answers)?|common (?:questions|concerns))/,
  transformation: /^(?:(?:client )?transformation|before and after|what changes|the result$|life after)/,
  goal: /^(?:primary |our |main )*goals?$|^what we want|^call to action/,
  about:
    /^(?:about\b|who we are|(?:our |the )?(?:company|story|mission|business)(?: (?:profile|description|overview|summary))?$|overview$|introduction$|in short|at a glance|what we(?:'re| are)|what (?:does|do) .{2,60} do\b|summary$|profile$)/
} as const

export type Topic = keyof typeof topics

const order = Object.keys(topics) as ReadonlyArray<Topic>

/** What a heading speaks of, if it says. */
export const topicOf = (heading: string): Topic | undefined => {
  const text = heading
    .toLowerCase()
    .replace(/^[\d.\s)§#*]+/, "")
    .replaceAll("’", "'")
    .replace(/[:?!.\s]+$/, (end) => (end.includes("?") ? "?" : ""))
    .trim()
  if (text.length > 80) return undefined
  // "The problem with others" speaks of others first.
  const readings = [text, text.replace(/\?$/, ""), ...text.split(" / ").slice(1)]
  return order.find((topic) => readings.some((reading) => topics[topic].test(reading)))
}

/** A label in front of what it names: the detail field that it fills word for word. */
const labels = {
  company_name: /^(?:company|company name|business name|legal name|firm|trading name|name of (?:the )?company)$/,
  website_url:
    /^(?:web|website|web ?site|website url|site|url|homepage|www|online|linkedin|instagram|facebook|twitter|youtube)$/,
  city_region: /^(?:city|region|location|city region|city and region|based in|hq|headquarters|head office location)$/,
  industry_vertical: /^(?:industry|industry vertical|vertical|sector|branch|line of business|trade)$/,
  contact_name: /^(?:contact name|contact person|name|your contact|account manager|owner name)$/,
  contact_title: /^(?:contact title|title|job title|position|role)$/,
  contact_phone: /^(?:contact phone|phone|phone number|telephone|tel|mobile|cell|call|call us|hotline|t|p|m)$/,
  contact_email: /^(?:contact email|e-?mail|email address|mail|write to|write to us|e)$/,
  business_address:
    /^(?:address|business address|postal address|registered (?:office|address)|(?:head |main )?office|headquarters address|visit us|workshop|showroom|street address)$/,
  primary_goal: /^(?:primary goal|goal|our goal|objective|aim)$/,
  target_job_titles:
    /^(?:target job titles?|target titles?|target roles?|(?:typical |our )*(?:buyers?|buyer titles?)|decision[ -]makers?|personas?|who buys|we talk to|talks? to)$/,
  ideal_client_urls: /^(?:ideal client urls?|example (?:clients?|customers?)(?: urls?| websites?)?)$/,
  competitors: /^(?:(?:main |our |key |the )*(?:competitors?|competition|alternatives?(?: to us)?|rivals))$/,
  business_description:
    /^(?:business description|description|about|about us|what we do|in short|summary|profile|tagline)$/,
  problems_solved: /^(?:problems? solved|problems? we solve|(?:the )?problems?|challenges?)$/,
  client_transformation: /^(?:client transformation|transformation|before and after|outcome|what changes)$/,
  ideal_client_description:
    /^(?:ideal (?:clients?|customers?)(?: description| profile)?|(?:our |target |typical )+(?:clients?|customers?|market|audience)|best fit|clients|customers|markets?|industries(?: served)?|who it is for|for)$/,
  pain_points: /^(?:(?:typical |common )*(?:pain points?|pains?|frustrations?))$/,
  solution_triggers: /^(?:(?:solution |buying )?triggers?|when they call|when (?:clients|customers) call us)$/,
  competitor_frustrations:
    /^(?:competitor frustrations?|what (?:others|competitors) get wrong|what (?:they|clients|customers) (?:hate|dislike) about (?:others|competitors|the others)|where (?:others|competitors) fail|problems? with (?:others|competitors|alternatives))$/,
  unique_differentiators:
    /^(?:unique differentiators?|differentiators?|usp|why us|what makes us different|our difference|why (?:clients|customers|people|companies) (?:choose|pick|buy from|work with|stay with) us|(?:our )?(?:advantages?|edge))$/,
  objections_and_responses: /^(?:objections and responses|objections?)$/,
  additional_info:
    /^(?:additional info(?:rmation)?|notes?|please note|good to know|also|languages?|opening hours|hours)$/,
  guarantee: /^(?:(?:our |the )*(?:guarantees?|warranty|promise|risk reversal))$/,
  case_studies:
    /^(?:case stud(?:y|ies)|results?|success stor(?:y|ies)|references?|example|proof|customer story|story|stories)$/,
  credibility_markers:
    /^(?:credibility(?: markers?)?|certificat(?:es?|ions?)|certified|accreditations?|awards?|memberships?|standards?)$/,
  lead_magnets:
    /^(?:lead magnets?|free (?:offer|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|call|review|demo)s?|free)$/,
  core_products: /^(?:(?:core |our |main )*(?:products?|services?|products? and services?|offers?|offering))$/,
  contact: /^(?:contacts?|kontakt|contact us|get in touch|talk to|ask for|reach us|your contact)$/
} as const

export type Label = keyof typeof labels

const labelOf = (text: string): Label | undefined => {
  const bare = text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[_\s]+/g, " ")
    .trim()
  return (Object.keys(labels) as ReadonlyArray<Label>).find((label) => labels[label].test(bare))
}

/** `Label: what it names`, where the label is one that is known. */
export const labelled = (text: string): { readonly label: Label; readonly value: string } | undefined => {
  const [, name, value] =
    /^\s*([\p{L}][\p{L}\p{N} _'’&/()-]{0,48}?)(?:\s*[::]\s*(?!\/\/)|\s+-\s+)(\S.*)$/su.exec(text) ?? []
  if (name === undefined || value === undefined) return undefined
  const label = labelOf(name)
  return label === undefined ? undefined : { label, value: value.trim() }
}
