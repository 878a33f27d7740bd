// layers/research/extract/FromSections.ts: what stands under headings, taken down for what the headings speak of.
import type { Block } from "#layers/research/extract/Blocks.ts"
import * as Claims from "#layers/research/extract/Claims.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { type ListField, names, type Notes, type TextField, unstopped } from "#layers/research/extract/Notes.ts"
import { emailsIn } from "#layers/research/extract/Reach.ts"
import type { Said, Told } from "#layers/research/extract/Said.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"

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

/** The heading over a text, where it says more than that a section begins. */
const caption = ({ topic, under }: Block) => {
  const heading = under.at(-1)
  return heading === undefined || topicOf(heading) === topic ? undefined : heading
}

/** Results of customers that are rows of a table, or the heading over a story. */
const results = ({ all, company }: Told): ReadonlyArray<string> =>
  all.flatMap((block, at) => {
    const { cells, kind, text, topic } = block
    const [customer = "", ...results] = cells
    if (kind === "row")
      return topic === "cases" && /\d/.test(results.join()) ? [`${customer}: ${results.join(", ")}`] : []
    const isOver = kind === "heading" && all[at + 1]?.topic === "cases"
    return isOver && Claims.isCase({ text, block, at }, company) ? [text] : []
  })

/** What a sentence says for the field of its section. */
const textFor = (field: TextField, { block, text }: Said, isStory: boolean, company: string | undefined) => {
  if (field === "competitors") return Claims.rivalsIn(text, company) ?? unstopped(text)
  const heading = caption(block)
  if (field === "objections_and_responses" && heading?.endsWith("?") === true)
    return text.endsWith("?") ? text : `${heading} ${text}`
  if (isStory) return undefined
  return names.has(field) ? unstopped(text) : text
}

/** What a sentence adds to the list of its section. */
const entryFor = (list: ListField, { block, text }: Said, isStory: boolean, company: string | undefined) => {
  if (text.endsWith("?")) return undefined
  if (list === "case_studies") {
    if (!isStory) return undefined
    // A story under its customer's name need not name it again.
    const heading = caption(block)
    return heading === undefined || text.includes(heading.split(" ")[0] ?? "") ? text : `${heading}: ${text}`
  }
  const isEntry =
    block.kind === "point" ||
    list === "guarantee" ||
    (list === "lead_magnets" ? Claims.isMagnet(text) : text.length <= 80 || Claims.isCredential(text, company))
  return isEntry ? text : undefined
}

export const fromSections = (told: Told, notes: Notes): void => {
  const { company, spoken, stories } = told
  for (const result of results(told)) notes.list("case_studies", result)
  for (const sentence of spoken) {
    const { topic } = sentence.block
    if (topic === undefined || labelled(sentence.text) !== undefined || emailsIn(sentence.text).length > 0) continue
    const isStory = stories.has(sentence)
    const field = sections[topic]
    if (field !== undefined) notes.text(field, textFor(field, sentence, isStory, company) ?? "")
    const list = listed[topic]
    if (list !== undefined) notes.list(list, entryFor(list, sentence, isStory, company) ?? "")
  }
}
