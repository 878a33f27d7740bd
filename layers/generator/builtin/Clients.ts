// layers/generator/builtin/Clients.ts: reads who a business's clients are, how large and where, from its description of
// them.
import { capitalized, unstopped } from "#layers/generator/playbook/Frames.ts"
import { sentencesOf, shapeOf, words } from "#layers/text/Sentences.ts"

/** Countries by their English names, and the short forms in use. */
const countries = (() => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  const all = letters.flatMap((a) => letters.map((b) => names.of(a + b)))
  return new Set([
    ...all.filter((name) => name !== undefined),
    ..."USA|US|UK|UAE|England|Scotland|Wales|Northern Ireland|Czech Republic|Turkey|The Netherlands|Holland".split("|")
  ])
})()

/** Longest phrase that counts as a name. */
const mostCharacters = 80
const mostWords = 12

/** Words before the clients in sentences such as "We sell to mines" and "Our best clients are hotels". */
const introduction =
  /^(?:we (?:(?:mainly|mostly|only|usually|typically|primarily|exclusively) )?(?:sell|work|serve|supply|support|advise|equip|cater|deliver)(?: (?:best|mainly|mostly|only|exclusively|primarily|to|with|for))* |(?:(?:our|the) )?(?:(?:best|ideal|typical|main|target) )*(?:clients?|customers?|buyers?) (?:are|include|is an?)(?: (?:mostly|mainly|usually|typically))? |(?:best|ideal|typical)[^:.]{0,30}: )/i

