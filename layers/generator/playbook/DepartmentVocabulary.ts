// layers/generator/playbook/DepartmentVocabulary.ts: measures how much a text is about the work of a department.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import data from "#layers/generator/frames/departments.json" with { type: "json" }
import { departments, type Department } from "#layers/generator/routing/Departments.ts"
import { normalizeWord, contentStems, wordTokens } from "#layers/text/Words.ts"
import { stemmer } from "stemmer"

interface DepartmentEntry {
  readonly group: string
  readonly words: string
}
const entries: Readonly<Record<Department, DepartmentEntry>> = data.departments

const departmentStems = new Map(
  departments.map((department) => [department, new Set(entries[department].words.split(" ").map(stemmer))])
)

export const departmentGroup = (department: Department): string => entries[department].group

/** The departments related to any of these, without these. */
export const relatedDepartments = (all: ReadonlyArray<Department>): ReadonlyArray<Department> => {
  const groups = new Set(all.map(departmentGroup))
  return departments.filter((department) => groups.has(departmentGroup(department)) && !all.includes(department))
}

export const departmentGroupName = (group: string): string =>
  new Map(Object.entries(data.groups)).get(group) ?? "Other roles"

/** Words in lower case, without a possessive ending; hyphenated words are split. */
const splitHyphenatedWords = (text: string): ReadonlyArray<string> =>
  wordTokens(text).flatMap((word) => normalizeWord(word).split("-"))

const wordStems = cacheByText((text): ReadonlySet<string> => new Set(splitHyphenatedWords(text).map(stemmer)))

/** The number of different words in a text of the vocabulary of one of these departments: of the one that has most. */
export const departmentWordCount = (text: string, ofDepartments: Iterable<Department>): number => {
  const stems = wordStems(text)
  return Math.max(
    0,
    ...[...ofDepartments].map((department) => (departmentStems.get(department) ?? new Set()).intersection(stems).size)
  )
}

/** The stems of the words of a text that mean something by themselves. */
export const meaningfulStems = cacheByText((text): ReadonlySet<string> => contentStems(splitHyphenatedWords(text)))

/** The number of different stems of meaningful words in both texts, without those in `trade`. */
export const sharedWordCount = (a: string, b: string, trade = ""): number =>
  meaningfulStems(a).intersection(meaningfulStems(b)).difference(meaningfulStems(trade)).size

/** Words of job titles that say how senior a reader is, or what most readers do. */
const genericTitleWords = contentStems(
  (
    "administrator administrative area assistant associate board business buyer chief company consultant coordinator corporate country " +
    "deputy development director division engineer executive founder general global group head international junior lead leader local " +
    "manager managing member national office officer operations owner partner person plant president principal product production " +
    "project purchasing regional representative sales senior service services site specialist supervisor team technical technician " +
    "vice worker"
  ).split(" ")
)

/** The stems of the words of job titles that tell what a reader's work is about: "solar" of "Solar Plant O&M Manager". */
export const specificTitleWords = (titles: ReadonlyArray<string>): ReadonlySet<string> =>
  contentStems(titles.flatMap(splitHyphenatedWords)).difference(genericTitleWords)

/** The number of these stems that a text has. */
export const countStemsIn = (stems: ReadonlySet<string>, text: string): number =>
  meaningfulStems(text).intersection(stems).size
