// layers/answerer/Index.ts: the search index of a campaign's texts, line by line, and the weight with which a line matches a word.
import MiniSearch, { type SearchOptions } from "minisearch"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { buildCells, type Cells } from "#layers/answerer/Cells.ts"
import { kindsInLine } from "#layers/answerer/Kinds.ts"
import { cutPassages, type Line, type Passage } from "#layers/answerer/Passages.ts"
import { rangeHasNumber, type Range, rangesIn } from "#layers/answerer/Ranges.ts"
import { contentWords, foldCase, isFiller, synonymWords, questionTerms, textTerms } from "#layers/answerer/Terms.ts"
import { foreignLanguage, inEnglish } from "#layers/answerer/Translations.ts"
import { flatMapInTurns, runInTurns, type Turns } from "#layers/lib/Turns.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { stemWord } from "#layers/text/Stem.ts"
import { wordTokens } from "#layers/text/Words.ts"

export interface Entry {
  readonly passage: Passage
  readonly line: Line
  /** The line, and the English words for those of another language. */
  readonly searchText: string
  readonly ranges: ReadonlyArray<Range>
}

export interface Index {
  readonly passages: ReadonlyArray<Passage>
  /** The lines of the passages, which are searched. */
  readonly entries: ReadonlyArray<Entry>
  readonly search: MiniSearch
  /** Whether a text is not in English, so a question word may be missing only because it is not translated. */
  readonly isForeign: boolean
  /** The terms of all lines. */
  readonly vocabulary: ReadonlySet<string>
  /** Words that a misspelling is corrected to. Names of leads are excluded: a name close to a lead's is another person's. */
  readonly words: ReadonlySet<string>
  /** The words of each lead's name. */
  readonly leadNames: ReadonlyMap<Passage, ReadonlyArray<string>>
  /** The first names of leads, and all words of their names. */
  readonly firstNames: ReadonlySet<string>
  readonly leadNameWords: ReadonlySet<string>
  /** The words of each lead's name and company. */
  readonly wordsByLead: ReadonlyMap<Passage, ReadonlySet<string>>
  readonly cells: Cells
  /** Characters of the passages. */
  readonly size: number
  /** The name of the business, which says nothing in a question about it. */
  readonly ownName: RegExp | undefined
}

/** The weight of a match by the indexed field that it is in. */
const fieldWeights: Readonly<Record<string, number>> = { text: 1, kind: 1, heading: 0.75, before: 0.6, title: 0.5 }

/** A longer text is no name, and each of its words would be searched for in all texts. */
const maxCompanyName = 200

/** The name of the business in whole, and those words of it that are always written with a capital. */
const buildOwnNamePattern = function* (passages: ReadonlyArray<Passage>): Turns<RegExp | undefined> {
  const name = passages.find(({ file, heading }) => file.source === "profile" && heading === "Company name")?.text ?? ""
  if (name.length > maxCompanyName) return undefined
  const nameWords = wordTokens(companyName(name) ?? name)
  const brandWords = new Map(
    nameWords
      .filter((word) => word.length > 3)
      .map((word) => [word, new RegExp(`(?<!\\p{L})${RegExp.escape(word.toLowerCase())}`, "u")] as const)
  )
  for (const { text } of passages) {
    for (const [word, pattern] of brandWords) if (pattern.test(text)) brandWords.delete(word)
    yield
  }
  const names = [nameWords.map(RegExp.escape).join("\\W+"), ...[...brandWords.keys()].map(RegExp.escape)].filter(
    (each) => each !== ""
  )
  return names.length === 0 ? undefined : new RegExp(`(?<!\\p{L})(?:${names.join("|")})(?!\\p{L})`, "giu")
}

const leadName = ({ heading }: Passage) => contentWords(heading.replace(/^Lead: /, ""))

/** The words of a lead's company: of the cells without a label, which has a job title too. */
const companyWords = ({ text, title }: Passage) =>
  text
    .split("; ")
    .filter((cell) => !/^[^:]{1,40}: /.test(cell))
    .flatMap(contentWords)
    .filter((word) => !contentWords(title).includes(word))

/**
 * The number of question words that name a lead or its company. A single match counts only if no text of the business
 * has that word.
 */
export const countNameWords = (
  { wordsByLead, words }: Index,
  passage: Passage,
  questionWords: ReadonlyArray<string>
): number => {
  const matchedWords = questionWords.filter((word) => wordsByLead.get(passage)?.has(word))
  return matchedWords.length > 1 || matchedWords.some((word) => !words.has(word)) ? matchedWords.length : 0
}

