// layers/research/extract/Topics.ts: the topic of a heading, in the words that companies use.
import { Struct } from "effect"

const topics = {
  // What stands under these is not the business's own word about itself.
  others:
    /^(?:example |sample |our )?(?:invoice|quotation|partners?$|suppliers?$|vacanc)|^(?:agenda|minutes|(?:latest )?news|blog|press|media|jobs?$|careers?|we are hiring|work (?:with|for) us$|join (?:us|our team)|to ?do|do not (?:mention|use)|comments?$|related|see also|customers also|you (?:may|might) also|aktuelles|karriere|stellen|wir suchen|recrutement$|emplois?$|nous rejoindre|rejoignez|partenaires|actualités)(?!\p{L})/u,
  contact:
    /^(?:(?:your |our )?contacts?|contact (?:us|details|information|person)|(?:get|keep|stay) in touch|reach us|talk to us|kontakt\b|ansprechpartner|find us|visit us|where (?:we are|to find us)|imprint|impressum)\b/,
  products:
    /^(?:(?:our|core|main|the|unsere|nos)\s+)*(?:products?|services?|offerings?|pricing|prices?|price list|cennik|preisliste|preise|leistungen|produkte|produits|tarifs|prix|prestations|plans?|packages?|rates?|fees|catalogue|catalog|menu|treatments|courses|workshops)(?:\s*(?:and|&|\/|,)\s*(?:prices?|pricing|services?|products?|fees|plans?|rates|packages))*(?: 20\d\d)?$|^what (?:we|you can) (?:offer|sell|make|build|buy|order)$|^what it costs/,
  buyers:
    /^(?:typical |our |the )*(?:buyers?|decision[ -]makers?|target (?:job )?(?:titles?|roles?|buyers?)|who (?:buys|decides|orders|signs|calls us)|personas?)$/,
  ideal:
    /^(?:who (?:we|it|this|they)\b.*(?:serve|help|for|work)|(?:our )?(?:ideal|typical|target|best) (?:clients?|customers?|market|audience|fit)(?: profile| description)?|clients? we (?:serve|like)|who (?:is )?(?:it|this) (?:is )?for|icp|built for|made for)\b/,
  clients:
    /^(?:our (?:clients?|customers?|markets?)|industries(?: we serve| served)?|markets?(?: we serve| served)?|sectors?)\b/,
  urls: /^(?:example|ideal|sample) (?:clients?|customers?) (?:urls?|websites?|sites?)\b|^ideal client urls?/,
  cases:
    /^(?:case stud|(?:client |customer )?(?:success|customer) stor|(?:customer |client )?(?:results|outcomes)|(?:our )?track record|proof|social proof|what (?:our )?(?:clients|customers) (?:say|got|achieve)|testimonials?|references|selected (?:work|projects)|(?:recent |our )?(?:work|projects)$|in numbers|(?:customers|clients)$|referenzen|références|kundenstimmen|erfolgsgeschichten|témoignages|ils nous font confiance)/,
  guarantee:
    /^(?:our |the |unsere |notre )*(?:guarantees?|warranty|warranties|risk[ -]reversal|no[ -]risk|money[ -]back|garantie)$/,
  competitors:
    /^(?:our |main |the )*(?:competitors?|competition|alternatives?|compared (?:with|to)|rivals|others in the market|wettbewerb(?:er)?|mitbewerb(?:er)?|konkurrenz|concurrents?|concurrence)\b/,
  frustrations:
    /^(?:competitor (?:frustrations?|weakness)|(?:where|what) (?:others|competitors|they|alternatives) (?:fail|fall short|get wrong|miss)|(?:problems?|trouble) with (?:others|competitors|alternatives|other))/,
  credibility:
    /^(?:(?:our )?(?:certificat|accreditation|credential|quality and certif|awards?|memberships?)|credib|why trust us|zertifi)/,
  magnets:
    /^(?:free\b|lead magnets?|resources?$|downloads?$|try (?:it|us)|start (?:for )?free|before you buy|no[ -]obligation)/,
  differentiators:
    /^(?:why (?:us\b|choose|(?:[\p{L}-]+ )*(?:buy|choose|pick|stay|switch|trust|work with)\b|we(?:'re| are)? (?:different|win)|\w+\?$)|what (?:makes|sets) us|warum \p{L}+\??$|pourquoi (?:nous|choisir|travailler avec|\p{L}+ ?\??$)|(?:our |the |unique )*(?:difference|differentiators?|advantages?|usp|strengths)|how we(?:'re| are) different|(?:our |unique )?value propositions?$)/u,
  problems: /^(?:the )?problems? (?:we|it) (?:solves?|fix(?:es)?)|^(?:what|problems?) we (?:solve|fix)/,
  pains: /^(?:(?:client |customer |typical |common )*pain points?|what keeps (?:them|you)|sound familiar)/,
  triggers:
    /^(?:(?:solution |buying )?triggers?|when (?:to call|clients? call|customers? call|do (?:they|clients|customers)|companies call|people call)|signs (?:that )?you need)/,
  objections: /^(?:common )?objections?(?: and (?:answers|responses))?$/,
  faq: /^(?:faqs?|frequently asked|questions(?: and answers)?|common (?:questions|concerns))/,
  transformation: /^(?:client transformation|before and after|what changes)/,
  goal: /^(?:primary |our )goal$/,
  about:
    /^(?:about\b|über uns|à propos|qui sommes-nous|who we are|(?:our |the )?(?:company|story|mission|business)(?: (?:profile|description|overview|summary))?$|overview$|introduction$|in short|at a glance|what we(?:'re| are)|what (?:does|do) .{2,60} do\b|summary$|profile$)/
} as const

export type Topic = keyof typeof topics

const order = Struct.keys(topics)

/** The topic of a heading, if its words name one. */
export const topicOf = (heading: string): Topic | undefined => {
  const text = heading
    .toLowerCase()
    .replace(/^[\d.\s)§#*]+/, "")
    .replace(/\s*\([^()]*\)$/, "")
    .replaceAll("’", "'")
    .replace(/[:?!.\s]+$/, (end) => (end.includes("?") ? "?" : ""))
    .trim()
  if (text.length > 80) return undefined
  // "The problem with others" is about others first.
  const readings = [text, text.replace(/\?$/, ""), ...text.split(" / ").slice(1)]
  const found = order.find((topic) => readings.some((reading) => topics[topic].test(reading)))
  // "Who we are not for" names no clients.
  const isDenied = /\b(?:not|never|no longer)\b|n't\b/.test(text)
  return isDenied && found !== undefined && found !== "frustrations" ? undefined : found
}
