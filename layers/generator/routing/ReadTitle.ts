// layers/generator/routing/ReadTitle.ts: reads a job title as a department and a seniority, and says why.
import {
  type Department,
  departments,
  seniorities,
  type Seniority,
  type TitleReading
} from "#layers/generator/routing/Departments.ts"
import { finder, type Match, phrases } from "#layers/generator/routing/Matching.ts"
import { notJobs, tables } from "#layers/generator/routing/Titles.ts"
import { and, type Token, tokens } from "#layers/generator/routing/Tokens.ts"

/** Weight of a phrase: fields outrank general words, jobs outrank fields, and an owner or chief executive outranks all. */
const levels = { general: 1, fields: 2, jobs: 3, top: 4 } as const

interface Meaning {
  /** Null for a phrase that only hides its words. */
  readonly department: Department | null
  readonly level: number
  readonly language: string
}

const meanings = function* (): Generator<readonly [string, Meaning]> {
  for (const { language, table } of tables)
    for (const phrase of phrases(table.silent ?? "")) yield [phrase, { department: null, level: 0, language }]
  for (const kind of ["jobs", "fields", "general"] as const)
    for (const { language, table } of tables)
      for (const department of departments) {
        const level = kind === "jobs" && department === "leadership" ? levels.top : levels[kind]
        for (const phrase of phrases(table[kind][department] ?? "")) yield [phrase, { department, level, language }]
      }
}

const ranks = function* (): Generator<readonly [string, Seniority]> {
  for (const { table } of tables)
    for (const seniority of seniorities)
      for (const phrase of phrases(table.ranks[seniority] ?? "")) yield [phrase, seniority]
}

const findDepartments = finder(meanings(), ({ level }) => level)
const findRanks = finder(ranks())

const longest = 200
const unknown = (reason: string): TitleReading => ({ department: null, seniority: null, reasons: [reason] })

/** The strongest match in one part. In English the head is last ("sales training"), in other languages first. */
const best = (matches: ReadonlyArray<Match<Meaning>>): Match<Meaning> | undefined => {
  let found: Match<Meaning> | undefined
  for (const match of matches) {
    if (match.value.department === null) continue
    if (found === undefined || match.value.level > found.value.level) found = match
    else if (
      match.value.level === found.value.level &&
      match.start === found.end &&
      match.value.language === "en" &&
      found.value.language === "en"
    )
      found = match
  }
  return found
}

/** The parts of a title between commas, each split at "and"; phrases that contain an "and" stay whole. */
const parts = (title: ReadonlyArray<Token>, matches: ReadonlyArray<Match<Meaning>>) => {
  const inside = (at: number) => matches.some(({ end, start }) => start < at && at < end - 1)
  const all: Array<Array<Array<Match<Meaning>>>> = [[[]]]
  for (const [at, token] of title.entries()) {
    if (token.gap === "break" && at > 0) all.push([[]])
    else if (token.word === and && !inside(at)) all.at(-1)?.push([])
    for (const match of matches) if (match.start === at) all.at(-1)?.at(-1)?.push(match)
  }
  return all
}

/** "Co-Founder & CTO" has the department of a CTO. */
const functionOfFounder = (
  title: ReadonlyArray<Token>,
  matches: ReadonlyArray<Match<Meaning>>,
  top: Match<Meaning>
) => {
  const chiefs = findRanks(title).filter(({ value }) => value === "executive")
  if (findRanks(title).find(({ start }) => start === top.start)?.value !== "owner") return undefined
  return matches.find(
    (match) =>
      match.value.level === levels.jobs &&
      match.value.department !== "leadership" &&
      chiefs.some(({ start }) => start === match.start)
  )
}

const departmentOf = (title: ReadonlyArray<Token>): Match<Meaning> | undefined => {
  const matches = findDepartments(title)
  const top = matches.find(({ value }) => value.level === levels.top)
  if (top !== undefined) return functionOfFounder(title, matches, top) ?? top
  const candidates = parts(title, matches).flatMap((chunks) => {
    for (const chunk of chunks) {
      const found = best(chunk)
      if (found !== undefined) return [found]
    }
    return []
  })
  return candidates.find(({ value }) => value.level > levels.general) ?? candidates[0]
}

