// layers/research/Extract.ts: from a document or a site to the detail fields that it states for sure. Every other field is
// listed as missing, with the sentences or values that may answer it.
import { Predicate } from "effect"
import { blocks, type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { missingIn } from "#layers/research/extract/Candidates.ts"
import { domainOf, hostsIn, mailboxAt, mailboxesIn, onlyPhone, sitesIn } from "#layers/research/extract/Contacts.ts"
import { type Fact, factOf, labelledFacts, most, sectionFacts } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, type Label, labelled, names, oneLine } from "#layers/research/extract/Labels.ts"
import {
  isAboutCompany,
  isSpelled,
  mostHosts,
  nameAt,
  namesCompany,
  nameSpelledBy,
  ownerAmong
} from "#layers/research/extract/Names.ts"
import { type FoundOffer, offers } from "#layers/research/extract/Prices.ts"
import type { PageData } from "#layers/research/read/Html.ts"
import type { Organization } from "#layers/research/read/Organization.ts"
import { shapeOf } from "#layers/text/Sentences.ts"
import { looksEnglish, sentences } from "#layers/text/Words.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import type { ImportSource, MissingField } from "#schema/Imports.ts"

/** The fields that a text states; the others are absent. */
export type Findings = {
  readonly [K in keyof DetailsPatch]: NonNullable<DetailsPatch[K]>
}

export interface Reading {
  readonly findings: Findings
  readonly sources: ReadonlyArray<ImportSource>
  readonly missing: ReadonlyArray<MissingField>
  /** What the text says of the business, in Markdown: nothing of others, and nothing that is struck out. */
  readonly own: string
  /** Only where the model that should have read the text did not: says so in a sentence. */
  readonly notice?: string
}

/** A site that was read: its address, and what each of its pages states for machines, the home page first. */
export interface Site {
  readonly url: string
  readonly pages: ReadonlyArray<PageData>
}

/** As much of a text as is read; a person who looks for what a company does would have stopped long before. */
const mostText = 400_000

/** A longer line is no title. */
const mostTitle = 100
/** Papers that are about others too, by their first lines. */
const ofOthers =
  /\b(?:minutes|meeting|call script|agenda|invoice|rechnung|facture|analysis|protokoll|compte[ -]rendu|notes?|notizen|chat|thread|re:|fwd:|aw:|wg:|tender(?:er)?s?|RF[TPQ]|partners?|suppliers?(?! (?:profile|registration|information))|quotation for|(?:angebot|proposal|prepared|offer|devis) (?:für|for|pour|n[°r]))(?!\p{L})/iu
/** The heads of a mail, of an answer to one, and of a message in a chat: what follows may be anybody's. */
const exchanged =
  /^[> ]*(?:From|Von|De|Da|Van): .*@|^[> ]*(?:On|Am|Le) .{6,80} (?:wrote|schrieb.{0,60}|a écrit) ?:|^\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d.{0,12}[\]-]? [^:]{2,40}: |^\[?\d{1,2}:\d\d(?::\d\d)?\]? [^:]{2,30}: /mu
/** A text with this was made from a template, and its names and numbers may still be the template's. */
const filler = /\blorem ipsum\b|\bMuster(?:mann|frau|firma|stra(?:ß|ss)e|stadt)\b|\bAnytown\b|\bYour Company\b/i

/** Behind these labels stand the addresses of others. */
const labelsOfOthers: ReadonlySet<Label | undefined> = new Set([
  "competitors",
  "ideal_client_urls",
  "case_studies"
] as const)
/** A line that says who made or hosts the text, or who answers the press. */
const makers =
  /^(?:press|media|presse)(?: (?:contact|enquiries|inquiries|office))?\s?[:,]|(?<!\p{L})(?:(?:website|site|theme|designed|developed|built|powered|made) by|site réalisé|réalis(?:é|ation)|héberg\p{L}+|hosted|hosting|web ?design|umsetzung|realisierung)(?!\p{L})/iu

