// layers/research/extract/Labels.ts: the words that companies put in front of or above what they say, in English, German,
// French and Spanish, and the fields of the profile that these name. Labels, headings, questions and columns share them.
import { Struct } from "effect"
import { listFields, textFields } from "#schema/Details.ts"

interface TopicWords {
  /** All of a label, a question or a column's name, and so of a heading too. */
  readonly label?: RegExp
  /** A heading begins so, or is so; it may say more than a label. */
  readonly heading?: RegExp
}

/** The first row whose words match a heading has it. A label that may name a customer's facts is in none of these. */
const topicWords = {
  // What stands under these is not the business's own word about itself.
  others: {
    heading:
      /^(?:example |sample |our )?(?:invoice|quotation|partners?$|suppliers?$|vacanc)|^(?:ads?|advert\p{L}*|sponsors?|anzeigen?|werbung|publicités?|publicidad|anuncios?)$|^(?:current |open )?(?:vacanc(?:y|ies)|positions|jobs?|roles)$|^(?:agenda|minutes|(?:latest )?(?:news|from the blog)|blog|press|media|careers?|(?:we(?:'re| are)|now) hiring|work (?:with|for) us$|join (?:us|our team)|to ?do|do not (?:mention|use)|comments?$|related|see also|customers also|you (?:may|might) also|old price list|aktuelles|karriere|stellen\p{L}*|wir suchen|recrutement$|on recrute|offres? d'emploi|emplois?$|nous rejoindre|rejoignez|partenaires|actualités|empleo|trabaja con)(?!\p{L})/u
  },
  contact: {
    label: /^(?:contacts?|kontakt|contact us|get in touch|talk to|ask for|reach us|contacto)$/,
    heading:
      /^(?:(?:your |our )?contacts?|contact (?:us|details|information|person|sales)|(?:get|keep|stay) in touch|reach us|talk to us|kontakt\b|ansprechpartner|find us|visit us|where (?:we are|to find us)|imprint|impressum|nous contacter|contáctenos|contacto)(?!\p{L})/u
  },
  faq: {
    heading:
      /^(?:faqs?|frequently asked|questions(?: and answers| (?:we|\p{L}+) (?:are asked|ask))?$|common (?:questions|concerns)|häufige fragen|questions fréquentes|preguntas frecuentes)/u
  },
  solution_triggers: {
    label:
      /^(?:(?:solution |buying )?triggers?|when (?:clients|customers|they|people|do they) call(?: us)?|when to call(?: us)?|wann kunden kommen|anlässe|buying signals)$/,
    heading:
      /^(?:when (?:to call|do (?:they|clients|customers)|(?:companies|people|clients?|customers?) (?:call|ring))|signs (?:that )?you need)/
  },
  pain_points: {
    label:
      /^(?:(?:(?:typical|common|biggest|main|usual) )*(?:pain points?|problems?(?: heard)?|complaints?|headaches|they complain of)(?: about (?:other )?\p{L}+)?|probleme?|problèmes?|problemas?)$/u,
    heading:
      /^(?:(?:client |customer |typical |common )*pain points?|what (?:our |your )?(?:customers|clients|\p{L}+) (?:complain about|struggle with|put up with|(?:are|were) fed up with)|what (?:annoys|bothers|worries) (?:them|you|\p{L}+)|(?:your |their )?(?:headaches|frustrations)$|(?:ihre|die) (?:probleme|sorgen|herausforderungen?)$|typische (?:probleme|ausgangslagen?)|pourquoi .{2,30} nous (?:appelle|appellent|contacte|contactent)|(?:les |vos )?(?:constats?|galères)$|sus problemas|what keeps (?:them|you)|sounds? familiar|(?:have you )?heard (?:it|this|these) before|(?:you (?:might|may) )?know the feeling|what (?:we|our \p{L}+|\p{L}+) (?:keep |usually |mostly |often )?(?:hear(?:ing)?|tell us)|(?:the )?(?:[\p{L}-]+ )?problems?(?: (?:we (?:keep|see|hear)|(?:we're|we are) asked).*)?$|problems (?:we're|we are) asked|why (?!we\b|us\b)\p{L}+ (?:call|ring|phone|come to|(?:send|bring) \p{L}+ to) us|the usual stor(?:y|ies)$|what (?:we are|we're) (?:usually |mostly |often )?(?:called|asked|rung)|what (?:usually |often |mostly )?goes wrong|vos (?:difficultés|problèmes)|vous nous appelez|vous connaissez|was uns (?:unsere )?kunden|kennen sie das|kommt ihnen das|ils nous (?:le )?disent|ce que .{3,40} nous (?:racontent|disent)|ce qu'on (?:trouve|entend)|ça vous parle|lo que nos (?:cuentan|dicen)|le suena)(?!\p{L})/u
  },
  problems_solved: {
    label: /^(?:problems? solved|problems? (?:we|that we) solve|problemas que resolvemos|diese probleme lösen wir)$/,
    heading: /^(?:the )?problems? (?:we|it) (?:solves?|fix(?:es)?)|^(?:what|problems?) we (?:solve|fix)/
  },
  core_products: {
    label: /^(?:(?:core |our |main )*(?:products?|services?|products? and services?)|leistung(?:en)?|prestations?)$/,
    heading:
      /^(?:(?:our|core|main|the|guide|unsere|nos|nuestros)\s+)*(?:products?|services?|offerings?|pricing|prices?|price list|cennik|preisliste|preise|leistungen|produkte|sortiment|angebot|gamme|produits|productos|tarifs|prix|prestations|formules|precios|tarifas|servicios|plans?|packages?|rates?|fees|catalogue|catalog|menu|treatments|courses|workshops|(?:sample|example) prices|preisbeispiele)(?:\s*(?:and|&|\/|,|und|et|y)\s*(?:prices?|pricing|services?|products?|fees|plans?|rates|packages|preise|tarifs|precios))*(?: (?:20\d\d|for the .*|ht au .*))?$|^what (?:we|you can) (?:offer|sell|make|build|buy|order)$|^what (?:it costs|does it cost)\??$/
  },
  target_job_titles: {
    label:
      /^(?:target job titles?|target titles?|target roles?|(?:typical |our )+(?:buyers?|buyer titles?)|buyers|decision[ -]makers?|buyer personas?|who (?:buys|signs|decides)|(?:people )?we (?:usually |mostly |normally )?(?:talk|speak|sell) to|we (?:usually |mostly |normally )?deal with|(?:job )?titles(?: we (?:deal|work|speak) with)?|(?:who(?:m)? do you (?:normally |usually )?deal with|who should call us|nos interlocuteurs|qui signe|wer ruft an))$/,
    heading:
      /^(?:typical |our |the )*(?:buyers?|decision[ -]makers?|target (?:job )?(?:titles?|roles?|buyers?)|who (?:buys|decides|orders|signs|calls us|feels it)|personas?|(?:unsere )?ansprechpartner beim kunden|wer (?:entscheidet|bestellt|anruft)|qui décide|quién decide)$/u
  },
  ideal_client_description: {
    label:
      /^(?:ideal (?:clients?|customers?)(?: description| profile)?|who are your (?:typical |main |usual )?(?:clients?|customers?)|who do you (?:usually |mostly )?(?:work with|sell to|serve|supply)|icp|target (?:clients?|customers?|market|audience)|typical (?:clients?|customers?)|(?:client|customer) types?|best fit|who we (?:work with|serve|help)|industries served|markets served|who (?:it is|it's|is it) for|for whom|who (?:buys|orders|rents) from you|zielgruppe|für|für wen|pour qui|cible|para quién|clientes ideales|nuestros clientes)$/,
    heading:
      /^(?:who (?:we|it|it's|this|they)\b.*(?:serve|help|for|work)|who (?:asks us in|(?:buys|orders|rents|hires|books) (?:from|with)? ?(?:us|\p{L}+))|(?:our )?(?:ideal|typical|target|best) (?:clients?|customers?|market|audience|fit)(?: profile| description)?|clients? we (?:serve|like)|who (?:(?:is )?(?:it|this) (?:is )?)?for|icp|built for|made for|(?:our (?:clients?|customers?|markets?)|industries(?: we serve| served)?|markets?(?: we serve| served)?|sectors?)$|für wen|unsere kunden$|wer (?:bei uns kauft|uns beauftragt)|zielgruppe|an wen|à qui|clients? visés|pour qui|nos clients$|para quién|con quién trabaj\p{L}+|nuestros clientes$|is this you\??$|client profile$)(?!\p{L})/u
  },
  ideal_client_urls: {
    label: /^(?:ideal client urls?|example (?:clients?|customers?) (?:urls?|websites?))$/,
    heading: /^(?:example|ideal|sample) (?:clients?|customers?) (?:urls?|websites?|sites?)\b|^ideal client urls?/
  },
  case_studies: {
    label:
      /^(?:(?:case stud(?:y|ies)|(?:(?:a|our) )?(?:client|customer|success) stor(?:y|ies)|(?:client )?results?|references?|relevant contract|can you give an example|referenz|référence|ergebnis|résultat|resultado))$/,
    heading:
      /^(?:case stud|(?:client |customer )?(?:success|customer) stor|(?:customer |client |the )?(?:results?|outcomes)(?!\p{L})|(?:our )?track record|ergebnisse$|résultats$|resultados$|un exemple|ein beispiel|an example$|example:|proof|social proof|(?:what )?(?:our )?(?!we\b|they\b)\p{L}+ say$|what (?:our )?\p{L}+ (?:say|got|achieve|found|report)|(?:some |our )recent (?!news\b|posts\b|articles\b|events\b|comments\b)\p{L}+$|what it has (?:meant|saved)|testimonials?|references|selected (?:work|projects)|(?:recent |our )?(?:work|projects)$|(?:it works|does it (?:work|help|do any good)\??)$|in numbers|(?:(?:two|three|our|some) )?(?:customers|clients)$|referenzen|références|kundenstimmen|erfolgsgeschichten|was (?!wir|uns)\p{L}+ sagen|aus der praxis|beispiele$|témoignages|ils (?:nous font confiance|témoignent|en parlent)|ce qu'ils en (?:pensent|disent)|casos de éxito|lo que dicen|testimonios)/u
  },
  guarantee: {
    label:
      /^(?:(?:(?:our|the|service|quality|unsere?|notre|nuestra) )*(?:guarantees?|promise|warranty|risk reversal|garantie|zusage|engagement|garantía)(?: offered)?|what (?:if|happens if) .{4,60})$/,
    heading:
      /^(?:(?:our|the|unsere|unser|notre|nuestra|no|risk|money|service|[\p{L}\d.-]+)[ -]){0,4}(?:guarantees?|promise|pledge|undertaking|warrant(?:y|ies)|reversal|risk|money[ -]back|garantie|gewährleistung|zusage|versprechen|engagements?|garantía|promesa)$|^(?:unser wort|we guarantee)$/u
  },
  competitors: {
    label:
      /^(?:(?:main |our |key |the )*(?:competitors?|competition|alternatives?(?: to us)?|rivals|up against)(?: in (?:this|the|your|our) market)?|wettbewerb(?:er)?|mitbewerber|concurrents|competidores)$/,
    heading:
      /^(?:our |main |the )*(?:competitors?|competition|alternatives?|compared (?:with|to)|rivals|wettbewerb(?:er)?|mitbewerb(?:er)?|konkurrenz|concurrents?|concurrence|competidores|competencia)(?!\p{L})|^(?:others (?:in the market|you may be looking at)|why not (?:the|a)\b|how do you compare|(?:und )?die großen|(?:et )?par rapport aux autres|y los demás)/u
  },
  competitor_frustrations: {
    label:
      /^(?:competitor frustrations?|what (?:others|competitors) get wrong|where (?:others|competitors) fail|problems? with (?:others|competitors|alternatives))$/,
    heading:
      /^(?:competitor (?:frustrations?|weakness)|(?:where|what) (?:others|competitors|they|alternatives) (?:fail|fall short|get wrong|miss)|(?:problems?|trouble) with (?:others|competitors|alternatives|other))/
  },
  credibility_markers: {
    label:
      /^(?:credibility(?: markers?)?|credentials|awards \/ certs|(?:why )?people trust us|(?:certificat(?:es?|ions?)|accreditations?|awards?|memberships?)(?: held)?|are you (?:certified|accredited|insured)|zertifikate|zertifizierungen|auszeichnungen|mitgliedschaften)$/,
    heading:
      /^(?:(?:our )?(?:certificat|accreditation|credential|qualification|quality and certif|awards?|memberships?)|credib|why trust us|zertifi|auszeichnungen|mitgliedschaften|nachweise$|labels?$|agréments|certificaciones|qualifications$)/
  },
  lead_magnets: {
    label:
      /^(?:lead magnets?|free (?:offer|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|review|demo)s?|free thing (?:we|you) (?:offer|give)|(?:is there )?anything free|(?:free|gratis|kostenlose?s?)(?: [\p{L}-]+){0,2})$/u,
    heading:
      /^(?:free\b|lead magnets?|resources?$|downloads?$|try (?:it|us)|probieren sie|zum ausprobieren|pruébenos|start (?:here$|(?:for )?free)|before you buy|no[ -]obligation|(?:[\p{L}-]+ ){0,2}trial$|(?:angebot )?zum kennenlernen|what (?:you get|is|we do)(?: for)? free|kostenlos|gratis|essayez)|(?:offerte?|gratuite?)s?$/u
  },
  unique_differentiators: {
    label:
      /^(?:unique differentiators?|differentiators?|benefits?|(?:ihre )?vorteile?|usp|why us|what makes us different|what (?:sets (?:us|you) apart|is different|distinguishes (?:us|you|your offer))|(?:our|notre|nuestra) (?:difference|différence|diferencia)|was uns unterscheidet|how (?:are you different|do you differ)(?: from .{2,40})?|what do you do better than .{2,60}|why (?:clients|customers|people|companies) (?:choose|pick|buy from|work with|stay with|come to) us)$/,
    heading:
      /^(?:why (?:us\b|choose|(?:[\p{L}-]+ )*(?:buy|choose|pick|stay|switch|change|trust|work with)\b|we(?:'re| are)? (?:different|win)|it works$|\p{L}+\?$)|what (?:makes|sets) us|what we do differently|how we(?:'re| are| do (?:it|things)) different(?:ly)?|warum (?!überhaupt)\p{L}+\??$|warum (?:unsere )?\p{L}+ (?:zu uns kommen|bei uns (?:bleiben|kaufen)|uns (?:wählen|vertrauen))|(?:unsere |ihre )?(?:vorteile|stärken)|darum \p{L}+$|das unterscheidet uns|(?:nos|vos) (?:atouts|avantages|plus)$|nuestras? (?:ventajas?|diferencia)|lo que nos diferencia|was wir anders machen|pourquoi (?:nous|choisir|travailler avec|\p{L}+ ?\??$)|ce qui change avec nous|por qué (?:nosotros|elegirnos)|(?:our |the |unique )*(?:difference|differentiators?|advantages?|usp|strengths)|how (?:we(?:'re| are)|are you) different|(?:our |unique )?value propositions?$)/u
  },
  objections_and_responses: {
    label: /^(?:objections and responses|objections?)$/,
    heading: /^(?:common )?objections?(?: and (?:answers|responses))?$/
  },
  client_transformation: {
    label: /^(?:client transformation|before and after)$/,
    heading: /^(?:client transformation|before and after|what changes)/
  },
  primary_goal: { label: /^primary goal$/, heading: /^our goal$/ },
  business_description: {
    label:
      /^(?:business description|company description|description(?: of (?:the )?(?:business|company))?|in one sentence|one[ -]liner|about(?: us)?|what (?:we|you|do you|is it you) do|ce que nous faisons|what does your (?:organi[sz]ation|company|business) do|nature of (?:the )?business|website text|texte site|wer wir sind|in short|was wir machen|über uns|qui sommes-nous|quiénes somos)$/,
    heading:
      /^(?:about\b|über uns|wir über uns|à propos|en bref|kurz gesagt|das sind wir|sobre nosotros|qui sommes-nous|quiénes somos|who we are|l'entreprise$|(?:our |the )?(?:company|story|mission|business)(?: (?:profile|description|overview|summary))?$|overview$|introduction$|in short|at a glance|what we(?:'re| are)|what (?:does|do) .{2,60} do\b|who (?:is|are) \p{L}.{2,40}|wer wir sind|summary$|profile$)/u
  },
  additional_info: { label: /^(?:additional info(?:rmation)?)$/ },
  company_name: {
    label:
      /^(?:company|company name|business name|(?:full |registered )?legal name|registered (?:company )?name|(?:organi[sz]ation|supplier|bidder) name|legal name of (?:the )?(?:supplier|bidder|company)|trading name|name of (?:the )?company|firma|firmenname|firmenwortlaut|unternehmen|société|entreprise|raison sociale|dénomination(?: sociale)?|empresa|razón social)$/
  },
  website_url: {
    label: /^(?:web|website|web ?site|website url|site|site web|url|homepage|www|webseite|internet)$/
  },
  city_region: {
    label:
      /^(?:city|region|city region|city and region|based in|hq|headquarters|standort|sitz|siège|head office location|ciudad)$/
  },
  industry_vertical: {
    label: /^(?:industry|industry vertical|line of business|sector|trade|branche|activité|secteur(?: d'activité)?)$/
  },
  contact_name: {
    label:
      /^(?:contact name|contact person|your contact|who to ask for|(?:main|primary|key|sales) contact|point of contact|ansprechpartner(?:in)?|ansprechperson|contact for (?:this|the) (?:bid|submission|tender|offer)|interlocut(?:eur|rice)|persona de contacto|inhaber(?:in)?)$/
  },
  contact_title: { label: /^(?:contact title|job title|title|position|funktion|fonction|cargo)$/ },
  contact_phone: {
    label:
      /^(?:contact phone|phone|phone number|telephone|tel|mobile|cell|call|call us|hotline|telefon|tél|téléphone|teléfono|t|p)$/
  },
  contact_email: {
    label: /^(?:contact email|e-?mail|email address|mail|write to|write to us|courriel|correo|e)$/
  },
  business_address: {
    label:
      /^(?:(?:(?:business|physical|company) )?address|registered (?:office|address)|(?:head |main )?office|headquarters address|visit us|workshop|showroom|street address|where are you|adresse|anschrift|siège social|firmensitz|dirección)$/
  }
} as const satisfies Readonly<Record<string, TopicWords>>

/** What a heading or a label names: a field of the profile, a way to make contact, questions, or what others say. */
export type Topic = keyof typeof topicWords
export type Label = Exclude<Topic, "others" | "faq">

export type TextField = (typeof textFields)[number]
export type ListField = (typeof listFields)[number]
export type Field = TextField | ListField | "core_products"
export const isText = (label: Topic): label is Label & TextField => textFields.some((field) => field === label)
export const isList = (label: Field | Topic): label is ListField => listFields.some((field) => field === label)

/** Fields whose value is a list of names on one line. */
export const nameListFields: ReadonlySet<string> = new Set(["target_job_titles", "competitors", "ideal_client_urls"])

export const isOneLine = (field: Field) =>
  field.startsWith("contact_") ||
  ["company_name", "website_url", "city_region", "business_address", "industry_vertical"].includes(field)

const topics = Struct.keys(topicWords)
const wordsOf = (topic: Topic): TopicWords => topicWords[topic]

const normalizeLabel = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\s*\([^()]*\)(?=\??$)/, "")
    .replace(/[_\s]+/g, " ")
    // "Benefit 1", "Benefit 2": a sheet counts what has one name.
    .replace(/(?<=\p{L}) \d{1,2}$/u, "")
    .trim()

/** The label that a text is, alone as a heading, in front of what it names, or asked: "What do you do?" */
export const knownLabel = (text: string): Label | undefined => {
  const normalized = normalizeLabel(text).replace(/^¿|\s*\?$/g, "")
  // "Guarantee / Garantie" is one label in two languages.
  const variants = [normalized, ...normalized.split(" / ")]
  return topics.find((topic): topic is Label => variants.some((each) => wordsOf(topic).label?.test(each) === true))
}

/** A field of one line names no section. */
const isSection = (topic: Topic) => !(isText(topic) && isOneLine(topic))

const readTopic = (heading: string): Topic | undefined => {
  const text = normalizeLabel(
    heading
      .replace(/^(?:(?:slide|folie|part) \d{1,2}\s?[:.|–-])?[\d.\s)§#*¿|]+/i, "")
      .replace(/^(?:and|so) (?=\p{L})/iu, "")
  )
    .replace(/[:?!.\s]+$/, (end) => (end.includes("?") ? "?" : ""))
    .trim()
  if (text.length > 80) return undefined
  // "The problem with others" is about others first.
  const variants = [text, text.replace(/\?$/, ""), ...text.split(" / ").slice(1)]
  const isNamed = (topic: Topic) => {
    const { heading, label } = wordsOf(topic)
    return isSection(topic) && variants.some((each) => label?.test(each) === true || heading?.test(each) === true)
  }
  const topic = topics.find(isNamed)
  // "Who we are not for" names no clients.
  const isDenied = /\b(?:not|never|no longer)\b|n't\b/.test(text) && !/^why not\b/.test(text)
  return isDenied && topic !== undefined && topic !== "competitor_frustrations" ? undefined : topic
}

const topicCache = new Map<string, Topic | undefined>()
const maxCacheEntries = 2_000

/** What a heading is about, if its words say so. Cached, because every field checks the same headings. */
export const headingTopic = (heading: string): Topic | undefined => {
  if (topicCache.has(heading)) return topicCache.get(heading)
  const topic = readTopic(heading)
  if (topicCache.size >= maxCacheEntries) topicCache.clear()
  topicCache.set(heading, topic)
  return topic
}

/** `Label: what it names`, where the label is one that is known. */
export const parseLabelled = (text: string): { readonly label: Label; readonly value: string } | undefined => {
  const [, name, value] =
    /^\s*(¿?[\p{L}][\p{L}\p{N} _'’&/()-]{0,48}?)\.?(?:\s*\??\s*[::]\s*(?!\/\/)|\s+=\s+|\s*\?\s+|\s+-\s+|\s*\.{3,}\s*(?::\s*)?)(\S.*)$/su.exec(
      text
    ) ?? []
  if (name === undefined || value === undefined) return undefined
  const label = knownLabel(name)
  return label === undefined ? undefined : { label, value: value.trim() }
}
