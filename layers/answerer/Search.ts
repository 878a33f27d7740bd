// layers/answerer/Search.ts: finds the lines that are nearest to a question, and the passages that they stand in.
import { nlp } from "#layers/text/Nlp.ts"
import type { Turn } from "#layers/answerer/Answer.ts"
import {
  countNameWords,
  type Entry,
  findJoinedWords,
  matchLines,
  type Index,
  findCountingLines,
  findPassageLines,
  correctSpelling
} from "#layers/answerer/Index.ts"
import { isTopic, kindsInQuestion } from "#layers/answerer/Kinds.ts"
import { comparisonKey, type Line, type Passage } from "#layers/answerer/Passages.ts"
import { lightNouns } from "#layers/answerer/Synonyms.ts"
import { contentWords, isFiller, questionTerms } from "#layers/answerer/Terms.ts"
import { findMissing, type MissingParts } from "#layers/answerer/Missing.ts"
import { selectAnswerLines, selectDisplayedLines } from "#layers/answerer/DisplayedLines.ts"
import { sum, type WeightedTerm, weightTerm } from "#layers/answerer/Weights.ts"
import { flatMapInTurns, type Turns } from "#layers/lib/Turns.ts"
import { headingTopic } from "#layers/research/extract/Labels.ts"

/*
 * Scoring: each word and each kind of answer (a price, a person) in the question has a weight that is larger the
 * fewer lines contain it. A line earns the weight of each word it contains, and less if the word occurs only in its
 * heading, the preceding sentence, the title, elsewhere in the passage, or as a synonym. The score is the earned
 * share of the total weight, multiplied by a factor for the text's source. MiniSearch's own score adds up to
 * 0.05, to order near ties. A passage ranks by its best line.
 */

/** A passage, its best line, the lines of it that match, and those that are shown; both in their order. */
export interface PassageMatch {
  readonly passage: Passage
  readonly best: Line
  readonly lines: ReadonlyArray<Line>
  readonly shownLines: ReadonlyArray<Line>
}

export interface SearchResults extends MissingParts {
  /** The nearest first. */
  readonly matches: ReadonlyArray<PassageMatch>
  /** Words of the question that name what is asked for; verbs and general nouns are left out. */
  readonly nouns: ReadonlyArray<string>
}

/** Weight of a verb or a general noun beside another noun, relative to 1. */
const verbWeight = 0.6
/** Weight of a match in another line of the same passage. */
const samePassageWeight = 0.35
/** Weight of a kind that only says what an answer looks like, such as a price. */
const valueKindWeight = 0.6
/** Factor for a passage without the rarest word of the question. */
const missingRarestFactor = 0.8
/** Weight of all words of earlier questions in a follow-up, divided by the number of the follow-up's own words. */
const earlierWeight = 0.6

const emailQuestion =
  /\b(?:e-?mails?|subjects?|sequences?|writ(?:e|ing)|templates?|personas?|playbook|tone|pitch|days?)\b/i
const otherPartyHeading = /fall short|look for help|troubles|put up with|problems|hesitate/i
/** Headings of notes on a document: its sources and what it lacks. */
const documentNoteHeading = /what it is made of|left out of|missing|questions that would|cannot say/i

/** Whether a question contains a name of the text, such as "CuentaFlow". */
const mentionsName = (questionWords: ReadonlyArray<string>, text: string) => {
  const names = new Set(text.match(/\p{Lu}[\p{L}\d-]{2,}/gu)?.map((name) => name.toLowerCase()))
  return questionWords.some((word) => names.has(word))
}

/** Questions for a price, which a list of prices answers, and no invoice or list of machines. */
const pricingQuestion = /\bhow much\b|\bwhat\b.*\b(?:costs?|prices?|charges?|fees?|pay)\b/i
const unrelatedListHeading = /\b(?:invoices?|rechnung\w*|factur\w*|plant list|inventory|asset)/i

