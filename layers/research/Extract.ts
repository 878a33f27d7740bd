// layers/research/Extract.ts: from a text to the details that it tells of a business, as a careful reader would take
// them down: what stands there, in its own words, and nothing that does not.
import { Array as Arr, String } from "effect"
import { type Block, blocks, type Said, said } from "#layers/research/extract/Blocks.ts"
import * as Claims from "#layers/research/extract/Claims.ts"
import { companyIn, descriptionIn, industryIn } from "#layers/research/extract/Company.ts"
import { labels } from "#layers/research/extract/Labels.ts"
import {
  isList,
  type ListField,
  most,
  names,
  Notes,
  type TextField,
  unstopped
} from "#layers/research/extract/Notes.ts"
import { contactIn } from "#layers/research/extract/People.ts"
import { addressIn, locationIn } from "#layers/research/extract/Places.ts"
import { offers } from "#layers/research/extract/Prices.ts"
import { emailOf, emailsIn, hostOf, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { labelled, type Label, type Topic, topicOf } from "#layers/research/extract/Topics.ts"
import type { DetailsPatch } from "#schema/Details.ts"

/** What a text tells; a field it does not speak of is not there. */
export type Findings = {
  readonly [K in keyof DetailsPatch]: NonNullable<DetailsPatch[K]>
}

/** As much of a text as is read; a person who looks for what a company does would have stopped long before. */
const mostText = 400_000

const sections: { readonly [T in Topic]?: TextField } = {
  buyers: "target_job_titles",
  clients: "ideal_client_description",
  competitors: "competitors",
  frustrations: "competitor_frustrations",
  differentiators: "unique_differentiators",
  problems: "problems_solved",
  pains: "pain_points",
  triggers: "solution_triggers",
  objections: "objections_and_responses",
  transformation: "client_transformation",
  goal: "primary_goal",
  urls: "ideal_client_urls"
}
const listed: { readonly [T in Topic]?: ListField } = {
  cases: "case_studies",
  guarantee: "guarantee",
  credibility: "credibility_markers",
  magnets: "lead_magnets"
}

/** Where others are spoken of: under such headings, behind such labels. */
const elsewhere = {
  topics: new Set<Topic | undefined>(["competitors", "cases", "urls", "clients"]),
  labels: new Set<Label | undefined>(["competitors", "ideal_client_urls", "case_studies"])
}

/** The heading over a text, where it says more than that a section begins. */
const caption = ({ topic, under }: Block) => {
  const heading = under.at(-1)
  return heading === undefined || topicOf(heading) === topic ? undefined : heading
}

/** What a text says, and of that the stories of customers. */
interface Told {
  readonly all: ReadonlyArray<Block>
  readonly spoken: ReadonlyArray<Said>
  readonly stories: ReadonlySet<Said>
  readonly company: string | undefined
}

/** What a whole section holds is what its heading says. */
const underHeadings = ({ all, company, spoken, stories }: Told, notes: Notes): void => {
  for (const [at, block] of all.entries()) {
    const [customer = "", ...results] = block.cells
    if (block.kind === "row" && block.topic === "cases" && /\d/.test(results.join()))
      notes.list("case_studies", `${customer}: ${results.join(", ")}`)
    else if (
      block.kind === "heading" &&
      all[at + 1]?.topic === "cases" &&
      Claims.isCase({ text: block.text, block, at }, company)
    )
      notes.list("case_studies", block.text)
  }
  for (const sentence of spoken) {
    const { block, text } = sentence
    if (block.topic === undefined || labelled(text) !== undefined || emailsIn(text).length > 0) continue
    const isStory = stories.has(sentence)
    const field = sections[block.topic]
    const heading = caption(block)
    if (field === "competitors") notes.text(field, Claims.rivalsIn(text, company) ?? unstopped(text))
    else if (field === "objections_and_responses" && heading?.endsWith("?") === true)
      notes.text(field, text.endsWith("?") ? text : `${heading} ${text}`)
    else if (field !== undefined && !isStory) notes.text(field, names.has(field) ? unstopped(text) : text)
    const list = listed[block.topic]
    if (list === undefined || text.endsWith("?")) continue
    if (list === "case_studies") {
      // A story under its customer's name need not name it again.
      const [first = ""] = heading?.split(" ") ?? []
      if (isStory) notes.list(list, heading === undefined || text.includes(first) ? text : `${heading}: ${text}`)
      continue
    }
    if (list === "lead_magnets" && block.kind !== "point" && !Claims.isMagnet(text)) continue
    if (
      list === "credibility_markers" &&
      block.kind !== "point" &&
      text.length > 80 &&
      !Claims.isCredential(text, company)
    )
      continue
    notes.list(list, text)
  }
}

/** What single sentences claim, wherever they stand. */
const claims = ({ company, spoken, stories }: Told, notes: Notes): void => {
  for (const [at, sentence] of spoken.entries()) {
    const { block, text } = sentence
    const found = labelled(text)
    if (found !== undefined) {
      // A label within a paragraph: "... 4 a year. Guarantee: no charge if ...".
      const { label, value } = found
      if (isList(label)) notes.list(label, String.capitalize(value))
      else if (label === "competitors" || label === "target_job_titles") notes.text(label, unstopped(value))
      else if (label === "unique_differentiators" || label === "problems_solved")
        notes.text(label, String.capitalize(value))
      continue
    }
    if (text.length > 800 || text.endsWith("?")) continue
    if (block.topic === "cases") continue
    if (stories.has(sentence)) {
      // "The result? ..." and "That is ..." go on with the same story.
      const next = spoken[at + 1]
      const more =
        next !== undefined &&
        next.at === sentence.at &&
        /^(?:The result|That is|That's|Their|They now|It now)\b/.test(next.text) &&
        /\d/.test(next.text)
      notes.list("case_studies", more ? `${text} ${next.text}` : text)
      continue
    }
    if (Claims.isGuarantee(text)) notes.list("guarantee", text)
    else if (Claims.isMagnet(text)) notes.list("lead_magnets", text)
    if (Claims.isCredential(text, company) && block.topic !== "clients" && !Claims.isAboutClients(text))
      notes.list("credibility_markers", text)
    const buyers = Claims.buyersIn(text)
    if (buyers !== undefined && block.topic !== "contact") notes.text("target_job_titles", unstopped(buyers))
    const rivals = Claims.rivalsIn(text, company)
    if (rivals !== undefined) notes.text("competitors", rivals)
    if (Claims.isAboutClients(text) && buyers === undefined) notes.text("ideal_client_description", text)
    if (Claims.isDifference(text)) notes.text("unique_differentiators", text)
    if (Claims.isProblem(text) && block.topic !== "pains") notes.text("problems_solved", text)
    if (Claims.isChange(text)) notes.text("client_transformation", text)
  }
}

const isLine = ({ kind, text }: Block) => kind !== "heading" && text.length <= 90

/** Short lines that follow each other, as one: an address takes several. */
const letterheads = (all: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const own = all.filter(({ topic }) => topic !== "cases")
  if (!Arr.isReadonlyArrayNonEmpty(own)) return []
  const runs = Arr.groupWith(own, (a, b) => isLine(a) && isLine(b))
  return runs.map((run) => run.map((block) => block.text).join(", "))
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
  labels(all, notes)

  const readable = all.map((block) => block.text).join("\n")
  const outside = all.filter(
    ({ text, topic }) => !elsewhere.topics.has(topic) && !elsewhere.labels.has(labelled(text)?.label)
  )
  const website = site ?? notes.noted("website_url") ?? websiteOf(outside.map((block) => block.text).join("\n"))
  const home = website === undefined ? null : URL.parse(website)
  const host = home === null ? undefined : hostOf(home)
  const mail = notes.noted("contact_email") ?? emailOf(readable, host)
  const address = letterheads(all)
    .map(addressIn)
    .find((each) => each !== undefined)
  const company =
    notes.noted("company_name") ?? companyIn(all, spoken, readable, host ?? mail?.split("@")[1], address?.before)
  const stories = new Set(spoken.filter((each) => Claims.isCase(each, company)))
  underHeadings({ all, spoken, stories, company }, notes)
  // Where nobody speaks of himself, what is said is said of others.
  const isOwn = company !== undefined || mail !== undefined || /\b(?:we|our|us)\b/i.test(text)
  const own = isOwn ? spoken : []
  claims({ all, spoken: own, stories, company }, notes)
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