const ownLines = (all: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  all.filter(({ text }) => !labelsOfOthers.has(labelled(text)?.label) && !makers.test(text))

const textsOf = (all: ReadonlyArray<Block>): ReadonlyArray<string> =>
  all.map(({ cells, kind, text }) => (kind === "row" ? cells.join(" | ") : text))

/** A value with the first block that holds it. */
const heldBy = (
  all: ReadonlyArray<Block>,
  field: Field,
  value: string | undefined,
  part = value
): ReadonlyArray<Fact> => {
  const block = all.find(({ text }) => part !== undefined && text.includes(part))
  return value === undefined || block === undefined ? [] : [factOf(field, value, block)]
}

/** Who the business is and how it is reached: facts that a text with addresses of two companies cannot be trusted with. */
const isIdentity = ({ field }: Fact): boolean => oneLine(field) && field !== "industry_vertical"

const addresses = /\S+@\S+|(?:https?:\/\/|www\.)\S+|(?<![\w@-])(?:[\w-]+\.)+[a-z]{2,}(?![\w-])(?:\/\S*)?/gi

/**
 * The domain of the company whose text this is. A text may name clients, suppliers and partners with their addresses: only
 * where it names one domain and its company, or begins or is signed with the name that one of them spells, is that known.
 */
const hostOfText = (hosts: ReadonlyArray<string>, own: ReadonlyArray<Block>): string | undefined => {
  const [first = "", ...others] = hosts
  const prose = own.map(({ text }) => text.replace(addresses, " "))
  if (others.length === 0 && namesCompany(prose, first)) return first
  return hosts.length > mostHosts ? undefined : ownerAmong(hosts, own)
}

const isCompany = ({ field }: Fact): boolean => field === "company_name"

/** The only domain of a text, if a label such as "Email" or "Website" gives it. */
const labelledHost = ([host = "", ...others]: ReadonlyArray<string>, own: ReadonlyArray<Block>): string | undefined => {
  const isGiven = ({ text }: Block) => {
    const { label, value = "" } = labelled(text) ?? {}
    return (label === "contact_email" || label === "website_url") && value.toLowerCase().includes(host)
  }
  return host !== "" && others.length === 0 && own.some(isGiven) ? host : undefined
}

/** The facts of a document. Of mailboxes and numbers, only the one that is alone is surely the company's. */
const ofDocument = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const labels = labelledFacts(all)
  const own = ownLines(all)
  const texts = textsOf(own)
  const whole = texts.join("\n")
  const hosts = hostsIn(whole)
  // Without an address in the text, its only number is sure where a label says whose it is.
  const isLabelled = ({ text }: Block) => labelled(text)?.label === "contact_phone"
  if (hosts.length === 0) return [...labels, ...heldBy(own.filter(isLabelled), "contact_phone", onlyPhone(texts))]
  const host = hostOfText(hosts, own) ?? (labels.some(isCompany) ? labelledHost(hosts, own) : undefined)
  if (host === undefined) return labels.filter((fact) => !isIdentity(fact))
  const spelled = nameAt(host, own)
  // With addresses of others in the text, a label may name theirs.
  const stated = labels.filter((fact) => hosts.length === 1 || !isIdentity(fact))
  const isNamed = stated.some(({ field }) => field === "company_name")
  const sections = sectionFacts(own).filter(
    ({ field }) => isList(field) || !stated.some((fact) => fact.field === field)
  )
  const isDescribed = [...stated, ...sections].some(({ field }) => field === "business_description")
  const site = sitesIn(whole).find((url) => domainOf(url.origin) === host)
  return [
    ...(isNamed || spelled === undefined ? [] : [factOf("company_name", spelled.value, spelled.block)]),
    ...stated,
    ...sections,
    ...(isDescribed ? [] : introduction(own, spelled?.value, host)),
    ...heldBy(own, "contact_email", mailboxAt(whole, host)),
    ...heldBy(own, "contact_phone", onlyPhone(texts)),
    ...heldBy(own, "website_url", site?.origin, host)
  ]
}

/** Whether structured data is about the company at a domain, and not about the makers of its site or its theme. */
const isAt =
  (host: string) =>
  ({ email, name, url }: Organization): boolean =>
    isSpelled(name, host) || email.toLowerCase().endsWith(`@${host}`) || domainOf(url) === host

/** A slogan or a title for search engines has more words, or marks that separate its parts. */
const isName = (name: string): boolean =>
  name.length <= 60 && name.split(" ").length <= 6 && !/[|:•·@]| [-–—] |&\w+;/.test(name)

const machineData = { under: ["Structured data of the page"] }
const fromData = (field: Field, value: string): Fact => factOf(field, value, { ...machineData, text: value })

/** The address in one line; empty where street or town is missing. */
const addressOf = ({ city, code, region, street }: Organization): string =>
  !/\p{L}.*\d|\d.*\p{L}/u.test(street) || city === "" || code === ""
    ? ""
    : /^\d{4,5}$/.test(code) && region === ""
      ? `${street}, ${code} ${city}`
      : `${street}, ${city}, ${[region, code].filter((part) => part !== "").join(" ")}`

