// layers/research/extract/Told.ts: what stands behind a label or under a heading that names a field, taken down as it is.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import {
  type Field,
  isList,
  isText,
  labelled,
  type ListField,
  names,
  oneLine,
  type TextField
} from "#layers/research/extract/Labels.ts"
import { type Notes, unstopped } from "#layers/research/extract/Notes.ts"
import { isPerson } from "#layers/research/extract/People.ts"
import { addressIn, isWholeAddress } from "#layers/research/extract/Places.ts"
import { emailsIn, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { isResult, namesClient } from "#layers/research/extract/Results.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"

/** What a text tells where it speaks of others. */
const ofOthers: ReadonlySet<string> = new Set(["competitors", "case_studies", "ideal_client_urls"])

/** Under these headings a contact is somebody at a client. */
const ofClients: ReadonlySet<Topic | undefined> = new Set(["clients", "ideal", "buyers", "cases"] as const)
const ofContact: ReadonlySet<string> = new Set(["contact_name", "contact_title", "contact_phone", "contact_email"])

const contactFor = (label: TextField, value: string, block: Block, notes: Notes): boolean => {
  if (label === "contact_phone") notes.add(label, phoneIn(`tel ${value}`) ?? "", block)
  else if (label === "contact_email") notes.add(label, emailsIn(value)[0] ?? "", block)
  else if (label === "website_url") notes.add(label, websiteOf(value) ?? "", block)
  // "Pindan Systems Pty Ltd, started 2015"
  else if (label === "company_name" && !value.includes("@"))
    notes.add(label, unstopped(value.split(/,\s+(?=\p{Ll})/u)[0] ?? ""), block)
  else if (label === "city_region" && /\d/.test(value)) return contactFor("business_address", value, block, notes)
  else if (label === "contact_name") {
    const [name = "", title = ""] = value.split(/,\s+/, 2)
    if (!isPerson(unstopped(name))) return true
    notes.add(label, unstopped(name), block)
    notes.add("contact_title", unstopped(title), block)
  } else if (label === "business_address") {
    const address = addressIn(value)
    if (address !== undefined && isWholeAddress(address, [])) notes.add(label, address.text, block)
    notes.add("city_region", address?.city ?? "", block)
  } else return oneLine(label) && value.includes("@")
  return true
}

/** A label speaks for its paragraph, up to where another begins or a customer's result is told. */
const fromLabel = (text: string, block: Block, notes: Notes): void => {
  const all = sentences(text)
  for (const [at, sentence] of all.entries()) {
    const found = labelled(sentence)
    if (found === undefined || found.label === "contact" || found.label === "core_products") continue
    const { label } = found
    if (!ofOthers.has(label) && (isOfOthers(block) || (ofContact.has(label) && ofClients.has(block.topic)))) continue
    const more = all.slice(at + 1)
    const end = more.findIndex((next) => labelled(next) !== undefined || isResult(next))
    const isProse = isText(label) && !names.has(label) && !oneLine(label)
    const value = [
      found.value,
      ...(isProse || label === "business_address" ? more.slice(0, end === -1 ? more.length : end) : [])
    ].join(" ")
    if (isList(label)) {
      const parts = value.split(/;\s+|\s\|\s/)
      for (const part of parts) notes.add(label, String.capitalize(parts.length > 1 ? unstopped(part) : part), block)
    } else if (label === "competitors" && !areNames(unstopped(value))) continue
    else if (isText(label) && !contactFor(label, value, block, notes))
      notes.add(label, isProse ? String.capitalize(value) : unstopped(value), block)
  }
}

export const fromLabels = (all: ReadonlyArray<Block>, notes: Notes): void => {
  for (const block of all) {
    if (block.kind === "heading" || block.kind === "row") continue
    // A letterhead has several labels on one line.
    for (const part of block.text.split(/\s+[|·•]\s+/)) fromLabel(part, block, notes)
  }
}

/** "Weir, KSB, in-house teams": names or plain nouns, and no remark on them. */
const areNames = (list: string) =>
  list
    .split(/,\s+(?:and |or )?|\s+(?:and|or)\s+/)
    .every(
      (part) =>
        part.split(/\s+/).length <= 5 &&
        !/^\p{Lu}\S*(?: (?:of|and|the|&|\p{Lu}\S*))* (?!of|and|the)\p{Ll}{3}/u.test(part) &&
        !/[?()]|\d{2}|\s[–—-]\s/.test(part)
    )

const sections: { readonly [T in Topic]?: TextField | ListField } = {
  buyers: "target_job_titles",
  ideal: "ideal_client_description",
  competitors: "competitors",
  frustrations: "competitor_frustrations",
  differentiators: "unique_differentiators",
  problems: "problems_solved",
  pains: "pain_points",
  triggers: "solution_triggers",
  objections: "objections_and_responses",
  transformation: "client_transformation",
  goal: "primary_goal",
  urls: "ideal_client_urls",
  cases: "case_studies",
  guarantee: "guarantee",
  credibility: "credibility_markers",
  magnets: "lead_magnets"
}

/** What is not so yet, or only planned, is no proof. */
const denial = /\b(?:not|no(?!\.)|never|nicht|kein\w*|pas|aucun\w*|planned|geplant|prévue?)\b/i

/** Under the heading of the guarantee stands what is covered, for how long, or what is done about it. */
const promise =
  /guarant|warrant|garantie|gewähr|refund|money|free|credit|charge|\bpay\b|\bcover|replace|repair|redo|again|back\b|\d (?:days|weeks|months|years)|\b(?:one|two|three|five|ten|twelve) (?:months|years)|rembours|gratuit|rempla[cç]|offert|reprend|ersetz|erstatt|kostenlos|\d (?:Tage|Monate|Jahre|jours|mois|ans)/i
const sentence = /^[\p{Lu}\d"“„«¿¡].*[.!?]["”“»)]?$/su

