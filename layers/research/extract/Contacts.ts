// layers/research/extract/Contacts.ts: mailboxes, sites and phone numbers of a text, and which one is surely the company's.
import { Predicate } from "effect"
import { isIP } from "node:net"
import { hasMoney } from "#layers/research/extract/Prices.ts"

const mailboxPattern = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}/gu
/** As forms and templates show one. */
const placeholderMailbox =
  /^(?:your|(?:name|email|user|example|abc|xyz)@|max\.?muster|john\.?doe|jane\.?doe)|@(?:your|my)?(?:company|business|domain|firma|email|contact|site|website)\.|@(?:muster|beispiel|test\.)|@example\.(?:com|org|net)$|^(?:info|contact|hello|support)@gmail\./i
/** Mailboxes that take no letters from strangers. */
const unsuitableMailbox =
  /^(?:help(?:desk)?|hilfe|aide|no-?reply|do-?not-?reply|bewerbung|karriere|datenschutz|rechnung|accounts|recruit\w*|rh|apply|privacy|gdpr|dpo|jobs?|careers?|hr|abuse|postmaster|webmaster|billing|invoices?|press|legal|unsubscribe)\b/i
export const sharedMailbox =
  /^(?:info|hello|hi|contact|office|sales|mail|team|support|enquir|inquir|kontakt|biuro|service|kanzlei|praxis)/i

/** Every mailbox of a text that a stranger may write to. */
export const mailboxesIn = (text: string): ReadonlyArray<string> =>
  // "Emailinfo@..." is a label that its page sets right before the address.
  [...text.matchAll(mailboxPattern)]
    .map((match) => match[0].replace(/^\.+|^E-?mail(?=\p{Ll})/u, ""))
    .filter((each) => each.length <= 254 && !placeholderMailbox.test(each) && !unsuitableMailbox.test(each))

const freemailHost =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|gmx|web|proton|protonmail|aol|wp|o2|onet|interia|orange|wanadoo|free|t-online)\./

const sitePattern =
  /(?:https?:\/\/|www\.)[^\s<>"'()[\]{}|,;]{3,500}|(?<![@\p{L}\p{N}./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|io|co|eu|de|nl|pl|fr|es|it|uk|ch|at|be|se|dk|no|fi|ie|us|ca|au|nz|app|dev|ai|agency|studio|shop|store|tech|software|consulting|example)(?![\p{L}\p{N}@-])(?:\/[^\s<>"'()[\]{}|,;]{0,300})?/giu
const socialNetworkHost =
  /(?:^|\.)(?:linkedin|twitter|x|facebook|instagram|youtube|youtu|tiktok|xing|github|google|goo|wa|t|pinterest|vimeo|trustpilot|g2|capterra|calendly)\.(?:com|be|me|gl|co)$/

/** A host as people say it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^www\./, "")

/** The domain of a site; none where its address is a number or a name of the local network. */
export const domainOf = (site: string | undefined): string | undefined => {
  const home = site === undefined ? null : URL.parse(site)
  if (home === null || isIP(home.hostname) !== 0 || !home.hostname.includes(".")) return undefined
  return hostOf(home)
}

/** The addresses of all sites of companies that a text names. */
export const sitesIn = (text: string): ReadonlyArray<URL> =>
  [...text.replace(mailboxPattern, " ").matchAll(sitePattern)]
    .map(([each]) => each.replace(/[.:!?)]+$/, ""))
    .map((each) => URL.parse(/^https?:/i.test(each) ? each : `https://${each}`))
    .filter(Predicate.isNotNull)
    .filter((url) => hostOf(url).includes(".") && !socialNetworkHost.test(hostOf(url)))

/** The domains of the companies that a text names by a mailbox or a site. */
export const hostsIn = (text: string): ReadonlyArray<string> => {
  const mailHosts = [...text.matchAll(mailboxPattern)].map(([each]) => each.split("@")[1]?.toLowerCase() ?? "")
  return [...new Set([...mailHosts.filter((host) => !freemailHost.test(host)), ...sitesIn(text).map(hostOf)])]
}