/** A factor for each line by its source: instructions, texts about others and derived documents are less likely meant. */
const makeSourceFactor = (question: string, answerKinds: ReadonlyArray<string>) => {
  const asksEmails = emailQuestion.test(question)
  const asksSelections = /\b(?:chose|chosen?|choose|select(?:ed|ions?)?|pick(?:ed)?|ausgewählt|gewählt)\b/i.test(
    question
  )
  const questionWords = contentWords(question)
  const asksRivals = answerKinds.includes("@rivals")
  const asksLists = /\b(?:lists?|leads?|emails?|written|failed)\b/i.test(question)
  const asksOthers =
    /problem/i.test(question) || answerKinds.some((each) => /@(?:pains|objection|rivals|trigger)/.test(each))
  const bySource: Partial<Record<Passage["file"]["source"], number>> = {
    selections: asksSelections ? 2 : 0.8,
    lists: asksLists ? 1 : 0.5,
    document: 0.7
  }
  const asksPrice = answerKinds.includes("@money") && pricingQuestion.test(question)
  return ({ line: { text }, passage: { file, heading } }: Entry): number => {
    if ((text === "None chosen" && !asksSelections) || documentNoteHeading.test(heading)) return 0
    // The job titles of buyers are not those of the business.
    if (/^job titles|target audience/i.test(heading) && answerKinds.some((kind) => /@(?:story|place)/.test(kind)))
      return 0
    // What a rival did is no answer to what the business did.
    const isAboutRival = file.source === "imported" && headingTopic(heading) === "competitors"
    if (isAboutRival && !asksRivals && !mentionsName(questionWords, text)) return 0
    const isAboutWriting = file.source === "playbook" || file.filename === "Email instructions.md"
    const sourceFactor =
      (bySource[file.source] ?? 1) * (asksPrice && unrelatedListHeading.test(`${file.filename} ${heading}`) ? 0.7 : 1)
    const factor = isAboutWriting ? (asksEmails ? 1 : 0) : sourceFactor
    return !asksOthers && otherPartyHeading.test(heading) ? 0.8 * factor : factor
  }
}

const maxTerms = 40

interface ScoredLine {
  readonly id: number
  readonly score: number
}

