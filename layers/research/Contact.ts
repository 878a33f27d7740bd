// layers/research/Contact.ts: who to talk to, how to reach them, and where the business is.
import type { Block, Said } from "#layers/research/Blocks.ts"
import { hasMoney } from "#layers/research/Prices.ts"
import { labelled } from "#layers/research/Topics.ts"

const address = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}/gu
const link =
  /(?:https?:\/\/|www\.)[^\s<>"'()[\]{}|,;]{3,500}|(?<![@\p{L}\p{N}./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|io|co|eu|de|nl|pl|fr|es|it|uk|ch|at|be|se|dk|no|fi|ie|us|ca|au|nz|app|dev|ai|agency|studio|shop|store|tech|software|consulting|example)(?![\p{L}\p{N}@-])(?:\/[^\s<>"'()[\]{}|,;]{0,300})?/giu
const social =
  /(?:^|\.)(?:linkedin|twitter|x|facebook|instagram|youtube|youtu|tiktok|xing|github|google|goo|wa|t|pinterest|vimeo|trustpilot|g2|capterra|calendly)\.(?:com|be|me|gl|co)$/
const freemail =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|gmx|web|proton|protonmail|aol|wp|o2|onet|interia)\./
const nobody =
  /^(?:no-?reply|do-?not-?reply|privacy|gdpr|dpo|jobs?|careers?|hr|abuse|postmaster|webmaster|billing|invoices?|press|legal|unsubscribe)\b/i
const shared = /^(?:info|hello|hi|contact|office|sales|mail|team|support|enquir|inquir|kontakt|biuro|service)/i

export const emailsIn = (text: string) => [...text.matchAll(address)].map((match) => match[0].replace(/^\.+/, ""))

const hostOf = (url: string) => {
  const parsed = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  return parsed?.hostname.replace(/^www\./, "")
}

const linksIn = (text: string) =>
  [...text.replace(address, " ").matchAll(link)].map((match) => match[0].replace(/[.:!?)]+$/, ""))

const title =
  /\b(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|cro|head of|vp|vice president|president|partner|lead|officer|chair(?:man|woman)?|principal|consultant|advisor|adviser|engineer|executive|representative|proprietor|geschäftsführer(?:in)?|specialist|coordinator|architect|dentist|practice manager|sales|chief)\b/i

const capital = "\\p{Lu}[\\p{L}\\p{M}’'-]+"
const person = `(?:(?:Dr|Prof|Mr|Mrs|Ms)\\.?\\s+)?${capital}(?:\\s+(?:(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al)\\s+){0,2}(?:\\p{Lu}\\.\\s+)?${capital}){1,3}`
const isPerson = (text: string) =>
  new RegExp(`^${person}$`, "u").test(text) &&
  !title.test(text) &&
  !/\b(?:Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Team|Office|Park|House|Contact|Phone|Email|Address|Us|Poland|Germany)\b/.test(
    text
  )

export interface Contact {
  readonly name?: string
  readonly title?: string
}

/** "Ann Lee, Head of Sales" or "Ann Lee (CEO)" or "our founder Ann Lee", in a text that is about whom to reach. */
const personIn = (text: string): Contact | undefined => {
  const role = "([^,;:()|\\n@–—]{2,60}?)"
  const after = new RegExp(
    `(?<![\\p{L}\\p{N}])(${person})\\s*(?:,\\s*|\\(|\\s[–—-]\\s|\\|\\s*|,?\\s+(?:our|is (?:our|the)|the)\\s+)${role}(?=[,;:()|\\n–—]|\\.?\\s*$|\\.\\s|\\s+(?:at|on|via)\\b|\\s+[\\w.+-]+@)`,
    "gu"
  )
  for (const [, name = "", role = ""] of text.matchAll(after)) {
    if (isPerson(name) && title.test(role)) return { name, title: role.trim() }
  }
  const before = new RegExp(
    `\\b(?:[Oo]ur )?((?:[Cc]o-)?[Ff]ounder|[Oo]wner|[Mm]anaging [Dd]irector|CEO|[Dd]irector|[Ss]ales [Dd]irector|[Hh]ead of [\\p{L} ]{3,30}|\\p{Lu}\\p{L}+ (?:[Dd]irector|[Mm]anager))[,:]?\\s+(${person})`,
    "u"
  )
  const [, found = "", name = ""] = before.exec(text) ?? []
  if (isPerson(name)) return { name, title: found.slice(0, 1).toUpperCase() + found.slice(1) }
  return undefined
}

const calls = new RegExp(
  `(?:[Tt]alk to|[Aa]sk for|[Cc]all|[Ww]rite to|[Ee]mail|[Cc]ontact:?|[Ss]peak (?:to|with)|[Rr]each(?: out to)?|[Mm]eet|[Yy]our contact(?: is)?:?|[Gg]et in touch with)\\s+(${person})`,
  "u"
)

