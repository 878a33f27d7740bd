// layers/generator/playbook/Personas.ts: groups the job titles of a campaign into a few personas that share a problem.
import type { Campaign } from "#layers/generator/Brief.ts"
import { jobTitles } from "#layers/generator/JobTitles.ts"
import { affinity, kinName, kinOf } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { departmentName, readTitle } from "#layers/generator/routing/ReadTitle.ts"

export interface Group {
  readonly titles: ReadonlyArray<string>
  readonly departments: ReadonlyArray<Department>
}

/** Personas besides "Everyone else". */
const mostGroups = 3

const titlesOf = ({ audience, profile }: Campaign): ReadonlyArray<string> => {
  const named = [audience.decision_makers]
    .flat()
    .concat(profile.target_job_titles ?? "")
    .flatMap(jobTitles)
  const titles = new Map<string, string>()
  for (const title of named)
    if (title.length <= 200 && /\p{L}/u.test(title) && !titles.has(title.toLowerCase()))
      titles.set(title.toLowerCase(), title)
  return [...titles.values()].slice(0, 100)
}

export const departmentsOf = (titles: ReadonlyArray<string>): ReadonlyArray<Department> => [
  ...new Set(titles.flatMap((title) => readTitle(title).department ?? []))
]

const join = (a: Group, b: Group): Group => ({
  titles: [...a.titles, ...b.titles],
  departments: [...new Set([...a.departments, ...b.departments])]
})

/** Returns the problem with the most words of a group's vocabulary, or null if none has such a word. */
export const problemOf = (departments: ReadonlyArray<Department>, problems: ReadonlyArray<string>): string | null => {
  const ranked = problems
    .map((text) => ({ text, score: affinity(text, departments) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  return ranked[0]?.text ?? null
}

type Fits = (a: Group, b: Group) => boolean

/** Joins the first two groups that fit, the later one into the earlier one. */
const joinFirst = (groups: ReadonlyArray<Group>, fit: Fits): ReadonlyArray<Group> | undefined => {
  for (const [at, group] of groups.entries()) {
    const other = groups.findIndex((later, index) => index > at && fit(group, later))
    const found = groups[other]
    if (found !== undefined) return groups.toSpliced(other, 1).with(at, join(group, found))
  }
  return undefined
}

export const groupsOf = (campaign: Campaign, problems: ReadonlyArray<string>): ReadonlyArray<Group> => {
  const byDepartment = Map.groupBy(titlesOf(campaign), (title) => readTitle(title).department)
  let groups: ReadonlyArray<Group> = [...byDepartment].map(([department, titles]) => ({
    titles,
    departments: department === null ? [] : [department]
  }))
  const kin: Fits = (a, b) => a.departments.some((one) => b.departments.some((other) => kinOf(one) === kinOf(other)))
  const sameProblem: Fits = (a, b) => {
    const problem = problemOf(a.departments, problems)
    return problem !== null && problem === problemOf(b.departments, problems)
  }
  for (let next = joinFirst(groups, (a, b) => kin(a, b) && sameProblem(a, b)); next !== undefined;) {
    groups = next
    next = joinFirst(groups, (a, b) => kin(a, b) && sameProblem(a, b))
  }
  while (groups.length > mostGroups)
    groups =
      joinFirst(groups, kin) ??
      joinFirst(groups, sameProblem) ??
      groups.slice(0, -2).concat(groups.slice(-2).reduce(join))
  return groups
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export const nameOf = ({ departments, titles }: Group): string => {
  const kin = new Set(departments.map(kinOf))
  const [only] = kin
  if (departments.length > 2 && kin.size === 1 && only !== undefined) return kinName(only)
  const named = departments.map(departmentName)
  const last = named.at(-1)
  if (last === undefined) return (titles[0] ?? "Others").slice(0, 100)
  return upperFirst(named.length === 1 ? last : `${named.slice(0, -1).join(", ")} and ${last}`).slice(0, 100)
}
