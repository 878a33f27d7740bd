// layers/generator/playbook/FrameSlots.ts: what a persona's emails can say: the slots of frames, filled from its message and the selling points.
import {
  endQuestion,
  isBuiltinQuestion,
  questionLiquid,
  questionFor,
  askAboutCompetitor,
  secondQuestion,
  addCounts
} from "#layers/generator/playbook/ClosingQuestions.ts"
import { sharedWordCount } from "#layers/generator/playbook/DepartmentVocabulary.ts"
import {
  capitalizeFirst,
  type Reader,
  type Slot,
  withFullStop,
  withoutFullStop
} from "#layers/generator/playbook/Frames.ts"
import { escapeLiquid } from "#layers/generator/playbook/LiquidTemplate.ts"
import { startsWithReference, openingShape, rankByRelevance } from "#layers/generator/playbook/PersonaMessage.ts"
import type { SellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import {
  questionTopic,
  productTopic,
  problemSubject,
  firstClause,
  isUnnamedResult,
  rankTopics,
  wholeProblem,
  saysChange,
  startsWithClient
} from "#layers/generator/playbook/SubjectTopics.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { splitSentences, type Shape, classifyShape, startsWithVerb, countWords } from "#layers/text/Sentences.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import type { Message } from "#schema/Playbook.ts"

export type SlotMap = Map<string, Slot>

/** How a client's result says whose it is; a fact about the sender is no result. */
const clientOf = (text: string, kind: string | undefined): Pick<Slot, "client"> => {
  if (startsWithClient(text)) return { client: saysChange(text) ? "named" : "work" }
  return kind !== "fact" && isUnnamedResult(text) ? { client: "unnamed" } : {}
}

export const putSlot = (
  slots: SlotMap,
  name: string,
  text: string | null | undefined,
  { kind, shape }: { readonly kind?: string; readonly shape?: Shape } = {}
) => {
  if (text !== null && text !== undefined && text.trim() !== "")
    slots.set(name, {
      text: text.trim().replace(/\s+/g, " "),
      shape: shape ?? classifyShape(text),
      ...(kind === undefined ? {} : { kind }),
      ...clientOf(text, kind)
    })
}

export const putLines = (slots: SlotMap, name: string, lines: ReadonlyArray<string>) => {
  if (lines.length > 0)
    slots.set(name, {
      text: lines.map((each) => escapeLiquid(withFullStop(capitalizeFirst(each)))).join("\n"),
      shape: "fragment",
      ready: true
    })
}

/** Names of products are points without a full stop, not sentences. */
export const putNames = (slots: SlotMap, name: string, names: ReadonlyArray<string>) => {
  const text = names.map((each) => `- ${escapeLiquid(withoutFullStop(capitalizeFirst(each)))}`).join("\n")
  slots.set(name, { text, shape: "fragment", ready: true })
}

export const comparableText = (text: string): string => withoutFullStop(text).toLowerCase().replace(/\s+/g, " ")

/** Facts that the persona's emails have already stated, so that no two emails repeat one. */
export class StatedFacts {
  #bodies = ""
  readonly #figures = new Set<string>()
  add(body: string) {
    for (const figure of numbersIn(body)) this.#figures.add(figure)
    this.#bodies += `\n${body.toLowerCase().replace(/\s+/g, " ")}`
  }
  has(text: string): boolean {
    return (
      this.#bodies.includes(comparableText(escapeLiquid(text))) ||
      splitSentences(text).some((each) => this.#bodies.includes(comparableText(escapeLiquid(each)))) ||
      this.#hasFigures(text)
    )
  }
  /** A result in a person's own words is the same result if it has the same figures. */
  #hasFigures(text: string): boolean {
    const figures = numbersIn(text)
    return figures.length >= 2 && figures.every((figure) => this.#figures.has(figure))
  }
}

export interface DraftInput {
  readonly material: SellingPoints
  readonly message: Message
  readonly departments: ReadonlyArray<Department>
  readonly titles: ReadonlyArray<string>
  readonly reader: Reader
  /** Phrases that none of the emails may contain. */
  readonly forbidden: ReadonlyArray<string>
  /** Index of the persona, so that colleagues get different wordings. */
  readonly rotation: number
}

/**
 * The department whose question the first email asks. A question that assumes a colleague owns the problem is kept for an
 * unmatched problem.
 */
const questionAudiences = ({ departments, message, reader }: DraftInput): ReadonlyArray<string> => {
  if (message.problem === null) return ["no_problem"]
  if (reader === "everyone_else") return ["everyone_else"]
  const genericAudience = ["unmatched", "fragment", "default"].find((kind) => message.question === questionFor([kind]))
  return genericAudience === undefined ? departments : [genericAudience]
}

/** Whether the description already states the promise: word for word, or as a part of it in a person's words. */
const repeatsPromise = (whatWeDo: string, promise: string, { description }: SellingPoints): boolean => {
  if (whatWeDo.toLowerCase().includes(comparableText(promise))) return true
  const figures = numbersIn(promise)
  const numbers = numbersIn(whatWeDo)
  // In a person's own words, the same figures about the same things.
  if (
    figures.length > 0 &&
    figures.every((figure) => numbers.includes(figure)) &&
    sharedWordCount(promise, whatWeDo) > 1
  )
    return true
  const isDrafted = description.some((sentence) => whatWeDo.includes(sentence))
  return whatWeDo !== "" && !isDrafted && description.some((sentence) => promise.includes(sentence))
}

/** A person's question as a line of its own, with a capital letter and a question mark. */
const formatQuestion = (question: string): string => {
  const line = capitalizeFirst(question.trim())
  return /[.?!\u2026]["'\u201d\u2019)]*$/.test(line) ? line : `${line}?`
}

const isTypedByUser = (text: string, drafted: ReadonlyArray<string>): boolean =>
  !drafted.some((each) => comparableText(each) === comparableText(text))

/**
 * A part that a person typed with a capital letter and a full stop counts as a sentence, even if the library reads it as a
 * fragment.
 */
export const typedShape = (text: string | null, drafted: ReadonlyArray<string>): Shape => {
  if (text === null) return "fragment"
  return isTypedByUser(text, drafted) &&
    countWords(text) > 3 &&
    /^["'\u201c\u2018]?[\p{Lu}\p{N}].*[.!]["'\u201d\u2019)]*$/su.test(text.trim())
    ? "sentence"
    : classifyShape(text)
}

/** A problem can open an email if a person typed it as a sentence, or if it is about companies in general. */
const problemShape = (problem: string, drafted: ReadonlyArray<string>) =>
  isTypedByUser(problem, drafted)
    ? { kind: "typed", shape: typedShape(problem, drafted) }
    : { kind: "drafted", shape: openingShape(problem) }

/** How a frame can introduce a promise: as something the reader gets, as a line of its own, or not at all. */
const classifyPromise = (promise: string) => {
  if (classifyShape(promise) !== "fragment") return "statement"
  if (/^(?:we|our|you|your)\b/i.test(promise)) return "ours"
  return startsWithVerb(promise) ? "statement" : "thing"
}

/** Longest difference beside the description, in words. */
const maxDifference = 24

/** What the sender does differently about this problem, by a noun in both, unless the description or a proof says it. */
const differenceFor = ({ material, message }: DraftInput): string | undefined => {
  const statedText = comparableText([message.what_we_do, message.proof].join(" "))
  const trade = [material.industry, ...material.description].join(" ")
  const promises = material.promises.map(comparableText)
  return material.differences.find(
    (text) =>
      countWords(text) > 3 &&
      countWords(text) <= maxDifference &&
      !startsWithReference.test(text) &&
      !statedText.includes(comparableText(text)) &&
      // The promise is said beside it.
      !promises.some((promise) => promise.includes(comparableText(text))) &&
      sharedWordCount(text, message.problem ?? "", trade) > 0 &&
      // "Reads the feed every night" lacks its subject. Last, because it parses the text.
      !(/^\p{L}+s\b/u.test(text) && startsWithVerb(text))
  )
}

export const commonSlots = (input: DraftInput): SlotMap => {
  const { departments, material, message } = input
  const slots: SlotMap = new Map()
  const problem = message.problem
  putSlot(slots, "sender", material.sender)
  // The only thing that a first email can say where no sentence of the profile is English.
  putSlot(
    slots,
    "sender_place",
    material.town === null ? material.sender : material.sender && `${material.sender} in ${material.town}`
  )
  putSlot(slots, "meeting", material.meeting)
  putSlot(slots, "website", material.website)
  putSlot(slots, "what", message.what_we_do)
  putSlot(slots, "problem", problem, problemShape(problem ?? "", material.problems))
  putSlot(slots, "problem_short", problem === null ? null : wholeProblem(problem))
  putSlot(slots, "problem_start", problem === null ? null : firstClause(problem))
  putSlot(slots, "problem_subject", problem === null ? null : problemSubject(problem))
  putSlot(slots, "consequence", message.consequence, { shape: typedShape(message.consequence, []) })
  const proofKind = material.proofs.find(({ text }) => text === message.proof)?.kind ?? "case"
  const proofs = material.proofs.map(({ text }) => text)
  const difference = differenceFor(input)
  putSlot(slots, "proof", message.proof, { kind: proofKind, shape: typedShape(message.proof, proofs) })
  putSlot(slots, "what_topic", message.what_we_do === null ? null : productTopic(message.what_we_do, material.sender))
  const markers = material.proofs.filter((each) => each.kind === "fact").map(({ text }) => text)
  putSlot(
    slots,
    "fact",
    proofKind === "fact" && message.proof !== null ? message.proof : rankByRelevance(markers, departments, problem)[0]
  )
  const audiences = questionAudiences(input)
  const question = message.question === null ? questionFor(audiences) : formatQuestion(message.question)
  const kind = message.question === null || isBuiltinQuestion(question) ? "drafted" : "own"
  const everyoneElse = input.reader === "everyone_else"
  const addLeadCounts = (text: string) => (kind === "own" || everyoneElse ? text : addCounts(text, material.countNouns))
  const addCompetitor = (text: string) =>
    kind === "own" || problem === null
      ? addLeadCounts(text)
      : askAboutCompetitor(addLeadCounts(text), everyoneElse ? "competitor_everyone_else" : "competitor")
  slots.set("question", { text: addCompetitor(questionLiquid(question)), shape: "question", kind, ready: true })
  const ownQuestion = message.question !== null && !isBuiltinQuestion(message.question) ? question : null
  if (ownQuestion !== null && countWords(ownQuestion) <= 7 && ownQuestion.length <= 45)
    slots.set("question_short", { text: ownQuestion, shape: "question" })
  putSlot(slots, "question_thing", ownQuestion === null ? null : questionTopic(ownQuestion))
  const [mainTopic, otherTopic] = rankTopics({
    problem,
    question: ownQuestion,
    proof: message.proof,
    description: message.what_we_do
  })
  putSlot(slots, "main_topic", mainTopic)
  putSlot(slots, "other_topic", otherTopic)
  const second = secondQuestion(question, audiences, input.rotation)
  slots.set("second_question", { text: addCompetitor(second), shape: "question", ready: true })
  const end = kind === "own" ? questionLiquid(question) : addLeadCounts(endQuestion(input.rotation))
  slots.set("end_question", { text: end, shape: "question", ready: true })
  putSlot(slots, "difference", difference)
  const promise = rankByRelevance(material.promises, departments, problem)[0]
  if (promise !== undefined && !repeatsPromise(message.what_we_do ?? "", promise, material))
    putSlot(slots, "promise", promise, { kind: classifyPromise(promise) })
  return slots
}
