// layers/generator/companies/CompanyMatch.ts: whether two names of companies name the same one, in words rather than in letters.
import { foldText } from "#layers/generator/routing/TitleTokens.ts"
import {
  type ComparedName,
  firstLetters,
  isSimilarName,
  toComparedName
} from "#layers/generator/companies/SimilarNames.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { wordSet } from "#layers/text/Words.ts"

// Words in the names of many companies; alone they identify none.
const commonNameWords = wordSet(
  "summit apex pinnacle horizon vertex beacon anchor delta atlas alpha omega nova orchid harbor harbour ridge river stone bridge front loop quest vision impact spark focus signal pulse " +
    "compass lighthouse frontier pioneer heritage legacy liberty patriot eagle falcon phoenix titan apollo orion aurora eclipse zenith crown royal prime premier elite global universal national " +
    "united general standard modern future genesis origin element elements fusion matrix vector catalyst momentum velocity insight insights evergreen sunrise sunset ocean pacific atlantic " +
    "northern southern eastern western central metro urban village garden maple cedar willow cypress granite diamond emerald sapphire amber cobalt copper silver golden platinum steel " +
    "thunder lightning rocket launch orbit galaxy cosmos solar lunar stellar trident keystone cornerstone milestone landmark gateway meridian polaris equinox solstice cascade canyon valley mountain " +
    "prairie harvest orchard meadow forest timber lumber falcon raven phantom shadow mirror canvas palette studio agency company partners customers clients patients users teams client customer used trusted " +
    "hotel pizza bakery dental clinic media capital energy health logistics services solutions systems technology technologies consulting international group"
)

// Folded, as company keys are. Cities and states are left out: "Oak Foods Boston" is a name as often as a branch.
const regions = new Set(
  (
    "usa|us|u s a|u s|united states|america|americas|north america|south america|latin america|latam|canada|mexico|brazil|brasil|argentina|chile|colombia|peru|" +
    "uk|u k|united kingdom|great britain|england|scotland|ireland|germany|deutschland|austria|osterreich|oesterreich|switzerland|schweiz|suisse|svizzera|france|spain|espana|portugal|" +
    "italy|italia|netherlands|nederland|belgium|belgie|belgique|luxembourg|denmark|danmark|sweden|sverige|norway|norge|finland|suomi|poland|polska|czechia|cesko|czech republic|slovakia|slovensko|" +
    "hungary|magyarorszag|romania|bulgaria|croatia|hrvatska|slovenia|slovenija|serbia|greece|turkey|turkiye|ukraine|israel|uae|united arab emirates|saudi arabia|egypt|morocco|south africa|nigeria|kenya|" +
    "india|china|japan|korea|taiwan|hong kong|singapore|malaysia|indonesia|thailand|vietnam|philippines|australia|new zealand|" +
    "eu|europe|europa|asia|africa|emea|apac|asia pacific|middle east|dach|benelux|nordic|nordics|iberia|scandinavia|oceania"
  ).split("|")
)

/** "Bank of America" is a whole name: what stands behind these words is no branch. */
const joiningWords = wordSet("and of the for in de du des la le da do di del van von fur")

/** The name without case, accents, punctuation and a leading "the"; "&" is "and". */
export const companyKey = (name: string): string =>
  foldText(name)
    .replaceAll("&", " and ")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^the /, "")

export const isSingleWord = (key: string): boolean => !key.includes(" ")

/** Whether a name alone tells which company is meant: several words, or one long word that is not in many names. */
export const isDistinctive = (key: string): boolean =>
  !isSingleWord(key) || (key.length >= 5 && !commonNameWords.has(key))

/** The name of a company as it is compared: its key without the legal form. */
export const comparedName = (company: string): string => companyKey(companyName(company) ?? company)

export interface ComparedCompany {
  /** Without the legal form. */
  readonly key: string
  /** Without countries and regions at its end either; the same as `key` if there are none. */
  readonly base: string
  /** The countries and regions at its end, as a text; empty for none. */
  readonly region: string
}

/** The longest region at the end of a name, and the name before it; undefined if there is none or it is part of the name. */
const splitRegion = (name: string) => {
  const words = name.split(/[\s,]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  for (const length of [3, 2, 1]) {
    const region = companyKey(words.slice(-length).join(" "))
    const nameWords = words.slice(0, -length)
    if (nameWords.length === 0 || !regions.has(region)) continue
    return joiningWords.has(companyKey(nameWords.at(-1) ?? "")) ? undefined : { region, before: nameWords.join(" ") }
  }
  return undefined
}

/** A company's name in the forms that are compared. "Trescal USA Inc." has the base "trescal". */
export const comparedCompany = (company: string): ComparedCompany => {
  let name = companyName(company) ?? company
  const key = companyKey(name)
  let base = key
  let region = ""
  for (let parts = splitRegion(name); parts !== undefined; parts = splitRegion(name)) {
    name = companyName(parts.before) ?? parts.before
    const shorterKey = companyKey(name)
    // "Air Canada" is not a branch of a company called Air.
    if (!isDistinctive(shorterKey)) break
    base = shorterKey
    region = `${parts.region} ${region}`.trim()
  }
  return { key, base, region }
}

/** Whether both names are of one company: equal without legal forms, or a branch of the other in a country or region. */
export const isSameCompany = (a: ComparedCompany, b: ComparedCompany): boolean =>
  a.key === b.key || (a.base === b.base && (a.region === "" || b.region === "" || a.region === b.region))

/** The names, by whole words, that this one begins with: "trescal" and "trescal calibration" of "trescal calibration lab". */
export const beginningsOf = (key: string): ReadonlyArray<string> => {
  const words = key.split(" ")
  return words.slice(1).map((_, index) => words.slice(0, index + 1).join(" "))
}

const beginsWith = (longer: string, shorter: string) => longer.startsWith(`${shorter} `)

/** Longer names are not compared, because letter-by-letter comparison of long texts is slow. */
const maxNameLength = 80

/** Whether a name is compared letter by letter: it is not too long, and it tells which company is meant. */
export const isComparable = (key: string): boolean => key.length <= maxNameLength && isDistinctive(key)

/** Whether two comparable names are spelled alike. */
export const areSpelledAlike = (a: ComparedName, b: ComparedName): boolean =>
  isSimilarName(a, b, (word) => commonNameWords.has(word))

/** Whether two names without legal forms and regions are spelled alike: "farrow kitchen studio" and "farrow kitchens". */
export const isSpelledAlike = (a: string, b: string): boolean =>
  firstLetters(a) === firstLetters(b) &&
  isComparable(a) &&
  isComparable(b) &&
  areSpelledAlike(toComparedName(a), toComparedName(b))

/**
 * Whether a lead's company may be the named one: one name begins with the words of the other, or both are spelled alike.
 * "Apexion" does not begin with the word "Apex". Two branches in different regions count too.
 */
export const mayBeCompany = (lead: ComparedCompany, company: ComparedCompany): boolean =>
  company.base.length >= 3 &&
  (lead.key === company.key ||
    lead.base === company.base ||
    beginsWith(lead.key, company.base) ||
    // A short or common name of a lead, such as "Delta", is the beginning of too many others.
    (isDistinctive(lead.key) && beginsWith(company.key, lead.key)) ||
    isSpelledAlike(lead.base, company.base))
