// layers/generator/routing/ReadTitle.ts: reads a job title as a department and a seniority, and says why.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import {
  conjunction,
  foldText,
  isConjunction,
  notJobTitles,
  titleTables,
  titleWords,
  type Token,
  tokenizeTitle
} from "#layers/generator/routing/TitleTokens.ts"
import {
  type Department,
  departments,
  seniorities,
  type Seniority,
  type TitleReading
} from "#layers/generator/routing/Departments.ts"

interface Pattern<A> {
  readonly words: ReadonlyArray<string>
  /** How strongly a pattern matches, for comparison with others. */
  readonly weight: number
  readonly value: A
}

interface Match<A> {
  /** Index of the first word, and the index after the last. */
  readonly start: number
  readonly end: number
  readonly weight: number
  readonly value: A
}

type Finder<A> = (title: ReadonlyArray<Token>) => ReadonlyArray<Match<A>>

const matchesWord = (pattern: string, word: string): boolean => {
  if (pattern.endsWith("*"))
    return pattern.startsWith("*") ? word.includes(pattern.slice(1, -1)) : word.startsWith(pattern.slice(0, -1))
  return pattern.startsWith("*")
    ? word.endsWith(pattern.slice(1)) && word.length >= pattern.length
    : pattern === word || `${pattern}s` === word
}

/** The index after a pattern that starts at `from`, or -1. */
const matchEnd = (
  pattern: ReadonlyArray<string>,
  title: ReadonlyArray<Token>,
  from: number,
  patternIndex = 0
): number => {
  const expected = pattern[patternIndex]
  if (expected === undefined) return from
  if (expected === "*") {
    for (let skip = 1; skip <= 3; skip++) {
      const end = matchEnd(pattern, title, from + skip, patternIndex + 1)
      if (end > 0 && end <= title.length) return end
    }
    return -1
  }
  const token = title[from]
  if (token === undefined || !matchesWord(expected, token.word)) return -1
  // A phrase does not cross a comma: "Director, Sales" is not "director sales".
  if (patternIndex > 0 && token.gap === "break") return -1
  return matchEnd(pattern, title, from + 1, patternIndex + 1)
}

/** A phrase of the table, split like a title, with its stars. */
const parsePhrase = (phrase: string): ReadonlyArray<string> =>
  phrase.includes("*")
    ? phrase
        .split(/\s+/)
        .map((part) =>
          isConjunction(part) ? conjunction : part.includes("*") ? foldText(part) : (titleWords(part)[0] ?? "")
        )
    : titleWords(phrase)

const umlauts: ReadonlyArray<readonly [RegExp, string]> = [
  [/ä/g, "ae"],
  [/ö/g, "oe"],
  [/ü/g, "ue"]
]

/** The phrases of a comma-separated list; a phrase with umlauts is also added without them. */
const splitPhrases = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "")
    .flatMap((phrase) => {
      const asciiPhrase = umlauts.reduce((text, [umlaut, plain]) => text.replace(umlaut, plain), phrase)
      return asciiPhrase === phrase ? [phrase] : [phrase, asciiPhrase]
    })

interface PhraseIndex<A> {
  /** By the first word. */
  readonly exact: ReadonlyMap<string, ReadonlyArray<Pattern<A>>>
  /** Patterns whose first word starts with letters and has a star, by the first two letters. */
  readonly byPrefix: ReadonlyMap<string, ReadonlyArray<Pattern<A>>>
  /** Patterns that start with a star, which are always tried. */
  readonly wildcards: ReadonlyArray<Pattern<A>>
}

