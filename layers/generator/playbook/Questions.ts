// layers/generator/playbook/Questions.ts: the question that a persona's first email ends with.
import data from "#layers/generator/frames/questions.json" with { type: "json" }
import { literal } from "#layers/generator/playbook/Template.ts"

interface Question {
  readonly topic?: string
  readonly plain: string
}

export const questions: ReadonlyMap<string, Question> = new Map<string, Question>(Object.entries(data))

const withTopic = (wording: string, topic: string) => wording.replaceAll("[[topic]]", topic)

/** As a person reads it in the message, without the company's name. */
const shown = (wording: string): string =>
  wording.replace(
    /\{% if company %\}(?:(?!\{% (?:else|endif) %\}).)*(?:\{% else %\}((?:(?!\{% endif %\}).)*))?\{% endif %\}/g,
    "$1"
  )

/** The question for a reader: `default`, `unmatched`, `everyone_else` or a department. */
export const questionFor = (readers: ReadonlyArray<string>, topic: string | null): string => {
  const found = readers.flatMap((reader) => questions.get(reader) ?? []).at(0) ?? questions.get("default")
  const about = found?.topic ?? null
  return shown(topic !== null && about !== null ? withTopic(about, topic) : (found?.plain ?? ""))
}

/** The Liquid of a question: with the reader's company where it is one of ours, else as it was written. */
export const liquidOf = (question: string, topic: string | null): string => {
  for (const { plain, topic: about } of questions.values()) {
    if (shown(plain) === question) return plain
    if (topic !== null && about !== undefined && shown(withTopic(about, topic)) === question)
      return withTopic(about, literal(topic))
  }
  return literal(question)
}
