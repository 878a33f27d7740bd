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

const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z]/g, "")

export const emailsIn = (text: string) => [...text.matchAll(address)].map((match) => match[0].replace(/^\.+/, ""))

const hostOf = (url: string) => {
  const parsed = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  return parsed?.hostname.replace(/^www\./, "")
}

const linksIn = (text: string) =>
  [...text.replace(address, " ").matchAll(link)].map((match) => match[0].replace(/[.:!?)]+$/, ""))

const title =
  /(?<!\p{L})(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|cro|head of|vp|vice president|president|partner|lead|officer|chair(?:man|woman)?|principal|consultant|advisor|adviser|engineer|executive|representative|proprietor|geschäftsführer(?:in)?|\p{L}*leiter(?:in)?|inhaber(?:in)?|właściciel(?:ka)?|prezes|gérante?|directeur|directrice|eigenaar|specialist|coordinator|architect|dentist|practice manager|sales|chief)(?!\p{L})/iu

const capital = "\\p{Lu}[\\p{L}\\p{M}’'-]+"
const person = `(?:(?:Dr|Prof|Mr|Mrs|Ms)\\.?\\s+)?${capital}(?:\\s+(?:(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al)\\s+){0,2}(?:\\p{Lu}\\.\\s+)?${capital}){1,3}`
export const isPerson = (text: string) =>
  new RegExp(`^${person}$`, "u").test(text) &&
  !title.test(text) &&
  !/\b(?:Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Team|Office|Park|House|Contact|Phone|Email|Address|Us|Poland|Germany)\b|^(?:Ask|Call|Dear|Email|From|Hi|Meet|Questions|Write)\b/.test(
    text
  )

export interface Contact {
  readonly name?: string
  readonly title?: string
}

const ofPress = /^(?:press|media) (?:contact|enquiries|inquiries|office)/i

const role = "([^,;:()|\\n@–—]{2,60}?)"
const personThenRole = new RegExp(
  `(?<![\\p{L}\\p{N}])(${person})(?: [A-Z]{2,5})?\\s*(?:,\\s*|\\(|\\s[–—-]\\s|,?\\s+(?:our|is (?:our|the)|the)\\s+)${role}(?=[,;:()|\\n–—]|\\.?\\s*$|\\.\\s|\\s+(?:at|on|or|via)\\b|\\s+[\\w.+-]+@)`,
  "gu"
)
const roleThenPerson = new RegExp(
  `(?:^|\\b(?:[Oo]ur )?)((?:[Cc]o-)?[Ff]ounder|[Oo]wner|[Mm]anaging [Dd]irector|CEO|[Dd]irector|[Ss]ales [Dd]irector|[Hh]ead of [\\p{L} ]{3,30}|\\p{Lu}\\p{L}+ (?:[Dd]irector|[Mm]anager)|(?<=^)\\p{Lu}[\\p{L} ]{3,30}(?=:)),?:?\\s+(${person})`,
  "gu"
)
const calls = new RegExp(
  `(?:[Tt]alk to|[Aa]sk for|[Cc]all|[Ww]rite to|[Ee]mail|[Cc]ontact:?|[Ss]peak (?:to|with)|[Rr]each(?: out to)?|[Mm]eet|[Yy]our contact(?: is)?:?|[Gg]et in touch with|\\b(?:I am|I'm|[Mm]y name is))\\s+(${person})`,
  "u"
)
const founded = new RegExp(`\\b[Ff]ounded (?:in \\d{4} )?by (${person})`, "u")

const sentenceCase = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Whom a block names with a role: "Ann Lee, Head of Sales", "our founder Ann Lee", or the one above the other. */
const peopleIn = (block: Block, next: Block | undefined): ReadonlyArray<Contact> => {
  const text = block.text.replace(/^.*?\b(?:Contact|Kontakt):\s*/, "")
  const after = [...text.matchAll(personThenRole)]
    .map(([, name = "", role = ""]) => ({ name, title: role.trim() }))
    .filter((each) => title.test(each.title))
  const before = [...text.matchAll(roleThenPerson)]
    .map(([, role = "", name = ""]) => ({ name, title: sentenceCase(role) }))
    .filter((each) => title.test(each.title))
  const below = next !== undefined && next.text.length < 60 && title.test(next.text) && !/[@:]/.test(next.text)
  return [...after, ...before, ...(below ? [{ name: text, title: next.text }] : [])]
    .filter((each) => isPerson(each.name))
    .map(({ name, title }) => ({ name: name.replace(/(?<= \S+)(?: [A-Z]{2,4})+$/, ""), title }))
}

