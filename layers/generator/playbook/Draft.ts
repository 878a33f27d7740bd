// layers/generator/playbook/Draft.ts: drafts a playbook without a model: personas, their messages and their emails.
import { saysForbidden } from "#layers/generator/checker/Wording.ts"
import type { Campaign } from "#layers/generator/Brief.ts"
import type { DraftedPersona, DraftedTemplate, PersonaOutline } from "#layers/generator/playbook/Book.ts"
import {
  capitalized,
  type Email,
  fill,
  frames,
  type Reader,
  type Slot,
  stopped,
  unstopped
} from "#layers/generator/playbook/Frames.ts"
import { withoutForbidden, type Material, materialOf } from "#layers/generator/playbook/Material.ts"
import {
  openingShape,
  sharedNouns,
  messageFor,
  missingOf,
  nearest,
  rankProofs
} from "#layers/generator/playbook/Message.ts"
import { departmentsOf, groupsOf, nameOf } from "#layers/generator/playbook/Personas.ts"
import { isDrafted, liquidOf, questionFor, secondOf } from "#layers/generator/playbook/Questions.ts"
import { literal } from "#layers/generator/playbook/Template.ts"
import {
  questionTopic,
  offeredOf,
  resultOf,
  shortOf,
  soldOf,
  thingOf,
  topicOf,
  topicsAmong
} from "#layers/generator/playbook/Topics.ts"
import { affinity, shared } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { labelOf, sentencesOf, type Shape, shapeOf, startsWithVerb, words } from "#layers/text/Sentences.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { mapMessage, type Message, type MessagePart, messageParts } from "#schema/Playbook.ts"

type Draftable = Map<string, Slot>

const put = (
  slots: Draftable,
  name: string,
  text: string | null | undefined,
  { kind, shape }: { readonly kind?: string; readonly shape?: Shape } = {}
) => {
  if (text !== null && text !== undefined && text.trim() !== "")
    slots.set(name, {
      text: text.trim().replace(/\s+/g, " "),
      shape: shape ?? shapeOf(text),
      ...(kind === undefined ? {} : { kind })
    })
}

const putLines = (slots: Draftable, name: string, lines: ReadonlyArray<string>) => {
  if (lines.length > 0)
    slots.set(name, {
      text: lines.map((each) => literal(stopped(capitalized(each)))).join("\n"),
      shape: "fragment",
      ready: true
    })
}

/** Names of products are points without a full stop, not sentences. */
const putNames = (slots: Draftable, name: string, names: ReadonlyArray<string>) => {
  const text = names.map((each) => `- ${literal(unstopped(capitalized(each)))}`).join("\n")
  slots.set(name, { text, shape: "fragment", ready: true })
}

const plain = (text: string): string => unstopped(text).toLowerCase().replace(/\s+/g, " ")