const order = (seniority: Seniority) => seniorities.indexOf(seniority)

/** The highest rank in the title; a junior, or an assistant to another person, is an assistant. */
const seniorityOf = (title: ReadonlyArray<Token>): Match<Seniority> | undefined => {
  const found = findRanks(title)
  const highest = found.reduce<Match<Seniority> | undefined>(
    (high, match) => (high === undefined || order(match.value) < order(high.value) ? match : high),
    undefined
  )
  const assists = found.find(({ value }) => value === "assistant")
  if (assists === undefined || highest === undefined) return highest
  // An "assistant plant manager" manages; a "junior project manager" and a "sales manager's assistant" do not.
  const word = title[assists.start]?.word ?? ""
  const stepsIn =
    (word === "assistant" || word === "student") && highest.start >= assists.end && highest.value !== "specialist"
  return stepsIn && !serves(title, assists) ? highest : assists
}

const servants: ReadonlySet<string> = new Set([
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
const serves = (title: ReadonlyArray<Token>, assists: Match<Seniority>): boolean =>
  servants.has(title[assists.end]?.word ?? "")

/** An assistant or secretary to a head of the business is in administration, whatever the head's title. */
const aidOf = (title: ReadonlyArray<Token>): Match<Seniority> | undefined =>
  findRanks(title).find((match) => match.value === "assistant" && title[match.end]?.word === "to")

const named: Record<Department, string> = {
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

const findIdle = finder(phrases(notJobs).map((phrase) => [phrase, true] as const))

/** Whether a title says that its holder has no job. */
const idle = (title: ReadonlyArray<Token>): boolean =>
  findIdle(title).some(({ end, start }) => end - start > 1 || end - start === title.length)

/** The name of a department in a sentence. */
export const departmentName = (department: Department): string => named[department]

// Words that do not add a field to a rank: "Regional Director" heads a whole region.
const scope: ReadonlySet<string> = new Set(
  "regional group global senior deputy associate company country national international area acting interim corporate emea apac dach de of the".split(
    " "
  )
)

/** Whether a title is a high rank without a field: a "Director" or "Directeur" heads the business. */
const bareRank = (title: ReadonlyArray<Token>, rank: Match<Seniority> | undefined): boolean =>
  rank !== undefined &&
  order(rank.value) <= order("director") &&
  title.every(({ word }, at) => (at >= rank.start && at < rank.end) || scope.has(word) || word === and)

const places = /\s(?:at|chez|bei|presso|bij|@)\s.*$/iu

const read = (given: string): TitleReading => {
  if (given === "") return unknown("The lead has no job title.")
  if (given.length > longest || /[{}<>[\]=]|https?:/i.test(given)) return unknown("The job title cannot be read.")
  const shown = `“${given}”`
  const words = tokens(given.replace(places, ""))
  if (idle(words)) return unknown(`${shown} is no job.`)
  const rank = seniorityOf(words)
  const aid = aidOf(words)
  const field = departmentOf(words)
  const department =
    aid !== undefined ? "administration" : (field?.value.department ?? (bareRank(words, rank) ? "leadership" : null))
  if (department === null && rank === undefined) return unknown(`No word of ${shown} is in the title table.`)
  const seniority = aid !== undefined ? "assistant" : (rank?.value ?? "specialist")
  if (department === null)
    return { department, seniority, reasons: [`${shown} names the seniority ${seniority}, but no known department.`] }
  return { department, seniority, reasons: [`${shown} reads as ${named[department]}, ${seniority}.`] }
}

/** Caches titles, because lists repeat them and reading one takes a third of a millisecond. */
const remembered = new Map<string, TitleReading>()
const mostRemembered = 10_000

/** The department and seniority of a job title; null if not recognised, never a guess. */
export const readTitle = (title: string | null | undefined): TitleReading => {
  const given = title?.trim().replace(/\s+/g, " ") ?? ""
  const known = remembered.get(given)
  if (known !== undefined) return known
  if (remembered.size >= mostRemembered) remembered.clear()
  const reading = read(given)
  remembered.set(given, reading)
  return reading
}