const indexPhrases = <A>(entries: Iterable<readonly [string, A]>, priority: (value: A) => number): PhraseIndex<A> => {
  const exact = new Map<string, Array<Pattern<A>>>()
  const byPrefix = new Map<string, Array<Pattern<A>>>()
  const wildcards: Array<Pattern<A>> = []
  const seenKeys = new Set<string>()
  for (const [phrase, value] of entries) {
    const words = parsePhrase(phrase)
    const key = words.join(" ")
    if (words.length === 0 || seenKeys.has(key)) continue
    seenKeys.add(key)
    // A complete word is stronger than a pattern; then the phrase with more letters wins.
    const weight = (key.includes("*") ? 0 : 1000) + priority(value) * 100 + key.replaceAll("*", "").length
    const pattern = { words, weight, value }
    const firstWord = words[0] ?? ""
    const prefix = firstWord.slice(0, 2)
    if (firstWord.startsWith("*") || (firstWord.includes("*") && firstWord.length < 3)) wildcards.push(pattern)
    else if (firstWord.includes("*")) byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), pattern])
    else exact.set(firstWord, [...(exact.get(firstWord) ?? []), pattern])
  }
  return { exact, byPrefix, wildcards }
}

/**
 * Finds phrases that do not overlap: longer ones first, and of equal ones the first in the title. The phrases are indexed at the
 * first title, because the tables are long and most commands read no title.
 */
const phraseFinder = <A>(
  entries: Iterable<readonly [string, A]>,
  priority: (value: A) => number = () => 0
): Finder<A> => {
  let index: PhraseIndex<A> | undefined
  return (title) => {
    const { exact, wildcards, byPrefix } = (index ??= indexPhrases(entries, priority))
    const matches: Array<Match<A>> = []
    for (const [start, { word }] of title.entries())
      // "Owners" matches "owner".
      for (const pattern of [
        ...(exact.get(word) ?? []),
        ...(exact.get(word.replace(/s$/, "")) ?? []),
        ...(byPrefix.get(word.slice(0, 2)) ?? []),
        ...wildcards
      ]) {
        const end = matchEnd(pattern.words, title, start)
        if (end > start) matches.push({ start, end, weight: pattern.weight, value: pattern.value })
      }
    matches.sort((a, b) => b.end - b.start - (a.end - a.start) || b.weight - a.weight || a.start - b.start)
    const usedPositions = new Set<number>()
    const nonOverlapping: Array<Match<A>> = []
    for (const match of matches) {
      const positions = Array.from({ length: match.end - match.start }, (_, offset) => match.start + offset)
      if (positions.some((position) => usedPositions.has(position))) continue
      for (const position of positions) usedPositions.add(position)
      nonOverlapping.push(match)
    }
    return nonOverlapping.sort((a, b) => a.start - b.start)
  }
}

/** Weight of a phrase: fields outrank general words, jobs outrank fields, and an owner or chief executive outranks all. */
const matchLevels = { general: 1, fields: 2, jobs: 3, top: 4 } as const

interface Meaning {
  /** Null for a phrase that only hides its words. */
  readonly department: Department | null
  readonly level: number
  readonly language: string
}

const departmentPhrases = function* (): Generator<readonly [string, Meaning]> {
  for (const { language, table } of titleTables)
    for (const phrase of splitPhrases(table.silent ?? "")) yield [phrase, { department: null, level: 0, language }]
  for (const kind of ["jobs", "fields", "general"] as const)
    for (const { language, table } of titleTables)
      for (const department of departments) {
        const level = kind === "jobs" && department === "leadership" ? matchLevels.top : matchLevels[kind]
        for (const phrase of splitPhrases(table[kind][department] ?? ""))
          yield [phrase, { department, level, language }]
      }
}

const seniorityPhrases = function* (): Generator<readonly [string, Seniority]> {
  for (const { table } of titleTables)
    for (const seniority of seniorities)
      for (const phrase of splitPhrases(table.ranks[seniority] ?? "")) yield [phrase, seniority]
}

const findDepartments = phraseFinder(departmentPhrases(), ({ level }) => level)
const findRanks = phraseFinder(seniorityPhrases())

/** A longer text is no title. */
const maxTitleLength = 200
/** Words that are read of a title: each is compared with all patterns that may start with any letter. */
const maxTitleWords = 20
const unknownReading = (reason: string): TitleReading => ({ department: null, seniority: null, reasons: [reason] })

