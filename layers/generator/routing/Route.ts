// layers/generator/routing/Route.ts: chooses the persona of a playbook that a job title belongs to, and says why.
import type { BookPersona } from "#layers/generator/playbook/Book.ts"
import { seniorities, type Seniority, type TitleReading } from "#layers/generator/routing/Departments.ts"
import { departmentName, readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { and, tokens } from "#layers/generator/routing/Tokens.ts"

export type RoutedPersona = Pick<BookPersona, "id" | "name" | "kind" | "titles">

export interface Routed extends TitleReading {
  readonly persona_id: string
  readonly persona: string
}

interface Listed {
  readonly title: string
  readonly key: string
  readonly reading: TitleReading
}

interface Candidate {
  readonly persona: RoutedPersona
  readonly listed: ReadonlyArray<Listed>
}

/** Words that do not distinguish jobs. */
const filler: ReadonlySet<string> = new Set(
  "of for the a an senior global regional group corporate national international interim acting emea apac dach uk us usa eu de du des la le der die das di del della van".split(
    " "
  )
)

const keyOf = (words: ReadonlyArray<string>): string =>
  words
    .filter((word) => !filler.has(word) && word !== and)
    .map((word) => (word.length > 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word))
    .join(" ")
    .replaceAll("vice president", "vp")

/** The texts that a title is compared by: the whole title, and its parts between commas, slashes and "and". */
const keysOf = (title: string): ReadonlySet<string> => {
  const parts: Array<Array<string>> = [[]]
  const all = tokens(title)
  for (const { gap, word } of all) {
    if (gap === "break" || word === and) parts.push([])
    if (word !== and) parts.at(-1)?.push(word)
  }
  return new Set([all.map(({ word }) => word), ...parts].map(keyOf).filter((key) => key !== ""))
}

const candidatesOf = (personas: ReadonlyArray<RoutedPersona>): ReadonlyArray<Candidate> =>
  personas
    .filter(({ kind }) => kind === "role")
    .map((persona) => ({
      persona,
      // A persona without titles is compared by its name.
      listed: (persona.titles.length > 0 ? persona.titles : [persona.name]).map((title) => ({
        title,
        key: keyOf(tokens(title).map(({ word }) => word)),
        reading: readTitle(title)
      }))
    }))

// Cached, because all leads of a list are routed to the same personas.
const known = new WeakMap<ReadonlyArray<RoutedPersona>, ReadonlyArray<Candidate>>()
const candidates = (personas: ReadonlyArray<RoutedPersona>): ReadonlyArray<Candidate> => {
  const found = known.get(personas) ?? candidatesOf(personas)
  known.set(personas, found)
  return found
}

const order = (seniority: Seniority | null) => seniorities.indexOf(seniority ?? "specialist")

/** How far below a persona's titles a reader may rank and still belong to it. */
const reach = 2

/** Whether a reader of this seniority takes part in the decisions of those listed. */
const plausible = (seniority: Seniority | null, listed: ReadonlyArray<Listed>): boolean => {
  const lowest = Math.max(...listed.map(({ reading }) => order(reading.seniority)))
  return seniority === "assistant" ? lowest === order("assistant") : order(seniority) - lowest <= reach
}

const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

interface Chosen {
  readonly persona: RoutedPersona
  readonly reason: string
}

const byTitle = (title: string, all: ReadonlyArray<Candidate>): Chosen | undefined => {
  for (const key of keysOf(title))
    for (const { listed, persona } of all) {
      const same = listed.find((item) => item.key === key)
      if (same !== undefined) return { persona, reason: `“${same.title}” is one of the titles of ${persona.name}.` }
    }
  return undefined
}

interface Kin {
  readonly persona: RoutedPersona
  readonly titles: ReadonlyArray<Listed>
  readonly equal: ReadonlyArray<Listed>
}

const byDepartment = (reading: TitleReading, all: ReadonlyArray<Candidate>): Chosen | string | undefined => {
  const { department, seniority } = reading
  if (department === null) return undefined
  const kin: ReadonlyArray<Kin> = all
    .map(({ listed, persona }) => {
      const titles = listed.filter((item) => item.reading.department === department)
      return { persona, titles, equal: titles.filter((item) => item.reading.seniority === seniority) }
    })
    .filter(({ titles }) => titles.length > 0)
  const name = departmentName(department)
  // The sort is stable, so the first persona of the playbook wins a tie.
  const fit = kin
    .filter(({ titles }) => plausible(seniority, titles))
    .toSorted((a, b) => Number(b.equal.length > 0) - Number(a.equal.length > 0) || b.titles.length - a.titles.length)[0]
  const out = kin[0]
  if (fit === undefined)
    return out === undefined
      ? undefined
      : `${out.persona.name} has ${name} titles, but ${seniority === "assistant" ? "an" : "a"} ${seniority} is too far below them to decide.`
  const equal = fit.equal[0]
  if (equal !== undefined)
    return {
      persona: fit.persona,
      reason: `${fit.persona.name} lists “${equal.title}”, which has the same department and seniority.`
    }
  const others = fit.titles.length
  return {
    persona: fit.persona,
    reason: `${sentenceCase(name)} is the department of “${fit.titles[0]?.title}”${others > 1 ? ` and ${others - 1} more` : ""} of ${fit.persona.name}.`
  }
}

const byOwner = (reading: TitleReading, all: ReadonlyArray<Candidate>): Chosen | undefined => {
  if (reading.department !== "leadership") return undefined
  const owner = all.find(({ listed }) => listed.some((item) => item.reading.seniority === "owner"))
  return owner && { persona: owner.persona, reason: `${owner.persona.name} lists owners.` }
}

/** The persona of a job title; "Everyone else" if none fits. The same input always gives the same result. */
export const route = (title: string | null | undefined, personas: ReadonlyArray<RoutedPersona>): Routed => {
  const reading = readTitle(title)
  const all = candidates(personas)
  const rest = personas.find(({ kind }) => kind === "everyone_else") ?? personas.at(-1)
  const match = byTitle(title ?? "", all) ?? byDepartment(reading, all)
  const chosen = typeof match === "object" ? match : byOwner(reading, all)
  const persona = chosen?.persona ?? rest
  const name = persona?.name ?? "Everyone else"
  const why =
    reading.department === null
      ? `The title tells no department, so the lead goes to ${name}.`
      : `No persona lists ${departmentName(reading.department)} titles, so the lead goes to ${name}.`
  const last = chosen?.reason ?? (typeof match === "string" ? `${match} The lead goes to ${name}.` : why)
  return {
    persona_id: persona?.id ?? "",
    persona: name,
    department: reading.department,
    seniority: reading.seniority,
    reasons: [...reading.reasons, last]
  }
}