/** The only mailbox at a domain, else the only one there that everybody shares. */
export const mailboxAt = (text: string, host: string): string | undefined => {
  const mailboxes = [...new Set(mailboxesIn(text))].filter((each) => each.toLowerCase().endsWith(`@${host}`))
  return [mailboxes, mailboxes.filter((each) => sharedMailbox.test(each))].find((each) => each.length === 1)?.[0]
}

const digitsPattern = "\\d[\\d ().\\/-]{5,20}\\d"
/** No letter in what is left of the number: a scan has "555-0l47", which would be cut at the letter. */
const noLetterAfter = "(?![ ().\\/-]*\\d*\\p{L}(?<=\\d\\p{L})|\\d)"
const phonePatterns = [
  new RegExp(
    `\\b(?:tel(?:ephone)?|phone|call(?: us)?(?: on| at)?|mobile|cell|fon|telefon|téléphone|tél|whatsapp)\\s*[.:]?\\s*((?:\\+|00)?\\(?${digitsPattern})${noLetterAfter}`,
    "giu"
  ),
  new RegExp(`(?<![\\w+])((?:\\+ ?|00)[1-9]${digitsPattern})${noLetterAfter}`, "gu"),
  /(?<![\w.,-])(\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w-])/gu,
  // As written at home: the trunk's zero and groups. Figures of other kinds do not begin with one.
  /(?<![\w.,:+/-]|\d )(\(?0\d{1,5}\)?(?:(?: ?[/-] ?| )\d{2,8}){1,5})(?![\w/]|[.,]\d)/gu
]
/** Numbers of faxes and registers, which are grouped like those of phones, and numbers that reach a person only with an extension. */
const notPhonePattern =
  /[+(\d][\d ().-]{6,}\d,? ?(?:ext|x|extension|durchwahl|poste)\b\.? ?\d+|\b(?:(?:tele)?fax|SIRE[NT]|RCS|TVA|VAT|USt[-.]?Id\w*|HRB|KvK|ABN|IBAN|company (?:no|number|registration))\b.*|['’]s (?:mobile|cell|phone)[^,;]*/i

/** Whether a number was typed to fill a template, or has too few or too many digits. */
const isPlaceholderNumber = (phone: string): boolean => {
  const digits = phone.replace(/\D/g, "")
  return (
    digits.length < (phone.startsWith("0") ? 9 : 7) ||
    digits.length > 15 ||
    /123456|12345$|98765|(\d)\1{5}|(?:0\d){5}/.test(digits) ||
    // In North America no area begins with 1, and a number has ten digits.
    /^\(?1\d\d\D+\d{3}\D\d{4}$/.test(phone) ||
    (phone.startsWith("+1") && digits.length !== 11)
  )
}

/** Every phone number of a line, as written there. */
export const phonesIn = (line: string): ReadonlyArray<string> =>
  phonePatterns
    .flatMap((pattern) => [...line.replace(notPhonePattern, "").matchAll(pattern)])
    .map(([, rawNumber = ""]) =>
      rawNumber
        .replace(/[ ./(-]+$/, "")
        .replace(/^\((?!.*\))/, "")
        .replace(/ +/g, " ")
    )
    .filter((each) => !hasMoney(each) && !isPlaceholderNumber(each))

/** Groups of digits of a phone's length without its prefix or any word: enough to offer them, and not to fill a number. */
const possiblePhone =
  /(?<![\p{L}\p{N}.,/+-]|\d )\(?\d{2,5}\)?(?:[ /-]{1,3}\d{2,5}){1,4}(?![\p{L}\p{N}/]|[.,]\d| ?[€$£%])/gu

export const possiblePhonesIn = (line: string): ReadonlyArray<string> =>
  [...line.slice(0, 400).replace(notPhonePattern, "").matchAll(possiblePhone)]
    .map(([phone]) => phone)
    .filter(
      (phone) =>
        !isPlaceholderNumber(phone) && phone.replace(/\D/g, "").length > 7 && !/^(?:19|20)\d\d[ /-]/.test(phone)
    )

/** The only number of a text, in the form that it has first. Two spellings of one number have the same last digits. */
export const onlyPhone = (lines: ReadonlyArray<string>): string | undefined => {
  const phones = lines.flatMap(phonesIn)
  return new Set(phones.map((phone) => phone.replace(/\D/g, "").slice(-8))).size === 1 ? phones[0] : undefined
}