/** The strongest match in one part. In English the head is last ("sales training"), in other languages first. */
const strongestMatch = (matches: ReadonlyArray<Match<Meaning>>): Match<Meaning> | undefined => {
  let strongest: Match<Meaning> | undefined
  for (const match of matches) {
    if (match.value.department === null) continue
    if (strongest === undefined || match.value.level > strongest.value.level) strongest = match
    else if (
      match.value.level === strongest.value.level &&
      match.start === strongest.end &&
      match.value.language === "en" &&
      strongest.value.language === "en"
    )
      strongest = match
  }
  return strongest
}

/** The parts of a title between commas, each split at "and"; phrases that contain an "and" stay whole. */
const titleParts = (title: ReadonlyArray<Token>, matches: ReadonlyArray<Match<Meaning>>) => {
  const isInsidePhrase = (index: number) => matches.some(({ end, start }) => start < index && index < end - 1)
  const parts: Array<Array<Array<Match<Meaning>>>> = [[[]]]
  for (const [index, token] of title.entries()) {
    if (token.gap === "break" && index > 0) parts.push([[]])
    else if (token.word === conjunction && !isInsidePhrase(index)) parts.at(-1)?.push([])
    for (const match of matches) if (match.start === index) parts.at(-1)?.at(-1)?.push(match)
  }
  return parts
}

/** The department of a founder's other job, if it is a chief's: "Co-Founder & CTO" has the department of a CTO. */
const founderDepartment = (
  title: ReadonlyArray<Token>,
  matches: ReadonlyArray<Match<Meaning>>,
  topMatch: Match<Meaning>
) => {
  const chiefOfficers = findRanks(title).filter(({ value }) => value === "executive")
  if (findRanks(title).find(({ start }) => start === topMatch.start)?.value !== "owner") return undefined
  return matches.find(
    (match) =>
      match.value.level === matchLevels.jobs &&
      match.value.department !== "leadership" &&
      chiefOfficers.some(({ start }) => start === match.start)
  )
}

const departmentOf = (title: ReadonlyArray<Token>): Match<Meaning> | undefined => {
  const matches = findDepartments(title)
  const topMatch = matches.find(({ value }) => value.level === matchLevels.top)
  if (topMatch !== undefined) return founderDepartment(title, matches, topMatch) ?? topMatch
  const candidates = titleParts(title, matches).flatMap((chunks) => {
    for (const chunk of chunks) {
      const match = strongestMatch(chunk)
      if (match !== undefined) return [match]
    }
    return []
  })
  return candidates.find(({ value }) => value.level > matchLevels.general) ?? candidates[0]
}

const seniorityRank = (seniority: Seniority) => seniorities.indexOf(seniority)

/** The highest rank in the title; a junior, or an assistant to another person, is an assistant. */
const seniorityOf = (title: ReadonlyArray<Token>): Match<Seniority> | undefined => {
  const ranks = findRanks(title)
  const highestRank = ranks.reduce<Match<Seniority> | undefined>(
    (highest, match) =>
      highest === undefined || seniorityRank(match.value) < seniorityRank(highest.value) ? match : highest,
    undefined
  )
  const assistantRank = ranks.find(({ value }) => value === "assistant")
  if (assistantRank === undefined || highestRank === undefined) return highestRank
  // An "assistant plant manager" manages; a "junior project manager" and a "sales manager's assistant" do not.
  const word = title[assistantRank.start]?.word ?? ""
  const isDeputy =
    (word === "assistant" || word === "student") &&
    highestRank.start >= assistantRank.end &&
    highestRank.value !== "specialist"
  return isDeputy && !isServingAssistant(title, assistantRank) ? highestRank : assistantRank
}

/** Words between "assistant" and the person or board that is assisted. */
const prepositions: ReadonlySet<string> = new Set([
  "to",
  "of",
  "de",
  "der",
  "des",
  "di",
  "del",
  "della",
  "van",
  "du",
  "zarzadu",
  "dyrektora",
  "prezesa",
  "a",
  "la",
  "al",
  "ds"
])
const isServingAssistant = (title: ReadonlyArray<Token>, assistantRank: Match<Seniority>): boolean =>
  prepositions.has(title[assistantRank.end]?.word ?? "")

