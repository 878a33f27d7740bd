// layers/generator/playbook/Message.ts: the six sentences that a persona's emails are drafted from, out of the user's own.
import { unstopped } from "#layers/generator/playbook/Frames.ts"
import type { Material, Proof } from "#layers/generator/playbook/Material.ts"
import { questionFor } from "#layers/generator/playbook/Questions.ts"
import { pluralOf } from "#layers/generator/playbook/Topics.ts"
import { affinity, kinOfAll, shared } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { shapeOf, words } from "#layers/text/Sentences.ts"
import type { Message, MessagePart } from "#schema/Playbook.ts"

/** Words that the description may have in a first email, the promise included. */
const mostWhat = 48

/** Whether a description needs no name before it: "We clean ...", "Northwind services ...". */
const speaksForItself = (text: string, sender: string): boolean => {
  if (/^(?:we|our|i|my)\b/i.test(text) || text.toLowerCase().includes(sender.toLowerCase())) return true
  const [first = ""] = sender.split(" ")
  return first.length > 2 && text.startsWith(`${first} `) && /^\S+ \p{Ll}/u.test(text)
}

/** It would be about something that the sentence before it does not say. */
const leansOn = /^(?:it|its|they|their|this|these|those|that|then|also|so|but|and|both|he|she|here|there|instead)\b/i

/** What is sold, and the sentence of the description that is nearest to the reader's problem where there is space for it. */
const whatOf = (
  { description, industry, products, promises, sender }: Material,
  problem: string | null,
  departments: ReadonlyArray<Department>
): string | null => {
  const [what = products[0] ?? industry, ...more] = description
  if (what === undefined || what === null) return null
  const whole = nearest(promises, departments, problem)[0]
  // A promise that says what is sold, and more, says both.
  if (whole?.includes(what) === true) return whole
  const named = sender === null || speaksForItself(what, sender) ? what : `We're ${sender}. ${what}`
  const promise = promises.length === 0 ? 0 : Math.min(...promises.map(words))
  const able = more.filter(
    (text) =>
      words(named) + words(text) + promise <= mostWhat &&
      shapeOf(text) === "sentence" &&
      !leansOn.test(text) &&
      (whole === undefined || shared(text, whole) < 2)
  )
  const next = nearest(able, departments, problem)[0]
  if (next === undefined) return named
  return `${/[.!?]$/.test(named) ? named : `${named}.`} ${next}`
}

/** The proof nearest to the reader and the problem; a sentence rather than a fragment, a case rather than a fact. */
export const rankProofs = (
  proofs: ReadonlyArray<Proof>,
  problem: string | null,
  departments: ReadonlyArray<Department>
): ReadonlyArray<Proof> => {
  const score = ({ kind, text }: Proof) =>
    2 * affinity(text, departments) +
    2 * (problem === null ? 0 : shared(text, problem)) +
    (kind === "case" ? 3 : 0) +
    (shapeOf(text) === "sentence" ? 3 : 0)
  return proofs.toSorted((a, b) => score(b) - score(a))
}

export const nearest = (
  texts: ReadonlyArray<string>,
  departments: ReadonlyArray<Department>,
  problem: string | null = null
): ReadonlyArray<string> => {
  const score = (text: string) => 2 * affinity(text, departments) + (problem === null ? 0 : shared(text, problem))
  return texts.toSorted((a, b) => score(b) - score(a))
}

export interface Reading {
  readonly departments: ReadonlyArray<Department>
  readonly everyoneElse: boolean
  /** How the readers are called in a note to the user. */
  readonly name: string
}

/** The problem for a reader, and whether anything ties the two; without a tie, the one that the user named first. */
const problemFor = (material: Material, { departments, everyoneElse }: Reading, taken: ReadonlySet<string>) => {
  const general = material.problems[0] ?? null
  if (everyoneElse) return { problem: general, matched: true }
  const relatives = kinOfAll(departments)
  const ranked = material.problems
    .map((text) => {
      const tie = 2 * affinity(text, departments) + Math.min(1, affinity(text, relatives))
      return { text, tie, score: tie - (taken.has(text) ? 2 : 0) + (shapeOf(text) === "sentence" ? 0.5 : 0) }
    })
    .toSorted((a, b) => b.score - a.score)
  const best = ranked.find(({ tie }) => tie > 0)
  if (best !== undefined) return { problem: best.text, matched: true }
  // Each problem of a business is its head's.
  const heads = departments.includes("leadership")
  return { problem: heads ? (ranked[0]?.text ?? null) : general, matched: heads && general !== null }
}

/** What a question can call the problem: the noun phrase that a fragment starts with. */
export const questionTopic = (problem: string | null): string | null => {
  if (problem === null || shapeOf(problem) !== "fragment") return null
  const topic = pluralOf([problem])
  return topic !== null && problem.startsWith(topic) ? topic : null
}

export interface Drafted {
  readonly message: Message
  readonly missing: ReadonlyArray<{ readonly part: MessagePart; readonly message: string }>
}

const clip = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.length > 2000 ? null : text

export const messageFor = (material: Material, reading: Reading, taken: ReadonlySet<string>): Drafted => {
  const { matched, problem } = problemFor(material, reading, taken)
  const pool = material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs
  const proof = rankProofs(pool, problem, reading.departments)[0]?.text
  const offer = nearest(material.offers, reading.departments, problem)[0] ?? material.guarantees[0]
  const readers = reading.everyoneElse
    ? ["everyone_else"]
    : problem === null
      ? ["no_problem"]
      : matched
        ? reading.departments
        : ["unmatched"]
  const topic = questionTopic(problem)
  const message: Message = {
    what_we_do: clip(whatOf(material, problem, reading.departments)),
    problem: clip(problem === null ? null : unstopped(problem)),
    consequence: null,
    proof: clip(proof),
    offer: clip(offer),
    question: clip(questionFor(readers, topic))
  }
  return { message, missing: missingOf(message, reading, matched) }
}

/** The sentences that a person should supply, in the order in which they help. */
export const missingOf = (message: Message, { everyoneElse, name }: Reading, matched = true): Drafted["missing"] => {
  const readers = everyoneElse
    ? "your readers"
    : name.replace(/^\p{Lu}(?=\p{Ll}+(?: \P{Lu}*)?$)/u, (letter) => letter.toLowerCase())
  const notes: ReadonlyArray<readonly [boolean, MessagePart, string]> = [
    [
      message.what_we_do === null,
      "what_we_do",
      "Say in one sentence what you sell, and to whom. Each first email needs it."
    ],
    [
      message.problem === null || !matched,
      "problem",
      `Say in one sentence which problem your product solves for ${readers}. It becomes the first line of their emails.`
    ],
    [
      message.proof === null,
      "proof",
      "Say in one sentence what a client achieved with you, with the number. It makes the first email believable."
    ],
    [
      message.offer === null,
      "offer",
      "Name one small thing that you can offer before a meeting. It becomes the second email."
    ]
  ]
  return notes.flatMap(([lacks, part, text]) => (lacks ? [{ part, message: text }] : []))
}
