// layers/research/Extract.ts: from a text to the details that it tells of a business, as a careful reader would take
// them down: what stands there, in its own words, and nothing that does not.
import { sentences } from "#layers/generator/Text.ts"
import { type Block, blocks, type Said, said } from "#layers/research/Blocks.ts"
import * as Claims from "#layers/research/Claims.ts"
import { companyIn, descriptionIn, industryIn } from "#layers/research/Company.ts"
import { addressIn, contactIn, emailOf, emailsIn, locationIn, phoneIn, websiteOf } from "#layers/research/Contact.ts"
import { offers } from "#layers/research/Prices.ts"
import { labelled, type Label, type Topic } from "#layers/research/Topics.ts"
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

const unstopped = (text: string) => text.replace(/\s*[.;,]$/, "").trim()
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

/** `field: value`, and the rows of a two-column table that says the same. */
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
    else if (isText(label)) notes.text(label, names.has(label) || oneLine(label) ? unstopped(value) : upper(value))
  }
  for (const block of all) {
    if (block.kind === "heading") continue
    const [name = "", value = ""] = block.cells
    if (block.kind === "row") {
      if (block.cells.length === 2 && value.length > 0) one(`${name}: ${value}`, block)
    } else {
      // "Email a@b.c" needs no colon, and a letterhead has several labels on one line.
      for (const part of block.text.split(/\s+[|·•]\s+/)) one(part, block)
    }
  }
}

/** What a whole section holds is what its heading says. */
const underHeadings = (all: ReadonlyArray<Said>, notes: Notes): void => {
  for (const { block, text } of all) {
    if (block.topic === undefined || labelled(text) !== undefined || emailsIn(text).length > 0) continue
    const field = sections[block.topic]
    if (field !== undefined) notes.text(field, names.has(field) ? unstopped(text) : text)
    const list = listed[block.topic]
    if (list === undefined) continue
    if (list === "case_studies" && !Claims.isCase({ block, text, at: 0 })) continue
    if (list === "lead_magnets" && block.kind !== "point" && !Claims.isMagnet(text)) continue
    if (list === "credibility_markers" && block.kind !== "point" && !Claims.isCredential(text)) continue
    notes.list(list, text)
  }
}

/** What single sentences claim, wherever they stand. */
const claims = (all: ReadonlyArray<Said>, notes: Notes): void => {
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
    if (Claims.isCase(sentence)) {
      // "The result? ..." and "That is ..." go on with the same story.
      const next = all[at + 1]
      const more =
        next !== undefined &&
        next.at === sentence.at &&
        /^(?:The result|That is|That's|Their|They now|It now)\b/.test(next.text) &&
        /\d/.test(next.text)
      notes.list("case_studies", more ? `${text} ${next.text}` : text)
    } else if (Claims.isGuarantee(text) && block.topic !== "cases" && block.topic !== "objections")
      notes.list("guarantee", text)
    else if (Claims.isMagnet(text) && block.topic !== "cases") notes.list("lead_magnets", text)
    if (
      Claims.isCredential(text) &&
      block.topic !== "cases" &&
      block.topic !== "clients" &&
      !Claims.isAboutClients(text)
    ) {
      notes.list("credibility_markers", text)
    }
    const buyers = Claims.buyersIn(text)
    if (buyers !== undefined && block.topic !== "contact") notes.text("target_job_titles", unstopped(buyers))
    const rivals = Claims.rivalsIn(text)
    if (rivals !== undefined && block.topic !== "cases") notes.text("competitors", rivals)
    if (Claims.isAboutClients(text) && block.topic !== "cases" && buyers === undefined)
      notes.text("ideal_client_description", text)
    if (Claims.isDifference(text) && block.topic !== "cases") notes.text("unique_differentiators", text)
    if (Claims.isProblem(text) && block.topic !== "cases" && block.topic !== "pains")
      notes.text("problems_solved", text)
    if (Claims.isChange(text)) notes.text("client_transformation", text)
  }
}

/** Reads a text: a brochure, a page, notes. Pure, and quick enough for any text that a person might send. */
export const extract = (whole: string): Findings => {
  const text = whole.slice(0, mostText)
  const all = blocks(text)
  const spoken = said(all)
  const notes = new Notes()
  labels(all, notes)
  underHeadings(spoken, notes)
  claims(spoken, notes)

  const readable = all.map((block) => block.text).join("\n")
  const outside = all.filter(
    ({ text, topic }) =>
      topic !== "competitors" &&
      topic !== "cases" &&
      topic !== "urls" &&
      topic !== "clients" &&
      !elsewhere.has(labelled(text)?.label)
  )
  const website = notes.texts.get("website_url")?.[0] ?? websiteOf(outside.map((block) => block.text).join("\n"))
  const host = website === undefined ? undefined : URL.parse(website)?.hostname.replace(/^www\./, "")
  const mail = notes.texts.get("contact_email")?.[0] ?? emailOf(readable, host)
  const mailHost = mail?.split("@")[1]
  const company = notes.texts.get("company_name")?.[0] ?? companyIn(all, spoken, readable, host ?? mailHost)
  const contact = contactIn(all)
  const business_address =
    notes.texts.get("business_address")?.[0] ??
    all
      .filter(({ topic }) => topic !== "cases")
      .map((block) => addressIn(block.text))
      .find((each) => each !== undefined) ??
    addressIn(
      all
        .filter(({ topic }) => topic === "contact")
        .map((block) => block.text)
        .join(", ")
    )
  const city = notes.texts.get("city_region")?.[0] ?? locationIn(spoken, business_address)
  const core_products = offers(all, spoken).slice(0, most.list)

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
  put("industry_vertical", notes.texts.get("industry_vertical")?.[0] ?? industryIn(spoken, company))
  put("business_description", notes.texts.get("business_description")?.join(" ") ?? descriptionIn(spoken, company))

  const texts = [...notes.texts].map(([field, values]): readonly [TextField, string] => {
    const [first = ""] = values
    const joined = oneLine(field) ? first : values.join(names.has(field) ? ", " : " ")
    return [field, joined.slice(0, most.text).trim()]
  })
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== "")),
    ...Object.fromEntries(notes.lists),
    ...(core_products.length === 0 ? {} : { core_products })
  }
}
