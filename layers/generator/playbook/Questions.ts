// layers/generator/playbook/Questions.ts: the question that a persona's first email ends with.
import data from "#layers/generator/frames/questions.json" with { type: "json" }
import { literal } from "#layers/generator/playbook/Template.ts"

interface Question {
  readonly topic?: ReadonlyArray<string>
  readonly plain: ReadonlyArray<string>
}

export const questions: ReadonlyMap<string, Question> = new Map<string, Question>(Object.entries(data))

const withTopic = (wording: string, topic: string) => wording.replaceAll("[[topic]]", topic)

/** As a person reads it in the message, without the company's name. */
const shown = (wording: string): string =>
  wording.replace(
    /\{% if company %\}(?:(?!\{% (?:else|endif) %\}).)*(?:\{% else %\}((?:(?!\{% endif %\}).)*))?\{% endif %\}/g,
    "$1"
  )

/** Readers of several departments get the questions that suit any of them. */
const foundFor = (readers: ReadonlyArray<string>): Question | undefined =>
  (readers.length === 1 ? questions.get(readers[0] ?? "") : undefined) ?? questions.get("default")

/** The question for a reader: `default`, `unmatched`, `everyone_else` or a department. */
export const questionFor = (readers: ReadonlyArray<string>, topic: string | null): string => {
  const { plain = [], topic: about = [] } = foundFor(readers) ?? {}
  const [first = ""] = topic === null || about.length === 0 ? plain : about.map((each) => withTopic(each, topic))
  return shown(first)
}

/** The Liquid of a question: with the reader's company where it is one of ours, else as it was written. */
export const liquidOf = (question: string, topic: string | null): string => {
  for (const { plain, topic: about = [] } of questions.values()) {
    for (const each of plain) if (shown(each) === question) return each
    for (const each of topic === null ? [] : about)
      if (shown(withTopic(each, topic ?? "")) === question) return withTopic(each, literal(topic ?? ""))
  }
  return literal(question)
}

const wordings = (topic: string | null): ReadonlyArray<string> =>
  [...questions.values()].flatMap(({ plain, topic: about = [] }) => [
    ...plain,
    ...(topic === null ? [] : about.map((each) => withTopic(each, literal(topic))))
  ])

/** Whether a question is one of ours rather than a person's. */
export const isDrafted = (question: string, topic: string | null): boolean =>
  wordings(topic).includes(liquidOf(question, topic))

/** Another question for the second variant, unless the first one is the user's own. */
export const secondOf = (
  question: string,
  readers: ReadonlyArray<string>,
  topic: string | null,
  turn: number
): string => {
  const first = liquidOf(question, topic)
  const others = (foundFor(readers)?.plain ?? []).filter((each) => each !== first)
  return wordings(topic).includes(first) ? (others[turn % Math.max(1, others.length)] ?? first) : first
}
