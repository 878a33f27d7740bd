// layers/answerer/ByModel.ts: a model's answer to a question about a campaign, out of its files and nothing else.
import { Schema } from "effect"
import type { Answer, KnowledgeFile, Turn } from "#layers/answerer/Answer.ts"
import type { Model } from "#layers/Model.ts"
import { visible } from "#layers/model/Fence.ts"
import { faultsOf, known, strangers } from "#layers/model/Known.ts"
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

const longestAnswer = 8000
const longestFile = 24_000

export const answered = (
  model: Model,
  question: string,
  history: ReadonlyArray<Turn>,
  files: ReadonlyArray<KnowledgeFile>
) => {
  const shared = { files: files.map(({ content, filename }, at) => ({ number: at + 1, name: filename, content })) }
  const own = { conversation: history.map(({ content, role }) => ({ role, content })), question }
  // What the user said may be said again; what an earlier answer said was known then.
  const source = known({ shared, own })
  const order = { prompt: chat, shared, own, longest: longestFile, request: "Answer the question." }
  return model.write(order, (given) => {
    const content = visible(given.answer, longestAnswer).trim()
    const cited = [...new Set(given.sources)].flatMap((number) =>
      files.slice(Math.max(0, number - 1), Math.max(0, number))
    )
    const found = strangers(content, source)
    const unsourced = given.answered && cited.length === 0
    const citations = given.answered ? cited.map(({ file_id, filename }) => ({ file_id, filename })) : []
    const usable = content !== "" && found.length === 0 && !unsourced
    return {
      value: usable ? ({ content, citations } satisfies Answer) : undefined,
      worth: 0,
      passes: usable ? 0 : 2,
      faults: [
        ...(content === "" ? ["It says nothing."] : []),
        ...(unsourced ? ["Name the files that the answer stands on."] : []),
        ...faultsOf(found)
      ],
      error: "The model's answer says what the files do not"
    }
  })
}
