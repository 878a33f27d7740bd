// layers/research/Extract.ts: from a text to the details that it states of a business: labels, price lists and contacts.
// Everything else is listed as missing, with the sentences that may answer it.
import { Predicate } from "effect"
import { blocks, type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { missingIn } from "#layers/research/extract/Candidates.ts"
import { companyIn, headsAlone, isKin, isOfHost, ofMakers, shortName } from "#layers/research/extract/Company.ts"
import { type Label, labelled } from "#layers/research/extract/Labels.ts"
import { most, Notes, sourceOf } from "#layers/research/extract/Notes.ts"
import { type Contact, contactIn, everybodyIn } from "#layers/research/extract/People.ts"
import { isWholeAddress, letterheadIn } from "#layers/research/extract/Places.ts"
import { offers } from "#layers/research/extract/Prices.ts"
import {
  domainOf,
  emailOf,
  hostsIn,
  kindsOf,
  mailHosts,
  phoneAmong,
  phonesIn,
  websiteOf
} from "#layers/research/extract/Reach.ts"
import { said } from "#layers/research/extract/Said.ts"
import { fromLabels } from "#layers/research/extract/LabelledFields.ts"
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

/** As much of a text as is read; a person who looks for what a company does would have stopped long before. */
const mostText = 400_000

const holding = (all: ReadonlyArray<Block>, part: string): Block | undefined =>
  all.find(({ text }) => text.includes(part)) ?? all[0]

/** Papers that are about others too, by their first line: only what they label counts. */
const internal = /\b(?:minutes|meeting|call script|agenda|invoice|rechnung|facture|analysis|protokoll|compte rendu)\b/i

/** The heads of a mail, of an answer to one, and of a message in a chat: what follows may be anybody's. */
const exchanged =
  /^[> ]*(?:From|Von|De|Da|Van): .*@|^[> ]*(?:On|Am|Le) .{6,80} (?:wrote|schrieb.{0,60}|a écrit) ?:|^\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d.{0,12}[\]-] [^:]{2,40}: /gmu

/** A site with this text was made from a template, and its names and numbers may still be the template's. */
const filler = /\blorem ipsum\b/i

/** Behind these labels stand the addresses of others. */
const others: ReadonlySet<Label | undefined> = new Set(["competitors", "ideal_client_urls", "case_studies"] as const)

const ownText = (all: ReadonlyArray<Block>) =>
  all.filter((block) => !isOfOthers(block) && block.columns.length === 0 && !others.has(labelled(block.text)?.label))

/** A text that names more domains is a directory, and each costs a search of it. */
const mostHosts = 12

interface Identity {
  readonly company: ReturnType<typeof companyIn>
  /** The domain of the business. */
  readonly host: string | undefined
  /** Whether the addresses and the persons of the text are those of the business. */
  readonly isKnown: boolean
}

/**
 * Whose text it is. A document names suppliers, clients and partners with their addresses too: its own domain is the only
 * one that spells a name with which the text begins or is signed. A text with one domain and one number has nobody else's.
 */
const identityIn = (all: ReadonlyArray<Block>, site: string | undefined, stated: string | undefined): Identity => {
  const home = domainOf(site)
  const people = new Set(everybodyIn(all).map(({ name }) => name))
  const at = (host: string | undefined): Identity => ({
    host,
    company: companyIn(all, home, host, people),
    isKnown: true
  })
  const known = home ?? stated
  if (known !== undefined) return at(known)
  const lines = ownText(all).map(({ text }) => text)
  const hosts = hostsIn(lines.join("\n"))
  const isOnly = hosts.length < 2 && kindsOf(lines.flatMap(phonesIn)) < 2
  if (site !== undefined || isOnly) return at(hosts.length === 1 ? hosts[0] : undefined)
  const candidates = hosts.length > mostHosts ? [] : hosts
  const named = candidates.map(at).filter(({ company }) => company !== undefined && headsAlone(company.value, all))
  const [first] = named
  const isOne = named.every(({ company }) => company?.value === first?.company?.value)
  return first !== undefined && isOne ? first : { company: undefined, host: undefined, isKnown: false }
}

