// layers/research/extract/Told.ts: what stands behind a label or under a heading that names a field, taken down as it is.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import {
  isList,
  isText,
  names,
  type ListField,
  type Notes,
  oneLine,
  type TextField,
  unstopped
} from "#layers/research/extract/Notes.ts"
import { isPerson } from "#layers/research/extract/People.ts"
import { emailsIn, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { isResult } from "#layers/research/extract/Results.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"

/** What a text tells where it speaks of others. */
const ofOthers: ReadonlySet<string> = new Set(["competitors", "case_studies", "ideal_client_urls"])

const contactFor = (label: TextField, value: string, block: Block, notes: Notes): boolean => {
  if (label === "contact_phone") notes.add(label, phoneIn(`tel ${value}`) ?? "", block)
  else if (label === "contact_email") notes.add(label, emailsIn(value)[0] ?? "", block)
  else if (label === "website_url") notes.add(label, websiteOf(value) ?? "", block)
  else if (label === "contact_name") {
    const [name = "", title = ""] = value.split(/,\s+/, 2)
    if (!isPerson(unstopped(name))) return true
    notes.add(label, unstopped(name), block)
    notes.add("contact_title", unstopped(title), block)
  } else return false
  return true
}

/** A label speaks for its paragraph, up to where another begins or a customer's result is told. */
const fromLabel = (text: string, block: Block, notes: Notes): void => {
  const all = sentences(text)
  for (const [at, sentence] of all.entries()) {
    const found = labelled(sentence)
    if (found === undefined || found.label === "contact" || found.label === "core_products") continue
    const { label } = found
    if (!ofOthers.has(label) && isOfOthers(block)) continue
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
        !/[?()]/.test(part)
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

/** Blocks under one heading that are still of it; a section that runs on is about more than its heading says. */
const mostOfSection = 12
const sentence = /^[\p{Lu}\d"“„«¿¡].*[.!?]["”“»)]?$/su

/** The heading over a story, where it says more than that a section begins. */
const caption = ({ topic, under }: Block) => {
  const heading = under.at(-1)
  return heading === undefined || topicOf(heading) === topic ? undefined : heading
}

const entryFor = (field: TextField | ListField, block: Block, company: string | undefined): string | undefined => {
  const { kind, text } = block
  const isPoint = kind === "point"
  const isList = field === "competitors" && text.includes(", ")
  if (text.endsWith("?") || (!isPoint && !isList && !sentence.test(text))) return undefined
  switch (field) {
    case "case_studies": {
      // A sheet of facts in a row is no sentence.
      if (/\b\p{Lu}\p{L}+: .*\b\p{Lu}\p{L}+: /u.test(text)) return undefined
      const all = sentences(text).filter((each) => company === undefined || !each.startsWith(company))
      const told = all.filter(
        (each, at) => isResult(each, true) || (at > 0 && /^(?:It|They|Their|The result|That)\b/.test(each))
      )
      const story = told.join(" ")
      const heading = caption(block)
      if (told.length === 0 || !isResult(told[0] ?? "", true)) return undefined
      return heading === undefined || story.includes(heading.split(" ")[0] ?? "") ? story : `${heading}: ${story}`
    }
    case "competitors":
      return areNames(unstopped(text)) ? unstopped(text) : undefined
    case "target_job_titles":
    case "ideal_client_urls":
      return isPoint && text.split(" ").length <= 6 ? unstopped(text) : undefined
    case "credibility_markers":
      return isPoint && text.length <= 160 ? text : undefined
    case "lead_magnets":
      return isPoint && text.length <= 200 ? text : undefined
    default:
      return text.length <= 600 ? text : undefined
  }
}

/** What stands under a heading that names a field: points, and paragraphs that are whole sentences. */
export const fromSections = (all: ReadonlyArray<Block>, company: string | undefined, notes: Notes): void => {
  const counted = new Map<TextField | ListField, number>()
  let closed: string | undefined
  for (const block of all) {
    const { cells, kind, text, topic } = block
    const field = topic === undefined ? undefined : sections[topic]
    if (field === undefined || kind === "heading" || (!ofOthers.has(field) && isOfOthers(block))) continue
    const path = block.under.join("\n")
    if (closed !== path) closed = undefined
    // A few words without a stop may be the heading of something else.
    if (kind === "paragraph" && text.length < 50 && !/[.!?:]["”]?$/.test(text) && !/[:,]/.test(text)) closed = path
    if (closed !== undefined) continue
    const count = (counted.get(field) ?? 0) + 1
    counted.set(field, count)
    if (count > mostOfSection || labelled(text) !== undefined || emailsIn(text).length > 0) continue
    if (kind === "row") {
      const [customer = "", ...results] = cells
      if (field === "case_studies" && isResult(`${customer}: ${results.join(", ")}`, true))
        notes.add(field, `${customer}: ${results.join(", ")}`, block)
    } else notes.add(field, entryFor(field, block, company) ?? "", block)
  }
}
