// layers/model/prompts/Chat.ts: an answer to a question about a campaign, out of its files.
import { Schema } from "effect"
import { prompt } from "#layers/model/Prompt.ts"

export const chat = prompt({
  name: "chat",
  version: 1,
  task: `Answer the question of a user about their campaign, out of the files alone. The conversation so far tells what the question leans on. Answer in one to five plain sentences, or a short list where several things are asked for, in the words of the files where they are exact. sources: the numbers of the files that the answer stands on. Where the files do not hold the answer, say so in one sentence, set answered to false and sources to an empty list.`,
  answer: Schema.Struct({
    answer: Schema.String,
    sources: Schema.Array(Schema.Int),
    answered: Schema.Boolean
  })
})
