// layers/research/Extract.ts: from a text to the details that it tells of a business, as a careful reader would take
// them down: what stands there, in its own words, and nothing that does not.
import { Array as Arr } from "effect"
import { sentences } from "#layers/generator/Text.ts"
import { type Block, blocks, type Said, said } from "#layers/research/Blocks.ts"
import * as Claims from "#layers/research/Claims.ts"
import { companyIn, descriptionIn, industryIn } from "#layers/research/Company.ts"
import {
  addressIn,
  contactIn,
  emailOf,
  emailsIn,
  isPerson,
  locationIn,
  phoneIn,
  websiteOf
} from "#layers/research/Contact.ts"
import { offers } from "#layers/research/Prices.ts"
import { labelled, type Label, type Topic, topicOf } from "#layers/research/Topics.ts"
import { type DetailsPatch, listFields, textFields } from "#schema/Details.ts"

/** What a text tells; a field it does not speak of is not there. */
export type Findings = {
  readonly [K in keyof DetailsPatch]: NonNullable<DetailsPatch[K]>
}

/** As much of a text as is read; a person who looks for what a company does would have stopped long before. */
const mostText = 400_000

const most = { text: 4000, list: 20, entry: 1000 }

type TextField = (typeof textFields)[number]
type ListField = (typeof listFields)[number]
const isText = (label: Label): label is Label & TextField => (textFields as ReadonlyArray<string>).includes(label)
const isList = (label: Label): label is Label & ListField => (listFields as ReadonlyArray<string>).includes(label)

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
/** Fields whose value is a list of names on one line. */
const names: ReadonlySet<string> = new Set(["target_job_titles", "competitors", "ideal_client_urls"])

const oneLine = (field: TextField) =>
  field.startsWith("contact_") ||
  ["company_name", "website_url", "city_region", "business_address", "industry_vertical"].includes(field)

/** Labels of others' sites. */
const elsewhere: ReadonlySet<Label | undefined> = new Set(["competitors", "ideal_client_urls", "case_studies"] as const)

/** Without its last stop, but for one that belongs to its last word: "Acme Co." */
const unstopped = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()
const stopped = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

class Notes {
  readonly texts = new Map<TextField, Array<string>>()
  readonly lists = new Map<ListField, Array<string>>()

  text(field: TextField, value: string) {
    const clean = value.trim()
    const kept = this.texts.get(field) ?? []
    const within = (a: string, b: string) => b.toLowerCase().includes(unstopped(a).toLowerCase())
    if (clean === "" || kept.some((other) => within(clean, other))) return
    this.texts.set(field, [...kept.filter((other) => !within(other, clean)), clean])
  }

  list(field: ListField, value: string) {
    const clean = value.trim().slice(0, most.entry)
    const kept = this.lists.get(field) ?? []
    if (clean.length < 4 || kept.length >= most.list) return
    if (!kept.some((other) => other.toLowerCase().includes(clean.toLowerCase())))
      this.lists.set(field, [...kept, clean])
  }
}

/** `field: value`, wherever it stands. */
const labels = (all: ReadonlyArray<Block>, notes: Notes): void => {
  const one = (text: string, block: Block) => {
    const [first = "", ...more] = sentences(text)
    const found = labelled(first)
    if (found === undefined) return
    const { label } = found
    // The label speaks for its paragraph, up to where another begins or a customer is told of.
    const end = more.findIndex((next) => labelled(next) !== undefined || Claims.isCase({ text: next, block, at: 0 }))
    const value = [found.value, ...(end === -1 ? more : more.slice(0, end))].join(" ")
    if (label === "contact" || label === "core_products") return
    if (isList(label)) for (const part of value.split(/;\s+|\s\|\s/)) notes.list(label, upper(unstopped(part)))
    else if (label === "contact_phone") notes.text(label, phoneIn(`tel ${value}`) ?? "")
    else if (label === "contact_email") notes.text(label, emailsIn(value)[0] ?? "")
    else if (label === "website_url") notes.text(label, websiteOf(value) ?? "")
    else if (label === "contact_name") {
      const [name = "", title = ""] = value.split(/,\s+/, 2)
      // A bare "Name" may be that of anything.
      if (/^name\b/i.test(first) && !isPerson(name)) return
      notes.text(label, unstopped(name))
      notes.text("contact_title", unstopped(title))
    } else if (isText(label)) notes.text(label, names.has(label) || oneLine(label) ? unstopped(value) : upper(value))
  }
  for (const block of all) {
    if (block.kind === "heading" || block.kind === "row") continue
    // A letterhead has several labels on one line.
    for (const part of block.text.split(/\s+[|·•]\s+/)) one(part, block)
  }
}

/** The heading over a text, where it says more than that a section begins. */
const caption = ({ topic, under }: Block) => {
  const heading = under.at(-1)
  return heading === undefined || topicOf(heading) === topic ? undefined : heading
}

