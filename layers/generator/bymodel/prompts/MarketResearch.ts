// layers/generator/bymodel/prompts/MarketResearch.ts: the market as the profile shows it, seen from the buyer's side.
import { Document, form } from "#layers/generator/bymodel/prompts/Document.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const marketResearch = prompt({
  name: "market_research",
  version: 1,
  task: `Describe the market of the business in the profile, as its buyers live in it. Say who buys and who decides; for each kind of decision maker what their working day has to do with the problem; what troubles them and what they do about it now; which events make them look for help; whom they compare and where those fall short; why they would choose this business; what makes them hesitate. Reason from the profile: you may draw conclusions about people and their work in words, but bring no figure, company or event that the profile does not have.\n\n${form}`,
  answer: Document
})
