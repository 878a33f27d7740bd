// layers/answerer/ByModel.ts: a model's answer to a question about a campaign, from its passages and nothing else.
import { Schema } from "effect"
import type { Answer, Turn } from "#layers/answerer/Answer.ts"
import { citationOf, type Passage } from "#layers/answerer/Passages.ts"
import type { Model } from "#layers/Model.ts"
import { removeInvisible } from "#layers/model/Fence.ts"
import { listFaults, makeSourceFacts, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { prompt } from "#layers/model/Prompt.ts"
import { numbersIn } from "#layers/text/Specifics.ts"

export const chat = prompt({
  name: "chat",
  version: 3,
  task: `Answer the question of a user about their campaign from the passages alone. The question may refer to the conversation so far. Answer in one to five plain sentences, or a short list where several things are asked for, in the words of the passages where they are exact. sources: the numbers of the passages that the answer was taken from. Every number of the answer stands in a passage that is cited. Where the passages do not hold the answer, say so in one sentence, set answered to false and sources to an empty list.`,
  answer: Schema.Struct({
    answer: Schema.String,
    sources: Schema.Array(Schema.Int),
    answered: Schema.Boolean
  })
})

const maxAnswerLength = 8000
const maxTextLength = 6000

export const answerByModel = (
  model: Model,
  question: string,
  history: ReadonlyArray<Turn>,
  passages: ReadonlyArray<Passage>
) => {
  const shared = {
    passages: passages.map(({ file, heading, text }, index) => ({
      number: index + 1,
      from: file.filename,
      heading,
      text
    }))
  }
  const own = { conversation: history.map(({ content, role }) => ({ role, content })), question }
  // What the user said may be said again; an earlier answer was checked when it was given.
  const source = makeSourceFacts({ shared, own })
  const order = { prompt: chat, sharedData: shared, requestData: own, maxTextLength, request: "Answer the question." }
  return model.write(order, (given) => {
    const content = removeInvisible(given.answer, maxAnswerLength).trim()
    const cited = [...new Set(given.sources)].flatMap((number) =>
      passages.slice(Math.max(0, number - 1), Math.max(0, number))
    )
    const invented = given.sources.filter((number) => passages[number - 1] === undefined)
    // A number must stand in a passage that is cited, or in the question itself.
    const citedFacts = given.answered
      ? makeSourceFacts({ texts: cited.map(({ heading, text }) => ({ heading, text })), question })
      : source
    const unsupported = [
      ...new Set([
        ...unsupportedClaims(content, source),
        ...numbersIn(content).filter((number) => !citedFacts.numbers.has(number))
      ])
    ].filter((each) => each !== "")
    const unsourced = given.answered && cited.length === 0
    const citations = given.answered ? cited.map(citationOf) : []
    const usable = content !== "" && unsupported.length === 0 && invented.length === 0 && !unsourced
    return {
      value: usable ? ({ content, citations, nearest: [], answered_by: "model" } satisfies Answer) : undefined,
      worth: 0,
      passes: usable ? 0 : 2,
      faults: [
        ...(content === "" ? ["It says nothing."] : []),
        ...(unsourced ? ["Name the passages that the answer was taken from."] : []),
        ...invented.map((number) => `There is no passage ${number}.`),
        ...listFaults(unsupported)
      ],
      error: "The model's answer says what the passages do not"
    }
  })
}