/** An assistant or secretary to a head of the business is in administration, whatever the head's title. */
const findAssistantRank = (title: ReadonlyArray<Token>): Match<Seniority> | undefined =>
  findRanks(title).find((match) => match.value === "assistant" && title[match.end]?.word === "to")

const departmentNames: Record<Department, string> = {
  leadership: "leadership",
  operations: "operations",
  production: "production",
  maintenance: "maintenance",
  facilities: "facilities",
  logistics: "logistics",
  procurement: "procurement",
  quality: "quality",
  engineering: "engineering",
  construction: "construction",
  software: "software",
  it: "IT",
  product: "product",
  finance: "finance",
  hr: "HR",
  legal: "legal",
  marketing: "marketing",
  sales: "sales",
  ecommerce: "e-commerce",
  support: "customer support",
  administration: "administration",
  healthcare: "healthcare",
  education: "education",
  research: "research",
  hospitality: "hospitality",
  creative: "creative work",
  investment: "investment",
  public: "public and charity work",
  agriculture: "agriculture"
}

const findJoblessPhrases = phraseFinder(splitPhrases(notJobTitles).map((phrase) => [phrase, true] as const))

/** Whether a title says that its holder has no job. */
const isWithoutJob = (title: ReadonlyArray<Token>): boolean =>
  findJoblessPhrases(title).some(({ end, start }) => end - start > 1 || end - start === title.length)

/** The name of a department in a sentence. */
export const departmentName = (department: Department): string => departmentNames[department]

// Words that do not add a field to a rank: "Regional Director" heads a whole region.
const scopeWords: ReadonlySet<string> = new Set(
  "regional group global senior deputy associate company country national international area acting interim corporate emea apac dach de of the".split(
    " "
  )
)

/** Whether a title is a high rank without a field: a "Director" or "Directeur" heads the business. */
const isBareRank = (title: ReadonlyArray<Token>, rank: Match<Seniority> | undefined): boolean =>
  rank !== undefined &&
  seniorityRank(rank.value) <= seniorityRank("director") &&
  title.every(
    ({ word }, index) => (index >= rank.start && index < rank.end) || scopeWords.has(word) || word === conjunction
  )

const placeSuffix = /\s(?:at|chez|bei|presso|bij|@)\s.*$/iu

const parseTitle = (title: string): TitleReading => {
  if (title === "") return unknownReading("The lead has no job title.")
  if (title.length > maxTitleLength || /[{}<>[\]=]|https?:/i.test(title))
    return unknownReading("The job title cannot be read.")
  const quotedTitle = `“${title}”`
  const words = tokenizeTitle(title.replace(placeSuffix, "")).slice(0, maxTitleWords)
  if (isWithoutJob(words)) return unknownReading(`${quotedTitle} is no job.`)
  const rank = seniorityOf(words)
  const assistantToHead = findAssistantRank(words)
  const field = departmentOf(words)
  const department =
    assistantToHead !== undefined
      ? "administration"
      : (field?.value.department ?? (isBareRank(words, rank) ? "leadership" : null))
  if (department === null && rank === undefined)
    return unknownReading(`No word of ${quotedTitle} is in the title table.`)
  const seniority = assistantToHead !== undefined ? "assistant" : (rank?.value ?? "specialist")
  if (department === null)
    return {
      department,
      seniority,
      reasons: [`${quotedTitle} names the seniority ${seniority}, but no known department.`]
    }
  return { department, seniority, reasons: [`${quotedTitle} reads as ${departmentNames[department]}, ${seniority}.`] }
}

/** Cached, because lists repeat titles and reading one takes a third of a millisecond. */
const readCleanTitle = cacheByText(parseTitle)

/** The department and seniority of a job title; null if not recognised, never a guess. */
export const readTitle = (title: string | null | undefined): TitleReading =>
  readCleanTitle(title?.trim().replace(/\s+/g, " ") ?? "")
