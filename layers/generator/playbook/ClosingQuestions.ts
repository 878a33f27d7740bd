// layers/generator/playbook/ClosingQuestions.ts: the question that a persona's first email ends with.
import data from "#layers/generator/frames/questions.json" with { type: "json" }
import { escapeLiquid } from "#layers/generator/playbook/LiquidTemplate.ts"

export const builtinQuestions: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(data))

/** The question as a person reads it in the message, without the company's name. */
const displayedQuestion = (wording: string): string =>
  wording.replace(
    /\{% if company %\}(?:(?!\{% (?:else|endif) %\}).)*(?:\{% else %\}((?:(?!\{% endif %\}).)*))?\{% endif %\}/g,
    "$1"
  )

/** Readers of several departments get the questions that suit any of them. */
const questionsFor = (readers: ReadonlyArray<string>): ReadonlyArray<string> =>
  (readers.length === 1 ? builtinQuestions.get(readers[0] ?? "") : undefined) ?? builtinQuestions.get("default") ?? []

/** The question for a reader: `default`, `unmatched`, `everyone_else`, `no_problem` or a department. */
export const questionFor = (readers: ReadonlyArray<string>): string => displayedQuestion(questionsFor(readers)[0] ?? "")

const builtinWording = (question: string): string | undefined =>
  [...builtinQuestions.values()].flat().find((wording) => displayedQuestion(wording) === question)

/** Whether a question is built in, not a person's. */
export const isBuiltinQuestion = (question: string): boolean => builtinWording(question) !== undefined

/** The Liquid of a question: a built-in one names the reader's company, a person's stays as written. */
export const questionLiquid = (question: string): string => builtinWording(question) ?? escapeLiquid(question)

/** Counts up to this are not mentioned. */
const maxIgnoredCount = 4

const countsLiquid = (countNouns: ReadonlyArray<string>): string =>
  countNouns
    .map(
      (noun) =>
        `{% if custom.${noun} %}{% if custom.${noun} > ${maxIgnoredCount} %}, with {{ custom.${noun} }} ${noun}{% endif %}{% endif %}`
    )
    .join("")

/**
 * Adds counts to a built-in question: the lead's number of each noun in `countNouns`, such as
 * "vans". A question that leaves the answer to a colleague gets none.
 */
export const addCounts = (question: string, countNouns: ReadonlyArray<string>): string =>
  question.replace(/\?$/, () => `${countsLiquid(countNouns)}?`)

/** Asks about the competitor that a lead works with, else asks `question`. */
export const askAboutCompetitor = (question: string, reader: "competitor" | "competitor_everyone_else"): string =>
  (builtinQuestions.get(reader)?.[0] ?? "").replace(/(?=\{% endif %\}$)/, () => `{% else %}${question}`)

/** A question about the whole email, for its end. */
export const endQuestion = (rotation: number): string => {
  const wordings = builtinQuestions.get("end") ?? []
  return wordings[rotation % Math.max(1, wordings.length)] ?? ""
}

/** Another question for the second variant, unless the first is the user's own. */
export const secondQuestion = (question: string, readers: ReadonlyArray<string>, rotation: number): string => {
  const first = questionLiquid(question)
  const others = questionsFor(readers).filter((wording) => wording !== first)
  return isBuiltinQuestion(question) ? (others[rotation % Math.max(1, others.length)] ?? first) : first
}