const tellsResult = (text: string) => sentences(text).some(isResult)

const leastWords = 5
/** "With Havtind Jackets": two capitalised words, where another client's story begins. */
const anotherName = /^(?:(?:At|For|With|And) )?\p{Lu}[\p{L}\p{N}'’-]* (?:(?:&|of|and|de) )?\p{Lu}/u

/** What a client achieved: the sentences up to the next client's, where the first names the client or the heading does. */
const resultIn = ({ text, topic, under }: Block, company: string | undefined) => {
  // A list of facts in one line is no sentence.
  if (/\b\p{Lu}\p{L}+: .*\b\p{Lu}\p{L}+: /u.test(text)) return ""
  const isOwn = (each: string) => company !== undefined && each.startsWith(company)
  const all = sentences(text)
  const [first = "", ...more] = all.slice(all.findIndex((each) => !isOwn(each)))
  const next = more.findIndex((each) => anotherName.test(each) && !isOwn(each))
  // Whom to call about it is no part of it.
  const story = [first, ...more.slice(0, next === -1 ? more.length : next)].filter(
    (each) => !/@|\d{3}[ .-]\d{4}/.test(each)
  )
  if (!story.some(isResult)) return ""
  if (namesClient(first)) return first.split(" ").length < leastWords ? "" : story.join(" ")
  const heading = under.at(-1) ?? ""
  return topicOf(heading) === topic ? "" : `${heading}: ${story.join(" ")}`
}

/** The longest point of a list that names things. */
const longestPoint: { readonly [F in Field]?: number } = {
  target_job_titles: 60,
  ideal_client_urls: 80,
  credibility_markers: 160,
  lead_magnets: 200
}

const entryFor = (field: TextField | ListField, block: Block, company: string | undefined): string => {
  const { kind, text } = block
  if (text.endsWith("?") || text.length > 600) return ""
  const isPoint = kind === "point"
  if (field === "competitors")
    return (isPoint || text.includes(", ")) && areNames(unstopped(text)) ? unstopped(text) : ""
  if (!isPoint && !sentence.test(text)) return ""
  if (field === "case_studies") return resultIn(block, company)
  // A client's story under the heading of the clients says nothing of the others.
  if (namesClient(text) && (tellsResult(text) || (!isList(field) && /^\p{Lu}[^:.]{2,60}(?::| [–—-]) /u.test(text))))
    return ""
  if (field === "guarantee" && !promise.test(text)) return ""
  if (field === "target_job_titles" && /^\P{Lu}|\b(?:no|not|never)\b/iu.test(text)) return ""
  if (field === "credibility_markers" && denial.test(text)) return ""
  const longest = longestPoint[field]
  if (longest === undefined) return text
  return isPoint && text.length <= longest ? (isList(field) ? text : unstopped(text)) : ""
}

/** What stands under a heading that names a field: points, and paragraphs that are whole sentences. */
export const fromSections = (all: ReadonlyArray<Block>, company: string | undefined, notes: Notes): void => {
  for (const block of all) {
    const { kind, text, topic, under } = block
    const field = topic === undefined ? undefined : sections[topic]
    if (field === undefined || kind === "heading" || kind === "row" || (!ofOthers.has(field) && isOfOthers(block)))
      continue
    if (labelled(text) !== undefined || emailsIn(text).length > 0) continue
    const entry = entryFor(field, block, company)
    // The answer to an objection says nothing without it.
    const objection =
      field === "objections_and_responses" && topicOf(under.at(-1) ?? "") !== topic ? `${under.at(-1)} ` : ""
    notes.add(field, entry === "" ? "" : `${objection}${entry}`, block)
  }
}
