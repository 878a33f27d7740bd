// layers/generator/builtin/ClientDescriptions.ts: reads who a business's clients are, how large and where, from its
// description of them.
import { capitalizeFirst, withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import { splitSentences, classifyShape, countWords } from "#layers/text/Sentences.ts"

/** Countries by their English names, and the short forms in use. */
const countries = (() => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const regionNames = letters.flatMap((a) => letters.map((b) => names.of(a + b)))
  return new Set([
    ...regionNames.filter((name) => name !== undefined),
    ..."USA|US|UK|UAE|England|Scotland|Wales|Northern Ireland|Czech Republic|Turkey|The Netherlands|Holland".split("|")
  ])
})()

/** A longer phrase describes clients instead of naming them. */
const maxPhraseCharacters = 80
const maxPhraseWords = 12

/** Words before the clients in sentences such as "We sell to mines" and "Our best clients are hotels". */
const introduction =
  /^(?:we (?:(?:mainly|mostly|only|usually|typically|primarily|exclusively) )?(?:sell|work|serve|supply|support|suit|advise|equip|cater|deliver)(?: (?:best|mainly|mostly|only|exclusively|primarily|to|with|for))* |(?:most of )?(?:(?:our|the) (?:\p{Ll}+ )?)?(?:(?:best|ideal|typical|main|target) )*(?:clients?|customers?|buyers?) (?:are|include|is an?)(?: (?:mostly|mainly|usually|typically))? |(?:(?:best|ideal|typical)|(?:who|whom)[^:.]{0,20}\bwe\b|(?:our )?(?:clients|customers))[^:.]{0,30}: )/iu

/** Words after which a phrase about clients states their properties. */
const phraseBoundary =
  /\s*[(:;]|,? (?:die|der|das|qui|dont) | (?:mit|ab|von|avec|van|met|vanaf|de plus de|à partir de) (?=\d)|,? (?:that|who|which|whose|where|with|without|doing|making|running|selling|using|turning|employing|needing|looking|facing|tired|on|within) |, (?:mostly|mainly|especially|built|made|\p{L}+ed) |, (?=\d)|, and (?=\p{L}+ (?:it|them)\b)|,? (?:of|from|between|over|under|above|below|at least|up to|more than) (?=[\d$€£])| [–—-] /u

/** Nouns that name no kind of client. */
const vagueNouns =
  /^(?:any |all |the |small |smaller |large |larger |medium-sized |mid-sized |groups?|companies|company|businesses|business|firms?|organi[sz]ations?|clients?|customers?|people|teams?|owners?|those|they|brands|sites?|places|buildings|premises|properties|ambitious |growing |modern |successful | ?of any| ?of all| sizes?| kinds?)+$/i
/** Words for everybody, which name no kind of client. */
const anyonePattern = /^(?:anyone|anybody|everyone|everybody|whoever|all kinds|alle|jeder|tous)\b/i

const splitEnumeration = (text: string): ReadonlyArray<string> => text.split(/,\s+(?:and |or )?|\s+(?:and|or|&)\s+/)

/** Whether a phrase names a kind of client. */
const isClientPhrase = (text: string): boolean =>
  // In an enumeration, the library mistakes some nouns for verbs, such as "landscape"; alone, it classifies them correctly.
  (classifyShape(text) === "fragment" || splitEnumeration(text).every((part) => classifyShape(part) === "fragment")) &&
  !/\b(?:we|they|you|it|their|your|our|its)\b/i.test(text)

/** Whether the text starts by referring to something named before it. */
const refersBack = (text: string) =>
  /^(?:each|every|both|that|this|these|those|all of|none|it|they|he|she)\b/i.test(text)

/** The end of a text that breaks off, such as a line of a table. */
const danglingEnd = /(?:[,;:–—-]|\b(?:and|or|of|in|at|for|with|to|the|an?|from|by))$/i

/** A plural after at most two other words: the next kind of client in a list, such as "bus operators" after "fleets of 20 trucks up". */
const kindInList =
  /^(?:and |or )?(?:(?!and |or |with |in |on )\p{Ll}[\p{L}-]* ){0,2}\p{Ll}[\p{L}-]*[^s\P{L}]s(?= and | or | in | across |$)/u

/** Whether the words after the first kind of client name more kinds, so that the first alone would be a part of them. */
const namesMoreClients = (rest: string): boolean =>
  (rest.split(":")[0] ?? "")
    .split(/,\s+/)
    .slice(1)
    .some((part) => kindInList.test(part))

const fitsLength = (text: string) => text !== "" && text.length <= maxPhraseCharacters

/** "Plant managers and HR directors at manufacturers" → "manufacturers". */
const titlesAtPrefix = /^[^,.;:]{2,80}\b(?:managers|directors|owners|heads|officers|buyers|executives) at (?=\p{Ll})/iu
/** "Some 140 practices" → "practices". */
const estimatePrefix = /^(?:some|about|around|over|more than|nearly|almost|roughly) \d[\d.,]*\+? (?=\p{L})/iu

/** The first sentence, without enclosing parentheses and final full stop. */
const firstSentence = (text: string): string => {
  const [sentence = ""] = splitSentences(text)
  return withoutFullStop(sentence.replace(/^\(([^()]+)\)$/, "$1")).trim()
}

/** The clients, in consecutive words of the description; empty if that is uncertain. */
export const clientPhrase = (description: string): string => {
  const sentence = firstSentence(description)
  const clause = sentence.replace(introduction, "").replace(estimatePrefix, "").replace(titlesAtPrefix, "")
  const firstPhrase = (clause.split(phraseBoundary)[0]?.trim() ?? "").replace(
    / (?:in|of|at) (?:companies|firms|businesses)$/,
    ""
  )
  if (
    anyonePattern.test(clause) ||
    refersBack(clause) ||
    danglingEnd.test(clause) ||
    // "Our" and "we" in German or French: only English sentences can be split safely.
    /^(?:unsere?|wir|nos|notre|nous)\b/i.test(clause) ||
    / \([^)]*\),? (?:and|or) /.test(clause) ||
    // The clause counts something that clients have: "Most of the 1,870 lifts on our books".
    /^(?:most|many|some|half|all|\d[\d.,]*) of\b/i.test(clause) ||
    (vagueNouns.test(firstPhrase) && !/\d/.test(clause))
  )
    return ""
  const isComplete = !namesMoreClients(clause.slice(clause.split(phraseBoundary)[0]?.length ?? 0))
  if (
    isComplete &&
    fitsLength(firstPhrase) &&
    countWords(firstPhrase) <= maxPhraseWords &&
    !vagueNouns.test(firstPhrase) &&
    isClientPhrase(firstPhrase)
  )
    return capitalizeFirst(firstPhrase)
  const isWhole = clause !== sentence || classifyShape(sentence) === "fragment"
  return fitsLength(clause) &&
    isWhole &&
    !/^(?:they|we|it|you)\b|\b(?:our|us)\b/i.test(clause) &&
    !/[,;:]$/.test(clause)
    ? capitalizeFirst(clause)
    : ""
}