/** What a whole section holds is what its heading says. */
const underHeadings = (
  all: ReadonlyArray<Block>,
  spoken: ReadonlyArray<Said>,
  company: string | undefined,
  notes: Notes
): void => {
  const spokenOf = (text: string, block: Block, at: number) => ({ text, block, at })
  for (const [at, block] of all.entries()) {
    const [customer = "", ...results] = block.cells
    if (block.kind === "row" && block.topic === "cases" && /\d/.test(results.join()))
      notes.list("case_studies", `${customer}: ${results.join(", ")}`)
    else if (
      block.kind === "heading" &&
      all[at + 1]?.topic === "cases" &&
      Claims.isCase(spokenOf(block.text, block, at), company)
    )
      notes.list("case_studies", block.text)
  }
  for (const { at, block, text } of spoken) {
    if (block.topic === undefined || labelled(text) !== undefined || emailsIn(text).length > 0) continue
    const isCase = Claims.isCase(spokenOf(text, block, at), company)
    const field = sections[block.topic]
    const heading = caption(block)
    if (field === "competitors") notes.text(field, Claims.rivalsIn(text, company) ?? unstopped(text))
    else if (field === "objections_and_responses" && heading?.endsWith("?") === true)
      notes.text(field, text.endsWith("?") ? text : `${heading} ${text}`)
    else if (field !== undefined && !isCase) notes.text(field, names.has(field) ? unstopped(text) : text)
    const list = listed[block.topic]
    if (list === undefined || text.endsWith("?")) continue
    if (list === "case_studies") {
      // A story under its customer's name need not name it again.
      const [first = ""] = heading?.split(" ") ?? []
      if (isCase) notes.list(list, heading === undefined || text.includes(first) ? text : `${heading}: ${text}`)
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
const claims = (all: ReadonlyArray<Said>, company: string | undefined, notes: Notes): void => {
  for (const [at, sentence] of all.entries()) {
    const { block, text } = sentence
    const found = labelled(text)
    if (found !== undefined) {
      // A label within a paragraph: "... 4 a year. Guarantee: no charge if ...".
      const { label, value } = found
      if (isList(label)) notes.list(label, upper(value))
      else if (label === "competitors" || label === "target_job_titles") notes.text(label, unstopped(value))
      else if (label === "unique_differentiators" || label === "problems_solved") notes.text(label, upper(value))
      continue
    }
    if (text.length > 800 || text.endsWith("?")) continue
    const isElsewhere = block.topic === "cases"
    if (Claims.isCase(sentence, company)) {
      if (isElsewhere) continue
      // "The result? ..." and "That is ..." go on with the same story.
      const next = all[at + 1]
      const more =
        next !== undefined &&
        next.at === sentence.at &&
        /^(?:The result|That is|That's|Their|They now|It now)\b/.test(next.text) &&
        /\d/.test(next.text)
      notes.list("case_studies", more ? `${text} ${next.text}` : text)
      continue
    }
    if (isElsewhere) continue
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
    ({ text, topic }) =>
      topic !== "competitors" &&
      topic !== "cases" &&
      topic !== "urls" &&
      topic !== "clients" &&
      !elsewhere.has(labelled(text)?.label)
  )
  const website =
    site ?? notes.texts.get("website_url")?.[0] ?? websiteOf(outside.map((block) => block.text).join("\n"))
  const host = website === undefined ? undefined : URL.parse(website)?.hostname.replace(/^www\./, "")
  const mail = notes.texts.get("contact_email")?.[0] ?? emailOf(readable, host)
  const address = letterheads(all)
    .map(addressIn)
    .find((each) => each !== undefined)
  const company =
    notes.texts.get("company_name")?.[0] ??
    companyIn(all, spoken, readable, host ?? mail?.split("@")[1], address?.before)
  underHeadings(all, spoken, company, notes)
  // Where nobody speaks of himself, what is said is said of others.
  const isOwn = company !== undefined || mail !== undefined || /\b(?:we|our|us)\b/i.test(text)
  const own = isOwn ? spoken : []
  claims(own, company, notes)
  const contact = contactIn(all, mail)
  const business_address = notes.texts.get("business_address")?.[0] ?? address?.text
  const located = notes.texts.has("business_address") ? addressIn(business_address ?? "") : address
  const city = notes.texts.get("city_region")?.[0] ?? locationIn(own, located)
  const stories = new Set(spoken.flatMap((each) => (Claims.isCase(each, company) ? [each.text] : [])))
  const core_products = offers(
    all.filter((block) => !stories.has(block.text)),
    spoken.filter((each) => !stories.has(each.text))
  ).slice(0, most.list)

  const put = (field: TextField, value: string | undefined) => {
    if (value !== undefined && value !== "") notes.texts.set(field, [value])
  }
  put("website_url", website)
  put("company_name", company)
  put("contact_email", mail)
  put("contact_phone", notes.texts.get("contact_phone")?.[0] ?? phoneIn(readable))
  put("contact_name", notes.texts.get("contact_name")?.[0] ?? contact.name)
  put("contact_title", notes.texts.get("contact_title")?.[0] ?? contact.title)
  put("business_address", business_address)
  put("city_region", city)
  put("industry_vertical", notes.texts.get("industry_vertical")?.[0] ?? industryIn(own, company))
  put("business_description", notes.texts.get("business_description")?.join(" ") ?? descriptionIn(all, own, company))

  const texts = [...notes.texts].map(([field, values]): readonly [TextField, string] => {
    const [first = ""] = values
    const prose = () => (values.length === 1 ? first : values.map(stopped).join(" "))
    const joined = oneLine(field) ? first : names.has(field) ? values.join(", ") : prose()
    return [field, joined.slice(0, most.text).trim()]
  })
  if (texts.length === 1 && site !== undefined && notes.lists.size + core_products.length === 0) return {}
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== "")),
    ...Object.fromEntries(notes.lists),
    ...(core_products.length === 0 ? {} : { core_products })
  }
}
