// layers/generator/playbook/Message.ts: selects the six sentences of a persona's message from the user's own text.
import { unstopped } from "#layers/generator/playbook/Frames.ts"
import type { Material, Proof } from "#layers/generator/playbook/Material.ts"
import { questionFor } from "#layers/generator/playbook/Questions.ts"
import { affinity, kinOfAll, shared } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { nounsOf } from "#layers/text/NounPhrases.ts"
import { type Shape, shapeOf, words } from "#layers/text/Sentences.ts"
import { withoutAsides } from "#layers/text/Words.ts"
import type { Message, MessagePart } from "#schema/Playbook.ts"

/** Longest description in a first email, in words. */
const mostWhat = 46
/** Longest promise beside the description, in words. */
const mostPromise = 20

/** Whether a description needs no name before it: "We clean ...", "Northwind services ...". */
const speaksForItself = (text: string, sender: string): boolean => {
  if (/^(?:we|our|i|my)\b/i.test(text) || text.toLowerCase().includes(sender.toLowerCase())) return true
  // "Hallam & Pryce is ..." names Hallam & Pryce Insurance Brokers.
  const names = sender.split(" ")
  const said = text.split(" ")
  const same = names.findIndex((word, at) => word !== said[at])
  return names.slice(0, same).join("").length > 2 && /^\p{Ll}/u.test(said[same] ?? "")
}

/** The sentence refers to something that the sentence before it does not mention. */
export const leansOn =
  /^(?:it|its|they|their|this|these|those|that|then|also|so|but|and|both|he|she|here|there|instead|afterwards?|later|finally)\b/i

/** The number of nouns in both texts; a noun of the trade itself does not count. */
export const sharedNouns = (one: string, other: string | null, trade: string | null): number => {
  const all = nounsOf(withoutAsides(one)).intersection(nounsOf(withoutAsides(other ?? "")))
  return all.size > 1 ? all.size : all.difference(nounsOf((trade ?? "").toLowerCase())).size
}

/** How the product solves this problem: the nearest sentence, or the next one, and one more if there is space. */
const mechanismOf = (
  more: ReadonlyArray<string>,
  about: {
    readonly start: string
    readonly whole: string | undefined
    readonly problem: string | null
    readonly departments: ReadonlyArray<Department>
    readonly general: string | null
    readonly space: number
  }
): ReadonlyArray<string> => {
  const { departments, problem, start, whole } = about
  const able = (text: string, at: number) =>
    words(text) <= about.space &&
    words(text) > 3 &&
    // A fragment, or a sentence that refers to the one before, can only follow that sentence.
    ((at === 0 && shapeOf(start) === "sentence") ||
      (shapeOf(text) === "sentence" && (at === 0 || !leansOn.test(text)))) &&
    !start.includes(text) &&
    (whole === undefined || !whole.includes(text))
  const score = (text: string) =>
    2 * affinity(text, departments) +
    (problem === null ? 0 : 2 * sharedNouns(text, problem, about.general) + Math.min(1, shared(text, problem)))
  const [best] = more
    .map((text, at) => ({ text, at, score: score(text) }))
    .filter(({ at, text }) => able(text, at))
    .toSorted((a, b) => b.score - a.score)
  if (best === undefined) return []
  const next = more[best.at + 1]
  return next !== undefined &&
    words(next) > 3 &&
    words(best.text) + words(next) <= about.space &&
    shapeOf(next) === "sentence"
    ? [best.text, next]
    : [best.text]
}

/** Names of products and trades are no sentences, so they follow a colon. */
const soldAs = ({ industry, products, sender }: Material): string | null => {
  const list = products.filter((text) => words(text) <= 12).slice(0, 3)
  const sold =
    list.length > 0 ? `What we offer: ${list.map(unstopped).join("; ")}.` : industry && `Our field: ${industry}.`
  return sold === null ? null : sender === null ? sold : `We're ${sender}. ${sold}`
}

/** The sender's name before its products or trades: "Oak: gutters and roofs". */
const introduced = (start: string, sender: string | null): string => {
  const isWhole = shapeOf(start) === "sentence"
  if (sender === null) return start
  // "Oak Ltd - gutters and roofs" has a name and no verb.
  const isTitle =
    !isWhole && start.startsWith(sender) && /^(?:,? \p{Lu}[\p{L}.]*)? [-–—] /u.test(start.slice(sender.length))
  if (speaksForItself(start, sender)) return isTitle ? `We're ${start}` : start
  return `We're ${sender}${isWhole ? "." : ":"} ${start}`
}