/** Whom to reach: the owner of the address to write to, or the first who is named where it says whom to reach. */
export const contactIn = (all: ReadonlyArray<Block>, mail: string | undefined): Contact => {
  const quoted = (text: string) => /^[>"“„«]|[”"»]\s*[–—-]/u.test(text)
  // A customer's quoted words name nobody of ours.
  const own = all.filter((block) => block.topic !== "cases" && !quoted(block.text) && !ofPress.test(block.text))
  const people = new Map(own.map((block, at) => [block, peopleIn(block, own[at + 1])]))
  const mailbox = slug(mail?.split("@")[0] ?? "")
  const isMailed = ({ name = "" }: Contact) =>
    name.split(" ").some((part) => part.length > 2 && mailbox.includes(slug(part)))
  const owner = [...people.values()].flat().find(isMailed)
  if (owner !== undefined) return owner

  const named = own.filter(
    (block) => labelled(block.text)?.label === "contact" || /\bContact:|^\p{Lu}[\p{L} ]{2,30}: /u.test(block.text)
  )
  const called = own.filter((block) => calls.test(block.text))
  const near = own.filter((block) => block.kind !== "heading" && emailsIn(block.text).length > 0)
  const section = own.filter((block) => block.topic === "contact" && block.kind !== "heading")
  const around = [...named, ...called, ...near, ...section]
  const [first] = around.flatMap((block) => people.get(block) ?? [])
  if (first !== undefined) return first
  for (const block of around) {
    const name = calls.exec(block.text)?.[1] ?? block.text
    if (isPerson(name)) return { name }
  }
  const founder = own.map((block) => founded.exec(block.text)?.[1] ?? "").find(isPerson)
  return founder === undefined ? {} : { name: founder, title: "Founder" }
}

const digits = "\\d[\\d ().\\/-]{5,20}\\d"
const phones = [
  new RegExp(
    `\\b(?:tel(?:ephone)?|phone|call(?: us)?(?: on| at)?|mobile|cell|fon|telefon|whatsapp)\\s*[.:]?\\s*((?:\\+|00)?\\(?${digits})`,
    "giu"
  ),
  new RegExp(`(?<![\\w+])((?:\\+ ?|00)[1-9]${digits})`, "gu"),
  /(?<![\w.,-])(\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w-])/gu,
  // As written at home: the trunk's zero and groups. Figures of other kinds do not begin with one.
  /(?<![\w.,:+/-]|\d )(\(?0\d{1,5}\)?(?:[ /-]\d{2,8}){1,5})(?![\w/]|[.,]\d)/gu
]

