// layers/generator/playbook/Vocabulary.ts: measures how much a text is about the work of a department.
import data from "#layers/generator/frames/departments.json" with { type: "json" }
import { departments, type Department } from "#layers/generator/routing/Departments.ts"
import { bare, content, words } from "#layers/text/Words.ts"
import { stemmer } from "stemmer"

interface Entry {
  readonly kin: string
  readonly words: string
}
const entries: Readonly<Record<Department, Entry>> = data.departments

const stems = new Map(
  departments.map((department) => [department, new Set(entries[department].words.split(" ").map(stemmer))])
)

export const kinOf = (department: Department): string => entries[department].kin

/** The departments related to any of these, without these. */
export const kinOfAll = (all: ReadonlyArray<Department>): ReadonlyArray<Department> => {
  const kin = new Set(all.map(kinOf))
  return departments.filter((department) => kin.has(kinOf(department)) && !all.includes(department))
}

export const kinName = (kin: string): string => new Map(Object.entries(data.kin)).get(kin) ?? "Other roles"

/** Words in small letters; hyphenated words are split. */
const partsOf = (text: string): ReadonlyArray<string> => words(text).flatMap((word) => bare(word).split("-"))

/** The number of different words of a department's vocabulary in a text. */
export const affinity = (text: string, ofDepartments: Iterable<Department>): number => {
  const found = new Set(partsOf(text).map((word) => stemmer(word)))
  return Math.max(
    0,
    ...[...ofDepartments].map((department) => (stems.get(department) ?? new Set()).intersection(found).size)
  )
}

/** The number of meaningful words in both texts. */
export const shared = (a: string, b: string): number => {
  const of = (text: string) => content(partsOf(text))
  return of(a).intersection(of(b)).size
}
