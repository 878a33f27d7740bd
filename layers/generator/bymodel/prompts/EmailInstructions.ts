// layers/generator/bymodel/prompts/EmailInstructions.ts: how the emails of one campaign are to be written.
import { Document, form } from "#layers/generator/bymodel/prompts/Document.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const emailInstructions = prompt({
  name: "email_instructions",
  version: 1,
  task: `Write the instructions by which the cold emails of one campaign will be written, each to one reader of the audience. The campaign's choices (promise, proof, lead magnet, risk reversal) are what its owner decided: build on them and on nothing that contradicts them. Say what the emails aim at; which troubles to open with for which kind of reader; the promise in one plain sentence; which proof goes with which trouble; what is offered and when; how the risk is taken off the reader; the tone; which words of the trade to use and which to avoid. Rules of length, form and honesty are added by others: do not repeat them. Write no example email.\n\n${form}`,
  answer: Document
})