/** The texts that are about whom to reach, the surest first. A customer's quoted words are not. */
const around = (all: ReadonlyArray<Block>) => {
  const quoted = (text: string) => /^[>"“„«]|[”"»]\s*[–—-]/u.test(text)
  const fit = all.filter((block) => block.topic !== "cases" && !quoted(block.text))
  const named = fit.filter((block) => labelled(block.text)?.label === "contact" || /\bContact:/.test(block.text))
  const near = fit.filter((block) => block.kind !== "heading" && emailsIn(block.text).length > 0)
  const section = fit.filter((block) => block.topic === "contact" && block.kind !== "heading")
  const called = fit.filter((block) => calls.test(block.text))
  return [...new Set([...named, ...called, ...near, ...section])]
}

export const contactIn = (all: ReadonlyArray<Block>): Contact => {
  const texts = around(all)
  for (const block of texts) {
    const found = personIn(block.text.replace(/^.*?\bContact:\s*/, ""))
    if (found !== undefined) return found
  }
  for (const block of texts) {
    const name = calls.exec(block.text)?.[1]
    if (name !== undefined && isPerson(name)) return { name }
  }
  // A letterhead: the name on one line, the title on the next.
  const section = texts.filter((block) => block.topic === "contact")
  for (const [at, block] of section.entries()) {
    if (!isPerson(block.text)) continue
    const next = section[at + 1]?.text ?? ""
    return title.test(next) && next.length < 60 && !next.includes("@")
      ? { name: block.text, title: next }
      : { name: block.text }
  }
  for (const block of all) {
    const [, name = ""] = new RegExp(`\\bfounded (?:in \\d{4} )?by (${person})`, "u").exec(block.text) ?? []
    if (isPerson(name)) return { name, title: "Founder" }
  }
  return {}
}

const digits = "(?:[\\d][\\d\\s().\\/-]{5,20}\\d)"
const phones = [
  new RegExp(
    `\\b(?:tel(?:ephone)?|phone|call(?: us)?(?: on| at)?|mobile|cell|fon|telefon)\\s*[.:]?\\s*((?:\\+|00)?\\(?${digits})`,
    "iu"
  ),
  new RegExp(`(?<![\\w+])((?:\\+\\s?|00)[1-9]${digits})`, "u"),
  /(?<![\w.,-])(\(\d{3}\)\s?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w-])/u
]

