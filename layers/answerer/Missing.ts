// layers/answerer/Missing.ts: finds the parts of a question that the found passages do not cover.
import { type Index, namesStranger } from "#layers/answerer/Index.ts"
import { isTopic, kindsInQuestion } from "#layers/answerer/Kinds.ts"
import type { Passage } from "#layers/answerer/Passages.ts"
import { contentWords, foldCase } from "#layers/answerer/Terms.ts"
import { isTranslated } from "#layers/answerer/Translations.ts"
import { share, type WeightedTerm } from "#layers/answerer/Weights.ts"

export interface MissingParts {
  /** Words of the question that no passage has: its nouns and names, or its verbs where it lacks no noun. */
  readonly missing: ReadonlyArray<string>
  /** Whether a text in another language may say the missing words otherwise. */
  readonly isForeign: boolean
  /** Whether the question names a person or company that is unknown, or its subject is missing and the first passage cannot answer it. */
  readonly isUnknown: boolean
  /** The kind of answer that no passage contains, such as "a price". */
  readonly missingAnswer: string | undefined
  /** Nouns and names that the first passage lacks; empty unless it is doubtful that the passages answer. */
  readonly missingInFirst: ReadonlyArray<string>
}

/** The words of a question with their weights, as they are searched. */
export interface WeighedQuestion {
  readonly wordTerms: ReadonlyArray<WeightedTerm>
  readonly kindTerms: ReadonlyArray<WeightedTerm>
  readonly earlierTerms: ReadonlyArray<WeightedTerm>
  /** The words that are neither verbs nor general nouns; all if there are only such. */
  readonly nouns: ReadonlyArray<WeightedTerm>
  /** The words behind "how many". */
  readonly countedWords: ReadonlyArray<string>
  /** Words that occur in no text but whose kind of answer does: "founded" asks for the story of the business. */
  readonly wordsMatchedByKind: ReadonlyArray<string>
  /** The words as typed, by their corrections. */
  readonly typedWords: ReadonlyMap<string, string>
}

/**
 * If nouns with at least this share of the weight occur nowhere, the question has no answer. The threshold is lower
 * if one of them is a name.
 */
const maxAbsentShare = 0.75
const maxAbsentShareWithName = 0.35
/** A passage with less of a question's weight may not answer it. */
const minCoveredShare = 0.57
/** From this weight of a match on, a passage has a word or a synonym of it. */
const minSharedWeight = 0.6

/** The names, years and numbers of standards ("ISO 9001") of a question. Its first word has a capital in any case. */
const namesIn = (question: string): ReadonlySet<string> =>
  new Set(question.match(/(?<=\S )\p{Lu}[\p{L}-]+|\b(?:19|20)\d\d\b|(?<=\p{Lu} )\d{3,}/gu)?.flatMap(contentWords))

/** A month or a year, which seldom stands beside the price that applies then. */
const datePattern = /^(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)$/

const isInPassage = (passage: Passage) => (term: WeightedTerm) => term.bestByPassage.has(passage)

/** Questions for a price, a time, a date or a number, each with the kind of line that has it and its name. */
const askedValues: ReadonlyArray<readonly [RegExp, kind: string, name: string]> = [
  [
    /\bhow much\b|\bwhat\b.*\b(?:costs?|prices?|fees?|charges?)\b|\bwhat (?:do|does|did|will|would)\b.*\bpay\b|^\W*prices?\b/i,
    "@money",
    "a price"
  ],
  [/\bhow (?:long|soon|fast|quick\w*)\b/i, "@duration", "a time"],
  [/^\W*(?:and |so )?when\b/i, "@date", "a date"],
  [/\bhow many\b/i, "@count", "a number"]
]

/** The paragraphs and points of found passages in which a line has a term. */
const matchingParagraphs = (
  { entries }: Index,
  passages: ReadonlyArray<Passage>,
  { matches }: WeightedTerm,
  minWeight: number
): ReadonlyArray<string> =>
  [...matches].flatMap(([id, { weight }]) => {
    const index = passages.findIndex((passage) => passage === entries[id]?.passage)
    return index < 0 || weight < minWeight ? [] : [`${index} ${entries[id]?.line.paragraph}`]
  })

