// layers/generator/playbook/Topics.ts: two to five words for a subject, out of the user's own text.
import type { Material } from "#layers/generator/playbook/Material.ts"
import { countedPhrase, endsInNoun, isPluralNoun, nounPhrases } from "#layers/text/NounPhrases.ts"
import { labelOf, sentencesOf, words } from "#layers/text/Sentences.ts"

const bare = (text: string) => text.trim().replace(/[.!]+$/, "")

/** The whole text, when it is short enough for a subject. */
export const shortOf = (text: string, most = 5): string | null => {
  const whole = bare(text)
  const count = words(whole)
  return count >= 2 && count <= most && whole.length <= 45 && !/[:;$%\n]/.test(whole) ? whole : null
}

/** The user's own label before a colon, or a noun phrase that stands in the text. */
export const topicOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  if (label !== undefined && words(label) <= 5 && label.length <= 45 && !/[()]/.test(label)) return label
  const found = nounPhrases(text)
  return (found.find(({ plural }) => plural) ?? found[0])?.text ?? null
}

/** What a result is about: the number of things in it, else what they are; never the client's name. */
export const resultOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  // "Hof Brandt: night alarms fell ...": a client's name.
  if (label !== undefined) return /^(?:\p{Lu}\S* ?)+$/u.test(label) ? null : topicOf(text)
  const things = nounPhrases(text).find(({ plural, text: phrase }) => plural && !/^\p{Lu}\p{Ll}/u.test(phrase))
  return countedPhrase(text) ?? things?.text ?? null
}

/** The words that an offer starts with, up to a preposition: "Map of implant searches", "Free boiler check". */
export const offeredOf = (text: string): string | null => {
  const starts = [...text.matchAll(/ (?:in|on|at|for|with|before|after|to|from|by|within|per)(?= )/g)]
    .map(({ index }) => text.slice(0, index))
    .filter((start) => shortOf(start) !== null && endsInNoun(start))
  return starts.at(-1) ?? topicOf(text)
}

/** What is sold, as the description calls it first; never the sender's own name. */
export const soldOf = (text: string, sender: string | null): string | null =>
  nounPhrases(sentencesOf(text.replace(`We're ${sender ?? ""}. `, ""))[0] ?? "").find(
    (phrase) => sender === null || !sender.toLowerCase().includes(phrase.text.toLowerCase())
  )?.text ?? null

/** A plural noun phrase in small letters, which can stand inside a question. */
export const pluralOf = (texts: ReadonlyArray<string>): string | null => {
  for (const text of texts) {
    const found = nounPhrases(text).find(({ lower, plural }) => plural && lower)
    if (found !== undefined) return found.text
  }
  return null
}

/** The plural that a problem starts with, where it is a single word in small letters: "deliveries", "fees". */
export const thingOf = (text: string): string | null => {
  const [first = ""] = text.split(" ")
  return /^\p{Ll}{3,}s$/u.test(first) && isPluralNoun(first) ? first : null
}

/** The sender's trade in words that can stand inside a sentence: "industrial pumps"; null when that is not certain. */
export const fieldOf = ({ description, industry }: Pick<Material, "description" | "industry">): string | null => {
  const [first = "", ...rest] = (industry ?? "").split(" ")
  if (industry === null || rest.length === 0 || rest.length > 2 || !/^[\p{L} -]+$/u.test(industry)) return null
  const isName = !/^\p{Lu}\p{Ll}+$/u.test(first) || new RegExp(`\\p{Ll} ${first}\\b`, "u").test(description.join(" "))
  const spelled = [isName ? first : first.toLowerCase(), ...rest].join(" ")
  return endsInNoun(`the ${spelled}`) ? spelled : null
}
