// layers/generator/playbook/PersonaGroups.ts: groups the job titles of a campaign into a few personas that share a
// problem.
import type { Campaign } from "#layers/generator/Brief.ts"
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import {
  departmentWordCount,
  countStemsIn,
  departmentGroupName,
  departmentGroup,
  specificTitleWords
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { departmentName, readTitle } from "#layers/generator/routing/ReadTitle.ts"

export interface PersonaGroup {
  readonly titles: ReadonlyArray<string>
  readonly departments: ReadonlyArray<Department>
  /** The problem that says a word of these titles: "Panels at a solar farm ..." of "Solar Plant O&M Manager". */
  readonly about?: string
}

/** Personas besides "Everyone else". */
const maxGroups = 4

const personaTitles = ({ audience, profile }: Campaign): ReadonlyArray<string> => {
  const namedTitles = [audience.decision_makers]
    .flat()
    .concat(profile.target_job_titles ?? "")
    .flatMap(extractJobTitles)
  const titles = new Map<string, string>()
  for (const title of namedTitles)
    if (title.length <= 200 && /\p{L}/u.test(title) && !titles.has(title.toLowerCase()))
      titles.set(title.toLowerCase(), title)
  return [...titles.values()].slice(0, 100)
}

export const departmentsOfTitles = (titles: ReadonlyArray<string>): ReadonlyArray<Department> => [
  ...new Set(titles.flatMap((title) => readTitle(title).department ?? []))
]

const mergeGroups = (a: PersonaGroup, b: PersonaGroup): PersonaGroup => ({
  titles: [...a.titles, ...b.titles],
  departments: [...new Set([...a.departments, ...b.departments])]
})

/** Returns the problem with the most words of a group's vocabulary, or null if none has such a word. */
const bestProblem = (departments: ReadonlyArray<Department>, problems: ReadonlyArray<string>): string | null => {
  const ranked = problems
    .map((text) => ({ text, score: departmentWordCount(text, departments) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  return ranked[0]?.text ?? null
}

/** The problem with a word of its own in common with a title. */
const problemForTitle = (title: string, problems: ReadonlyArray<string>): string | undefined => {
  const words = specificTitleWords([title])
  return problems.find((text) => countStemsIn(words, text) > 0)
}

type CanMerge = (a: PersonaGroup, b: PersonaGroup) => boolean

/** Joins the first two groups that fit, the later one into the earlier one. */
const mergeFirst = (
  groups: ReadonlyArray<PersonaGroup>,
  canMerge: CanMerge
): ReadonlyArray<PersonaGroup> | undefined => {
  for (const [position, group] of groups.entries()) {
    const laterIndex = groups.findIndex((later, index) => index > position && canMerge(group, later))
    const laterGroup = groups[laterIndex]
    if (laterGroup !== undefined) return groups.toSpliced(laterIndex, 1).with(position, mergeGroups(group, laterGroup))
  }
  return undefined
}

const areRelated: CanMerge = (a, b) =>
  a.about === undefined &&
  b.about === undefined &&
  a.departments.some((one) => b.departments.some((other) => departmentGroup(one) === departmentGroup(other)))

const groupTitles = (campaign: Campaign, problems: ReadonlyArray<string>): ReadonlyArray<PersonaGroup> => {
  const allTitles = personaTitles(campaign)
  const problemByTitle = new Map(allTitles.map((title) => [title, problemForTitle(title, problems)]))
  const byDepartment = Map.groupBy(allTitles, (title) => problemByTitle.get(title) ?? readTitle(title).department)
  let groups: ReadonlyArray<PersonaGroup> = [...byDepartment].map(([, titles]) => {
    const about = problemByTitle.get(titles[0] ?? "")
    return { titles, departments: departmentsOfTitles(titles), ...(about === undefined ? {} : { about }) }
  })
  const shareProblem: CanMerge = (a, b) => {
    if (a.about !== undefined || b.about !== undefined) return false
    const problem = bestProblem(a.departments, problems)
    return problem !== null && problem === bestProblem(b.departments, problems)
  }
  for (let merged = mergeFirst(groups, (a, b) => areRelated(a, b) && shareProblem(a, b)); merged !== undefined;) {
    groups = merged
    merged = mergeFirst(groups, (a, b) => areRelated(a, b) && shareProblem(a, b))
  }
  while (groups.length > maxGroups)
    groups =
      mergeFirst(groups, areRelated) ??
      mergeFirst(groups, shareProblem) ??
      groups.slice(0, -2).concat(groups.slice(-2).reduce(mergeGroups))
  return groups
}

/** Titles of the persona for heads of a business, whom most lead files contain. */
const ownerTitles = ["Owner", "Managing Director", "CEO", "Founder"]

/**
 * The personas of a campaign, with one for the heads of a business where no title names them. Two roles that are alike make
 * space for it.
 */
export const personaGroups = (campaign: Campaign, problems: ReadonlyArray<string>): ReadonlyArray<PersonaGroup> => {
  const groups = groupTitles(campaign, problems)
  if (groups.length === 0 || groups.some(({ departments }) => departments.includes("leadership"))) return groups
  const otherGroups = groups.length < maxGroups ? groups : mergeFirst(groups, areRelated)
  return otherGroups === undefined
    ? groups
    : [...otherGroups, { titles: ownerTitles, departments: departmentsOfTitles(ownerTitles) }]
}

const capitalizeFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export const groupName = ({ about, departments, titles }: PersonaGroup): string => {
  if (about !== undefined) return titles.join(", ").slice(0, 100)
  const groups = new Set(departments.map(departmentGroup))
  const [onlyGroup] = groups
  if (departments.length > 2 && groups.size === 1 && onlyGroup !== undefined) return departmentGroupName(onlyGroup)
  const names = departments.map(departmentName)
  const last = names.at(-1)
  if (last === undefined) return (titles[0] ?? "Others").slice(0, 100)
  return capitalizeFirst(names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`).slice(0, 100)
}
