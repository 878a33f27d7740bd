// layers/research/extract/Reach.ts: how the company is reached: by mail, on its site, by phone.
import { Predicate } from "effect"
import { hasMoney } from "#layers/research/extract/Prices.ts"

const address = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}/gu
export const emailsIn = (text: string) => [...text.matchAll(address)].map((match) => match[0].replace(/^\.+/, ""))

const nobody =
  /^(?:no-?reply|do-?not-?reply|bewerbung|karriere|datenschutz|rechnung|accounts|recruit|apply|privacy|gdpr|dpo|jobs?|careers?|hr|abuse|postmaster|webmaster|billing|invoices?|press|legal|unsubscribe)\b/i
const shared = /^(?:info|hello|hi|contact|office|sales|mail|team|support|enquir|inquir|kontakt|biuro|service)/i

const freemail =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|gmx|web|proton|protonmail|aol|wp|o2|onet|interia)\./

/** The domains of the companies whose addresses a text holds. */
export const mailHosts = (text: string): ReadonlyArray<string> =>
  [...new Set(emailsIn(text).map((each) => each.split("@")[1]?.toLowerCase() ?? ""))].filter(
    (host) => !freemail.test(host)
  )

/** The address that a stranger should write to: a person's before a shared one, on the company's own domain first. */
export const emailOf = (text: string, host: string | undefined): string | undefined => {
  const all = [...new Set(emailsIn(text))].filter((each) => !nobody.test(each) && each.length <= 254)
  const ours = all.filter((each) => host !== undefined && each.toLowerCase().endsWith(`@${host}`))
  const fit = ours.length > 0 ? ours : all
  return fit.find((each) => !shared.test(each)) ?? fit[0]
}

const link =
  /(?:https?:\/\/|www\.)[^\s<>"'()[\]{}|,;]{3,500}|(?<![@\p{L}\p{N}./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|io|co|eu|de|nl|pl|fr|es|it|uk|ch|at|be|se|dk|no|fi|ie|us|ca|au|nz|app|dev|ai|agency|studio|shop|store|tech|software|consulting|example)(?![\p{L}\p{N}@-])(?:\/[^\s<>"'()[\]{}|,;]{0,300})?/giu
const social =
  /(?:^|\.)(?:linkedin|twitter|x|facebook|instagram|youtube|youtu|tiktok|xing|github|google|goo|wa|t|pinterest|vimeo|trustpilot|g2|capterra|calendly)\.(?:com|be|me|gl|co)$/
const linksIn = (text: string) =>
  [...text.replace(address, " ").matchAll(link)].map((match) => match[0].replace(/[.:!?)]+$/, ""))

const urlOf = (link: string) => URL.parse(/^https?:/i.test(link) ? link : `https://${link}`)

/** As one says it. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^www\./, "")

/** The company's own site: on the domain of its mail if it has one, and never a social network's. */
export const websiteOf = (text: string): string | undefined => {
  const mail = mailHosts(text)
  const sites = linksIn(text)
    .map(urlOf)
    .filter(Predicate.isNotNull)
    .filter((url) => hostOf(url).includes(".") && !social.test(hostOf(url)))
  const hosts = new Set(sites.map(hostOf))
  const only = mail.length === 0 && hosts.size === 1 ? sites[0] : undefined
  return (sites.find((url) => mail.includes(hostOf(url))) ?? only)?.origin
}

export const ofPress = /^(?:press|media|presse)\b[^:]{0,20}:|^(?:press|media) (?:contact|enquiries|inquiries|office)/i

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
    .map((line) => line.replace(/\bfax\b.*|['’]s (?:mobile|cell|phone)[^,;]*/i, ""))
    .filter((line) => !ofPress.test(line))
    .join("\n")
  for (const pattern of phones)
    for (const [, raw = ""] of lines.matchAll(pattern)) {
      const found = raw.replace(/[ ./(-]+$/, "").replace(/ +/g, " ")
      const count = found.replace(/\D/g, "").length
      if (count >= (found.startsWith("0") ? 9 : 7) && count <= 15 && !hasMoney(found) && !/123.?456/.test(found))
        return found
    }
  return undefined
}
