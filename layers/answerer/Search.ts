// layers/answerer/Search.ts: finds the lines that are nearest to a question, and the passages that they stand in.
import { nlp } from "#layers/text/Nlp.ts"
import type { Turn } from "#layers/answerer/Answer.ts"
import {
  countNaming,
  type Entry,
  matchLines,
  type Index,
  linesCounting,
  type LineMatch,
  correctSpelling
} from "#layers/answerer/Index.ts"
import { isTopic, kindsInQuestion } from "#layers/answerer/Kinds.ts"
import { comparisonKey, type Line, type Passage } from "#layers/answerer/Passages.ts"
import { lightNouns } from "#layers/answerer/Synonyms.ts"
import { contentWords, foldCase, isFiller, questionTerms } from "#layers/answerer/Terms.ts"
import { headingTopic } from "#layers/research/extract/Labels.ts"

/*
 * How a line is scored: each word of the question, and each kind of thing that it asks for (a price, a person), has a weight
 * that is larger the fewer lines have it. A line gets the weight of each word that stands in it; less, where the word stands in
 * its heading, in the sentence before it, in the title of its text or elsewhere in its passage, and where a synonym stands for
 * it. The score is the part of the weight of all words that the line gets, times how likely its text is meant. MiniSearch's own
 * score decides between equal lines. A passage is as near as its best line.
 */

/** A passage, its best line, the lines of it that match, and those that are shown; both in their order. */
export interface Found {
  readonly passage: Passage
  readonly best: Line
  readonly lines: ReadonlyArray<Line>
  readonly shown: ReadonlyArray<Line>
}

export interface Results {
  /** The nearest first. */
  readonly found: ReadonlyArray<Found>
  /** Words of the question that no passage has. */
  readonly missing: ReadonlyArray<string>
  /** Words of the question that name what is asked for; verbs and general nouns are left out. */
  readonly nouns: ReadonlyArray<string>
  /** Whether the words that say what is asked are missing, so that no passage can hold the answer. */
  readonly isUnknown: boolean
  /** What is asked for and no passage has, such as "a price". */
  readonly lacked: string | undefined
  /** Words of the question that the first passage lacks; empty if a passage has nearly all of them. */
  readonly missingInFirst: ReadonlyArray<string>
}

/** Weight of a verb or a general noun beside another noun, relative to 1. */
const lightWeight = 0.6
/** Weight of a match in another line of the same passage. */
const samePassageWeight = 0.35
/** Weight of a kind that only says what an answer looks like, such as a price. */
const looksWeight = 0.6
/** Factor for a passage without the rarest word of the question. */
const withoutRarest = 0.8
/** Weight of all words of earlier questions in a follow-up, divided by the number of the follow-up's own words. */
const earlierWeight = 0.6

const emailQuestion =
  /\b(?:e-?mails?|subjects?|sequences?|writ(?:e|ing)|templates?|personas?|playbook|tone|pitch|days?)\b/i
const otherPartyHeading = /fall short|look for help|troubles|put up with|problems|hesitate/i
/** Headings of notes on a document: its sources and what it lacks. */
const documentNoteHeading = /what it is made of|left out of|missing|questions that would|cannot say/i

/** Whether a question contains a name of the text, such as "CuentaFlow". */
const mentionsName = (asked: ReadonlyArray<string>, text: string) => {
  const named = new Set(text.match(/\p{Lu}[\p{L}\d-]{2,}/gu)?.map((name) => name.toLowerCase()))
  return asked.some((word) => named.has(word))
}

/** A factor for each line by its source: instructions, texts about others and derived documents are less likely meant. */
const makeLikelihood = (question: string, kinds: ReadonlyArray<string>) => {
  const asksEmails = emailQuestion.test(question)
  const asksSelections = /\b(?:chose|chosen?|choose|select(?:ed|ions?)?|pick(?:ed)?|ausgewählt|gewählt)\b/i.test(
    question
  )
  const asked = contentWords(question)
  const asksRivals = kinds.includes("@rivals")
  const asksLists = /\b(?:lists?|leads?|emails?|written|failed)\b/i.test(question)
  const asksOthers = /problem/i.test(question) || kinds.some((each) => /@(?:pains|objection|rivals|trigger)/.test(each))
  const bySource: Partial<Record<Passage["file"]["source"], number>> = {
    selections: asksSelections ? 2 : 0.8,
    lists: asksLists ? 1 : 0.5,
    document: 0.7
  }
  return ({ line: { text }, passage: { file, heading } }: Entry): number => {
    if ((text === "None chosen" && !asksSelections) || documentNoteHeading.test(heading)) return 0
    // The job titles of buyers are not those of the business.
    if (/^job titles|target audience/i.test(heading) && kinds.some((kind) => /@(?:story|place)/.test(kind))) return 0
    // What a rival did is no answer to what the business did.
    const isOfRival = file.source === "imported" && headingTopic(heading) === "competitors"
    if (isOfRival && !asksRivals && !mentionsName(asked, text)) return 0
    const isAboutWriting = file.source === "playbook" || file.filename === "Email instructions.md"
    const meant = isAboutWriting ? (asksEmails ? 1 : 0) : (bySource[file.source] ?? 1)
    return !asksOthers && otherPartyHeading.test(heading) ? 0.8 * meant : meant
  }
}