/** A sentence that asks, shouts, counts or wants to be called says nothing of what a company does. */
const advert =
  /[?!★☎|@#<€£$…]|\d[\d ().-]{6,}\d|\b(?:call|case study|coming soon|excellence|passion|under construction|website|free)\b/iu

/** "Vantage Roofing installs flat roofs": the library takes "Roofing installs" for a name, and these are verbs alone. */
const verb =
  /^\S+(?: \S+){0,5}? (?:arranges|brings|builds|creates|delivers|helps|installs|is|keeps|makes|manages|manufactures|offers|operates|produces|provides|sells|serves|speciali[sz]es|trains|treats) /u

/** What the home page's description says of the company: whole sentences in English of which it, or "we", is the subject. */
const statementIn = (description: string, name: string | undefined, host: string): string | undefined => {
  const all = sentences(description)
  const isOurs = (sentence: string) =>
    /^(?:We|At [^,]{2,40}, we) \p{Ll}/u.test(sentence) ||
    (name !== undefined && sentence.startsWith(`${name} `)) ||
    isAboutCompany(sentence, host)
  const isStated = (sentence: string) =>
    /[^.…]\.$/.test(sentence) &&
    !advert.test(sentence) &&
    looksEnglish(sentence) &&
    (shapeOf(sentence) === "sentence" || (isOurs(sentence) && verb.test(sentence)))
  const [first = ""] = all
  return isOurs(first) && first.split(" ").length > 5 && all.every(isStated) ? all.join(" ") : undefined
}

/** A sentence about the past is a history. */
const past = /\b(?:was|were|began|founded|started|opened|took over|grew up|set up (?:in|by))\b/i
/** How many blocks below its title a text says what the company does, and in how many characters. */
const mostIntroduction = 4
const mostStatement = 500

/** A sentence about clients says nothing of what the company does for them. */
const ofClients = /^We (?:sell to|serve|work (?:for|with))\b/

/** What a text says of its company at its beginning or right under "About us", if that is a statement as on a home page. */
const introduction = (own: ReadonlyArray<Block>, name: string | undefined, host: string): ReadonlyArray<Fact> => {
  const isProse = ({ kind, text }: Block) => kind === "paragraph" && sentences(text).length > 0 && /[.!?]$/.test(text)
  const first = own.slice(0, mostIntroduction).find(isProse)
  const about = own.filter((block, at) => isProse(block) && own[at - 1]?.kind === "heading" && block.topic === "about")
  const block = [...(first === undefined ? [] : [first]), ...about].find(
    ({ isJoined, text }) =>
      !isJoined &&
      text.length <= mostStatement &&
      !ofClients.test(text) &&
      !past.test(sentences(text)[0] ?? "") &&
      statementIn(text, name, host) !== undefined
  )
  return block === undefined ? [] : [factOf("business_description", block.text, block)]
}

/** A number for emergencies is not the one to call with an enquiry. */
const emergency = /\bnotdienst\b|\bnotruf\b|\bemergenc|\burgences?\b|\bout of hours\b/i

/** What structured data states of a company, sure or not. */
const factsOf = (company: Organization): ReadonlyArray<Fact> =>
  (
    [
      ["company_name", isName(company.name) ? company.name : ""],
      ["contact_email", mailboxesIn(company.email)[0] ?? ""],
      ["contact_phone", onlyPhone([`Tel. ${company.telephone}`]) === undefined ? "" : company.telephone],
      ["business_address", addressOf(company)],
      [
        "city_region",
        /\d/.test(company.city) ? "" : [company.city, company.region].filter((part) => part !== "").join(", ")
      ]
    ] as const
  ).flatMap(([field, value]) =>
    value === "" || (company.city === "" && field === "city_region") ? [] : [fromData(field, value)]
  )

/** The facts of a site: what its data states of the company at its domain, its only mailbox there, and its only number. */
const ofSite = (all: ReadonlyArray<Block>, { pages, url }: Site): ReadonlyArray<Fact> => {
  const own = ownLines(all)
  const texts = textsOf(own)
  // A site of a local network is known by the addresses that it names.
  const host = domainOf(url) ?? hostOfText(hostsIn(texts.join("\n")), own)
  if (host === undefined) return []
  const companies = pages.flatMap(({ organizations }) => organizations).filter(isAt(host))
  const data = companies.flatMap(factsOf)
  const has = (field: Field) => data.some((fact) => fact.field === field)
  const spelled = nameSpelledBy(host, own)
  const site = pages.map(({ siteName }) => siteName).find((name) => isName(name) && isSpelled(name, host))
  const name = data.find(({ field }) => field === "company_name")?.value ?? spelled?.value ?? site
  const descriptions = [...companies.map(({ description }) => description), pages[0]?.description ?? ""]
  const statement = descriptions.map((text) => statementIn(text, name, host)).find(Predicate.isNotUndefined)
  return [
    ...data,
    ...(has("company_name") || name === undefined
      ? []
      : [spelled === undefined ? fromData("company_name", name) : factOf("company_name", name, spelled.block)]),
    ...(statement === undefined ? [] : [fromData("business_description", statement)]),
    ...sectionFacts(own).filter(({ field }) => field !== "business_description" || statement === undefined),
    ...(has("contact_email") ? [] : heldBy(own, "contact_email", mailboxAt(texts.join("\n"), host))),
    ...(has("contact_phone")
      ? []
      : heldBy(own, "contact_phone", onlyPhone(texts.filter((line) => !emergency.test(line)))))
  ]
}

/** What the data of a site states of any company, to pick from. */
const statedBy = ({ pages }: Site): ReadonlyArray<Fact> =>
  pages.flatMap(({ description, organizations, siteName }) => [
    ...organizations.flatMap(factsOf),
    ...(isName(siteName) && siteName !== "" ? [fromData("company_name", siteName)] : []),
    ...[...organizations.map((company) => company.description), description]
      .filter((text) => text.length > 20 && text.length <= 400)
      .map((text) => fromData("business_description", text))
  ])

const bareOf = ({ field, value }: Fact): string =>
  field === "contact_phone" ? value.replace(/\D/g, "").slice(-8) : value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** The facts that count: of a field that holds one value, only where the text gives one and not two that differ. */
const agreed = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  [...Map.groupBy(facts, ({ field }) => field)].flatMap(([field, all]) => {
    const unlike = [...Map.groupBy(all, bareOf).values()].flatMap(([first]) => first ?? [])
    const isOfMany = isList(field) || names.has(field)
    return isOfMany ? unlike.slice(0, most.list) : unlike.length === 1 ? unlike : []
  })

const findingsOf = (facts: ReadonlyArray<Fact>, sold: ReadonlyArray<FoundOffer>): Findings => ({
  ...Object.fromEntries(
    [...Map.groupBy(facts, ({ field }) => field)].map(([field, all]) => {
      const values = all.map(({ value }) => value)
      return [field, isList(field) ? values : values.join(", ")]
    })
  ),
  ...(sold.length === 0 ? {} : { core_products: sold.map(({ offer }) => offer) })
})

/** As much as is searched for answers to questions. */
const mostOwn = 100_000

const markdown = ({ cells, columns, kind, text }: Block): string => {
  if (kind === "heading") return `\n# ${text}\n`
  if (kind === "paragraph") return `\n${text}\n`
  const row = cells.map((cell, at) => ((columns[at] ?? "") === "" || at === 0 ? cell : `${columns[at]}: ${cell}`))
  return `- ${kind === "row" ? row.filter((cell) => /[^:\s]/.test(cell)).join("; ") : text}`
}

const ownOf = (all: ReadonlyArray<Block>): string => {
  let left = mostOwn
  return all
    .filter((block) => block.topic === "cases" || !isOfOthers(block))
    .map(markdown)
    .filter((line) => (left -= line.length + 1) > 0)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/**
 * Reads a text: a document, or the pages of a site, which is then where its facts are to be found, whichever other
 * addresses they name. Pure, and quick enough for any text that a person might send.
 */
export const extract = (whole: string, site?: Site): Reading => {
  const text = whole.slice(0, mostText)
  const all = blocks(text)
  // A title says what a text is about; prose below it may name partners and suppliers.
  const first = all
    .slice(0, 3)
    .flatMap(({ text }, at) => (at === 0 || text.length < mostTitle ? [text.slice(0, 200)] : []))
  const isUnsure =
    filler.test(text) || (site === undefined && (exchanged.test(text) || ofOthers.test(first.join("\n"))))
  const read = isUnsure ? [] : agreed(site === undefined ? ofDocument(all) : ofSite(all, site))
  const sold = isUnsure ? [] : offers(all).slice(0, most.list)
  // Of a site whose pages state nothing, its address alone is no finding.
  const isBare = site === undefined || (read.length === 0 && sold.length === 0)
  const facts = isBare ? read : [...read, fromData("website_url", URL.parse(site.url)?.origin ?? site.url)]
  const findings = findingsOf(facts, sold)
  const filled = new Set(Object.keys(findings))
  return {
    findings,
    sources: [
      ...facts.map(({ source }) => source),
      ...sold.map(({ block }) => factOf("core_products", "", block).source)
    ],
    missing: missingIn(all, (field) => filled.has(field), site === undefined ? [] : statedBy(site)),
    own: ownOf(all)
  }
}