/** Builds the index. Each line is searched with its heading, the line before it and the title of its text. */
const makeIndex = function* (files: ReadonlyArray<KnowledgeFile>): Turns<Index> {
  const passages = yield* cutPassages(files)
  const languages = new Map(
    yield* flatMapInTurns(files, (file) =>
      file.source === "lead" ? [] : [[file, foreignLanguage(file.content)] as const]
    )
  )
  const addEnglish = (text: string, file: KnowledgeFile) => {
    const language = languages.get(file)
    const english = language === undefined ? undefined : inEnglish(text, language)
    return english === undefined ? text : `${text}\n${english}`
  }
  const toEntry = ({ line, passage }: Pick<Entry, "line" | "passage">): Entry => {
    const searchText = addEnglish(line.text, passage.file)
    return { passage, line, searchText, ranges: rangesIn(searchText) }
  }
  const vocabulary = new Set<string>()
  const search = new MiniSearch({
    fields: Object.keys(fieldWeights),
    tokenize: (text, field) => (field === "kind" ? text.split(" ") : contentWords(text)),
    processTerm: (word) => {
      const terms = textTerms(word).filter((term) => term !== "")
      for (const term of terms) vocabulary.add(term)
      return terms
    }
  })
  const toDocument = (
    { line: { precedingText }, passage: { file, heading, title }, searchText }: Entry,
    id: number
  ) => {
    const headingText = addEnglish(heading, file)
    return {
      id,
      text: searchText,
      before: precedingText,
      heading: headingText,
      title,
      kind: kindsInLine(headingText, searchText).join(" ")
    }
  }
  const entries: Array<Entry> = []
  for (const passage of passages)
    for (const line of passage.lines) {
      const entry = toEntry({ line, passage })
      search.add(toDocument(entry, entries.length))
      entries.push(entry)
      yield
    }
  const businessEntries = entries.filter(({ passage: { file } }) => file.source !== "lead")
  const businessWords = yield* flatMapInTurns(businessEntries, ({ line }) => contentWords(line.text))
  const leads = passages.filter(({ file }) => file.source === "lead")
  const leadNames = new Map(yield* flatMapInTurns(leads, (lead) => [[lead, leadName(lead)] as const]))
  return {
    passages,
    entries,
    search,
    isForeign: [...languages.values()].some((language) => language !== undefined),
    vocabulary,
    words: new Set([...businessWords, ...synonymWords]),
    leadNames,
    firstNames: new Set([...leadNames.values()].flatMap((name) => name.slice(0, 1))),
    leadNameWords: new Set([...leadNames.values()].flat()),
    wordsByLead: new Map(
      yield* flatMapInTurns(leads, (lead) => [
        [lead, new Set([...(leadNames.get(lead) ?? []), ...companyWords(lead)])] as const
      ])
    ),
    cells: yield* buildCells(leads),
    size: passages.reduce((total, { heading, text }) => total + heading.length + text.length, 0),
    ownName: yield* buildOwnNamePattern(passages)
  }
}

export const buildIndex = (files: ReadonlyArray<KnowledgeFile>) => runInTurns(makeIndex(files))

/** Weights of inexact matches: words for their initials, and a number within a range. */
const initialsWeight = 0.8
const inRangeWeight = 0.9

export interface LineMatch {
  readonly weight: number
  /** MiniSearch's score. */
  readonly score: number
  /** Whether the line matches only related terms (after ">" in Synonyms.ts), which are not synonyms. */
  readonly isNear: boolean
}

/** Two words of a question that a text writes as one: "back up" and "backups". */
export const findJoinedWords = ({ vocabulary }: Index, question: string): ReadonlyArray<string> => {
  const words = wordTokens(foldCase(question))
  return words
    .map((word, index) => word + (words[index + 1] ?? ""))
    .filter((joined, index) => index + 1 < words.length && !isFiller(joined) && vocabulary.has(stemWord(joined)))
}

export const isWord = (term: string) => !/^[@=>]|\d/.test(term)

/** The most words of the texts that a word of a question is the beginning of. The beginning of more is too vague, and slow to search for. */
const maxContinuations = 400

const isCommonBeginning = ({ vocabulary }: Index, term: string): boolean => {
  if (vocabulary.size <= maxContinuations) return false
  let count = 0
  for (const each of vocabulary) if (each.startsWith(term) && ++count > maxContinuations) return true
  return false
}

