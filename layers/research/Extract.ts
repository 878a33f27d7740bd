// layers/research/Extract.ts: from a text to the details that it tells of a business, as a careful reader would take
// them down: what stands there, in its own words, and nothing that does not.
import { blocks } from "#layers/research/extract/Blocks.ts"
import { isCase } from "#layers/research/extract/Claims.ts"
import { companyIn } from "#layers/research/extract/Company.ts"
import { descriptionIn, industryIn } from "#layers/research/extract/Description.ts"
import { fromLabels } from "#layers/research/extract/FromLabels.ts"
import { fromSections } from "#layers/research/extract/FromSections.ts"
import { fromSentences } from "#layers/research/extract/FromSentences.ts"
import { labelled, type Label } from "#layers/research/extract/Labels.ts"
import { most, Notes } from "#layers/research/extract/Notes.ts"
import { contactIn } from "#layers/research/extract/People.ts"
import { addressIn, letterheadIn, locationIn } from "#layers/research/extract/Places.ts"
import { offers } from "#layers/research/extract/Prices.ts"
import { emailOf, hostOf, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { said } from "#layers/research/extract/Said.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import type { DetailsPatch } from "#schema/Details.ts"

/** What a text tells; a field it does not speak of is not there. */
export type Findings = {
  readonly [K in keyof DetailsPatch]: NonNullable<DetailsPatch[K]>
}

/** As much of a text as is read; a person who looks for what a company does would have stopped long before. */
const mostText = 400_000

/** Where others are spoken of: under such headings, behind such labels. */
const elsewhere = {
  topics: new Set<Topic | undefined>(["competitors", "cases", "urls", "clients"]),
  labels: new Set<Label | undefined>(["competitors", "ideal_client_urls", "case_studies"])
}

/**
 * Reads a text: a brochure, notes, or the pages of `site`, which is then where its facts are to be found, whichever other
 * addresses they name. Pure, and quick enough for any text that a person might send.
 */
export const extract = (whole: string, site?: string): Findings => {
  const text = whole.slice(0, mostText)
  const all = blocks(text)
  const spoken = said(all)
  const notes = new Notes()
  fromLabels(all, notes)

  const readable = all.map((block) => block.text).join("\n")
  const outside = all.filter(
    ({ text, topic }) => !elsewhere.topics.has(topic) && !elsewhere.labels.has(labelled(text)?.label)
  )
  const website = site ?? notes.noted("website_url") ?? websiteOf(outside.map((block) => block.text).join("\n"))
  const home = website === undefined ? null : URL.parse(website)
  const host = home === null ? undefined : hostOf(home)
  const mail = notes.noted("contact_email") ?? emailOf(readable, host)
  const address = letterheadIn(all)
  const company =
    notes.noted("company_name") ?? companyIn(all, spoken, readable, host ?? mail?.split("@")[1], address?.before)
  const stories = new Set(spoken.filter((each) => isCase(each, company)))
  fromSections({ all, spoken, stories, company }, notes)
  // Where nobody speaks of himself, what is said is said of others.
  const isOwn = company !== undefined || mail !== undefined || /\b(?:we|our|us)\b/i.test(text)
  const own = isOwn ? spoken : []
  fromSentences({ all, spoken: own, stories, company }, notes)
  const contact = contactIn(all, mail)
  const written = notes.noted("business_address")
  const located = written === undefined ? address : addressIn(written)
  const ofOthers = new Set([...stories].map(({ text }) => text))
  const core_products = offers(
    all.filter((block) => !ofOthers.has(block.text)),
    spoken.filter((each) => !ofOthers.has(each.text))
  ).slice(0, most.list)

  notes.settle("website_url", website)
  notes.settle("company_name", company)
  notes.settle("contact_email", mail)
  notes.settleUnlessNoted("contact_phone", () => phoneIn(readable))
  notes.settleUnlessNoted("contact_name", () => contact.name)
  notes.settleUnlessNoted("contact_title", () => contact.title)
  notes.settleUnlessNoted("business_address", () => address?.text)
  notes.settleUnlessNoted("city_region", () => locationIn(own, located))
  notes.settleUnlessNoted("industry_vertical", () => industryIn(own, company))
  notes.settleUnlessNoted("business_description", () => descriptionIn(all, own, company))

  const { lists, texts } = notes
  // Of a site whose pages tell nothing, its address alone is no finding.
  if (texts.length === 1 && site !== undefined && lists.length + core_products.length === 0) return {}
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== "")),
    ...Object.fromEntries(lists),
    ...(core_products.length === 0 ? {} : { core_products })
  }
}