/** Scores the lines that match a term of the question, best first. */
const scoreLines = function* (
  index: Index,
  words: ReadonlyArray<WeightedTerm>,
  earlierTerms: ReadonlyArray<WeightedTerm>,
  sourceFactor: (entry: Entry) => number
): Turns<ReadonlyArray<ScoredLine>> {
  const terms = [...words, ...earlierTerms]
  const questionWords = terms.map(({ word }) => word)
  const rarestTerm = words
    .filter(({ matches, word }) => matches.size > 0 && !word.startsWith("@"))
    .toSorted((a, b) => b.weight - a.weight)[0]
  const total = sum(words.map(({ weight }) => weight)) || sum(earlierTerms.map(({ weight }) => weight))
  const ids = new Set(terms.flatMap(({ matches }) => [...matches.keys()]))
  const scores = yield* flatMapInTurns(ids, (id) => {
    const entry = index.entries[id]
    if (entry === undefined) return []
    if (entry.passage.file.source === "lead" && countNameWords(index, entry.passage, questionWords) === 0) return []
    const weightShare = sum(
      terms.map(
        ({ bestByPassage, matches, weight }) =>
          weight * Math.max(matches.get(id)?.weight ?? 0, samePassageWeight * (bestByPassage.get(entry.passage) ?? 0))
      )
    )
    const bm25 = sum(terms.map(({ matches, weight }) => weight * (matches.get(id)?.score ?? 0)))
    const factor =
      sourceFactor(entry) *
      (rarestTerm === undefined || rarestTerm.bestByPassage.has(entry.passage) ? 1 : missingRarestFactor)
    return [{ id, part: (weightShare / total) * factor, bm25: bm25 * factor }]
  })
  const maxBm25 = Math.max(1e-9, ...scores.map(({ bm25 }) => bm25))
  return scores
    .map(({ bm25, id, part: weightShare }) => ({ id, score: weightShare + (0.05 * bm25) / maxBm25 }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
}

/** Groups lines by passage, best passage first. A passage whose best line was already shown is dropped. */
const selectNearestPassages = (index: Index, scores: ReadonlyArray<ScoredLine>, limit: number, minShare: number) => {
  const linesByPassage = new Map<Passage, Array<readonly [Line, number]>>()
  for (const { id, score } of scores) {
    const entry = index.entries[id]
    if (entry === undefined) continue
    const lines = linesByPassage.get(entry.passage)
    if (lines === undefined) linesByPassage.set(entry.passage, [[entry.line, score]])
    else lines.push([entry.line, score])
  }
  const seenKeys: Array<string> = []
  const passages: Array<PassageMatch> = []
  for (const [passage, lines] of linesByPassage) {
    if (passages.length === limit || (lines[0]?.[1] ?? 0) < minShare * (scores[0]?.score ?? 0)) break
    const [[best] = []] = lines
    const bestKey = comparisonKey(best?.text.replace(/^[^:]{1,30}: /, "") ?? "")
    if (best === undefined || seenKeys.some((each) => each.includes(bestKey))) continue
    const answer = selectAnswerLines(passage, lines)
    seenKeys.push(...answer.map(({ text }) => comparisonKey(text)))
    passages.push({ passage, best, lines: answer, shownLines: selectDisplayedLines(passage, answer, lines) })
  }
  return passages
}

/** A passage below this share of the best score is not shown. */
const minScoreShare = 0.2

/** Characters of a question that are read for verbs: 8,000 take longer than a turn may. */
const maxVerbText = 1000

/** The verbs and superlatives of a question, which count less than its nouns, because a text may use others. */
const verbsIn = (question: string): ReadonlySet<string> =>
  new Set(
    nlp(question.slice(0, maxVerbText).toLowerCase())
      .match("(#Verb|#Superlative)")
      .terms()
      .out("array")
      .flatMap(contentWords)
  )

/** The words behind "how many": "How many beds are there?" */
const countedNounPattern =
  /\b(?:how many|wie ?viele) (?:of )?(?:the |our |their |different )?([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?)/iu

/** The words of a question and of those that it follows, and the kinds of thing that it asks for, with their weights. */
const weighQuestion = function* (
  index: Index,
  question: string,
  previousQuestions: ReadonlyArray<string>,
  previousPassage: string | undefined
) {
  const questionKinds = kindsInQuestion(question)
  const occurs = (word: string) => questionTerms(word).some((term) => index.vocabulary.has(term))
  const verbs = verbsIn(question)
  const isLight = (word: string) => verbs.has(word) || lightNouns.has(word)
  const wordsWithoutName = contentWords(index.ownName === undefined ? question : question.replace(index.ownName, " "))
  const typedWords = new Map<string, string>()
  const correctWord = (word: string) => {
    const correctedWord = occurs(word) ? word : correctSpelling(index, word)
    typedWords.set(correctedWord, word)
    return correctedWord
  }
  const questionWords = wordsWithoutName.length + questionKinds.length === 0 ? contentWords(question) : wordsWithoutName
  const correctedWords = [...new Set([...questionWords, ...findJoinedWords(index, question)])]
    .slice(0, maxTerms)
    .map(correctWord)
  // "Cost" is also asked for by its kind, and no line needs to say it.
  const isMatchedByKind = (word: string) => !occurs(word) && kindsInQuestion(word).length > 0
  const words = correctedWords.filter((word) => !isMatchedByKind(word)).filter((word) => !isFiller(word))
  const earlierWords = [...new Set(previousQuestions.flatMap(contentWords))].filter((word) => !words.includes(word))
  const termOf = function* (word: string, weight: number, neighbours: ReadonlyArray<string> = []) {
    return weightTerm(index, yield* matchLines(index, word, neighbours), word, weight)
  }
  const neighboursOf = (index: number) =>
    [...words.slice(Math.max(0, index - 2), index + 3), ...earlierWords].filter((word) => /^\p{L}/u.test(word))
  const kinds = questionKinds.length > 0 ? questionKinds : previousQuestions.slice(0, 1).flatMap(kindsInQuestion)
  const countedWords = contentWords(countedNounPattern.exec(question)?.[1] ?? "")
  const wordTerms: Array<WeightedTerm> = []
  for (const [index, word] of words.entries())
    wordTerms.push(yield* termOf(word, isLight(word) ? verbWeight : 1, neighboursOf(index)))
  const kindTerms: Array<WeightedTerm> = []
  for (const kind of kinds)
    if (kind !== "@count" || countedWords.length === 0)
      kindTerms.push(yield* termOf(kind, isTopic(kind) ? 1 : valueKindWeight))
  if (countedWords.length > 0)
    kindTerms.push(weightTerm(index, yield* findCountingLines(index, countedWords), "@count", 1.5))
  const earlierTerms: Array<WeightedTerm> = []
  for (const word of earlierWords.slice(0, maxTerms))
    earlierTerms.push(yield* termOf(word, earlierWeight / Math.max(1, words.length)))
  if (previousPassage !== undefined)
    earlierTerms.push(weightTerm(index, findPassageLines(index, previousPassage), "@shown", earlierWeight))
  const nouns = wordTerms.filter(({ word }) => !isLight(word))
  return {
    wordTerms,
    typedWords,
    nouns: nouns.length === 0 ? wordTerms : nouns,
    kinds,
    kindTerms,
    earlierTerms,
    countedWords,
    wordsMatchedByKind: correctedWords.filter(isMatchedByKind)
  }
}

/** The passages nearest to a question, which may follow earlier ones; `previousPassage` is the passage that may name the person of a follow-up. */
export const searchPassages = function* (
  index: Index,
  question: string,
  previousQuestions: ReadonlyArray<string>,
  limit: number,
  minShare = minScoreShare,
  previousPassage?: string
): Turns<SearchResults> {
  const weighedQuestion = yield* weighQuestion(index, question, previousQuestions, previousPassage)
  const { earlierTerms, kindTerms, kinds, nouns, wordTerms } = weighedQuestion
  const sourceFactor = makeSourceFactor(question, kinds)
  const scores = yield* scoreLines(index, [...wordTerms, ...kindTerms], earlierTerms, sourceFactor)
  yield
  const passages = selectNearestPassages(index, scores, limit, minShare)
  yield
  return {
    matches: passages,
    nouns: nouns.map(({ word }) => word),
    ...findMissing(
      index,
      question,
      previousQuestions.length > 0,
      weighedQuestion,
      passages.map(({ passage }) => passage)
    )
  }
}

const followUpPattern =
  /^\W*(?:and|or|so|then|what about|how about|(?:on|in|at|by|from|for|to) (?:what|which|when|whom))\b|\b(?:there|it|that|this|those|these|they|them|he|she|him|her|his|their|ones?)\b/i

/** A pronoun for a noun of the same question: "What do clients say when they leave?", "the vans that we clean". */
const ownReference =
  /(\b(?:customers?|clients?|prospects?|people|leads?|staff|employees|guests|companies|\p{L}{3,}ers) [^?.!]*?)\b(?:they|them|their)\b|(?<=\b(?:the|an?|any|all|our) (?:\p{L}+ )?)(\p{L}{3,}) that (?=\p{L})/giu

/** The first passage of the answer before, if a follow-up refers to a person: "Where is he based?" */
export const previousFirstPassage = (question: string, history: ReadonlyArray<Turn>): string | undefined =>
  /\b(?:he|him|his|she|hers?)\b/i.test(question)
    ? (history.findLast(({ role }) => role === "assistant")?.citations?.[0]?.passage ?? undefined)
    : undefined

const maxEarlier = 3

/** The earlier questions that a follow-up refers to, latest first, until one that is no follow-up. */
export const earlierQuestions = (question: string, history: ReadonlyArray<Turn>): ReadonlyArray<string> => {
  const earlier: Array<string> = []
  let latest = question
  const refersBack = (text: string) => followUpPattern.test(text.replace(ownReference, "$1"))
  for (const { content, role } of history.toReversed()) {
    if (role !== "user") continue
    if (earlier.length === maxEarlier || !(refersBack(latest) || contentWords(latest).length === 0)) break
    earlier.push(content)
    latest = content
  }
  return earlier
}

/** Most characters and passages given to a model. Above either, only the nearest passages are given. */
const maxMaterial = 24_000
const maxPassages = 200
const maxNearest = 20

/** The passages for a model: all if they fit, else the nearest to the question. Leads are never included. */
export const passagesFor = function* (
  index: Index,
  question: string,
  history: ReadonlyArray<Turn>
): Turns<ReadonlyArray<Passage>> {
  const passages = index.passages.filter(({ file }) => file.source !== "lead")
  const size = passages.reduce((total, { heading, text }) => total + heading.length + text.length, 0)
  if (size <= maxMaterial && passages.length <= maxPassages) return passages
  const { matches } = yield* searchPassages(index, question, earlierQuestions(question, history), maxNearest, 0)
  return matches.map(({ passage }) => passage).filter(({ file }) => file.source !== "lead")
}