/** Nouns that the words of each part may belong to: in "cosmetics and electronics brands", both name brands. */
const sharedNounAtEnd =
  /\b(?:brands|companies|firms|businesses|shops|stores|retailers|manufacturers|makers|producers|suppliers|distributors|wholesalers|merchants|startups|teams|departments|groups|chains|agencies|operators|providers|importers|exporters|dealers|buyers|owners|managers)$/i

/** People by what they do at a company, which is no industry. */
const peopleAtWork =
  /(?<!\b(?:property|fund|asset) )\b(?:managers|directors|owners|founders|heads|officers|executives|supervisors|superintendents|coordinators|planners)\b/i

/** The kind of client as an industry: without its place, and empty for people and for what has properties in it. */
export const industryOf = (clients: string): string =>
  peopleAtWork.test(clients) || phraseBoundary.test(clients) || /\d/.test(clients) ? "" : removePlace(clients)

/**
 * The parts of "mines, quarries and wastewater plants"; empty if a word may belong to several parts, as in "cosmetics and
 * electronics brands" or "independent gyms and studios".
 */
export const splitClientKinds = (clients: string): ReadonlyArray<string> => {
  const parts = splitEnumeration(clients)
  const [first = ""] = parts
  const canSplit =
    parts.length > 1 &&
    parts.length <= 6 &&
    countWords(first) === 1 &&
    parts.every((part) => countWords(part) <= 3 && !vagueNouns.test(part) && /[^s]s$/.test(part)) &&
    !(countWords(parts.at(-1) ?? "") > 1 && sharedNounAtEnd.test(clients))
  return canSplit ? parts.map(capitalizeFirst) : []
}

const countPattern =
  "(?:\\d[\\d.,]*\\d|\\d|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|a hundred)"
const measurePattern =
  "(?:days?|weeks?|months?|years?|hours?|minutes?|percent|times?|euros?|dollars?|pounds?|kW|MW|million|thousand|k|m)"
const sizeEnd =
  "(?=,|;|:|\\.(?:\\s|$)|$|\\)| (?:and|or|with|that|who|which|whose|doing|on|across|at|from|of|per|to)\\b| in (?:the )?\\p{Lu})"
