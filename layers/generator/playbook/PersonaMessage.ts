// layers/generator/playbook/PersonaMessage.ts: selects the six sentences of a persona's message from the user's own
// text.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { lowerIfCommon, withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import { historyStart, type SellingPoints, type Proof } from "#layers/generator/playbook/SellingPoints.ts"
import { isBuiltinQuestion, questionFor } from "#layers/generator/playbook/ClosingQuestions.ts"
import {
  departmentWordCount,
  countStemsIn,
  relatedDepartments,
  specificTitleWords,
  sharedWordCount
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import { type Department, departments as allDepartments } from "#layers/generator/routing/Departments.ts"
import { lacksArticle, nounStems } from "#layers/text/NounPhrases.ts"
import { type Shape, classifyShape, isAboutPast, startsWithSureVerb, countWords } from "#layers/text/Sentences.ts"
import { removeParentheses } from "#layers/text/Words.ts"
import type { Message, MessagePart } from "#schema/Playbook.ts"

/** Longest description in a first email, in words. */
const maxDescriptionWords = 46
/** Longest promise beside the description, in words. */
const maxPromiseWords = 20

/** Longest fragment that can only be a count of people, vans or years: "9 vans, 23 staff, no subbies ever." */
const maxCountFragmentWords = 10

/** Whether a description needs no name before it: "We clean ...", "Northwind services ...". */
const startsWithSubject = (text: string, sender: string): boolean => {
  if (/^(?:since \d{4},? )?(?:we|our|i|my)\b/i.test(text) || text.toLowerCase().includes(sender.toLowerCase()))
    return true
  // "Hallam & Pryce is ..." names Hallam & Pryce Insurance Brokers.
  const names = sender.split(" ")
  const words = text.split(" ")
  const firstMismatch = names.findIndex((word, index) => word.toLowerCase() !== words[index]?.toLowerCase())
  return names.slice(0, firstMismatch).join("").length > 2 && /^\p{Ll}/u.test(words[firstMismatch] ?? "")
}

/** Matches a sentence that begins by referring to the one before, and is unclear alone. */
export const dependsOnContext =
  /^(?:it|its|they|their|this|these|those|that|then|also|so|but|and|both|he|she|here|there|instead|afterwards?|later|finally)\b/i

/** "Agency sends it to a student", "Sending it away takes weeks": what "it" is stands in the sentence before. */
export const startsWithReference = /^(?:[\p{L}'’-]+ ){0,2}(?:it|them|they|then)\b/iu

/** The number of nouns in both texts; a noun of the trade itself does not count. */
export const sharedNounCount = (text: string, otherText: string | null, trade: string | null): number => {
  const sharedNouns = nounStems(removeParentheses(text)).intersection(nounStems(removeParentheses(otherText ?? "")))
  return sharedNouns.size > 1 ? sharedNouns.size : sharedNouns.difference(nounStems((trade ?? "").toLowerCase())).size
}

/** How the product solves this problem: the nearest sentence, or the next one, and one more if there is space. */
const explanationFor = (
  sentences: ReadonlyArray<string>,
  context: {
    readonly start: string
    readonly promise: string | undefined
    readonly problem: string | null
    readonly departments: ReadonlyArray<Department>
    readonly firstProblem: string | null
    readonly maxWords: number
  }
): ReadonlyArray<string> => {
  const { departments, problem, start, promise } = context
  const isNotes = classifyShape(start) === "fragment"
  const score = (text: string) =>
    2 * departmentWordCount(text, departments) +
    (problem === null
      ? 0
      : 2 * sharedNounCount(text, problem, context.firstProblem) + Math.min(1, sharedWordCount(text, problem)))
  const canFollow = (text: string, index: number) =>
    countWords(text) <= context.maxWords &&
    countWords(text) > 3 &&
    !historyStart.test(text) &&
    // A fragment, or a sentence that refers to the one before, can only follow that sentence. After a whole sentence, a
    // short fragment that has nothing to do with the reader only counts the sender's people and vans.
    (classifyShape(text) === "sentence"
      ? index === 0 || !dependsOnContext.test(text)
      : index === 0 && (isNotes || countWords(text) > maxCountFragmentWords || score(text) > 0)) &&
    !start.includes(text) &&
    (promise === undefined || !promise.includes(text))
  const [best] = sentences
    .map((text, index) => ({ text, index, score: score(text) }))
    .filter(({ index, text }) => canFollow(text, index))
    .toSorted((a, b) => b.score - a.score)
  if (best === undefined) return []
  const next = sentences[best.index + 1]
  return next !== undefined &&
    countWords(next) > 3 &&
    countWords(best.text) + countWords(next) <= context.maxWords &&
    (isNotes ? best.index === 0 : classifyShape(next) === "sentence") &&
    !historyStart.test(next)
    ? [best.text, next]
    : [best.text]
}

/** Names of products and trades are no sentences, so they follow a colon. */
const productsAndTrades = ({ industry, products, sender }: SellingPoints): string | null => {
  const list = products.filter((text) => countWords(text) <= 12).slice(0, 3)
  const offerText =
    list.length > 0 ? `What we offer: ${list.map(withoutFullStop).join("; ")}.` : industry && `Our field: ${industry}.`
  return offerText === null ? null : sender === null ? offerText : `We're ${sender}. ${offerText}`
}

/** The sender's name before its products or trades: "Oak: gutters and roofs"; `texts` are others of the user. */
const addSenderName = (start: string, sender: string | null, texts: ReadonlyArray<string>): string => {
  // "UKAS accredited lab for torque wrenches" has no verb, whatever the library reads.
  const isSentence = classifyShape(start) === "sentence" && !lacksArticle(start)
  if (sender === null) return start
  // "Oak Ltd - gutters and roofs" has a name and no verb.
  const isTitle =
    !isSentence && start.startsWith(sender) && /^(?:,? \p{Lu}[\p{L}.]*)? [-–—] /u.test(start.slice(sender.length))
  if (startsWithSubject(start, sender)) return isTitle ? `We're ${start}` : start
  // "fix rubber surfaces" is what they do, not what they are.
  if (!isSentence && startsWithSureVerb(start)) return `At ${sender}, we ${start}`
  return isSentence ? `We're ${sender}. ${start}` : `We're ${sender}: ${lowerIfCommon(start, texts)}`
}

/** What is sold, with the sentence of the description nearest to the reader's problem if there is space for it. */
const productDescription = (
  material: SellingPoints,
  problem: string | null,
  departments: ReadonlyArray<Department>
): string | null => {
  const { description, industry, promises, sender } = material
  const [firstSentence, ...otherSentences] = description
  if (firstSentence === undefined) return productsAndTrades(material)
  const promise = rankByRelevance(promises, departments, problem)[0]
  // A promise that contains the description replaces it.
  const start =
    promise?.includes(firstSentence) === true
      ? promise
      : promise !== undefined && otherSentences.includes(promise)
        ? `${firstSentence} ${promise}`
        : firstSentence
  const namedStart = addSenderName(start, sender, [...description, ...material.problems, ...material.facts])
  // A stranger needs to read how it works, so only a long promise may take its words.
  const excessWords =
    promise === undefined || start.includes(promise) ? 0 : Math.max(0, countWords(promise) - maxPromiseWords)
  const maxWords = maxDescriptionWords - countWords(namedStart) - excessWords
  return [
    namedStart,
    ...explanationFor(otherSentences, { start, promise, problem, departments, firstProblem: industry, maxWords })
  ]
    .map((text, index, all) => (index === all.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ")
}

/** Matches reports of a failed job. The user may mention one, but no email starts with it. */
export const failurePattern = /\b(?:(?:did not|didn['’]t|does not|doesn['’]t) work|failed)\b/i

/** Highest score first. Scores each item once, because scoring reads all of its words. */
const sortByScore = <A>(items: ReadonlyArray<A>, score: (item: A) => number): ReadonlyArray<A> =>
  items
    .map((item) => ({ item, points: score(item) }))
    .toSorted((a, b) => b.points - a.points)
    .map(({ item }) => item)

/** The proof nearest to the reader and the problem; prefers sentences to fragments, and cases to facts. */
export const rankProofs = (
  proofs: ReadonlyArray<Proof>,
  problem: string | null,
  departments: ReadonlyArray<Department>,
  titles: ReadonlyArray<string> = []
): ReadonlyArray<Proof> => {
  const titleWords = specificTitleWords(titles)
  const score = ({ kind, text }: Proof) =>
    6 * countStemsIn(titleWords, text) +
    2 * departmentWordCount(text, departments) +
    2 * (problem === null ? 0 : sharedWordCount(text, problem)) +
    (kind === "case" ? 3 : 0) -
    (failurePattern.test(text) ? 9 : 0) +
    (classifyShape(text) === "sentence" ? 3 : 0)
  return sortByScore(proofs, score)
}

export const rankByRelevance = (
  texts: ReadonlyArray<string>,
  departments: ReadonlyArray<Department>,
  problem: string | null = null
): ReadonlyArray<string> => {
  const score = (text: string) =>
    2 * departmentWordCount(text, departments) + (problem === null ? 0 : sharedWordCount(text, problem))
  return sortByScore(texts, score)
}

/** Starts of statements about a single company, such as "The room cannot be closed". A stranger reads them as news or as a guess. */
const singleCaseStart = /^(?:the|our|nobody|no one|everybody|everyone)\b|^an? .*?\b(?:has|have|had|was|were)\b/i

/** "EHO visit and the folder is from last term": a thing without a verb before "and", and a clause after it. */
const isNoteAndClause = (problem: string): boolean => {
  const [, note, clause] = /^((?:[^\s,]+ ){0,2}[^\s,]+) and ((?:the|an?|its|their|your|our)\b.*)$/.exec(problem) ?? []
  return (
    note !== undefined &&
    clause !== undefined &&
    classifyShape(note) === "fragment" &&
    classifyShape(clause) === "sentence"
  )
}

/**
 * The shape of a drafted problem at the start of an email: a statement about a single company counts as a fragment, and so
 * does a note without articles: "Agency sends it to a student."
 */
export const openingShape = cacheByText((problem): Shape =>
  singleCaseStart.test(problem) || lacksArticle(problem) || isNoteAndClause(problem) || isAboutPast(problem)
    ? "fragment"
    : classifyShape(problem)
)

export interface PersonaContext {
  readonly departments: ReadonlyArray<Department>
  readonly titles: ReadonlyArray<string>
  readonly everyoneElse: boolean
  /** The name of the readers in a note to the user. */
  readonly name: string
}

interface RankedProblem {
  readonly text: string
  /** Zero if no word ties the problem to the readers' work. */
  readonly relevance: number
  readonly score: number
}

/** The user's problems, the nearest to the readers' work first. */
const rankProblems = (
  material: SellingPoints,
  { departments, everyoneElse, titles }: PersonaContext,
  used: ReadonlySet<string>
): ReadonlyArray<RankedProblem> => {
  // Everyone else can be of any department.
  const matchedDepartments = everyoneElse ? allDepartments : departments
  const related = everyoneElse ? [] : relatedDepartments(departments)
  const titleWords = specificTitleWords(titles)
  const proofs = material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs
  const cases = proofs.filter(({ kind }) => kind === "case").map(({ text }) => text)
  return material.problems
    .map((text) => {
      const relevance =
        2 * departmentWordCount(text, matchedDepartments) +
        Math.min(1, departmentWordCount(text, related)) +
        6 * countStemsIn(titleWords, text)
      const isProven = cases.some((each) => sharedNounCount(each, text, material.industry) > 0)
      // A problem that a client's result proves comes first, and a sentence reads better than a fragment.
      const shapeBonus = openingShape(text) === "sentence" ? 2 : 0
      const referencePenalty = startsWithReference.test(text) ? 6 : 0
      // A problem that fits no persona better than another is left to the first persona that has it.
      const usedPenalty = used.has(text) ? (relevance > 0 ? 2 : 4) : 0
      return { text, relevance, score: relevance - usedPenalty - referencePenalty + shapeBonus + (isProven ? 3 : 0) }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** The problem for a reader, and whether the two are related; if none is related, the user's first problem. */
const problemFor = (material: SellingPoints, personaContext: PersonaContext, used: ReadonlySet<string>) => {
  const firstProblem = material.problems[0] ?? null
  if (personaContext.everyoneElse) return { problem: firstProblem, matched: true }
  const ranked = rankProblems(material, personaContext, used)
  const best = ranked.find(({ relevance }) => relevance > 0)
  if (best !== undefined) return { problem: best.text, matched: true }
  // The head of a business has all of its problems. Other roles get one that no role before them has.
  return {
    problem: ranked[0]?.text ?? null,
    matched: personaContext.departments.includes("leadership") && firstProblem !== null
  }
}

/** Only a cost has a number that a finance director could name. */
const aboutMoneyPattern =
  /\d|[$\u20ac\u00a3]|\b(?:budgets?|cash|costs?|fees?|invoices|margins?|money|overtime|prices?|revenue|spend|write-offs?)\b/i

export interface DraftedMessage {
  /** Whether the problem is known to be these readers'. */
  readonly matched: boolean
  readonly message: Message
  readonly missing: ReadonlyArray<{ readonly part: MessagePart; readonly message: string }>
}

const clipField = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.length > 2000 ? null : text

/** The readers whose question fits a problem. */
const questionReaders = (
  { departments, everyoneElse }: PersonaContext,
  problem: string | null,
  matched: boolean
): ReadonlyArray<string> => {
  if (problem === null) return ["no_problem"]
  if (everyoneElse) return ["everyone_else"]
  if (!matched) return ["unmatched"]
  if (openingShape(problem) === "fragment") return ["fragment"]
  return departments.includes("finance") && !aboutMoneyPattern.test(problem) ? ["default"] : departments
}

/** The parts of a message that depend on its problem. */
const problemParts = (
  material: SellingPoints,
  personaContext: PersonaContext,
  basis: { readonly problem: string | null; readonly matched: boolean; readonly description: string | null }
): Pick<Message, "problem" | "proof" | "question"> => ({
  problem: clipField(basis.problem === null ? null : withoutFullStop(basis.problem)),
  proof: clipField(chooseProof(material, personaContext, basis.problem, basis.description)),
  question: clipField(questionFor(questionReaders(personaContext, basis.problem, basis.matched)))
})

/**
 * The message with each of the user's other problems in turn, the nearest to the readers first. None if a person wrote the
 * problem or the question, because then each email has that one.
 */
export const otherMessages = (
  material: SellingPoints,
  personaContext: PersonaContext,
  message: Message
): ReadonlyArray<Message> => {
  const isMain = (text: string) => withoutFullStop(text) === message.problem
  if (!material.problems.some(isMain) || message.question === null || !isBuiltinQuestion(message.question)) return []
  // Lead columns often mention buying triggers, so problems that share words with the triggers rank higher.
  const triggers = material.moments.join("\n")
  const score = ({ score: problemScore, text }: RankedProblem) =>
    problemScore + 3 * sharedWordCount(text, triggers, material.industry ?? "")
  return rankProblems(material, personaContext, new Set())
    .toSorted((a, b) => score(b) - score(a))
    .filter(({ text }) => !isMain(text) && !startsWithReference.test(text) && countWords(text) > 1)
    .map(({ text, relevance }) => ({
      ...message,
      ...problemParts(material, personaContext, {
        problem: text,
        matched: relevance > 0,
        description: message.what_we_do
      }),
      consequence: null
    }))
    .flatMap((other) => {
      // The later emails, which all leads get, have a selected result unless each first email has one.
      if (message.proof === null) return [{ ...other, proof: null }]
      return other.proof === null ? [] : [other]
    })
}

export const draftMessage = (
  material: SellingPoints,
  personaContext: PersonaContext,
  used: ReadonlySet<string>
): DraftedMessage => {
  const { matched, problem } = problemFor(material, personaContext, used)
  const description = productDescription(material, problem, personaContext.departments)
  const offer = rankByRelevance(material.offers, personaContext.departments, problem)[0] ?? material.guarantees[0]
  const message: Message = {
    what_we_do: clipField(description),
    ...problemParts(material, personaContext, { problem, matched, description }),
    consequence: null,
    offer: clipField(offer)
  }
  return {
    matched: matched && problem !== null,
    message,
    missing: missingSentences(message, personaContext, {
      matched,
      hasProof: material.proofs.length > 0,
      foreign: material.hasForeignText
    })
  }
}

/** The selected proof about this problem or about what is sold, or a fact about the business; none rather than one about another topic. */
const chooseProof = (
  material: SellingPoints,
  { departments, everyoneElse, titles }: PersonaContext,
  problem: string | null,
  description: string | null
): string | undefined => {
  const titleWords = specificTitleWords(titles)
  const mechanism = description?.replace(material.description[0] ?? "", "") ?? null
  const descriptionText = [description, ...material.description].join("\n")
  const isRelevant = ({ kind, text }: Proof) =>
    kind === "fact" ||
    countStemsIn(titleWords, text) > 0 ||
    sharedNounCount(text, problem, material.industry) > 0 ||
    (problem !== null && sharedWordCount(text, problem) > 1) ||
    sharedNounCount(text, descriptionText, material.industry) > 1 ||
    (sharedNounCount(text, everyoneElse ? description : mechanism, material.industry) > 0 &&
      (everyoneElse || departmentWordCount(text, departments) > 0))
  const bestProof = (candidates: ReadonlyArray<Proof>, kind: Proof["kind"]) =>
    rankProofs(
      candidates.filter((each) => each.kind === kind && isRelevant(each) && description?.includes(each.text) !== true),
      problem,
      departments,
      titles
    )[0]?.text
  const { chosenProofs, proofs } = material
  // A client whose result was not selected is not named.
  const otherProofs = chosenProofs.length > 0 ? [] : proofs
  return bestProof(chosenProofs, "case") ?? bestProof(otherProofs, "case") ?? bestProof(chosenProofs, "fact")
}

/** What to change in a problem, so that the first email can begin with it. A statement about one company may be a whole sentence. */
const openingAdvice = (problem: string): string =>
  classifyShape(problem) === "fragment" || lacksArticle(problem)
    ? `Write the problem “${problem}” as a whole sentence, as your readers would say it: the first email can then begin with it.`
    : `Say the problem “${problem}” of companies in general, such as in the plural: the first email can then begin with it.`

/** Material for the other parts of the emails. */
interface MessageContext {
  readonly matched?: boolean
  readonly hasProof?: boolean
  readonly foreign?: boolean
}

/** Sentences that a person should add, the most useful first. */
export const missingSentences = (
  message: Message,
  { everyoneElse, name }: PersonaContext,
  { foreign = false, hasProof = false, matched = true }: MessageContext
): DraftedMessage["missing"] => {
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
      message.what_we_do !== null && classifyShape(message.what_we_do) === "fragment",
      "what_we_do",
      `Say in a whole sentence what you sell, and to whom: “${message.what_we_do}” reads like a note.`
    ],
    [
      message.problem === null || !matched,
      "problem",
      `Say in one sentence which problem your product solves for ${readers}. Their first email asks about it.`
    ],
    [
      message.problem !== null && matched && openingShape(message.problem) === "fragment",
      "problem",
      openingAdvice(message.problem ?? "")
    ],
    [
      // Without a problem no proof can be about it.
      message.proof === null && !(hasProof && message.problem === null),
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
  return notes.flatMap(([isMissing, part, text]) => (isMissing ? [{ part, message: `${text}${language}` }] : []))
}
