// layers/generator/playbook/Questions.ts: the question that a persona's first email ends with.
import data from "#layers/generator/frames/questions.json" with { type: "json" }
import { literal } from "#layers/generator/playbook/Template.ts"

export const questions: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(data))

/** The question as a person reads it in the message, without the company's name. */
const shown = (wording: string): string =>
  wording.replace(
    /\{% if company %\}(?:(?!\{% (?:else|endif) %\}).)*(?:\{% else %\}((?:(?!\{% endif %\}).)*))?\{% endif %\}/g,
    "$1"
  )

/** Readers of several departments get the questions that suit any of them. */
const foundFor = (readers: ReadonlyArray<string>): ReadonlyArray<string> =>
  (readers.length === 1 ? questions.get(readers[0] ?? "") : undefined) ?? questions.get("default") ?? []

/** The question for a reader: `default`, `unmatched`, `everyone_else`, `no_problem` or a department. */
export const questionFor = (readers: ReadonlyArray<string>): string => shown(foundFor(readers)[0] ?? "")

const ours = (question: string): string | undefined =>
  [...questions.values()].flat().find((wording) => shown(wording) === question)

/** Whether a question is built in, not a person's. */
export const isDrafted = (question: string): boolean => ours(question) !== undefined

/** The Liquid of a question: a built-in one names the reader's company, a person's stays as written. */
export const liquidOf = (question: string): string => ours(question) ?? literal(question)

/** Another question for the second variant, unless the first is the user's own. */
export const secondOf = (question: string, readers: ReadonlyArray<string>, turn: number): string => {
  const first = liquidOf(question)
  const others = foundFor(readers).filter((wording) => wording !== first)
  return isDrafted(question) ? (others[turn % Math.max(1, others.length)] ?? first) : first
}