const sizePattern = new RegExp(
  `(?<![\\p{L}\\d$€£%.,-])(?<!(?:EUR|USD|GBP|within|every|after|teams? of) )(?:(?:[Mm]ore than|[Oo]ver|[Aa]bove|[Aa]t least|[Aa]t most|[Uu]p to|[Ff]ewer than|[Ll]ess than|[Nn]o more than|[Uu]nder|[Bb]elow) ${countPattern}\\+?|[Bb]etween ${countPattern} and ${countPattern}|${countPattern} ?(?:-|–|to) ?${countPattern}|${countPattern}\\+) (?!${measurePattern}\\b)(?:[\\p{L}][\\p{L}'-]*)(?: (?!and\\b|or\\b|with\\b|that\\b|who\\b|which\\b|doing\\b|on\\b|across\\b|at\\b|from\\b|of\\b|to\\b|in (?:the )?\\p{Lu})[\\p{L}][\\p{L}'-]*){0,4}${sizeEnd}`,
  "gu"
)
/** "20 bis 300 Mitarbeitern", "plus de 400 m²". */
const foreignSizePattern = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:mehr als|über|ab|mindestens|bis zu|plus de|moins de|au moins|de|van|meer dan|minder dan) )?\\d[\\d.,]*(?: ?(?:-|–|bis|à|tot) ?\\d[\\d.,]*)? (?:Mitarbeiter(?:n|innen)?|Beschäftigten?|Betten|Zimmern?|Filialen|Standorten?|medewerkers|salariés|employés|chambres|magasins|sites|m²)(?!\\p{L})`,
  "iu"
)

/** Nouns that count the people or the sites of a business; machines, orders and trees are no size of a company. */
const peoplePattern =
  /\b(?:employees|people|staff|workers|FTEs?|heads?|team members|practitioners|Mitarbeiter(?:n|innen)?|Beschäftigten?|medewerkers|salariés|employés)\b/i
const sitesPattern =
  /\b(?:sites|locations|branches|stores|shops|malls|outlets|restaurants|clinics|practices|hotels|schools|plants|factories|depots|warehouses|offices|buildings|homes|Filialen|Standorten?|magasins)\b/i

/** The stated size of the clients: a range or a limit, of employees if possible. */
export const companySizeIn = (description: string): string => {
  const sizes = [
    ...[...description.matchAll(sizePattern)].map(([text]) => text.trim()),
    foreignSizePattern.exec(description)?.[0] ?? ""
  ]
  return sizes.find((text) => peoplePattern.test(text)) ?? sizes.find((text) => sitesPattern.test(text)) ?? ""
}

const currency = "(?:EUR|USD|GBP|CHF|€|\\$|£)"
const figurePattern = "\\d[\\d.,]*(?<=\\d) ?(?:k|m|bn|million|billion)?\\+?"
const moneyPattern = `(?:${currency} ?${figurePattern}(?: ?(?:-|–|to|and) ?${currency}? ?${figurePattern})?(?:(?<=\\d) ?(?:k|m|bn|million|billion))?|${figurePattern}(?: ?(?:-|–|to|and) ?${figurePattern})? (?:million |billion )?(?:euros|dollars|pounds))`
const limitPrefix = "(?:(?:more than|at least|about|between|over|above|under|below|up to) )?"
const earningVerbs = "(?:doing|making|turning over|turn over|earning|(?:revenues?|turnover|sales)(?: of| from)?)"
const revenuePatterns = [
  new RegExp(`\\b${earningVerbs} (${limitPrefix}${moneyPattern}(?: (?:a|per) year)?)(?!\\p{L})`, "iu"),
  new RegExp(
    `(?<![\\p{L}\\d])(${limitPrefix}${moneyPattern}) (?:in |of )?(?:annual |yearly )?(?:revenue|turnover|sales|ARR)\\b`,
    "iu"
  )
]

export const revenueIn = (description: string): string =>
  revenuePatterns.map((pattern) => pattern.exec(description)?.[1]?.trim()).find((revenue) => revenue !== undefined) ??
  ""

/** Adjectives of regions, except where they describe a cuisine or a language. */
const regions: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEuropean\b/, "Europe"],
  [/\bUK(?= \p{Ll})|\bBritish\b/u, "United Kingdom"],
  [/\bUSA?(?= \p{Ll})|\bAmerican\b/u, "United States"],
  [/\bDACH\b/, "Germany, Austria and Switzerland"],
  [/\bGerman\b/, "Germany"],
  [/\bDutch\b/, "Netherlands"],
  [/\bPolish\b/, "Poland"],
  [/\bIrish\b/, "Ireland"],
  [/\bNordic\b/, "Nordic countries"]
]
/** "New Zealand firms": a country before the kind of client. */
const countryFirst = /^((?:\p{Lu}\p{L}+ ){1,2})\p{Ll}/u
const countryIn = (text: string): string => {
  const name = countryFirst.exec(text)?.[1]?.trim() ?? ""
  return countries.has(name) ? name : ""
}
const languageSuffix = /^[- ](?:speaking|language|style|food|restaurants?|lessons|wine|cuisine|shepherds?|pubs?)/i

const placeName = "\\p{Lu}[\\p{L}\\p{M}'’.-]*[\\p{L}]|UK|US|EU"
const placePattern = `(?:the )?(?:(?:north|south|east|west|centre) of |(?:northern|southern|eastern|western|central|(?:north|south)[- ](?:east|west)) )?(?:${placeName})(?: (?:of )?(?:${placeName}))*`
const namedPlace = new RegExp(
  `(?<![\\p{L}])(?:in|en|across|throughout|around) (${placePattern}(?:(?:, | and |, and | or | & | und | et | en )${placePattern})*)`,
  "u"
)
/** Capitalised words that follow "in" without being a place: products, months and languages. */
const notAPlace =
  /^(?:Microsoft|Google|Shopify|SAP|Excel|Word|Salesforce|HubSpot|Slack|Toast|Square|Amazon|January|February|March|April|May|June|July|August|September|October|November|December|English|German|French|Spanish)\b/

/** A kind of client without a place at its start or end; empty if nothing else remains. */
const removePlace = (clients: string): string => {
  const match = namedPlace.exec(clients)
  const isEnd = match !== null && match.index > 0 && match.index + match[0].length === clients.length
  const remaining = (isEnd ? clients.slice(0, match.index) : clients.slice(countryIn(clients).length)).trim()
  return vagueNouns.test(remaining) ? "" : capitalizeFirst(remaining)
}

/** "within 90 miles of Akron", "within an hour of Ludlow". */
export const surroundingArea = (text: string): string =>
  /\bwithin (?:\d+ (?:miles|km|kilomet(?:re|er)s|minutes)|(?:half )?an hour|(?:two|three) hours) of \p{Lu}[\p{L}-]*/u.exec(
    text
  )?.[0] ?? ""

/** The stated place of the clients, as in "in the Midlands" or "European importers". */
export const placeIn = (text: string): string => {
  // "We sell to mines in Poland" states where the mines are; "mines that sell in Poland" does not.
  const description = text.replace(introduction, "")
  const match = namedPlace.exec(description)
  const place = match?.[1] ?? ""
  const isWhereClientsSell = /\b(?:sell|export|ship|deliver|import)\w* [^,;.]*$/.test(
    description.slice(0, match?.index)
  )
  if (place !== "" && !isWhereClientsSell && !notAPlace.test(place)) return place
  const area = surroundingArea(description)
  if (area !== "") return area
  for (const [adjective, region] of regions) {
    const match = adjective.exec(description)
    if (match !== null && !languageSuffix.test(description.slice(match.index + match[0].length))) return region
  }
  return countryIn(description)
}

/** Plurals that name organisations or professions, one of which a phrase about clients must have. */
const clientNouns =
  /\b(?:companies|businesses|firms|brands|shops|stores|hotels|restaurants|bars|pubs|cafes|schools|colleges|universities|hospitals|prisons|clinics|practices|dentists|doctors|lawyers|accountants|architects|teams|departments|agencies|manufacturers|makers|producers|retailers|distributors|wholesalers|importers|exporters|landlords|contractors|builders|developers|farms|farmers|bakeries|breweries|wineries|factories|plants|mills|mines|quarries|ports|warehouses|carriers|shippers|studios|gyms|charities|councils|municipalities|utilities|banks|insurers|startups|scale-ups|nurseries|churches|offices|associations|landscapers|roofers|electricians|plumbers|caterers|supermarkets|pharmacies|laboratories|labs|districts)\b/i

/** The clients in sentences such as "We find warehouse staff for logistics companies in the Midlands". */
export const clientsIn = (description: string): string => {
  const sentence = firstSentence(description)
  const clause = withoutFullStop(
    /\bfor (?!(?:a|an|the|you|your|our|their|its|each|every|any|less|more|free|up|use)\b|\d)([^.;:]+)/.exec(
      sentence
    )?.[1] ?? ""
  )
  // "For hotels and for clinics" names two.
  const [firstPhrase = ""] = clause.split(phraseBoundary)
  // "Hotels, serviced apartments and caterers": what looks like a property of the hotels is the next kind of client.
  const clientText = namesMoreClients(clause.slice(firstPhrase.length)) ? removePlace(clause) || clause : firstPhrase
  const clients = clientText.replace(/ (and|or) for (?=\p{L})/gu, " $1 ")
  return clientNouns.test(clients) && isClientPhrase(clients) ? clients : ""
}
