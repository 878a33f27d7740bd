// layers/research/extract/Reach.ts: how the company is reached: by mail, on its site, by phone.
import { Predicate } from "effect"
import { isIP } from "node:net"
import { hasMoney } from "#layers/research/extract/Prices.ts"

const address = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}/gu
/** As forms and templates show one. */
const sample =
  /^(?:your|(?:name|email|user|example|abc|xyz)@|max\.?muster|john\.?doe|jane\.?doe)|@(?:your|my)?(?:company|business|domain|firma|email|contact|site|website)\.|@(?:muster|beispiel|test\.)|@example\.(?:com|org|net)$|^(?:info|contact|hello|support)@gmail\./i

export const emailsIn = (text: string) =>
  // "Emailinfo@..." is a label that its page sets right before the address.
  [...text.matchAll(address)]
    .map((match) => match[0].replace(/^\.+|^E-?mail(?=\p{Ll})/u, ""))
    .filter((each) => !sample.test(each))

const nobody =
  /^(?:no-?reply|do-?not-?reply|bewerbung|karriere|datenschutz|rechnung|accounts|recruit|apply|privacy|gdpr|dpo|jobs?|careers?|hr|abuse|postmaster|webmaster|billing|invoices?|press|legal|unsubscribe)\b/i
const shared = /^(?:info|hello|hi|contact|office|sales|mail|team|support|enquir|inquir|kontakt|biuro|service)/i

/** Every mailbox of a text that a stranger may write to. */
export const mailboxesIn = (text: string) => emailsIn(text).filter((each) => !nobody.test(each) && each.length <= 254)

const freemail =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|gmx|web|proton|protonmail|aol|wp|o2|onet|interia)\./

/** The domains of the companies whose addresses a text holds. */
export const mailHosts = (text: string): ReadonlyArray<string> =>
  [...new Set(emailsIn(text).map((each) => each.split("@")[1]?.toLowerCase() ?? ""))].filter(
    (host) => !freemail.test(host)
  )

/**
 * The address that a stranger should write to, on the company's own domain where it has one: the only one, or
 * the only one that is shared by everybody there. None where several fit equally well.
 */
export const emailOf = (text: string, host: string | undefined): string | undefined => {
  const all = [...new Set(mailboxesIn(text))]
  // Where the company has a domain, a mailbox elsewhere is somebody else's, or one that many have for themselves.
  const fit = all.filter((each) => host === undefined || each.toLowerCase().endsWith(`@${host}`))
  const everybody = fit.filter((each) => shared.test(each))
  return [fit, everybody].find((each) => each.length === 1)?.[0]
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

/** The domain of a site; none where its address is a number or a name of the local network. */
export const domainOf = (site: string | undefined): string | undefined => {
  const home = site === undefined ? null : URL.parse(site)
  if (home === null || isIP(home.hostname) !== 0 || !home.hostname.includes(".")) return undefined
  return hostOf(home)
}

/** The addresses of all sites of companies that a text names. */
export const sitesIn = (text: string): ReadonlyArray<URL> =>
  linksIn(text)
    .map(urlOf)
    .filter(Predicate.isNotNull)
    .filter((url) => hostOf(url).includes(".") && !social.test(hostOf(url)))

const letters = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")

/** Whether a text names the company at a domain as that spells it. */
const spells = (text: string, host: string): boolean => {
  const [label = ""] = host.split(".").map(letters)
  return label.length > 3 && letters(text).includes(label)
}

/** The domains of the companies that a text names: those of its mailboxes, and of the sites that it spells or writes to. */
export const hostsIn = (text: string): ReadonlyArray<string> => {
  const sites = sitesIn(text).map(hostOf)
  const mail = mailHosts(text)
  const rest = text.replace(link, " ")
  return [...new Set([...mail, ...sites.filter((host) => sites.length > 1 || spells(rest, host))])]
}

/** The address of the site at a domain, where a text names it. */
export const websiteOf = (text: string, host: string): string | undefined =>
  sitesIn(text).find((url) => hostOf(url) === host)?.origin

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

/** The numbers of a text: nobody's fax, and no agency's that serves the press. */
export const phonesIn = (text: string): ReadonlyArray<string> => {
  // Numbers of registers are grouped like those of phones.
  const line = ofPress.test(text)
    ? ""
    : text.replace(
        /\b(?:fax|SIRE[NT]|RCS|TVA|VAT|USt[-.]?Id\w*|HRB|KvK|ABN|IBAN|company (?:no|number|registration))\b.*|['’]s (?:mobile|cell|phone)[^,;]*/i,
        ""
      )
  const found = phones.flatMap((pattern) =>
    [...line.matchAll(pattern)].map(([, raw = ""]) =>
      raw
        .replace(/[ ./(-]+$/, "")
        .replace(/^\((?!.*\))/, "")
        .replace(/ +/g, " ")
    )
  )
  return found.filter((each) => {
    const count = each.replace(/\D/g, "").length
    // In North America no area begins with 1, and a number has ten digits.
    const isMadeUp =
      /123.?456|12345$|9876.?543|(\d)\1{5}|(?:0\d){5}/.test(each.replace(/[^\d.]/g, "")) ||
      /^\(?1\d\d\D+\d{3}\D\d{4}$/.test(each) ||
      (each.startsWith("+1") && count !== 11)
    return count >= (each.startsWith("0") ? 9 : 7) && count <= 15 && !hasMoney(each) && !isMadeUp
  })
}

/** How many numbers these are, each in whichever forms. */
export const kindsOf = (phones: ReadonlyArray<string>): number =>
  new Set(phones.map((phone) => phone.replace(/\D/g, "").slice(-8))).size

/** The first number of a line that is known to be the company's. */
export const phoneIn = (line: string): string | undefined => phonesIn(line)[0]

/** As many lines as a letterhead or a footer has between a number and what says whose it is. */
const near = 3
/** In running text a number may be anybody's, unless the text asks to call it. */
const isCallable = (line: string) => line.length <= 90 || /\b(?:call|ring|phone|text) (?:us\b|\+?[\d(])/i.test(line)

/** Whether a line names the company: its site, its mail, or its name as the domain spells it. */
const namesUs = (line: string, host: string): boolean => line.toLowerCase().includes(host) || spells(line, host)

/** The only number among lines that stands beside the company's own name, site or mail. */
export const phoneAmong = (lines: ReadonlyArray<string>, hosts: ReadonlyArray<string>): string | undefined => {
  const isOurs = (line: string) => hosts.some((host) => namesUs(line, host))
  const found = lines.flatMap((line, at) =>
    (isCallable(line) && lines.slice(Math.max(0, at - near), at + near + 1).some(isOurs)) || isOurs(line)
      ? phonesIn(line)
      : []
  )
  return kindsOf(found) === 1 && kindsOf(lines.flatMap(phonesIn)) < 3 ? found[0] : undefined
}