/** What is sold, with the sentence of the description nearest to the reader's problem if there is space for it. */
const whatOf = (material: Material, problem: string | null, departments: ReadonlyArray<Department>): string | null => {
  const { description, industry, promises, sender } = material
  const [what, ...more] = description
  if (what === undefined) return soldAs(material)
  const whole = nearest(promises, departments, problem)[0]
  // A promise that contains the description replaces it.
  const start =
    whole?.includes(what) === true ? whole : whole !== undefined && more.includes(whole) ? `${what} ${whole}` : what
  const named = introduced(start, sender)
  // A stranger needs to read how it works, so only a long promise may take its words.
  const promise = whole === undefined || start.includes(whole) ? 0 : Math.max(0, words(whole) - mostPromise)
  const space = mostWhat - words(named) - promise
  return [named, ...mechanismOf(more, { start, whole, problem, departments, general: industry, space })]
    .map((text, at, all) => (at === all.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ")
}

/** The proof nearest to the reader and the problem; prefers sentences to fragments, and cases to facts. */
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

/** Starts of statements about a single company, such as "The room cannot be closed". A stranger reads them as news or as a guess. */
const singleCase = /^(?:the|our|nobody|no one|everybody|everyone)\b|^an? .*?\b(?:has|have|had|was|were)\b/i

/** The shape of a drafted problem at the start of an email: a statement about a single company counts as a fragment. */
export const openingShape = (problem: string): Shape => (singleCase.test(problem) ? "fragment" : shapeOf(problem))

export interface Reading {
  readonly departments: ReadonlyArray<Department>
  readonly everyoneElse: boolean
  /** The name of the readers in a note to the user. */
  readonly name: string
}

/** The problem for a reader, and whether the two are related; if none is related, the user's first problem. */
const problemFor = (material: Material, { departments, everyoneElse }: Reading, taken: ReadonlySet<string>) => {
  const general = material.problems[0] ?? null
  if (everyoneElse) return { problem: general, matched: true }
  const relatives = kinOfAll(departments)
  const proofs = material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs
  const cases = proofs.filter(({ kind }) => kind === "case").map(({ text }) => text)
  const ranked = material.problems
    .map((text) => {
      const tie = 2 * affinity(text, departments) + Math.min(1, affinity(text, relatives))
      const proven = cases.some((each) => sharedNouns(each, text, material.industry) > 0)
      // A problem that a client's result proves comes first, and a sentence reads better than a fragment.
      const shape = openingShape(text) === "sentence" ? 2 : 0
      return { text, tie, score: tie - (taken.has(text) ? 2 : 0) + shape + (proven ? 3 : 0) }
    })
    .toSorted((a, b) => b.score - a.score)
  const best = ranked.find(({ tie }) => tie > 0)
  if (best !== undefined) return { problem: best.text, matched: true }
  // The head of a business has all of its problems.
  const heads = departments.includes("leadership")
  return { problem: heads ? (ranked[0]?.text ?? null) : general, matched: heads && general !== null }
}

export interface Drafted {
  readonly message: Message
  readonly missing: ReadonlyArray<{ readonly part: MessagePart; readonly message: string }>
}

const clip = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.length > 2000 ? null : text

export const messageFor = (material: Material, reading: Reading, taken: ReadonlySet<string>): Drafted => {
  const { matched, problem } = problemFor(material, reading, taken)
  const what = whatOf(material, problem, reading.departments)
  const proof = proofFor(material, reading, problem, what)
  const offer = nearest(material.offers, reading.departments, problem)[0] ?? material.guarantees[0]
  const readers = reading.everyoneElse
    ? ["everyone_else"]
    : problem === null
      ? ["no_problem"]
      : matched
        ? reading.departments
        : ["unmatched"]
  const message: Message = {
    what_we_do: clip(what),
    problem: clip(problem === null ? null : unstopped(problem)),
    consequence: null,
    proof: clip(proof),
    offer: clip(offer),
    question: clip(questionFor(readers))
  }
  return {
    message,
    missing: missingOf(message, reading, { matched, hasProof: material.proofs.length > 0, foreign: material.foreign })
  }
}

/** The selected proof about this problem, or a fact about the business; none rather than one about another topic. */
const proofFor = (
  material: Material,
  { departments, everyoneElse }: Reading,
  problem: string | null,
  what: string | null
): string | undefined => {
  const mechanism = what?.replace(material.description[0] ?? "", "") ?? null
  const isNear = ({ kind, text }: Proof) =>
    kind === "fact" ||
    sharedNouns(text, problem, material.industry) > 0 ||
    (sharedNouns(text, everyoneElse ? what : mechanism, material.industry) > 0 &&
      (everyoneElse || affinity(text, departments) > 0))
  const near = (pool: ReadonlyArray<Proof>, kind: Proof["kind"]) =>
    rankProofs(
      pool.filter((each) => each.kind === kind && isNear(each)),
      problem,
      departments
    )[0]?.text
  const { chosenProofs, proofs } = material
  // A client whose result was not selected is not named.
  const others = chosenProofs.length > 0 ? [] : proofs
  return near(chosenProofs, "case") ?? near(others, "case") ?? near(chosenProofs, "fact")
}

/** Material for the other parts of the emails. */
interface Known {
  readonly matched?: boolean
  readonly hasProof?: boolean
  readonly foreign?: boolean
}

/** Sentences that a person should add, the most useful first. */
export const missingOf = (
  message: Message,
  { everyoneElse, name }: Reading,
  { foreign = false, hasProof = false, matched = true }: Known
): Drafted["missing"] => {
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
      hasProof
        ? `None of your proofs is about this problem. Say in one sentence what a client of yours achieved there, with the number.`
        : "Say in one sentence what a client achieved with you, with the number. It makes the first email believable."
    ],
    [
      message.offer === null,
      "offer",
      "Name one small thing that you can offer before a meeting. It becomes the second email."
    ]
  ]
  const language = foreign ? " Write it in English: the emails are, so your text in another language is not used." : ""
  return notes.flatMap(([lacks, part, text]) => (lacks ? [{ part, message: `${text}${language}` }] : []))
}
