// layers/generator/companies/KnownCompanies.ts: recognises leads at clients, competitors and the sender's own company.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { nlp } from "#layers/text/Nlp.ts"
import {
  companyKey,
  type ComparedCompany,
  comparedCompany,
  isDistinctive,
  isSameCompany,
  isSingleWord,
  mayBeCompany
} from "#layers/generator/companies/CompanyMatch.ts"
import { isConsumerAddress } from "#layers/text/ConsumerAddresses.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { splitParagraph, wordSet, removeParentheses } from "#layers/text/Words.ts"
import type { Details } from "#schema/Details.ts"
import type { Lead } from "#schema/Lead.ts"

export interface KnownCompany {
  readonly kind: "client" | "competitor" | "own"
  readonly name: string
  /** The reason as a sentence for the user. */
  readonly reason: string
}

type LeadContact = Pick<Lead, "email" | "company" | "company_website">
type Profile = Pick<
  Details,
  | "company_name"
  | "website_url"
  | "contact_email"
  | "competitors"
  | "ideal_client_urls"
  | "case_studies"
  | "credibility_markers"
>

// Sites where many companies have a page; the host does not identify the company.
const sharedHosts = wordSet(
  "linkedin.com facebook.com instagram.com x.com twitter.com youtube.com google.com github.com medium.com notion.so linktr.ee yelp.com amazon.com etsy.com ebay.com wordpress.com"
)

const compactKey = (name: string): string => companyKey(name).replaceAll(" ", "")

