// layers/generator/playbook/Topics.ts: two to five words for a subject, out of the user's own text.
import { shared } from "#layers/generator/playbook/Vocabulary.ts"
import { nounPhrases } from "#layers/text/NounPhrases.ts"
import { labelOf, words } from "#layers/text/Sentences.ts"

const bare = (text: string) => text.trim().replace(/[.!]+$/, "")

/** The whole text, when it is short enough for a subject. */
export const shortOf = (text: string, most = 5): string | null => {
  const whole = bare(text)
  const count = words(whole)
  return count >= 2 && count <= most && whole.length <= 45 && !/[:;,$%\n]/.test(whole) ? whole : null
}

/** The user's own label before a colon, or a noun phrase that stands in the text. */
export const topicOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  if (label !== undefined && words(label) <= 5 && label.length <= 45) return label
  const found = nounPhrases(text)
  return (found.find(({ plural }) => plural) ?? found[0])?.text ?? null
}

/** A plural noun phrase in small letters, which can stand inside a question. */
export const pluralOf = (texts: ReadonlyArray<string>): string | null => {
  for (const text of texts) {
    const found = nounPhrases(text).find(({ lower, plural }) => plural && lower)
    if (found !== undefined) return found.text
  }
  return null
}

/** A short item about the same subject. */
export const relatedTo = (text: string, others: ReadonlyArray<string>): string | null => {
  const near = others
    .map((other) => ({ other, score: shared(text, other) }))
    .filter(({ other, score }) => score > 0 && other !== text)
    .toSorted((a, b) => b.score - a.score)
  for (const { other } of near) {
    const topic = shortOf(other) ?? topicOf(other)
    if (topic !== null && shared(topic, text) > 0) return topic
  }
  return null
}
