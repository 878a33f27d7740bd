// layers/research/extract/Places.ts: where the business is: its address, and the city and region it names.
import { Array as Arr } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"

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

const states = new Set(
  (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|" +
    "Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|" +
    "Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|" +
    "Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|" +
    "Wyoming|Ontario|Quebec|British Columbia|Alberta|Bavaria|Yorkshire|Kent|Devon|Cornwall|Silesia|Catalonia|Tuscany|" +
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|" +
    "SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|BC|ON|QC"
  ).split("|")
)

// Hyphens stand within words alone: if they could part words too, a long chain of them would be read in ever more ways.
const word = "\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:-[\\p{L}\\p{M}'’]{1,30}){0,3}"
const place = `(?:St\\.? )?${word}(?: (?:(?:upon|am|an der|de|la|le|del|sur|on|under) )?${word}){0,2}`
const pair = new RegExp(`(?<![\\p{L}])(${place}),\\s+((?:The |the )?${place})`, "gu")
const based = "(?:is |are )?(?:based|located|headquartered|situated)(?: (?:in|near|outside))"
const ownBase = new RegExp(`^(?:We|[^.]{0,60}) ${based}\\s+(${place}(?:,\\s+${place})?)`, "u")

const unstopped = (text: string) => text.replace(/\.$/, "")

const isRegion = (name: string) => {
  const bare = unstopped(name).replace(/^the /i, "")
  return countries.has(bare) || countries.has(`The ${bare}`) || states.has(bare)
}

/** A dateline shouts its city. */
const calm = (city: string) => city.replace(/(?<=\p{Lu})\p{Lu}{3,}/gu, (rest) => rest.toLowerCase())

/** "Katowice, Poland", where the second part is a country or a state. */
const pairIn = (text: string) => {
  for (const [, city = "", region = ""] of text.matchAll(pair)) {
    const whole = [region, region.split(" ").slice(0, 2).join(" "), region.split(" ")[0] ?? ""].find(isRegion)
    if (whole !== undefined && !isRegion(city))
      return `${calm(city.split(/\s+/).slice(-3).join(" "))}, ${unstopped(whole)}`
  }
  return undefined
}

const ukPostcode = "[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}"
/** A postal code with its city, before or after it, in the forms of the countries that have one. */
const posts = [
  new RegExp(`^(?<city>${place})?\\s*(?:${ukPostcode}|[A-Z]\\d[\\dW] [A-Z\\d]{4})(?![\\p{L}\\d])`, "u"),
  new RegExp(
    `^(?<city>${place})??\\s*(?<state>[A-Z]{2}) (?:\\d{5}(?:-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)(?![\\p{L}\\d])`,
    "u"
  ),
  new RegExp(`^(?<city>${place}?) (?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \\d{4}(?!\\d)`, "u"),
  new RegExp(`^(?:[A-Z]{1,3}-)?(?:\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4} ?[A-Z]{2}|\\d{4,5}) (?<city>${place})`, "u")
]
const room =
  /^(?:Unit|Suite|Floor|Level|Hall|Building|Block|Apt|Room|Studio)\b\.? (?:\d+\w?|[A-Z])\b|^\d{1,2}(?:st|nd|rd|th) floor/i
const month = "January|February|March|April|May|June|July|August|September|October|November|December"
const dated = new RegExp(`\\b(?:${month})\\b`)
const words = "(?: (?:\\p{L}[\\p{L}.'’-]*|\\d{1,3}(?:st|nd|rd|th)))"
/** A street with its number, in the order of either language: "14 Corn Lane", "rue des Lilas 12", "Corn Lane 14". */
const streets = [
  new RegExp(`(?:^|[\\s:])(\\d{1,5}[a-zA-Z]?(?:[-–/]\\d{1,4})?${words}{1,5})$`, "u"),
  new RegExp(
    `((?:(?:ul|al|pl|os)\\. ?)?\\p{Lu}[\\p{L}.'’-]*(?: (?:de|la|le|les|des|du|der|den|van|von|zum|zur|am|an|do|dos|da|of|the|\\p{Lu}[\\p{L}.'’-]*)){0,4} \\d{1,4} ?[a-zA-Z]?(?:[-–/]\\d{1,4})?)$`,
    "u"
  )
]
const isStreet =
  /\b(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Way|Boulevard|Blvd|Square|Place|Court|Parkway|Terrace|Quay|Row|Highway)\b/

const streetIn = (part: string) => {
  if (part.length > 70 || dated.test(part) || /@|https?:/.test(part)) return undefined
  for (const each of streets) {
    const found = each.exec(part)?.[1]
    if (found !== undefined) return found
  }
  return room.test(part) ? part : undefined
}

interface Address {
  readonly text: string
  readonly city: string | undefined
}

/** A street with its number, up to the postal code and city, or the country, that make an address of it. */
export const addressIn = (text: string): Address | undefined => {
  const parts = text.split(/\s*[,;|·•\n]\s*/)
  for (const [at, part] of parts.entries()) {
    const post = posts
      .map((each) => each.exec(part))
      .find((each) => each !== null && (each.groups?.["state"] === undefined || states.has(each.groups["state"])))
    const country = unstopped(part)
    if (!post && !isRegion(country)) continue
    for (let from = at - 1; from >= Math.max(0, at - 3); from--) {
      // A room stands before its street or after it.
      if (room.test(parts[from] ?? "") && streetIn(parts[from - 1] ?? "") !== undefined) from--
      const street = streetIn(parts[from] ?? "")
      if (street === undefined || (!post && !isStreet.test(street))) continue
      const start = room.test(parts[from - 1] ?? "") ? [parts[--from]] : []
      const between = parts.slice(from + 1 + start.length, at)
      const next = unstopped(parts[at + 1] ?? "")
      const abroad = post && post[0] === part && isRegion(next) ? [next] : []
      const { city = between.at(-1), state } = post?.groups ?? {}
      const region = state ?? abroad[0] ?? (post ? undefined : country)
      return {
        text: [...start, street, ...between, post?.[0] ?? country, ...abroad].join(", "),
        city: city === undefined || region === undefined ? city : `${city.replace(/ \d+$/, "")}, ${region}`
      }
    }
  }
  return undefined
}

const isLine = ({ kind, text }: Block) => kind !== "heading" && text.length <= 90

/** The first address of a text, which may take several short lines. */
export const letterheadIn = (all: ReadonlyArray<Block>): Address | undefined => {
  const own = all.filter((block) => !isOfOthers(block))
  if (!Arr.isReadonlyArrayNonEmpty(own)) return undefined
  const runs = Arr.groupWith(own, (a, b) => isLine(a) && isLine(b))
  for (const run of runs) {
    const found = addressIn(run.map(({ text }) => text).join(", "))
    if (found !== undefined) return found
  }
  return undefined
}

/** What "based in" may be followed by that is no place. */
const noPlace = new RegExp(`^(?:The|Our|We|${month})\\b`)

/** The city and region in a sentence of the business about itself: "based in Leeds", "lays floors in Ghent, Belgium". */
export const cityIn = (sentence: string): string | undefined => {
  const found = ownBase.exec(sentence)?.[1]
  if (found !== undefined && !noPlace.test(found)) {
    const [first = "", second] = found.split(/,\s+/)
    return second === undefined || isRegion(second) ? unstopped(found) : first
  }
  return /\bin \p{Lu}/u.test(sentence) ? pairIn(sentence) : undefined
}