/** The lines that match a word, by their id, with weights above 0 up to 1. */
export const matchLines = function* (
  index: Index,
  word: string,
  neighbours: ReadonlyArray<string>
): Turns<ReadonlyMap<number, LineMatch>> {
  const stem = questionTerms(word)[0] ?? word
  const options: SearchOptions = {
    tokenize: (text) => [text],
    processTerm: (each) => questionTerms(each).filter((term) => term !== ""),
    combineWith: "OR",
    prefix: (term) => isWord(term) && term.length > 2 && !isCommonBeginning(index, term)
  }
  const similarity = (term: string) => (term === stem ? 1 : term.startsWith("=") ? 0.85 : 0.5)
  const matches = new Map<number, LineMatch>()
  for (const { id, match, score } of index.search.search(word, options)) {
    const terms = Object.entries(match)
    const weight = Math.max(
      0,
      ...terms.map(([term, fields]) => similarity(term) * Math.max(...fields.map((field) => fieldWeights[field] ?? 0)))
    )
    if (weight > 0) matches.set(Number(id), { weight, score, isNear: terms.every(([term]) => term.startsWith(">")) })
  }
  yield
  // "ROI" is also "Return on investment".
  if (/^\p{L}{2,4}$/u.test(word) && !index.vocabulary.has(stem)) {
    const letters = [...word].map((letter, index) =>
      index === 0 ? letter.toUpperCase() : `[${letter}${letter.toUpperCase()}]`
    )
    const spelledOut = new RegExp(`(?<!\\p{L})${letters.join("\\p{Ll}+[ -]")}\\p{Ll}+`, "u")
    for (const [id, { line }] of index.entries.entries()) {
      yield
      if (spelledOut.test(line.text)) matches.set(id, { weight: initialsWeight, score: 0, isNear: false })
    }
  }
  if (/^\d/.test(word))
    for (const [id, { line, passage, ranges }] of index.entries.entries()) {
      yield
      if (
        !matches.has(id) &&
        rangeHasNumber(ranges, word, neighbours, `${line.precedingText} ${line.text} ${passage.heading}`)
      )
        matches.set(id, { weight: inRangeWeight, score: 0, isNear: false })
    }
  return matches
}

/** A number and the words after it, up to a punctuation mark: "86 % of our chefs". */
const countPattern =
  /(?<![\p{L}\d])(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)(?![\p{L}\d])([^,.;:!?\d]{2,60})/giu

/** A label and a number behind it: "Monthly orders: 11,000". */
const labelPattern = /([\p{L} ]{2,40}): \d/gu

/** The lines that count the subject: a number, at most one word, and a word of the subject. */
export const findCountingLines = function* (
  index: Index,
  subject: ReadonlyArray<string>
): Turns<ReadonlyMap<number, LineMatch>> {
  const subjectTerms = new Set(subject.flatMap(questionTerms))
  const isSubject = (word: string) => textTerms(word).some((term) => subjectTerms.has(term))
  const countsSubject = ({ searchText }: Entry) =>
    [...searchText.matchAll(countPattern)].some(([, wordsAfter = ""]) =>
      contentWords(wordsAfter).slice(0, 2).some(isSubject)
    ) || [...searchText.matchAll(labelPattern)].some(([, label = ""]) => contentWords(label).some(isSubject))
  return new Map(
    yield* flatMapInTurns(index.entries.entries(), ([id, entry]) =>
      countsSubject(entry) ? [[id, { weight: 1, score: 0, isNear: false }] as const] : []
    )
  )
}

/** All lines of the passage with this text. */
export const findPassageLines = ({ entries }: Index, text: string): ReadonlyMap<number, LineMatch> =>
  new Map(
    [...entries.entries()].flatMap(([id, { passage }]) =>
      passage.text === text ? [[id, { weight: 1, score: 0, isNear: false }] as const] : []
    )
  )

const differsByOne = (first: string, second: string): boolean => {
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  if (long.length - short.length > 1) return false
  let prefixLength = 0
  while (prefixLength < short.length && short[prefixLength] === long[prefixLength]) prefixLength++
  return short.slice(short.length === long.length ? prefixLength + 1 : prefixLength) === long.slice(prefixLength + 1)
}

/** Minimum length for correcting a word to a synonym that no text contains. */
const minCorrectedLength = 7

/** Corrects a word that no text has: two swapped letters, or one that is wrong, missing or too many. Else returns it unchanged. */
export const correctSpelling = ({ vocabulary, words }: Index, word: string): string => {
  if (word.length < 3) return word
  const isKnown = (each: string) => isFiller(each) || questionTerms(each).some((term) => vocabulary.has(term))
  const swappedWord = Array.from(
    { length: word.length - 1 },
    (_, index) => `${word.slice(0, index)}${word[index + 1]}${word[index]}${word.slice(index + 2)}`
  ).find(isKnown)
  if (swappedWord !== undefined || word.length < 5) return swappedWord ?? word
  // A short word that is near a synonym only is rather another word, such as "retail" and "retain".
  const isLikely = (each: string) => word.length >= minCorrectedLength || vocabulary.has(stemWord(each))
  return (
    [...words].find((each) => each[0] === word[0] && isLikely(each) && differsByOne(each, word) && isKnown(each)) ??
    word
  )
}

/** Whether a question names another person than the lead with the same first name: Ben Colt is not the lead Ben Cole. */
export const namesStranger = ({ firstNames, leadNameWords, vocabulary }: Index, question: string): boolean =>
  [...question.matchAll(/(?<!\p{L})(\p{L}+) (?=(\p{L}+))/gu)].some(([, firstName = "", lastName = ""]) => {
    const [foldedFirst, foldedLast] = [foldCase(firstName), foldCase(lastName)]
    const isName = /^\p{Lu}/u.test(lastName) || !questionTerms(foldedLast).some((term) => vocabulary.has(term))
    return isName && !isFiller(foldedLast) && firstNames.has(foldedFirst) && !leadNameWords.has(foldedLast)
  })
