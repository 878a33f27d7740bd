// layers/answerer/ByModel.ts: answers a question about a campaign with a model, from the campaign's passages only.
import { Schema } from "effect"
import type { Answer, Turn } from "#layers/answerer/Answer.ts"
import { citationOf, type Passage } from "#layers/answerer/Passages.ts"
import type { Model } from "#layers/Model.ts"
import { removeInvisible } from "#layers/model/Fence.ts"
import { listFaults, makeSourceFacts, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { prompt } from "#layers/model/Prompt.ts"
import { removeContacts } from "#layers/text/Contacts.ts"
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

/** Links to leads and lists, which show leads, and to the suppression list. Older citations name no source. */
const personalLink = /^\/#\/(?:lists\/.|suppressions)/

const quotesPeople = ({ citations, nearest }: Turn): boolean =>
  [...(citations ?? []), ...(nearest ?? [])].some(
    ({ link, source }) => source === "lead" || personalLink.test(link ?? "")
  )

/**
 * The conversation as a model may see it: without answers that quote leads or the suppression list, and the questions
 * for them, which may name the same people, and without addresses, telephone numbers and links in the other messages.
 */
const withoutPeople = (history: ReadonlyArray<Turn>) =>
  history
    .filter(
      (turn, index) => ![turn, history[index + 1]].some((each) => each?.role === "assistant" && quotesPeople(each))
    )
    .map(({ content, role }) => ({ role, content: removeContacts(content) }))

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
  const questionData = { conversation: withoutPeople(history), question }
  // The answer may repeat the conversation: earlier answers were checked when they were given.
  const source = makeSourceFacts({ shared, own: questionData })
  const promptRequest = {
    prompt: chat,
    sharedData: shared,
    requestData: questionData,
    maxTextLength,
    request: "Answer the question."
  }
  return model.write(promptRequest, (answer) => {
    const content = removeInvisible(answer.answer, maxAnswerLength).trim()
    const citedPassages = [...new Set(answer.sources)].flatMap((number) =>
      passages.slice(Math.max(0, number - 1), Math.max(0, number))
    )
    const unknownNumbers = answer.sources.filter((number) => passages[number - 1] === undefined)
    // A number must stand in a passage that is cited, or in the question itself.
    const citedFacts = answer.answered
      ? makeSourceFacts({ texts: citedPassages.map(({ heading, text }) => ({ heading, text })), question })
      : source
    const unsupportedTexts = [
      ...new Set([
        ...unsupportedClaims(content, source),
        ...numbersIn(content).filter((number) => !citedFacts.numbers.has(number))
      ])
    ].filter((each) => each !== "")
    const lacksSources = answer.answered && citedPassages.length === 0
    const citations = answer.answered ? citedPassages.map(citationOf) : []
    const isUsable = content !== "" && unsupportedTexts.length === 0 && unknownNumbers.length === 0 && !lacksSources
    return {
      value: isUsable ? ({ content, citations, nearest: [], answered_by: "model" } satisfies Answer) : undefined,
      worth: 0,
      passes: isUsable ? 0 : 2,
      faults: [
        ...(content === "" ? ["It says nothing."] : []),
        ...(lacksSources ? ["Name the passages that the answer was taken from."] : []),
        ...unknownNumbers.map((number) => `There is no passage ${number}.`),
        ...listFaults(unsupportedTexts)
      ],
      error: "The model's answer says what the passages do not"
    }
  })
}