/** How the business is reached: what labels say first, then the addresses of its own domain. */
const reach = (all: ReadonlyArray<Block>, site: string | undefined, host: string | undefined, notes: Notes) => {
  const own = ownText(all)
  const readable = own.map(({ text }) => text).join("\n")
  const website = site ?? notes.noted("website_url") ?? (host && websiteOf(readable, host))
  const mail = notes.noted("contact_email") ?? emailOf(readable, host)
  const lines = own.flatMap(({ text }) => text.split(/\s+[|·•]\s+/))
  const hosts = [host, mail?.split("@")[1]].filter(Predicate.isNotUndefined)
  const phone = notes.noted("contact_phone") ?? phoneAmong(lines, [...new Set(hosts)])
  const put = (field: "website_url" | "contact_email" | "contact_phone", value: string | undefined, part = value) => {
    const block = value === undefined ? undefined : holding(own, part ?? "")
    notes.addUnlessNoted(field, value === undefined || block === undefined ? undefined : { value, block })
  }
  put("website_url", website, domainOf(website) ?? "")
  put("contact_email", mail)
  put("contact_phone", phone)
  return mail
}

/** The company's name. Where a site's domain spells one, another one in its data is that of who made the site. */
const company = (
  all: ReadonlyArray<Block>,
  home: string | undefined,
  found: ReturnType<typeof companyIn>,
  notes: Notes
) => {
  const stated = notes.noted("company_name")
  const isMaker = ({ text }: Block) => stated !== undefined && ofMakers.test(text) && text.includes(stated)
  if (!isKin(stated ?? "", home) && all.some(isMaker)) notes.drop("company_name")
  const isOther = home !== undefined && stated !== undefined && !isKin(stated, home) && shortName(stated) === stated
  if (isOther && found !== undefined && isOfHost(found.value, home)) notes.drop("company_name")
  notes.addUnlessNoted("company_name", found)
}

/** Where the business is, and whom to ask for there. */
const contact = (all: ReadonlyArray<Block>, person: Contact | undefined, ours: ReadonlyArray<string>, notes: Notes) => {
  if (person !== undefined && !notes.has("contact_name")) {
    notes.add("contact_name", person.name, person.block)
    notes.addUnlessNoted("contact_title", { value: person.title, block: person.block })
  }
  if (notes.has("business_address")) return
  const address = letterheadIn(all, ours)
  const block = address === undefined ? undefined : holding(all, address.text.split(",")[0] ?? "")
  if (address === undefined || block === undefined) return
  if (isWholeAddress(address, ours)) notes.add("business_address", address.text, block)
  if (address.city !== undefined) notes.addUnlessNoted("city_region", { value: address.city, block })
}

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
 * Reads a text: a brochure, notes, or the pages of `site`, which is then where its facts are to be found, whichever other
 * addresses they name. Pure, and quick enough for any text that a person might send.
 */
export const extract = (whole: string, site?: string): Reading => {
  const all = blocks(whole.slice(0, mostText))
  const isOfMany = site === undefined && (whole.slice(0, mostText).match(exchanged) ?? []).length > 1
  if (isOfMany || filler.test(whole)) {
    const nothing = { has: () => false, company: undefined, host: domainOf(site) }
    return { findings: {}, sources: [], missing: missingIn(all, said(all), nothing), own: ownOf(all) }
  }
  const notes = new Notes()
  const home = domainOf(site)
  fromLabels(all, home, notes)
  const stated = domainOf(notes.noted("website_url")) ?? mailHosts(notes.noted("contact_email") ?? "")[0]
  const { company: found, host, isKnown } = identityIn(all, site, stated)
  const isInternal = site === undefined && internal.test(all[0]?.text ?? "")
  const own = isKnown && !isInternal ? all : []
  const mail = reach(own, site, host, notes)
  company(all, site === undefined ? undefined : host, found, notes)
  const name = notes.noted("company_name")
  const ours = [host, mail, notes.noted("contact_phone"), name && shortName(name)]
  contact(own, contactIn(own, mail), ours.filter(Predicate.isNotUndefined), notes)
  // "Job title: Electrician" is a place to fill.
  if (!notes.has("contact_name")) notes.drop("contact_title")
  const isAmbiguous = !isKnown && mailHosts(whole.slice(0, mostText)).length > 1
  const sold = offers(isInternal || isAmbiguous ? [] : all).slice(0, most.list)

  const findings: Findings = {
    ...Object.fromEntries(notes.texts),
    ...Object.fromEntries(notes.lists),
    ...(sold.length === 0 ? {} : { core_products: sold.map(({ offer }) => offer) })
  }
  // Of a site whose pages state nothing, its address alone is no finding.
  const isBare = site !== undefined && Object.keys(findings).join() === "website_url"
  const kept = isBare ? {} : findings
  const filled = new Set(Object.keys(kept))
  return {
    findings: kept,
    sources: [...notes.sources, ...sold.map(({ block }) => sourceOf("core_products", block))].filter(({ field }) =>
      filled.has(field)
    ),
    missing: missingIn(all, said(all), { has: (field) => filled.has(field), company: name, host }),
    own: ownOf(all)
  }
}