/** What a question asks for, such as a price, if no found passage with the names of the question has it beside a word. */
const findLackedAnswer = (
  index: Index,
  question: string,
  passages: ReadonlyArray<Passage>,
  kindTerms: ReadonlyArray<WeightedTerm>,
  wordTerms: ReadonlyArray<WeightedTerm>
): string | undefined => {
  const askedKinds = askedValues.filter(([pattern]) => pattern.test(question))
  // "Cost" stands in many lines that are not of the subject.
  const subjects = wordTerms.filter(({ word }) => !askedKinds.some(([, kind]) => kindsInQuestion(word).includes(kind)))
  const names = namesIn(question)
  const namedSubjects = subjects.filter(({ word }) => names.has(word) && !datePattern.test(word))
  const passagesWithNames = passages.filter((passage) =>
    namedSubjects.every(({ bestByPassage }) => bestByPassage.has(passage))
  )
  const neighborParagraphs = new Set(
    subjects.flatMap((each) => matchingParagraphs(index, passagesWithNames, each, minSharedWeight))
  )
  const hasAnswer = kindTerms
    .filter(({ word }) => askedKinds.some(([, kind]) => kind === word))
    // A line that counts the subject of "how many" has both.
    .some((kind) =>
      matchingParagraphs(index, passagesWithNames, kind, 0).some(
        (paragraph) => kind.word === "@count" || neighborParagraphs.has(paragraph)
      )
    )
  return subjects.length === 0 || hasAnswer ? undefined : askedKinds[0]?.[2]
}

/** How many words of a question a passage has itself, or a synonym of them. */
const countShared = (words: ReadonlyArray<WeightedTerm>, passage: Passage) =>
  words.filter(({ bestByPassage }) => (bestByPassage.get(passage) ?? 0) >= minSharedWeight).length

/**
 * The parts of the question that the found passages do not cover: the first passage must cover most of its weight, or
 * the others the rest. Reports less for a follow-up question, which may paraphrase an earlier answer.
 */
export const findMissing = (
  index: Index,
  question: string,
  isFollowUp: boolean,
  { wordsMatchedByKind, countedWords, earlierTerms, kindTerms, nouns, typedWords, wordTerms }: WeighedQuestion,
  passages: ReadonlyArray<Passage>
): MissingParts => {
  const names = namesIn(question)
  const typedOf = ({ word }: WeightedTerm) => typedWords.get(word) ?? word
  const isName = (term: WeightedTerm) => names.has(typedOf(term))
  // A text in another language may have the word, unless its words for it are known.
  const isCertainlyAbsent = (term: WeightedTerm) => !index.isForeign || isName(term) || isTranslated(term.word)
  const absent = wordTerms.filter((term) => term.matches.size === 0 && isCertainlyAbsent(term))
  const lacksSubject =
    (countedWords.length > 0 && countedWords.every((each) => absent.some(({ word }) => word === each))) ||
    (absent.some(isName) && share(absent, wordTerms) >= maxAbsentShareWithName) ||
    (!isFollowUp && share(absent, nouns) >= maxAbsentShare)
  const [firstPassage] = passages
  const evidence = [...wordTerms, ...kindTerms.filter(({ word }) => isTopic(word))]
  const isAnyWordUnmatched = wordTerms.some((term) => !passages.some((passage) => isInPassage(passage)(term)))
  const coveredShare = firstPassage === undefined ? 0 : share(evidence.filter(isInPassage(firstPassage)), evidence)
  const nameTerms = wordTerms.filter(isName)
  const lacksName = nameTerms.length > 0 && passages.every((passage) => !nameTerms.every(isInPassage(passage)))
  const wordsWithoutKind = wordsMatchedByKind.filter((word) => {
    const askedKinds = kindTerms.filter((kind) => kindsInQuestion(word).includes(kind.word))
    return !askedKinds.some((kind) => passages.some((passage) => isInPassage(passage)(kind)))
  })
  const isDoubtful = wordsWithoutKind.length > 0 || lacksName || (isAnyWordUnmatched && coveredShare < minCoveredShare)
  // Only words that the question has are quoted, and no correction of them.
  const foldedQuestion = foldCase(question)
  const quoteTerms = (terms: ReadonlyArray<WeightedTerm>) =>
    terms.map(typedOf).filter((word) => foldedQuestion.includes(word))
  // A word that is only near another may answer in its place, and does not say the same.
  const unmatched = wordTerms.filter(({ matches }) => [...matches.values()].every(({ isNear }) => isNear))
  const missingNouns = unmatched.filter((term) => nouns.includes(term) || isName(term))
  const missingTerms = missingNouns.length > 0 ? missingNouns : unmatched
  return {
    missing: [...wordsWithoutKind, ...quoteTerms(missingTerms)],
    isForeign: !missingTerms.every(isCertainlyAbsent),
    isUnknown:
      namesStranger(index, question) ||
      (lacksSubject && (firstPassage === undefined || countShared(wordTerms, firstPassage) < 2)),
    missingAnswer: findLackedAnswer(index, question, passages, kindTerms, [...wordTerms, ...earlierTerms]),
    missingInFirst:
      isDoubtful && firstPassage !== undefined
        ? [...wordsWithoutKind, ...quoteTerms(wordTerms.filter((term) => !isInPassage(firstPassage)(term)))]
        : []
  }
}