/** Facts that the persona's emails have already stated, so that no two emails repeat one. */
class Said {
  #bodies = ""
  readonly #figures = new Set<string>()
  add(body: string) {
    for (const figure of numbersIn(body)) this.#figures.add(figure)
    this.#bodies += `\n${body.toLowerCase().replace(/\s+/g, " ")}`
  }
  has(text: string): boolean {
    return (
      this.#bodies.includes(plain(literal(text))) ||
      sentencesOf(text).some((each) => this.#bodies.includes(plain(literal(each)))) ||
      this.#hasFigures(text)
    )
  }
  /** A result in a person's own words is the same result if it has the same figures. */
  #hasFigures(text: string): boolean {
    const figures = numbersIn(text)
    return figures.length >= 2 && figures.every((figure) => this.#figures.has(figure))
  }
}

interface Subject {
  readonly material: Material
  readonly message: Message
  readonly departments: ReadonlyArray<Department>
  readonly reader: Reader
  /** Phrases that none of the emails may contain. */
  readonly forbidden: ReadonlyArray<string>
  /** Index of the persona, so that colleagues get different wordings. */
  readonly turn: number
}

/**
 * The department whose question the first email asks. A question that assumes a colleague owns the problem is kept for an
 * unmatched problem.
 */
const askedOf = ({ departments, message, reader }: Subject): ReadonlyArray<string> => {
  if (reader === "everyone_else") return ["everyone_else"]
  if (message.problem === null) return ["no_problem"]
  return message.question === questionFor(["unmatched"]) ? ["unmatched"] : departments
}

/** Whether the description already states the promise: word for word, or as a part of it in a person's words. */
const repeats = (what: string, promise: string, { description }: Material): boolean => {
  if (what.toLowerCase().includes(plain(promise))) return true
  const figures = numbersIn(promise)
  const said = numbersIn(what)
  // In a person's own words, the same figures about the same things.
  if (figures.length > 0 && figures.every((figure) => said.includes(figure)) && shared(promise, what) > 1) return true
  const drafted = description.some((sentence) => what.includes(sentence))
  return what !== "" && !drafted && description.some((sentence) => promise.includes(sentence))
}

/** A person's question as a line of its own, with a capital letter and a question mark. */
const askingOf = (question: string): string => {
  const line = capitalized(question.trim())
  return /[.?!\u2026]["'\u201d\u2019)]*$/.test(line) ? line : `${line}?`
}

const isTyped = (text: string, drafted: ReadonlyArray<string>): boolean =>
  !drafted.some((each) => plain(each) === plain(text))

/**
 * A part that a person typed with a capital letter and a full stop counts as a sentence, even if the library reads it as a
 * fragment.
 */
const typedShape = (text: string | null, drafted: ReadonlyArray<string>): Shape => {
  if (text === null) return "fragment"
  return isTyped(text, drafted) &&
    words(text) > 3 &&
    /^["'\u201c\u2018]?[\p{Lu}\p{N}].*[.!]["'\u201d\u2019)]*$/su.test(text.trim())
    ? "sentence"
    : shapeOf(text)
}

/** A problem can open an email if a person typed it as a sentence, or if it is about companies in general. */
const problemShape = (problem: string, drafted: ReadonlyArray<string>) =>
  isTyped(problem, drafted)
    ? { kind: "typed", shape: typedShape(problem, drafted) }
    : { kind: "drafted", shape: openingShape(problem) }

/** How a frame can introduce a promise: as something the reader gets, as a line of its own, or not at all. */
const promiseKind = (promise: string) => {
  if (shapeOf(promise) !== "fragment") return "statement"
  if (/^(?:we|our|you|your)\b/i.test(promise)) return "ours"
  return startsWithVerb(promise) ? "statement" : "thing"
}

const commonSlots = (subject: Subject): Draftable => {
  const { departments, material, message } = subject
  const slots: Draftable = new Map()
  const problem = message.problem
  put(slots, "sender", material.sender)
  put(slots, "what", message.what_we_do)
  put(slots, "problem", problem, problemShape(problem ?? "", material.problems))
  put(slots, "problem_short", problem === null ? null : shortOf(problem))
  put(slots, "problem_thing", problem === null ? null : thingOf(problem))
  put(slots, "consequence", message.consequence, { shape: typedShape(message.consequence, []) })
  const kind = material.proofs.find(({ text }) => text === message.proof)?.kind ?? "case"
  const proofs = material.proofs.map(({ text }) => text)
  put(slots, "proof", message.proof, { kind, shape: typedShape(message.proof, proofs) })
  put(slots, "proof_topic", message.proof === null ? null : resultOf(message.proof))
  put(slots, "what_topic", message.what_we_do === null ? null : soldOf(message.what_we_do, material.sender))
  put(slots, "industry", material.industry === null ? null : shortOf(material.industry, 3))
  const markers = material.proofs.filter((each) => each.kind === "fact").map(({ text }) => text)
  put(
    slots,
    "fact",
    kind === "fact" && message.proof !== null ? message.proof : nearest(markers, departments, problem)[0]
  )
  const asked = askedOf(subject)
  const question = message.question === null ? questionFor(asked) : askingOf(message.question)
  slots.set("question", { text: liquidOf(question), shape: "question", ready: true })
  const own = message.question !== null && !isDrafted(message.question) ? question : null
  if (own !== null && words(own) <= 7 && own.length <= 45) slots.set("question_short", { text: own, shape: "question" })
  put(slots, "question_thing", own === null ? null : questionTopic(own))
  const [main, other] = topicsAmong({ problem, question: own, proof: message.proof, what: message.what_we_do })
  put(slots, "main_topic", main)
  put(slots, "other_topic", other)
  const second = secondOf(question, asked, subject.turn)
  slots.set("second_question", { text: second, shape: "question", ready: true })
  const promise = nearest(material.promises, departments, problem)[0]
  if (promise !== undefined && !repeats(message.what_we_do ?? "", promise, material))
    put(slots, "promise", promise, { kind: promiseKind(promise) })
  return slots
}

/** A promise about money: a refund, or a fee that is waived. */
const costsUs =
  /\b(?:refund(?:ed|s)?|money back|free|no (?:fee|invoice|charge|cost|bill)|without (?:a fee|charge)|pay(?:s)? nothing|(?:don't|do not|not) (?:pay|bill|charge|invoice)|on us|at our (?:cost|expense)|we pay)\b/i

/** The offer, with the problem of the reader that it concerns. */
const putOffer = (slots: Draftable, { departments, material, message }: Subject, said: Said) => {
  const offer =
    message.offer !== null && !material.guarantees.includes(message.offer) ? message.offer : material.offers[0]
  if (offer !== undefined && !said.has(offer)) {
    put(slots, "offer", offer, { shape: typedShape(offer, material.offers) })
    put(slots, "offer_short", shortOf(offer))
    put(slots, "offer_topic", offeredOf(offer))
    const about = nearest(
      material.problems.filter((text) => !said.has(text)),
      departments,
      message.problem
    ).find(
      (text) =>
        shapeOf(text) === "sentence" &&
        affinity(text, departments) > 0 &&
        sharedNouns(text, offer, material.industry) > 0
    )
    put(slots, "offer_problem", about)
    const label = labelOf(offer)?.label
    if (label !== undefined && words(label) <= 5) put(slots, "offer_label", label)
  }
}

/** Starts of sentences about the work rather than the people: "We ...", "Each site ...", "A supervisor ...". */
const aboutSelling = /^(?:we|our|you|your|it|its|each|every|an?|the|all)\b/i

/** Facts for the closing email and the follow-ups that no earlier email has stated. */
const laterSlots = (subject: Subject, common: Draftable, said: Said): Draftable => {
  const { departments, material, message } = subject
  const slots = new Map(common)
  for (const name of ["what", "problem", "proof", "fact", "promise", "consequence", "question", "second_question"])
    slots.delete(name)
  const fresh = (texts: ReadonlyArray<string>) => texts.filter((text) => !said.has(text))
  const near = (texts: ReadonlyArray<string>) => nearest(fresh(texts), departments, message.problem)

  const guarantee = fresh(material.guarantees)[0]
  put(slots, "guarantee", guarantee, {
    kind: guarantee !== undefined && costsUs.test(guarantee) ? "money" : "promise"
  })
  // Selections appear in a sequence of any length: the last email has what the first one had no space for.
  const chosen = material.chosenProofs.some(({ text }) => said.has(text)) ? [] : material.chosenProofs
  const [best] = rankProofs(chosen, message.problem, departments)
  put(slots, "chosen_proof", best?.text, { kind: best?.kind ?? "case" })
  putOffer(slots, subject, said)
  // A client whose result was not selected is not named.
  const proofs = (material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs).filter(
    ({ kind }) => kind === "case"
  )
  const more = rankProofs(
    proofs.filter(({ text }) => !said.has(text)),
    message.problem,
    departments
  )[0]
  put(slots, "more_proof", more?.text)
  put(slots, "more_proof_topic", more === undefined ? null : resultOf(more.text))
  const close =
    more !== undefined &&
    affinity(more.text, departments) + (message.problem === null ? 0 : shared(more.text, message.problem)) > 0
  if (close) put(slots, "close_proof", more?.text)
  const objection = material.objections
    .filter(({ answer, objection }) => !said.has(objection) && !said.has(answer))
    .toSorted((a, b) => affinity(b.objection, departments) - affinity(a.objection, departments))[0]
  put(slots, "objection", objection?.objection)
  put(slots, "answer", objection?.answer)
  put(slots, "objection_short", objection === undefined ? null : shortOf(objection.objection, 6))
  put(
    slots,
    "how",
    fresh(material.description).find((text) => shapeOf(text) === "sentence" && aboutSelling.test(text))
  )
  const details = material.description.slice(1).filter((text) => shapeOf(text) === "fragment" && words(text) > 2)
  const facts = near([...material.facts, ...details]).filter((text) => words(text) >= 2 && words(text) <= 16)
  if (facts.length > 1) putLines(slots, "facts", facts.slice(0, 3))
  put(slots, "fact_short", shortOf(facts[0] ?? ""))
  // Two facts make an email of their own; taking one of them here would leave too few.
  if (facts.length !== 2) put(slots, "last_fact", facts[0])
  const problem = near(material.problems).find((text) => affinity(text, departments) > 0)
  put(slots, "more_problem", problem)
  put(slots, "more_problem_short", problem === undefined ? null : shortOf(problem))
  put(slots, "more_problem_topic", problem === undefined ? null : topicOf(problem))
  putLines(slots, "moments", fresh(material.moments).slice(0, 3))
  put(slots, "change", fresh(material.changes)[0])
  const products = fresh(material.products).slice(0, 4)
  // The email asks the reader which of them is closest.
  if (products.length > 1) putNames(slots, "products", products)
  return slots
}

interface Made {
  readonly id: string
  readonly email: Email
}

const isAllowed = ({ body, subject }: Email, forbidden: ReadonlyArray<string>): boolean =>
  !saysForbidden(`${subject}\n${body}`, forbidden)

/** The first frame that can be filled without a forbidden phrase and within the word limit. */
const first = (
  step: (step: number, id: string) => boolean,
  reader: Reader,
  slots: Draftable,
  { forbidden, taken, turn }: Pick<Subject, "forbidden" | "turn"> & { readonly taken: ReadonlySet<string> },
  most = Infinity
): Made | undefined => {
  for (const frame of frames) {
    if (!step(frame.step, frame.id) || !frame.readers.includes(reader)) continue
    const email = fill(frame, slots, taken, turn)
    if (email !== undefined && isAllowed(email, forbidden) && words(email.body) <= most) return { id: frame.id, email }
  }
  return undefined
}

/** First emails without a problem, used only when no other frame can be filled. */
const lastResorts = new Set(["first-plain", "first-unknown-desk"])

const templatesOf = (subject: Subject): ReadonlyArray<DraftedTemplate> => {
  const { forbidden, reader, turn } = subject
  const common = commonSlots(subject)
  const said = new Said()
  const subjects = new Set<string>()
  const state = { forbidden, taken: subjects, turn }
  const made: Array<DraftedTemplate> = []
  const ids = new Set<string>()
  const add = (step: number, variant: number, found: Made | undefined) => {
    if (found === undefined) return
    made.push({ step, variant, ...found.email })
    subjects.add(found.email.subject.toLowerCase())
    ids.add(found.id)
  }

  const openers = frames.filter((frame) => frame.step === 1 && frame.readers.includes(reader))
  for (const frame of openers) {
    const count = made.length
    if (count === 2 || (count === 1 && lastResorts.has(frame.id))) break
    if (ids.has("first-result") && frame.id === "first-mechanism") break
    // Each lead gets one of the variants, so two variants may share a subject.
    const email = fill(frame, common, new Set(), turn + count)
    if (email !== undefined && isAllowed(email, forbidden)) add(1, count + 1, { id: frame.id, email })
  }
  if (made.length === 0)
    add(
      1,
      1,
      first((step) => step === 3, reader, common, state)
    )
  for (const { body } of made) said.add(body)
  const longest = Math.min(...made.map(({ body }) => words(body)))

  const closing = first((step) => step === 4, reader, laterSlots(subject, common, said), state)
  if (closing !== undefined) said.add(closing.email.body)
  const plainFrame = (id: string) => id === "a-name" || id === "a-month"
  const later: Array<Made> = []
  for (const step of [2, 3]) {
    const slots = laterSlots(subject, common, said)
    const found =
      first((of, id) => (of === 2 || of === 3) && !ids.has(id) && !plainFrame(id), reader, slots, state, longest) ??
      first((of, id) => of === step && plainFrame(id), reader, slots, state)
    if (found === undefined) continue
    said.add(found.email.body)
    later.push(found)
    add(step, 1, found)
  }
  add(4, 1, closing)
  return made
}

const readerOf = (kind: PersonaOutline["kind"], departments: ReadonlyArray<Department>): Reader =>
  kind === "everyone_else" ? "everyone_else" : departments.includes("leadership") ? "owner" : "role"

/** Replaces message parts that contain a forbidden phrase with other parts from the profile. */
const replaceForbidden = (
  { kind, message, name, never_say = [] }: PersonaOutline,
  material: Material,
  departments: ReadonlyArray<Department>
): Message => {
  const says = (part: MessagePart) => saysForbidden(message[part] ?? "", never_say)
  if (!messageParts.some(says)) return message
  const other = messageFor(material, { departments, everyoneElse: kind === "everyone_else", name }, new Set()).message
  return mapMessage((part) => (says(part) ? other[part] : message[part]))
}

/** The emails of a persona whose message a person may have edited. */
export const draftPersona = (campaign: Campaign, outline: PersonaOutline): DraftedPersona => {
  const { never_say: forbidden = [], ...persona } = outline
  const departments = departmentsOf(outline.titles)
  const material = withoutForbidden(materialOf(campaign), forbidden)
  const names = groupsOf(campaign, material.problems).map(nameOf)
  const at = names.indexOf(outline.name)
  const subject = {
    material,
    turn: at === -1 ? names.length : at,
    message: replaceForbidden(outline, material, departments),
    departments,
    reader: readerOf(outline.kind, departments),
    forbidden
  }
  return {
    ...persona,
    templates: templatesOf(subject),
    missing: missingOf(
      outline.message,
      {
        departments,
        everyoneElse: outline.kind === "everyone_else",
        name: outline.name
      },
      { hasProof: material.proofs.length > 0, foreign: material.foreign }
    )
  }
}

/** The personas of a campaign with their emails; "Everyone else" is the last. */
export const draftPlaybook = (campaign: Campaign): ReadonlyArray<DraftedPersona> => {
  const material = materialOf(campaign)
  const taken = new Set<string>()
  const personas = groupsOf(campaign, material.problems).map((group) => {
    const name = nameOf(group)
    const { message, missing } = messageFor(
      material,
      { departments: group.departments, everyoneElse: false, name },
      taken
    )
    const problem = material.problems.find((text) => unstopped(text) === message.problem)
    if (problem !== undefined) taken.add(problem)
    return { ...draftPersona(campaign, { name, kind: "role", titles: group.titles, message }), missing }
  })
  const rest = { departments: [], everyoneElse: true, name: "Everyone else" }
  const { message, missing } = messageFor(material, rest, taken)
  const everyoneElse = draftPersona(campaign, { name: rest.name, kind: "everyone_else", titles: [], message })
  return [...personas, { ...everyoneElse, missing }]
}