/** Words after which a phrase about clients states their properties. */
const boundary =
  /\s*[(:;]|,? (?:die|der|das|qui|dont) | (?:mit|ab|von|avec|van|met|vanaf|de plus de|à partir de) (?=\d)|,? (?:that|who|which|whose|where|with|without|doing|making|running|selling|using|turning|employing|needing|looking|facing|tired|on|within) |, (?:mostly|mainly|especially|built|made|\p{L}+ed) |,? (?:of|from|between|over|under|above|below|at least|up to|more than) (?=[\d$€£])| [–—-] /u

/** Nouns that name no kind of client. */
const vague =
  /^(?:any |all |the |small |smaller |large |larger |medium-sized |mid-sized |groups?|companies|company|businesses|business|firms?|organi[sz]ations?|clients?|customers?|people|teams?|owners?|those|they|brands|ambitious |growing |modern |successful | ?of any| ?of all| sizes?| kinds?)+$/i
/** Words for everybody, which name no kind of client. */
const anybody = /^(?:anyone|anybody|everyone|everybody|whoever|all kinds|alle|jeder|tous)\b/i

/** Whether a phrase names a kind of client. */
const isPhrase = (text: string): boolean =>
  shapeOf(text) === "fragment" && !/\b(?:we|they|you|it|their|your|our|its)\b/i.test(text)

const fits = (text: string) => text !== "" && text.length <= mostCharacters

/** "Plant managers and HR directors at manufacturers" → "manufacturers". */
const titledAt = /^[^,.;:]{2,80}\b(?:managers|directors|owners|heads|officers|buyers|executives) at (?=\p{Ll})/iu
/** "Some 140 practices" → "practices". */
const estimate = /^(?:some|about|around|over|more than|nearly|almost|roughly) \d[\d.,]*\+? (?=\p{L})/iu

/** The clients, in consecutive words of the description; empty if that is uncertain. */
export const whoIn = (description: string): string => {
  const first = unstopped(sentencesOf(description)[0] ?? "").trim()
  const clause = first.replace(introduction, "").replace(estimate, "").replace(titledAt, "")
  const head = (clause.split(boundary)[0]?.trim() ?? "").replace(/ (?:in|of|at) (?:companies|firms|businesses)$/, "")
  // "Most of the 1,870 lifts on our books" counts something that clients have.
  if (
    anybody.test(clause) ||
    /^(?:most|many|some|half|all|\d[\d.,]*) of\b/i.test(clause) ||
    (vague.test(head) && !/\d/.test(clause))
  )
    return ""
  if (fits(head) && words(head) <= mostWords && !vague.test(head) && isPhrase(head)) return capitalized(head)
  const isWhole = clause !== first || shapeOf(first) === "fragment"
  return fits(clause) && isWhole && !/^(?:they|we|it|you)\b|\b(?:our|us)\b/i.test(clause) && !/[,;:]$/.test(clause)
    ? capitalized(clause)
    : ""
}

/** Plurals to which each of the words before may belong: "cosmetics and electronics brands". */
const shared =
  /\b(?:brands|companies|firms|businesses|shops|stores|retailers|manufacturers|makers|producers|suppliers|distributors|wholesalers|merchants|startups|teams|departments|groups|chains|agencies|operators|providers|importers|exporters|dealers|buyers|owners|managers)$/i

/**
 * The parts of "mines, quarries and wastewater plants"; empty if a word may belong to several parts, as in "cosmetics and
 * electronics brands" or "independent gyms and studios".
 */
export const partsOf = (who: string): ReadonlyArray<string> => {
  const parts = who.split(/,\s+(?:and |or )?|\s+(?:and|or|&)\s+/)
  const [first = ""] = parts
  const apart =
    parts.length > 1 &&
    parts.length <= 6 &&
    words(first) === 1 &&
    parts.every((part) => words(part) <= 3 && !vague.test(part) && /[^s]s$/.test(part)) &&
    !(words(parts.at(-1) ?? "") > 1 && shared.test(who))
  return apart ? parts.map(capitalized) : []
}

const count =
  "(?:\\d[\\d.,]*\\d|\\d|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|a hundred)"
const measure =
  "(?:days?|weeks?|months?|years?|hours?|minutes?|percent|times?|euros?|dollars?|pounds?|kW|MW|million|thousand|k|m)"
const ends =
  "(?=,|;|:|\\.(?:\\s|$)|$|\\)| (?:and|or|with|that|who|which|whose|doing|on|across|at|from|of|per|to)\\b| in (?:the )?\\p{Lu})"
const sizes = new RegExp(
  `(?<![\\p{L}\\d$€£%.,-])(?<!(?:EUR|USD|GBP|within|every|after|team of) )(?:(?:[Mm]ore than|[Oo]ver|[Aa]bove|[Aa]t least|[Aa]t most|[Uu]p to|[Ff]ewer than|[Ll]ess than|[Nn]o more than|[Uu]nder|[Bb]elow) ${count}\\+?|[Bb]etween ${count} and ${count}|${count} ?(?:-|–|to) ?${count}|${count}\\+) (?!${measure}\\b)(?:[\\p{L}][\\p{L}'-]*)(?: (?!and\\b|or\\b|with\\b|that\\b|who\\b|which\\b|doing\\b|on\\b|across\\b|at\\b|from\\b|of\\b|to\\b|in (?:the )?\\p{Lu})[\\p{L}][\\p{L}'-]*){0,4}${ends}`,
  "gu"
)
/** "20 bis 300 Mitarbeitern", "plus de 400 m²". */
const foreignSizes = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:mehr als|über|ab|mindestens|bis zu|plus de|moins de|au moins|de|van|meer dan|minder dan) )?\\d[\\d.,]*(?: ?(?:-|–|bis|à|tot) ?\\d[\\d.,]*)? (?:Mitarbeiter(?:n|innen)?|Beschäftigten?|Betten|Zimmern?|Filialen|Standorten?|medewerkers|salariés|employés|chambres|magasins|sites|m²)(?!\\p{L})`,
  "iu"
)

/** "a maintenance team of 3 to 25 people". */
const teams = new RegExp(
  `\\ban? (?:[\\p{Ll}-]+ )?team of (?:${count} ?(?:-|–|to) ?)?${count} (?:people|staff|employees)\\b`,
  "u"
)

const people = /\b(?:employees|people|staff|workers|FTEs?|heads?|team members|Mitarbeiter(?:n|innen)?|salariés)\b/i

/** The stated size of the clients: a range or a limit, of employees if possible. */
export const sizeIn = (description: string): string => {
  const found = [...description.matchAll(sizes)]
    .map(([text]) => text.trim())
    .filter((text) => !/\b(?:storeys|stories|floors|lines)\b/.test(text))
  return (
    found.find((text) => people.test(text)) ??
    found[0] ??
    foreignSizes.exec(description)?.[0] ??
    teams.exec(description)?.[0] ??
    ""
  )
}

const currency = "(?:EUR|USD|GBP|CHF|€|\\$|£)"
const figure = "\\d[\\d.,]*(?<=\\d) ?(?:k|m|bn|million|billion)?\\+?"
const money = `(?:${currency} ?${figure}(?: ?(?:-|–|to|and) ?${currency}? ?${figure})?(?:(?<=\\d) ?(?:k|m|bn|million|billion))?|${figure}(?: ?(?:-|–|to|and) ?${figure})? (?:million |billion )?(?:euros|dollars|pounds))`
const limit = "(?:(?:more than|at least|about|between|over|above|under|below|up to) )?"
const taking = "(?:doing|making|turning over|turn over|earning|(?:revenues?|turnover|sales)(?: of| from)?)"
const revenues = [
  new RegExp(`\\b${taking} (${limit}${money}(?: (?:a|per) year)?)(?!\\p{L})`, "iu"),
  new RegExp(
    `(?<![\\p{L}\\d])(${limit}${money}) (?:in |of )?(?:annual |yearly )?(?:revenue|turnover|sales|ARR)\\b`,
    "iu"
  )
]

export const revenueIn = (description: string): string =>
  revenues.map((pattern) => pattern.exec(description)?.[1]?.trim()).find((found) => found !== undefined) ?? ""

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
const tongue = /^[- ](?:speaking|language|style|food|restaurants?|lessons|wine|cuisine|shepherds?|pubs?)/i

const name = "\\p{Lu}[\\p{L}\\p{M}'’.-]*[\\p{L}]|UK|US|EU"
const place = `(?:the )?(?:(?:north|south|east|west|centre) of |(?:northern|southern|eastern|western|central|(?:north|south)[- ](?:east|west)) )?(?:${name})(?: (?:${name}))*`
const named = new RegExp(
  `(?<![\\p{L}])(?:in|en|across|throughout|around) (${place}(?:(?:, | and |, and | or | & | und | et | en )${place})*)`,
  "u"
)
const organ =
  /^(?:Microsoft|Google|Shopify|SAP|Excel|Word|Salesforce|HubSpot|Slack|Toast|Square|Amazon|January|February|March|April|May|June|July|August|September|October|November|December|English|German|French|Spanish)\b/

/** A kind of client without a place at its start or end; empty if nothing else remains. */
export const withoutPlace = (who: string): string => {
  const match = named.exec(who)
  const isEnd = match !== null && match.index > 0 && match.index + match[0].length === who.length
  const rest = (isEnd ? who.slice(0, match.index) : who.slice(countryIn(who).length)).trim()
  return vague.test(rest) ? "" : capitalized(rest)
}

/** "within 90 miles of Akron". */
export const aroundIn = (text: string): string =>
  /\bwithin \d+ (?:miles|km|kilomet(?:re|er)s) of \p{Lu}[\p{L}-]*/u.exec(text)?.[0] ?? ""

/** The stated place of the clients, as in "in the Midlands" or "European importers". */
export const placeIn = (text: string): string => {
  // "We sell to mines in Poland" states where the mines are; "mines that sell in Poland" does not.
  const description = text.replace(introduction, "")
  const match = named.exec(description)
  const found = match?.[1] ?? ""
  const isOfTheirs = /\b(?:sell|export|ship|deliver|import)\w* [^,;.]*$/.test(description.slice(0, match?.index))
  if (found !== "" && !isOfTheirs && !organ.test(found)) return found
  const around = aroundIn(description)
  if (around !== "") return around
  for (const [adjective, region] of regions) {
    const match = adjective.exec(description)
    if (match !== null && !tongue.test(description.slice(match.index + match[0].length))) return region
  }
  return countryIn(description)
}

const kinds =
  /\b(?:companies|businesses|firms|brands|shops|stores|hotels|restaurants|bars|pubs|cafes|schools|colleges|universities|hospitals|prisons|clinics|practices|dentists|doctors|lawyers|accountants|architects|teams|departments|agencies|manufacturers|makers|producers|retailers|distributors|wholesalers|importers|exporters|landlords|contractors|builders|developers|farms|farmers|bakeries|breweries|wineries|factories|plants|mills|mines|quarries|ports|warehouses|carriers|shippers|studios|gyms|charities|councils|municipalities|utilities|banks|insurers|startups|scale-ups|nurseries|churches|offices|associations|landscapers|roofers|electricians|plumbers|caterers|supermarkets|pharmacies|laboratories|labs|districts)\b/i

/** The audience in sentences such as "We find warehouse staff for logistics companies in the Midlands". */
export const clientsOf = (business: string): string => {
  const [first = ""] = sentencesOf(business)
  const clause = unstopped(
    /\bfor (?!(?:a|an|the|you|your|our|their|its|each|every|any|less|more|free|up|use)\b|\d)([^.;:]+)/.exec(
      first
    )?.[1] ?? ""
  )
  // "For hotels and for clinics" names two.
  const who = (clause.split(boundary)[0] ?? "").replace(/ (and|or) for (?=\p{L})/gu, " $1 ")
  return kinds.test(who) && isPhrase(who) ? who : ""
}
