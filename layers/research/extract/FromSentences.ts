// layers/research/extract/FromSentences.ts: what single sentences claim, wherever they stand, taken down.
import { String } from "effect"
import * as Claims from "#layers/research/extract/Claims.ts"
import { type Label, labelled } from "#layers/research/extract/Labels.ts"
import { isList, type Notes, unstopped } from "#layers/research/extract/Notes.ts"
import type { Said, Told } from "#layers/research/extract/Said.ts"

/** A label within a paragraph: "... 4 a year. Guarantee: no charge if ...". */
const fromLabel = (label: Label, value: string, notes: Notes): void => {
  if (isList(label)) notes.list(label, String.capitalize(value))
  else if (label === "competitors" || label === "target_job_titles") notes.text(label, unstopped(value))
  else if (label === "unique_differentiators" || label === "problems_solved")
    notes.text(label, String.capitalize(value))
}

/** "The result? ..." and "That is ..." go on with the same story. */
const goesOn = (story: Said, next: Said | undefined): next is Said =>
  next?.at === story.at &&
  /^(?:The result|That is|That's|Their|They now|It now)\b/.test(next.text) &&
  /\d/.test(next.text)

const fromClaim = ({ block: { topic }, text }: Said, company: string | undefined, notes: Notes): void => {
  const isAboutClients = Claims.isAboutClients(text)
  if (Claims.isGuarantee(text)) notes.list("guarantee", text)
  else if (Claims.isMagnet(text)) notes.list("lead_magnets", text)
  if (Claims.isCredential(text, company) && topic !== "clients" && !isAboutClients)
    notes.list("credibility_markers", text)
  const buyers = Claims.buyersIn(text)
  if (buyers !== undefined && topic !== "contact") notes.text("target_job_titles", unstopped(buyers))
  notes.text("competitors", Claims.rivalsIn(text, company) ?? "")
  if (isAboutClients && buyers === undefined) notes.text("ideal_client_description", text)
  if (Claims.isDifference(text)) notes.text("unique_differentiators", text)
  if (Claims.isProblem(text) && topic !== "pains") notes.text("problems_solved", text)
  if (Claims.isChange(text)) notes.text("client_transformation", text)
}

export const fromSentences = ({ company, spoken, stories }: Told, notes: Notes): void => {
  for (const [at, sentence] of spoken.entries()) {
    const { block, text } = sentence
    const found = labelled(text)
    if (found !== undefined) fromLabel(found.label, found.value, notes)
    else if (text.length > 800 || text.endsWith("?") || block.topic === "cases") continue
    else if (stories.has(sentence)) {
      const next = spoken[at + 1]
      notes.list("case_studies", goesOn(sentence, next) ? `${text} ${next.text}` : text)
    } else fromClaim(sentence, company, notes)
  }
}
