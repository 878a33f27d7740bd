// layers/generator/playbook/Topics.ts: subjects of two to five words from the user's own text.
import { countedPhrase, endsInNoun, isPluralNoun, nounPhrases } from "#layers/text/NounPhrases.ts"
import { shared } from "#layers/generator/playbook/Vocabulary.ts"
import { labelOf, sentencesOf, words } from "#layers/text/Sentences.ts"

const bare = (text: string) => text.trim().replace(/[.!]+$/, "")

/** The whole text, if it is short enough for a subject. */
export const shortOf = (text: string, most = 5): string | null => {
  const whole = bare(text)
  const count = words(whole)
  return count >= 2 && count <= most && whole.length <= 45 && !/[:;$%\n]/.test(whole) ? whole : null
}

/** The user's own label before a colon, or a noun phrase in the text. */
export const topicOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  if (label !== undefined && words(label) <= 5 && label.length <= 45 && !/[()]/.test(label)) return label
  const found = nounPhrases(text)
  return (found.find(({ plural }) => plural) ?? found[0])?.text ?? null
}

/** The first characters of a text, in which the subject of its first sentence begins. */
const opening = 30

/**
 * Noun phrases for a subject line, best first: phrases of a person's question, then phrases of the problem that the proof
 * or the question shares, then plurals. Phrases of the description rank lower, because they only name the trade.
 */
export const topicsAmong = (message: {
  readonly problem: string | null
  readonly question: string | null
  readonly proof: string | null
  readonly what: string | null
}): ReadonlyArray<string> => {
  const { problem, proof, question, what } = message
  const found = [question, problem].flatMap((text) =>
    nounPhrases(text ?? "").map(({ plural, text: phrase }) => {
      const [head = ""] = phrase.split(" ").slice(-1)
      const ties = [proof, question].filter((other) => other !== null && shared(head, other) > 0).length
      const isTrade = what?.toLowerCase().includes(phrase.toLowerCase()) === true
      const isOpening = (text ?? "").indexOf(phrase) < opening
      const score = 2 * ties + (text === question ? 1 : 0) + (plural ? 1 : 0) + (isOpening ? 1 : 0) - (isTrade ? 1 : 0)
      return { phrase, score }
    })
  )
  const able = found.filter(({ phrase, score }) => score > 0 && shortOf(phrase) !== null)
  return [...new Set(able.toSorted((a, b) => b.score - a.score).map(({ phrase }) => phrase))]
}

/**
 * The single word that a question asks about: "Who looks after the racking: you, or a colleague?", "Who writes your manuals
 * today?"
 */
export const questionTopic = (question: string): string | null =>
  /\b(?:the|your) ([\p{L}-]{4,})(?=[?,:]| (?:today|now|currently|before|after|at|in|on|for|when)\b)/u.exec(
    question.replace(/\bat the moment\b/, "now")
  )?.[1] ?? null

/** The topic of a result: what it counts, or its label; never the client's name. */
export const resultOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  // "Hof Brandt: night alarms fell ..." starts with a client's name.
  if (label !== undefined) return /^(?:\p{Lu}\S* ?)+$/u.test(label) ? null : topicOf(text)
  return countedPhrase(text)
}

/** The first words of an offer, up to a preposition: "Map of implant searches", "Free boiler check". */
export const offeredOf = (text: string): string | null => {
  const starts = [...text.matchAll(/ (?:in|on|at|for|with|before|after|to|from|by|within|per)(?= )/g)]
    .map(({ index }) => text.slice(0, index).replace(/[,;]$/, ""))
    .filter((start) => shortOf(start) !== null && endsInNoun(start))
  return starts.at(-1) ?? topicOf(text)
}

/** "Top-rated local" of "Top-rated local handyman service" lacks its noun. */
const goesOn =
  /^ \p{Ll}[\p{Ll}-]* (?:agency|company|contractors?|experts?|firm|provider|services?|solutions?|specialists?)\b/u

/** The product, by its first name in the description; never the sender's own name. */
export const soldOf = (text: string, sender: string | null): string | null => {
  const [sentence = ""] = sentencesOf(
    text.replace(`We're ${sender ?? ""}. `, "").replace(`We're ${sender ?? ""}: `, "")
  )
  const names = sender?.split(/\s+/) ?? []
  return (
    nounPhrases(sentence).find(({ text }) => {
      if (sender?.toLowerCase().includes(text.toLowerCase())) return false
      // "Golden Factory Company for mirrors" starts with a name.
      if (/^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+$/u.test(text)) return false
      if (goesOn.test(sentence.slice(sentence.indexOf(text) + text.length))) return false
      // "Fit-Out designs" of Ironclad Fit-Out is the name and its verb; a capital at the start of a sentence shows nothing.
      const words = sentence.startsWith(text) ? text.split(" ").slice(1) : text.split(" ")
      return !words.some((word) => /^\p{Lu}/u.test(word) && names.includes(word))
    })?.text ?? null
  )
}

/** The plural that a problem starts with, if it is a single word in small letters: "deliveries", "fees". */
export const thingOf = (text: string): string | null => {
  const [first = ""] = text.split(" ")
  return /^\p{Ll}{3,}s$/u.test(first) && isPluralNoun(first) ? first : null
}