const parseHost = (address: string | null | undefined): string | undefined => {
  const text = address?.trim().toLowerCase() ?? ""
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`)
  const host = url?.hostname.replace(/^www\./, "") ?? ""
  return host.includes(".") && !sharedHosts.has(host) ? host : undefined
}

const mailHost = (email: string | null | undefined): string | undefined =>
  email == null || isConsumerAddress(email) ? undefined : parseHost(email.split("@")[1])

const leadHosts = (lead: LeadContact): ReadonlyArray<string> =>
  [mailHost(lead.email), parseHost(lead.company_website)].filter((host) => host !== undefined)

const isUnderDomain = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** The part of a host that a company chose: "ridgelinefootwear" in "shop.ridgelinefootwear.co.uk". */
const domainLabel = (host: string): string => {
  const parts = host.split(".")
  const ending = /^(?:co|com|org|net|gov|ac)$/.test(parts.at(-2) ?? "") && parts.length > 2 ? 2 : 1
  return parts.at(-1 - ending) ?? ""
}

// A run of capitalised words, with words such as "&", "of" and "and" between them.
const capitalisedRun =
  /^(?:\p{Lu}[\p{L}\p{N}'’.-]*|\d+\p{L}*)(?:(?: (?:&|and|of|the|de|y|et|und))* (?:\p{Lu}[\p{L}\p{N}'’.-]*|(?<=& )\p{L}+))*/u

const articles = wordSet(
  "a an the our one two three this that these every each we they it he she you i in at for with when how after before since from by on as"
)

// Verbs whose past equals their plain form, which the tagger takes for any tense.
const invariantVerb = /^ ?(?:now |also |then )?(?:cut|put|set|hit|let|cost|beat|shut|split|spread) /i

/** Whether a name is the subject of what follows: its verb, or a result after a colon, dash or comma. "line: stops" is not. */
const isActingSubject = (name: string, textAfter: string): boolean => {
  if (/^(?:[,:]|['’]s\b| [-–—] )/.test(textAfter) || invariantVerb.test(textAfter)) return true
  // "They" makes the next word the verb of a plain sentence, which the tagger recognises well.
  const doc = nlp(`They ${textAfter.trim().split(/\s+/).slice(0, 4).join(" ")}`)
  if (doc.match("^they (now|also|then)? (#PastTense|#Copula)").found) return true
  const nextWord = /^ ?(?:now |also |then )?(\p{Ll}+)/u.exec(textAfter)?.[1] ?? ""
  // "Northwind saves" is a sentence, but "Amazon brands" may be a noun, so a single word is no sufficient name here.
  return (
    !isSingleWord(companyKey(name)) && nextWord.endsWith("s") && doc.match("^they (now|also|then)? #PresentTense").found
  )
}

/** The companies in sentences about clients: "Ridgeline Footwear cut refund tickets" names one. */
const clientNames = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts
    .map(removeParentheses)
    .flatMap(splitParagraph)
    .flatMap((sentence) => {
      const list = /\b(?:trusted|used|chosen) by (.+)$|\b(?:clients|customers)(?: include| are|:) (.+)$/i.exec(sentence)
      if (list !== null)
        return (list[1] ?? list[2] ?? "")
          .replace(/\.$/, "")
          .split(/, and | and (?=\p{Lu})|, /u)
          .filter((part) => capitalisedRun.exec(part)?.[0] === part)
      const name = capitalisedRun.exec(sentence)?.[0].replace(/['’]s$/, "")
      if (name === undefined || articles.has(name.split(" ")[0]?.toLowerCase() ?? "")) return []
      return isActingSubject(name, sentence.slice(name.length)) ? [name] : []
    })

// Cached, because all leads of a list are compared with the same texts.
const clientNameCache = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()
/** The clients that case studies and credentials name. */
export const namedClients = (texts: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> => {
  if (texts == null) return []
  const names = clientNameCache.get(texts) ?? clientNames(texts)
  clientNameCache.set(texts, names)
  return names
}

/** The companies among the competitors of a profile. */
export const competitorNames = (profile: Pick<Details, "competitors">): ReadonlyArray<string> =>
  (profile.competitors ?? "")
    .split(/[,;\n]/)
    .map((part) => part.replace(/\([^)]*\)/g, "").trim())
    // "handling returns by email" is an alternative, not a company.
    .filter((part) => parseHost(part) !== undefined || capitalisedRun.exec(part)?.[0] === part)

interface LeadCompany {
  readonly company: ComparedCompany | undefined
  readonly hosts: ReadonlyArray<string>
}

// Cached, because every lead of a list is compared with the same few names.
const comparedEntry = cacheByText(comparedCompany)

/** Whether a lead works at a company of this name. A common word counts only if the lead's domain matches too. */
const worksAt = ({ company, hosts }: LeadCompany, name: string): boolean => {
  const target = comparedEntry(name)
  const compactName = target.key.replaceAll(" ", "")
  if (compactName === "") return false
  const domains = hosts.map((host) => domainLabel(host).replaceAll("-", ""))
  const isNamed = company !== undefined && isSameCompany(company, target)
  if (isSingleWord(target.key)) return isNamed && (isDistinctive(target.key) || domains.includes(compactName))
  return isNamed || (compactName.length >= 8 && domains.includes(compactName))
}

const matchOwnCompany = (subject: LeadCompany, profile: Profile): KnownCompany | undefined => {
  const ownHosts = [parseHost(profile.website_url), mailHost(profile.contact_email)].filter(
    (host) => host !== undefined
  )
  const ownDomain = ownHosts.find((domain) => subject.hosts.some((host) => isUnderDomain(host, domain)))
  if (ownDomain !== undefined) return { kind: "own", name: ownDomain, reason: `${ownDomain} is your own domain.` }
  const name = profile.company_name?.trim() ?? ""
  return worksAt(subject, name) ? { kind: "own", name, reason: `${name} is your own company.` } : undefined
}

/** The clients that the profile and the campaign's proofs name, but no common word that may be none. */
const distinctiveClients = (profile: Profile, proofs: ReadonlyArray<string>): ReadonlyArray<string> =>
  [profile.case_studies, profile.credibility_markers, proofs]
    .flatMap(namedClients)
    .filter((name) => isDistinctive(comparedEntry(name).key))

const matchClient = (
  subject: LeadCompany,
  profile: Profile,
  proofs: ReadonlyArray<string>
): KnownCompany | undefined => {
  const sites = (profile.ideal_client_urls ?? "").split(/[\s,;]+/).flatMap((url) => parseHost(url) ?? [])
  for (const name of distinctiveClients(profile, proofs)) {
    const site = sites.find((host) => domainLabel(host).replaceAll("-", "") === compactKey(name))
    if (worksAt(subject, name) || (site !== undefined && subject.hosts.some((host) => isUnderDomain(host, site))))
      return { kind: "client", name, reason: `${name} is named as a client in your case studies.` }
  }
  return undefined
}

const matchCompetitor = (subject: LeadCompany, profile: Profile): KnownCompany | undefined => {
  const name = competitorNames(profile).find((entry) => {
    const domain = parseHost(entry)
    return (
      worksAt(subject, entry) || (domain !== undefined && subject.hosts.some((host) => isUnderDomain(host, domain)))
    )
  })
  return name === undefined
    ? undefined
    : { kind: "competitor", name, reason: `${name} is one of the competitors in your company profile.` }
}

const parseLeadCompany = (lead: LeadContact): LeadCompany => ({
  // Values that are not company names, such as "n/a", match nothing.
  company: companyName(lead.company) === undefined ? undefined : comparedCompany(lead.company ?? ""),
  hosts: leadHosts(lead)
})

/**
 * The client, competitor or own company that a lead works at, or null. `proofs` are the texts of the campaign's social
 * proof. A wrong match would drop a lead, so a doubtful match is null: `findPossibleCompany` has those.
 */
export const findKnownCompany = (
  lead: LeadContact,
  profile: Profile,
  proofs: ReadonlyArray<string> = []
): KnownCompany | null => {
  const subject = parseLeadCompany(lead)
  return (
    matchOwnCompany(subject, profile) ??
    matchClient(subject, profile, proofs) ??
    matchCompetitor(subject, profile) ??
    null
  )
}

/**
 * The client or competitor that a lead may work at, or null: one name begins with the other ("Apex Dental" and "Apex"),
 * both are the same common word, or both are spelled alike ("Lindquist Outdoors" and "Lindqvist Outdoors"). Such leads are kept, and a person decides.
 */
export const findPossibleCompany = (
  lead: LeadContact,
  profile: Profile,
  proofs: ReadonlyArray<string> = []
): KnownCompany | null => {
  const { company } = parseLeadCompany(lead)
  if (company === undefined) return null
  const isPossible = (name: string) => mayBeCompany(company, comparedEntry(name))
  const client = distinctiveClients(profile, proofs).find(isPossible)
  const competitor = client === undefined ? competitorNames(profile).find(isPossible) : undefined
  const name = client ?? competitor
  if (name === undefined) return null
  const role =
    client === undefined ? "one of the competitors in your company profile" : "named as a client in your case studies"
  return {
    kind: client === undefined ? "competitor" : "client",
    name,
    reason: `${lead.company} may be ${name}, ${role}.`
  }
}