/** A number that reaches the company's people: nobody's fax, and no agency's that serves the press. */
export const phoneIn = (text: string): string | undefined => {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/\bfax\b.*/i, ""))
    .filter((line) => !ofPress.test(line))
    .join("\n")
  for (const pattern of phones)
    for (const [, raw = ""] of lines.matchAll(pattern)) {
      const found = raw.replace(/[ ./(-]+$/, "").replace(/ +/g, " ")
      const count = found.replace(/\D/g, "").length
      if (count >= (found.startsWith("0") ? 9 : 7) && count <= 15 && !hasMoney(found)) return found
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
  "(?:St\\.? )?\\p{Lu}[\\p{L}\\p{M}'’-]+(?:[ -](?:upon|am|an der|de|la|le|del|sur|on|under)?[ -]?\\p{Lu}[\\p{L}\\p{M}'’-]+){0,2}"
const pair = new RegExp(`(?<![\\p{L}])(${place}),\\s+((?:The |the )?${place})`, "gu")
const based = new RegExp(
  `\\b(?:(?:is |are )?(?:based|located|headquartered|situated|at home)(?: (?:in|near|outside))|(?:office|workshop|studio|plant|factory|practice|team|clinic|bakery|warehouse|headquarters|showroom|depot)s? (?:is|are) in|[Oo]ur [\\p{L} ]{3,25} in|has its \\p{L}+ in)\\s+(${place}(?:,\\s+${place})?)`,
  "u"
)
const basedBefore = new RegExp(`\\b(\\p{Lu}[\\p{L}]+(?: \\p{Lu}[\\p{L}]+)?)-based\\b`, "u")

const isRegion = (name: string) => {
  const bare = name.replace(/\.$/, "").replace(/^the /i, "")
  return countries.has(bare) || countries.has(`The ${bare}`) || states.has(bare)
}

/** A dateline shouts its city. */
const calm = (city: string) => city.replace(/(?<=\p{Lu})\p{Lu}{3,}/gu, (rest) => rest.toLowerCase())

/** "Katowice, Poland", where the second part is a country or a state. */
const pairIn = (text: string) => {
  for (const [, city = "", region = ""] of text.matchAll(pair)) {
    const whole = [region, region.split(" ").slice(0, 2).join(" "), region.split(" ")[0] ?? ""].find(isRegion)
    if (whole !== undefined && !isRegion(city))
      return `${calm(city.split(/\s+/).slice(-3).join(" "))}, ${whole.replace(/\.$/, "")}`
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
const room = /^(?:Unit|Suite|Floor|Level|Hall|Building|Block|Apt|Room|Studio)\b\.? \w+|^\d{1,2}(?:st|nd|rd|th) floor/i
const months = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/
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
  if (part.length > 70 || months.test(part) || /@|https?:/.test(part)) return undefined
  for (const each of streets) {
    const found = each.exec(part)?.[1]
    if (found !== undefined) return found
  }
  return room.test(part) ? part : undefined
}

export interface Address {
  readonly text: string
  readonly city: string | undefined
  /** What stands before it on the same line: whose it is. */
  readonly before: string | undefined
}

/** A street with its number, up to the postal code and city, or the country, that make an address of it. */
export const addressIn = (text: string): Address | undefined => {
  const parts = text.split(/\s*[,;|·•\n]\s*/)
  for (const [at, part] of parts.entries()) {
    const post = posts
      .map((each) => each.exec(part))
      .find((each) => each !== null && (each.groups?.["state"] === undefined || states.has(each.groups["state"])))
    const country = part.replace(/\.$/, "")
    if (!post && !isRegion(country)) continue
    for (let from = at - 1; from >= Math.max(0, at - 3); from--) {
      // A room stands before its street or after it.
      if (room.test(parts[from] ?? "") && streetIn(parts[from - 1] ?? "") !== undefined) from--
      const street = streetIn(parts[from] ?? "")
      if (street === undefined || (!post && !isStreet.test(street))) continue
      const start = room.test(parts[from - 1] ?? "") ? [parts[--from]] : []
      const between = parts.slice(from + 1 + start.length, at)
      const next = parts[at + 1]?.replace(/\.$/, "") ?? ""
      const abroad = post && post[0] === part && isRegion(next) ? [next] : []
      const { city = between.at(-1), state } = post?.groups ?? {}
      const region = state ?? abroad[0] ?? (post ? undefined : country)
      return {
        text: [...start, street, ...between, post?.[0] ?? country, ...abroad].join(", "),
        city: city === undefined || region === undefined ? city : `${city.replace(/ \d+$/, "")}, ${region}`,
        before: parts[from - 1]
      }
    }
  }
  return undefined
}

export const locationIn = (sentences: ReadonlyArray<Said>, address: Address | undefined) => {
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
  const pairs = own.slice(0, 60).flatMap(({ text }) => pairIn(text) ?? [])
  const city = address?.city
  return city === undefined ? pairs[0] : (pairs.find((found) => found.startsWith(`${city}, `)) ?? city)
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
