// layers/generator/playbook/Message.ts: the six sentences that a persona's emails are drafted from, out of the user's own.
import { unstopped } from "#layers/generator/playbook/Frames.ts"
import type { Material, Proof } from "#layers/generator/playbook/Material.ts"
import { questionFor } from "#layers/generator/playbook/Questions.ts"
import { pluralOf } from "#layers/generator/playbook/Topics.ts"
import { affinity, shared } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { shapeOf, words } from "#layers/text/Sentences.ts"
import type { Message, MessagePart } from "#schema/Playbook.ts"

/** Words that the description may have in a first email, the promise included. */
const mostWhat = 48

const speaksForItself = (text: string, sender: string | null): boolean =>
  /^(?:we|we're|we've|our|i|i'm|my)\b/i.test(text) ||
  (sender !== null && text.toLowerCase().includes(sender.toLowerCase()))

const whatOf = ({ description, products, industry, promises, sender }: Material): string | null => {
  const [what = products[0] ?? industry, next] = description
  if (what === undefined || what === null) return null
  const named = speaksForItself(what, sender) || sender === null ? what : `We're ${sender}. ${what}`
  const promise = promises.length === 0 ? 0 : Math.min(...promises.map(words))
  const fits = next !== undefined && words(named) + words(next) + promise <= mostWhat && shapeOf(next) === "sentence"
  const closed = /[.!?]$/.test(named) ? named : `${named}.`
  return fits ? `${closed} ${next}` : named
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
  const score = (text: string) => affinity(text, departments) + (problem === null ? 0 : shared(text, problem))
  return texts.toSorted((a, b) => score(b) - score(a))
}

export interface Reading {
  readonly departments: ReadonlyArray<Department>
  readonly everyoneElse: boolean
  /** How the readers are called in a note to the user. */
  readonly name: string
}

/** The problem for a reader, and whether anything ties the two. */
const problemFor = (material: Material, reading: Reading, taken: ReadonlySet<string>) => {
  const ranked = material.problems
    .map((text) => ({
      text,
      score:
        2 * affinity(text, reading.departments) - (taken.has(text) ? 1 : 0) + (shapeOf(text) === "sentence" ? 0.5 : 0)
    }))
    .toSorted((a, b) => b.score - a.score)
  const best = ranked[0]
  if (reading.everyoneElse) return { problem: material.problems[0] ?? null, matched: true }
  return { problem: best?.text ?? null, matched: best !== undefined && affinity(best.text, reading.departments) > 0 }
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
  const readers = reading.everyoneElse ? ["everyone_else"] : matched ? reading.departments : ["unmatched"]
  const topic = problem === null ? null : pluralOf([problem])
  const message: Message = {
    what_we_do: clip(whatOf(material)),
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
  const readers = everyoneElse ? "your readers" : name
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