const maxTerms = 40

interface WeightedTerm {
  readonly word: string
  readonly weight: number
  readonly matches: ReadonlyMap<number, LineMatch>
  /** The largest weight in each passage. */
  readonly bestByPassage: ReadonlyMap<Passage, number>
}

const weightTerm = (
  index: Index,
  matches: ReadonlyMap<number, LineMatch>,
  word: string,
  factor: number
): WeightedTerm => {
  const best = new Map<Passage, number>()
  for (const [id, { weight }] of matches) {
    const passage = index.entries[id]?.passage
    if (passage !== undefined) best.set(passage, Math.max(best.get(passage) ?? 0, weight))
  }
  return {
    word,
    matches: matches,
    bestByPassage: best,
    weight: factor * Math.log(1 + index.passages.length / Math.max(1, best.size))
  }
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)

interface ScoredLine {
  readonly id: number
  readonly score: number
}

/** Scores the lines that match a term of the question, best first. */
const scoreLines = (
  index: Index,
  words: ReadonlyArray<WeightedTerm>,
  earlier: ReadonlyArray<WeightedTerm>,
  likely: (entry: Entry) => number
): ReadonlyArray<ScoredLine> => {
  const all = [...words, ...earlier]
  const asked = all.map(({ word }) => word)
  const rarest = words
    .filter(({ matches, word }) => matches.size > 0 && !word.startsWith("@"))
    .toSorted((a, b) => b.weight - a.weight)[0]
  const total = sum(words.map(({ weight }) => weight)) || sum(earlier.map(({ weight }) => weight))
  const ids = new Set(all.flatMap(({ matches }) => [...matches.keys()]))
  const scores = [...ids].flatMap((id) => {
    const entry = index.entries[id]
    if (entry === undefined) return []
    if (entry.passage.file.source === "lead" && countNaming(index, entry.passage, asked) === 0) return []
    const part = sum(
      all.map(
        ({ bestByPassage, matches, weight }) =>
          weight * Math.max(matches.get(id)?.weight ?? 0, samePassageWeight * (bestByPassage.get(entry.passage) ?? 0))
      )
    )
    const bm25 = sum(all.map(({ matches, weight }) => weight * (matches.get(id)?.score ?? 0)))
    const factor = likely(entry) * (rarest === undefined || rarest.bestByPassage.has(entry.passage) ? 1 : withoutRarest)
    return [{ id, part: (part / total) * factor, bm25: bm25 * factor }]
  })
  const maxBm25 = Math.max(1e-9, ...scores.map(({ bm25 }) => bm25))
  return scores
    .map(({ bm25, id, part }) => ({ id, score: part + (0.05 * bm25) / maxBm25 }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
}

/** Most points shown, and most when several answer equally well. */
const maxPoints = 3
const maxAlikePoints = 6
/** Most characters of prose shown; one sentence is always shown. */
const maxProseLength = 320

/** The best line of prose with its neighbours in the paragraph, up to the maximum length. */
const withNeighbours = (lines: ReadonlyArray<Line>, best: Line): ReadonlyArray<Line> => {
  let [from, to] = [lines.indexOf(best), lines.indexOf(best)]
  const fits = (at: number) => {
    const line = lines[at]
    const length = sum(lines.slice(Math.min(from, at), Math.max(to, at) + 1).map(({ text }) => text.length))
    return line?.paragraph === best.paragraph && length <= maxProseLength
  }
  while (fits(to + 1) || fits(from - 1)) {
    if (fits(to + 1)) to++
    if (fits(from - 1)) from--
  }
  return lines.slice(from, to + 1)
}

/** The lines of a passage that answer: the best one, in prose with its neighbours and in a list with those as good. */
const answerLines = ({ lines }: Passage, near: ReadonlyArray<readonly [Line, number]>): ReadonlyArray<Line> => {
  const [best] = near
  if (best === undefined) return []
  const [first, score] = best
  const introduced = /[.!?]$/.test(first.text)
    ? []
    : near.filter(([line]) => line.isPoint && line.before === first.text)
  if (!first.isPoint && introduced.length === 0) return withNeighbours(lines, first)
  if (!first.isPoint) {
    const [[, most] = [first, 0]] = introduced
    const chosen = new Set(introduced.filter(([, each]) => each >= 0.9 * most).map(([line]) => line))
    return [first, ...lines.filter((line) => chosen.has(line)).slice(0, maxPoints)]
  }
  const scores = new Map(near)
  const from = (part: number) => lines.filter((line) => line.isPoint && (scores.get(line) ?? 0) >= part * score)
  const alike = from(0.9)
  if (alike.length >= maxPoints) return alike.slice(0, maxAlikePoints)
  const nearest = new Set([...alike, ...near.map(([line]) => line)].slice(0, maxPoints))
  return from(0.75).filter((line) => nearest.has(line))
}

/** A passage up to this many lines and characters is shown whole, because its deciding line may not be the best match. */
const maxWholeLines = 8
const maxWholeLength = 700

/** The lines of a passage that are shown: all of a short one, else those that match, with the line before and after each. */
const shownLines = ({ lines }: Passage, matching: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  if (lines.length <= maxWholeLines && sum(lines.map(({ text }) => text.length)) <= maxWholeLength) return lines
  const chosen = new Set(matching)
  return lines.filter((_, at) => lines.slice(Math.max(0, at - 1), at + 2).some((line) => chosen.has(line)))
}

/** Groups lines by passage, best passage first. A passage whose best line was already shown is dropped. */
const nearestPassages = (index: Index, scores: ReadonlyArray<ScoredLine>, most: number, least: number) => {
  const near = new Map<Passage, Array<readonly [Line, number]>>()
  for (const { id, score } of scores) {
    const entry = index.entries[id]
    if (entry === undefined) continue
    const lines = near.get(entry.passage)
    if (lines === undefined) near.set(entry.passage, [[entry.line, score]])
    else lines.push([entry.line, score])
  }
  const seen: Array<string> = []
  const found: Array<Found> = []
  for (const [passage, lines] of near) {
    if (found.length === most || (lines[0]?.[1] ?? 0) < least * (scores[0]?.score ?? 0)) break
    const [[best] = []] = lines
    const bestKey = comparisonKey(best?.text.replace(/^[^:]{1,30}: /, "") ?? "")
    if (best === undefined || seen.some((each) => each.includes(bestKey))) continue
    const answer = answerLines(passage, lines)
    seen.push(...answer.map(({ text }) => comparisonKey(text)))
    found.push({ passage, best, lines: answer, shown: shownLines(passage, answer) })
  }
  return found
}

/** A passage below this share of the best score is not shown. */
const minScoreShare = 0.2

/** If words with this share of a question's weight occur nowhere, the question has no answer; less if one is a name. */
const maxAbsentShare = 0.75
const maxAbsentShareWithName = 0.35
/** The smallest weight with which a passage has a word in its lines or its heading. */
const minSharedWeight = 0.6

/** The verbs and superlatives of a question, which count less than its nouns, because a text may use others. */
const verbsIn = (question: string): ReadonlySet<string> =>
  new Set(nlp(question.toLowerCase()).match("(#Verb|#Superlative)").terms().out("array").flatMap(contentWords))

/** The words behind "how many": "How many beds are there?" */
const countedNoun =
  /\b(?:how many|wie ?viele) (?:of )?(?:the |our |their |different )?([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?)/iu

/** Whether a question names another person than the lead with the same first name: Ben Colt is not the lead Ben Cole. */
export const namesStranger = ({ leadNames, vocabulary }: Index, question: string): boolean =>
  [...question.matchAll(/(?<!\p{L})(\p{L}+) (?=(\p{L}+))/gu)].some(([, given = "", last = ""]) => {
    const [first, other] = [foldCase(given), foldCase(last)]
    const isName = /^\p{Lu}/u.test(last) || !questionTerms(other).some((term) => vocabulary.has(term))
    return isName && !isFiller(other) && leadNames.some(([own]) => own === first) && !leadNames.flat().includes(other)
  })

/** The words of a question and of those that it follows, and the kinds of thing that it asks for, with their weights. */
const weighQuestion = (index: Index, question: string, before: ReadonlyArray<string>) => {
  const own = kindsInQuestion(question)
  const occurs = (word: string) => questionTerms(word).some((term) => index.vocabulary.has(term))
  const verbs = verbsIn(question)
  const isLight = (word: string) => verbs.has(word) || lightNouns.has(word)
  const withoutOwnName = contentWords(index.ownName === undefined ? question : question.replace(index.ownName, " "))
  const typed = new Map<string, string>()
  const corrected = (word: string) => {
    const known = occurs(word) ? word : correctSpelling(index, word)
    typed.set(known, word)
    return known
  }
  const words = [...new Set(withoutOwnName.length + own.length === 0 ? contentWords(question) : withoutOwnName)]
    .slice(0, maxTerms)
    .map(corrected)
    // "Cost" is also asked for by its kind, and no line needs to say it.
    .filter((word) => occurs(word) || kindsInQuestion(word).length === 0)
    .filter((word, _, all) => occurs(word) || !isLight(word) || all.every(isLight))
    .filter((word) => !isFiller(word))
  const earlier = [...new Set(before.flatMap(contentWords))].filter((word) => !words.includes(word))
  const termOf = (word: string, weight: number, beside: ReadonlyArray<string> = []) =>
    weightTerm(index, matchLines(index, word, beside), word, weight)
  const neighboursOf = (at: number) =>
    [...words.slice(Math.max(0, at - 2), at + 3), ...earlier].filter((word) => /^\p{L}/u.test(word))
  const kinds = own.length > 0 ? own : before.slice(0, 1).flatMap(kindsInQuestion)
  const counted = contentWords(countedNoun.exec(question)?.[1] ?? "")
  const [subject] = counted
  const wordTerms = words.map((word, at) => termOf(word, isLight(word) ? lightWeight : 1, neighboursOf(at)))
  const nouns = wordTerms.filter(({ word }) => !isLight(word))
  return {
    wordTerms,
    typed,
    nouns: nouns.length === 0 ? wordTerms : nouns,
    kinds,
    kindTerms: [
      ...kinds
        .filter((kind) => kind !== "@count" || subject === undefined)
        .map((kind) => termOf(kind, isTopic(kind) ? 1 : looksWeight)),
      ...(subject === undefined ? [] : [weightTerm(index, linesCounting(index, counted), "@count", 1.5)])
    ],
    earlierTerms: earlier.slice(0, maxTerms).map((word) => termOf(word, earlierWeight / Math.max(1, words.length))),
    subject
  }
}

/** The share of the weight of all terms that some of them have. */
const share = (some: ReadonlyArray<WeightedTerm>, all: ReadonlyArray<WeightedTerm>) =>
  sum(some.filter((each) => all.includes(each)).map(({ weight }) => weight)) /
  Math.max(1, sum(all.map(({ weight }) => weight)))

/** A word with this share of the largest weight in a question is a rare one. */
const minRareShare = 0.5
const rareOf = (words: ReadonlyArray<WeightedTerm>) => {
  const most = Math.max(0, ...words.map(({ weight }) => weight))
  return words.filter(({ weight }) => weight >= minRareShare * most)
}

/** Whether all passages lack much of a question, and the first one most of its rare words. */
const lackMuch = (
  words: ReadonlyArray<WeightedTerm>,
  absentByPassage: ReadonlyArray<ReadonlyArray<WeightedTerm>>
): boolean => {
  const rare = rareOf(words)
  const lacksRare = 2 * share(absentByPassage[0] ?? [], rare) > share(rare, rare)
  return lacksRare && absentByPassage.every((each) => share(each, words) >= maxAbsentShareWithName)
}

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
const placesOf = (
  { entries }: Index,
  found: ReadonlyArray<Found>,
  { matches }: WeightedTerm,
  least: number
): ReadonlyArray<string> =>
  [...matches].flatMap(([id, { weight }]) => {
    const at = found.findIndex(({ passage }) => passage === entries[id]?.passage)
    return at < 0 || weight < least ? [] : [`${at} ${entries[id]?.line.paragraph}`]
  })

/** What a question asks for, such as a price, if no found passage has it beside a word of the question. */
const lackedAnswer = (
  index: Index,
  question: string,
  found: ReadonlyArray<Found>,
  kinds: ReadonlyArray<WeightedTerm>,
  words: ReadonlyArray<WeightedTerm>
): string | undefined => {
  const asked = askedValues.filter(([pattern]) => pattern.test(question))
  // "Cost" stands in many lines that are not of the subject.
  const subjects = words.filter(({ word }) => !asked.some(([, kind]) => kindsInQuestion(word).includes(kind)))
  const named = new Set(rareOf(subjects).flatMap((each) => placesOf(index, found, each, minSharedWeight)))
  const isThere = kinds
    .filter(({ word }) => asked.some(([, kind]) => kind === word))
    .some((kind) => placesOf(index, found, kind, 0).some((place) => named.has(place)))
  return subjects.length === 0 || isThere ? undefined : asked[0]?.[2]
}

/** How many words of a question a passage has itself, or a synonym of them. */
const countShared = (words: ReadonlyArray<WeightedTerm>, passage: Passage) =>
  words.filter(({ bestByPassage }) => (bestByPassage.get(passage) ?? 0) >= minSharedWeight).length

/** The passages nearest to a question, which may follow earlier ones. */
export const find = (
  index: Index,
  question: string,
  before: ReadonlyArray<string>,
  most: number,
  least = minScoreShare
): Results => {
  const { earlierTerms, kindTerms, kinds, nouns, subject, typed, wordTerms } = weighQuestion(index, question, before)
  const likely = makeLikelihood(question, kinds)
  const found = nearestPassages(
    index,
    scoreLines(index, [...wordTerms, ...kindTerms], earlierTerms, likely),
    most,
    least
  )
  const absent = wordTerms.filter(({ matches }) => matches.size === 0)
  const names = new Set(question.match(/(?<=\S )\p{Lu}[\p{L}-]+/gu)?.flatMap(contentWords))
  const isStranger = namesStranger(index, question)
  const lacksSubject =
    absent.some(({ word }) => word === subject) ||
    (absent.some(({ word }) => names.has(word)) && share(absent, wordTerms) >= maxAbsentShareWithName) ||
    // A follow-up may say in its own words what the question before has found.
    (before.length === 0 && share(absent, nouns) >= maxAbsentShare)
  // A word that is only near another may answer in its place, and does not say the same.
  const unmatched = nouns.filter(({ matches }) => [...matches.values()].every(({ isNear }) => isNear))
  const absentByPassage = found.map(({ passage }) =>
    wordTerms.filter(({ bestByPassage }) => !bestByPassage.has(passage))
  )
  const [first] = found
  // A passage that has two words of the question may answer it, so that it is not denied.
  const mayAnswer = first !== undefined && countShared(wordTerms, first.passage) >= 2
  const isUnsure = (lacksSubject && mayAnswer) || lackMuch(wordTerms, absentByPassage)
  // Only words that the question has are quoted, and no correction of them.
  const foldedQuestion = foldCase(question)
  const quoted = (terms: ReadonlyArray<WeightedTerm>) =>
    terms.map(({ word }) => typed.get(word) ?? word).filter((word) => foldedQuestion.includes(word))
  return {
    found,
    missing: quoted(unmatched),
    nouns: nouns.map(({ word }) => word),
    isUnknown: isStranger || (lacksSubject && !mayAnswer),
    lacked: lackedAnswer(index, question, found, kindTerms, [...wordTerms, ...earlierTerms]),
    missingInFirst: isUnsure ? quoted(absentByPassage[0] ?? []) : []
  }
}

const followUpPattern =
  /^\W*(?:and|or|so|then|what about|how about|(?:on|in|at|by|from|for|to) (?:what|which|when|whom))\b|\b(?:there|it|that|this|those|these|they|them|he|she|him|her|his|their|ones?)\b/i

const maxEarlier = 3

/** The earlier questions that a follow-up refers to, latest first, until one that is no follow-up. */
export const earlierQuestions = (question: string, history: ReadonlyArray<Turn>): ReadonlyArray<string> => {
  const before: Array<string> = []
  let latest = question
  for (const { content, role } of history.toReversed()) {
    if (role !== "user") continue
    if (before.length === maxEarlier || !(followUpPattern.test(latest) || contentWords(latest).length === 0)) break
    before.push(content)
    latest = content
  }
  return before
}

/** Most characters and passages given to a model. Above either, only the nearest passages are given. */
const maxMaterial = 24_000
const maxPassages = 200
const maxNearest = 20

/** The passages for a model: all if they fit, else the nearest to the question. Leads are never included. */
export const passagesFor = (index: Index, question: string, history: ReadonlyArray<Turn>): ReadonlyArray<Passage> => {
  const passages = index.passages.filter(({ file }) => file.source !== "lead")
  const size = passages.reduce((total, { heading, text }) => total + heading.length + text.length, 0)
  if (size <= maxMaterial && passages.length <= maxPassages) return passages
  return find(index, question, earlierQuestions(question, history), maxNearest, 0)
    .found.map(({ passage }) => passage)
    .filter(({ file }) => file.source !== "lead")
}
