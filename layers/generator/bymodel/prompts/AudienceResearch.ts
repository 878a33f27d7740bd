// layers/generator/bymodel/prompts/AudienceResearch.ts: one segment as this business should see it.
import { Document, form } from "#layers/generator/bymodel/prompts/Document.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const audienceResearch = prompt({
  name: "target_audience_research",
  version: 1,
  task: `Describe the audience for colleagues who will write to it for the business in the profile. Say who these people are and what they answer for; which troubles of the profile are theirs, the nearest first, and how each shows in their working day; when to write to them; what the business changes for them; which proof is nearest to them; what to offer first; what they may object and what to answer. Leave out what does not concern this audience.\n\n${form}`,
  answer: Document
})
