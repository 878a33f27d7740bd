// layers/lead-files/AddressChecks.ts: warnings about lead addresses. No lead is skipped because of them.
import { POPULAR_DOMAINS, run } from "@zootools/email-spell-checker"
import { disposableEmailBlocklistSet } from "disposable-email-domains-js"
import { isConsumerAddress } from "#layers/text/ConsumerAddresses.ts"
import { wordSet } from "#layers/text/Words.ts"
import type { AddressProblem } from "#schema/LeadFiles.ts"

export interface AddressCheck {
  readonly kind: AddressProblem
  readonly message: string
  readonly suggestion: string | null
}

const roleNames = wordSet(
  "abuse accounting accounts admin administration administrator billing booking bookings bewerbung buchhaltung buero buro careers " +
    "comercial commercial compras comptabilite contact contacto contactus contatto customerservice donotreply dpo einkauf " +
    "enquiries enquiry feedback finance finanzen hello hi hostmaster hr info information inkoop inquiries invoice invoices it " +
    "jobs karriere kontakt legal mail mailbox mailerdaemon marketing media newsletter no-reply noreply office orders " +
    "personal postmaster post press presse privacy purchasing reception recepcja recruiting recruitment rechnung root sales " +
    "sekretariat secretariat security service services shop spam staff subscribe support team ventas vente ventes verkauf verkoop " +
    "vertrieb webmaster welcome zentrale biuro sprzedaz"
)

const disposableDomains = disposableEmailBlocklistSet()

/** Real domains that differ from a mail provider's by one letter. */
const realDomains = wordSet("email.com cloud.com snail.com")

const mailProviders = [
  ...POPULAR_DOMAINS.filter((domain) => isConsumerAddress(`a@${domain}`) && domain.indexOf(".") >= 5),
  "hotmail.com",
  "yahoo.com",
  "outlook.com"
]

const mistypedEnding = /\.(?:con|cmo|ocm|comm|coom|cim|vom|xom)$/

const sortedLetters = (text: string) => {
  const letters = new Map<string, number>()
  for (const letter of text) letters.set(letter, (letters.get(letter) ?? 0) + 1)
  return letters
}

const providerLetters = mailProviders.map(sortedLetters)

/**
 * Whether a provider's domain differs by at most two letters. A quick check, because the library compares slowly and a
 * file may have 50,000 domains.
 */
const isCandidate = (domain: string) => {
  if (domain.length > 20) return false
  const letters = sortedLetters(domain)
  return providerLetters.some((otherLetters) => {
    let differing = 0
    for (const [letter, count] of otherLetters) differing += Math.max(0, count - (letters.get(letter) ?? 0))
    for (const [letter, count] of letters) differing += Math.max(0, count - (otherLetters.get(letter) ?? 0))
    return differing <= 2
  })
}

/** The domain that was probably meant, if this one looks mistyped. */
const correctedDomain = (domain: string): string | undefined => {
  if (isConsumerAddress(`a@${domain}`) || realDomains.has(domain)) return undefined
  const candidate = isCandidate(domain)
    ? run({
        email: `a@${domain}`,
        domains: mailProviders,
        topLevelDomains: [],
        secondLevelDomains: [],
        domainThreshold: 2
      })
    : undefined
  return candidate?.domain ?? (mistypedEnding.test(domain) ? domain.replace(/\.[^.]+$/, ".com") : undefined)
}

/** All warnings about the address. */
export const checkLeadAddress = (email: string): ReadonlyArray<AddressCheck> => {
  const [local = "", domain = ""] = email.toLowerCase().split("@")
  const suggestedDomain = correctedDomain(domain)
  const checks: Array<AddressCheck> = []
  if (suggestedDomain !== undefined) {
    const suggestion = `${email.slice(0, email.indexOf("@"))}@${suggestedDomain}`
    checks.push({ kind: "typo", message: `The domain looks mistyped; ${suggestion} may be meant.`, suggestion })
  }
  // Lists of disposable domains also contain mistyped providers.
  if (suggestedDomain === undefined && disposableDomains.has(domain)) {
    checks.push({
      kind: "disposable",
      message: "The domain gives out mailboxes for a few minutes or days.",
      suggestion: null
    })
  } else if (isConsumerAddress(email)) {
    checks.push({
      kind: "consumer",
      message: "A private mailbox, which does not show where the person works.",
      suggestion: null
    })
  }
  if (roleNames.has(local.replace(/\+.*$/, ""))) {
    checks.push({
      kind: "role",
      message: "A shared mailbox, which may have several readers or none.",
      suggestion: null
    })
  }
  return checks
}