export const phoneIn = (text: string): string | undefined => {
  for (const pattern of phones) {
    const found = pattern
      .exec(text)?.[1]
      ?.replace(/[\s./(-]+$/, "")
      .trim()
    if (found === undefined) continue
    const count = found.replace(/\D/g, "").length
    if (count >= 7 && count <= 15 && !hasMoney(found)) return found.replace(/\s+/g, " ")
  }
  return undefined
}

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

const place =
  "\\p{Lu}[\\p{L}\\p{M}'’.-]+(?:[ -](?:upon|am|an der|de|la|le|del|sur|on|under)?[ -]?\\p{Lu}[\\p{L}\\p{M}'’-]+){0,2}"
const pair = new RegExp(`(?<![\\p{L}])(${place}),\\s+((?:The |the )?${place})`, "gu")
const based = new RegExp(
  `\\b(?:(?:is |are )?(?:based|located|headquartered|situated|at home)(?: (?:in|near|outside))|(?:office|offices|workshop|studio|plant|factory|practice|team|clinic|bakery|warehouse|headquarters|showroom)s? (?:is |are )?in|from our [\\p{L} ]{3,25} in)\\s+(${place}(?:,\\s+${place})?)`,
  "u"
)
const basedBefore = new RegExp(`\\b(\\p{Lu}[\\p{L}]+(?: \\p{Lu}[\\p{L}]+)?)-based\\b`, "u")

const isRegion = (name: string) => {
  const bare = name.replace(/\.$/, "").replace(/^the /i, "")
  return countries.has(bare) || countries.has(`The ${bare}`) || states.has(bare)
}

/** "Katowice, Poland", where the second part is a country or a state. */
const pairIn = (text: string) => {
  for (const [, city = "", region = ""] of text.matchAll(pair)) {
    const whole = [region, region.split(" ").slice(0, 2).join(" "), region.split(" ")[0] ?? ""].find(isRegion)
    if (whole !== undefined && !isRegion(city))
      return `${city.split(/\s+/).slice(-3).join(" ")}, ${whole.replace(/\.$/, "")}`
  }
  return undefined
}

const street =
  /(?<![\p{L}\p{N}])(?:(?:Unit|Suite|Floor|Hall|Building)\s+\w+,\s+)?(?:\d{1,5}[a-zA-Z]?(?:[-–/]\d{1,4})?\s+(?:\p{Lu}[\p{L}'’.-]+\s+){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Way|Boulevard|Blvd|Square|Place|Court|Parkway|Terrace|Quay|Wharf|Yard|Park|Row|Highway|Hwy)\b\.?|(?:ul\.|al\.|pl\.|ulica)\s?\p{Lu}[\p{L} .'-]{1,40}?\s\d{1,4}[a-zA-Z]?(?:\/\d{1,4})?|(?:rue|avenue|boulevard|calle|via|viale|rua)\s[\p{L} '’-]{2,40}?,?\s\d{1,4}|\d{1,4},?\s(?:bis\s|ter\s)?(?:rue|avenue|boulevard|place|quai)\s[\p{L} '’-]{2,40}|\p{Lu}[\p{L}.'’-]*(?:straße|strasse|str\.|kade|laan|weg|gasse|platz|plein|straat|gracht|allee|gade|vej|gatan|gaten|gata|veien|vägen|damm|ring|dijk|singel)\s+\d{1,4}\s?[a-zA-Z]?)/iu
const rest =
  /^(?:\.?\s*[,;|·]?\s*(?:\d{2}-\d{3}|\d{4,6}(?:-\d{4})?(?:\s?[A-Z]{2}\b)?|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|(?:CH|D|A|PL|NL|DK|SE|F)-\d{4,5}|[A-Z]{2}\s\d{5}(?:-\d{4})?|(?:Suite|Floor|Unit|Apt)\s\w+|\p{Lu}[\p{L}\p{M}'’-]+(?:[ -]\p{Lu}[\p{L}\p{M}'’-]+){0,2})){1,6}/u

/** A street with its number, and the postal code, city and country after it. */
export const addressIn = (text: string): string | undefined => {
  const found = street.exec(text)
  if (found === null) return undefined
  const after = text.slice(found.index + found[0].length)
  const more = rest.exec(after)?.[0] ?? ""
  // A street alone is a place in a story; an address goes on.
  if (!/[,\d]/.test(more)) return undefined
  return `${found[0]}${more}`
    .replace(/\s*[|·;]\s*/g, ", ")
    .replace(/\s+/g, " ")
    .trim()
}

const cityOf = (whole: string) => {
  const parts = whole.split(/,\s*/)
  const bare = (part: string) =>
    part
      .replace(
        /\b(?:[A-Z]{1,2}-)?\d{2}-\d{3}\b|\b(?:CH|D|A|NL|DK|SE)-\d{4,5}\b|\b\d{4,6}(?:-\d{4})?(?:\s?[A-Z]{2}\b)?|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b/g,
        ""
      )
      .trim()
  const tail = parts
    .slice(1)
    .map(bare)
    .filter((part) => /^\p{Lu}/u.test(part) && !/^(?:Suite|Floor|Unit)/.test(part))
  const region = tail.findLast(isRegion)
  const city = tail.find((part) => !isRegion(part))
  if (city === undefined) return pairIn(whole)
  const state = /^(.+)\s([A-Z]{2})$/.exec(city)
  if (state !== null && states.has(state[2] ?? "")) return `${state[1]}, ${state[2]}`
  return region === undefined ? city : `${city}, ${region}`
}

export const locationIn = (sentences: ReadonlyArray<Said>, businessAddress: string | undefined) => {
  const own = sentences.filter(({ block }) => block.topic !== "cases" && block.topic !== "competitors")
  for (const { text } of own.slice(0, 400)) {
    const found = based.exec(text)?.[1]
    if (
      found !== undefined &&
      !/^(?:The|Our|We|January|February|March|April|May|June|July|August|September|October|November|December)\b/.test(
        found
      )
    ) {
      const [first = "", second] = found.split(/,\s+/)
      return second === undefined || isRegion(second) ? found.replace(/\.$/, "") : first
    }
    const before = basedBefore.exec(text)?.[1]
    if (before !== undefined) return before
  }
  if (businessAddress !== undefined) {
    const found = cityOf(businessAddress)
    if (found !== undefined) return found
  }
  return own
    .slice(0, 60)
    .map(({ text }) => pairIn(text))
    .find((found) => found !== undefined)
}

/** The address that a stranger should write to: a person's before a shared one, on the company's own domain first. */
export const emailOf = (text: string, host: string | undefined): string | undefined => {
  const all = [...new Set(emailsIn(text))].filter((each) => !nobody.test(each) && each.length <= 254)
  const ours = all.filter((each) => host !== undefined && each.toLowerCase().endsWith(`@${host}`))
  const fit = ours.length > 0 ? ours : all
  return fit.find((each) => !shared.test(each)) ?? fit[0]
}

/** The company's own site: on the domain of its mail if it has one, and never a social network's. */
export const websiteOf = (text: string): string | undefined => {
  const mail = emailsIn(text)
    .map((each) => each.split("@")[1]?.toLowerCase() ?? "")
    .filter((host) => !freemail.test(host))
  const all = linksIn(text).filter((url) => {
    const host = hostOf(url)
    return host !== undefined && host.includes(".") && !social.test(host)
  })
  const ours = all.filter((url) => mail.includes(hostOf(url)?.toLowerCase() ?? ""))
  const chosen = ours[0] ?? all[0]
  if (chosen === undefined) return undefined
  const parsed = URL.parse(/^https?:/i.test(chosen) ? chosen : `https://${chosen}`)
  return parsed === null ? undefined : parsed.origin
}
