// layers/generator/bymodel/prompts/CompanySummary.ts: who the business is, for whoever writes on its behalf.
import { Document, form } from "#layers/generator/bymodel/prompts/Document.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const companySummary = prompt({
  name: "company_summary",
  version: 1,
  task: `Write a summary of the business in the profile, for colleagues who will write emails on its behalf and know nothing of it. Say in this order, so far as the profile tells: what it does, what it sells and for how much, whom it serves, which problems it takes away, what changes for a client, the proof with its names and numbers, what sets it apart from others, what makes buyers hesitate and what to answer, its guarantee, what it gives away, how to reach it. End with a section "Still missing": what a writer would want to know and the profile does not tell.\n\n${form}`,
  answer: Document
})
