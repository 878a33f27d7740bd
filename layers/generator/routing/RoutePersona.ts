// layers/generator/routing/RoutePersona.ts: chooses the persona of a playbook that a job title belongs to, and says
// why.
import type { PersonaSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { specificTitleWords } from "#layers/generator/playbook/DepartmentVocabulary.ts"
import { seniorities, type Seniority, type TitleReading } from "#layers/generator/routing/Departments.ts"
import { departmentName, readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { conjunction, tokenizeTitle } from "#layers/generator/routing/TitleTokens.ts"

export type RoutedPersona = Pick<PersonaSnapshot, "id" | "name" | "kind" | "titles">

export interface RoutingResult extends TitleReading {
  readonly persona_id: string
  readonly persona: string
}

interface ListedTitle {
  readonly title: string
  readonly key: string
  readonly reading: TitleReading
}

interface Candidate {
  readonly persona: RoutedPersona
  readonly listedTitles: ReadonlyArray<ListedTitle>
}

/** Words that do not distinguish jobs. */
const fillerWords: ReadonlySet<string> = new Set(
  "of for the a an senior global regional group corporate national international interim acting emea apac dach uk us usa eu de du des la le der die das di del della van".split(
    " "
  )
)

const titleKey = (words: ReadonlyArray<string>): string =>
  words
    .filter((word) => !fillerWords.has(word) && word !== conjunction)
    .map((word) => (word.length > 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word))
    .join(" ")
    .replaceAll("vice president", "vp")

/** The texts that a title is compared by: the whole title, and its parts between commas, slashes and "and". */
const titleKeys = (title: string): ReadonlySet<string> => {
  const parts: Array<Array<string>> = [[]]
  const tokens = tokenizeTitle(title)
  for (const { gap, word } of tokens) {
    if (gap === "break" || word === conjunction) parts.push([])
    if (word !== conjunction) parts.at(-1)?.push(word)
  }
  return new Set([tokens.map(({ word }) => word), ...parts].map(titleKey).filter((key) => key !== ""))
}

const buildCandidates = (personas: ReadonlyArray<RoutedPersona>): ReadonlyArray<Candidate> =>
  personas
    .filter(({ kind }) => kind === "role")
    .map((persona) => ({
      persona,
      // A persona without titles is compared by its name.
      listedTitles: (persona.titles.length > 0 ? persona.titles : [persona.name]).map((title) => ({
        title,
        key: titleKey(tokenizeTitle(title).map(({ word }) => word)),
        reading: readTitle(title)
      }))
    }))

// Cached, because all leads of a list are routed to the same personas.
const candidateCache = new WeakMap<ReadonlyArray<RoutedPersona>, ReadonlyArray<Candidate>>()
const cachedCandidates = (personas: ReadonlyArray<RoutedPersona>): ReadonlyArray<Candidate> => {
  const candidates = candidateCache.get(personas) ?? buildCandidates(personas)
  candidateCache.set(personas, candidates)
  return candidates
}

const seniorityRank = (seniority: Seniority | null) => seniorities.indexOf(seniority ?? "specialist")

/** How far below a persona's titles a reader may rank and still belong to it. */
const maxRankGap = 2

/** Whether a reader of this seniority takes part in the decisions of those listed. */
const isPlausibleSeniority = (seniority: Seniority | null, listedTitles: ReadonlyArray<ListedTitle>): boolean => {
  const lowest = Math.max(...listedTitles.map(({ reading }) => seniorityRank(reading.seniority)))
  return seniority === "assistant"
    ? lowest === seniorityRank("assistant")
    : seniorityRank(seniority) - lowest <= maxRankGap
}

const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

interface ChosenPersona {
  readonly persona: RoutedPersona
  readonly reason: string
}

const matchByTitle = (title: string, candidates: ReadonlyArray<Candidate>): ChosenPersona | undefined => {
  for (const key of titleKeys(title))
    for (const { listedTitles, persona } of candidates) {
      const equalTitle = listedTitles.find((item) => item.key === key)
      if (equalTitle !== undefined)
        return { persona, reason: `“${equalTitle.title}” is one of the titles of ${persona.name}.` }
    }
  return undefined
}

interface DepartmentMatch {
  readonly persona: RoutedPersona
  readonly titles: ReadonlyArray<ListedTitle>
  readonly sameSeniority: ReadonlyArray<ListedTitle>
}

/** The most words about the work itself that a title shares with one of those listed: "solar", "vineyard". */
const countSharedWords = (titleWords: ReadonlySet<string>, listedTitles: ReadonlyArray<ListedTitle>): number =>
  Math.max(0, ...listedTitles.map(({ title }) => specificTitleWords([title]).intersection(titleWords).size))

const matchByDepartment = (
  title: string,
  reading: TitleReading,
  candidates: ReadonlyArray<Candidate>
): ChosenPersona | string | undefined => {
  const { department, seniority } = reading
  if (department === null) return undefined
  const titleWords = specificTitleWords([title])
  const departmentMatches: ReadonlyArray<DepartmentMatch> = candidates
    .map(({ listedTitles, persona }) => {
      const titles = listedTitles.filter((item) => item.reading.department === department)
      return { persona, titles, sameSeniority: titles.filter((item) => item.reading.seniority === seniority) }
    })
    .filter(({ titles }) => titles.length > 0)
  const name = departmentName(department)
  // The sort is stable, so the first persona of the playbook wins a tie.
  const bestMatch = departmentMatches
    .filter(({ titles }) => isPlausibleSeniority(seniority, titles))
    .toSorted(
      (a, b) =>
        countSharedWords(titleWords, b.titles) - countSharedWords(titleWords, a.titles) ||
        Number(b.sameSeniority.length > 0) - Number(a.sameSeniority.length > 0) ||
        b.titles.length - a.titles.length
    )[0]
  const seniorMatch = departmentMatches[0]
  if (bestMatch === undefined)
    return seniorMatch === undefined
      ? undefined
      : `${seniorMatch.persona.name} has ${name} titles, but ${seniority === "assistant" ? "an" : "a"} ${seniority} is too far below them to decide.`
  const equalTitle = bestMatch.sameSeniority[0]
  if (equalTitle !== undefined)
    return {
      persona: bestMatch.persona,
      reason: `${bestMatch.persona.name} lists “${equalTitle.title}”, which has the same department and seniority.`
    }
  const titleCount = bestMatch.titles.length
  return {
    persona: bestMatch.persona,
    reason: `${sentenceCase(name)} is the department of “${bestMatch.titles[0]?.title}”${titleCount > 1 ? ` and ${titleCount - 1} more` : ""} of ${bestMatch.persona.name}.`
  }
}

/** The words of a title's key, such as "head" and "development". */
const splitWords = (key: string): ReadonlySet<string> => new Set(key.split(" "))

/**
 * A persona by the words of its titles: "Head of Development" has no other words than "Head of Project Development", and
 * "Nutrition Lead" shares the word about the work with "Head of Nutrition".
 */
const matchByWords = (
  title: string,
  { department, seniority }: TitleReading,
  candidates: ReadonlyArray<Candidate>
): ChosenPersona | undefined => {
  const titleWords = splitWords(titleKey(tokenizeTitle(title).map(({ word }) => word)))
  const specificWords = specificTitleWords([title])
  for (const { listedTitles, persona } of candidates) {
    const item = listedTitles.find(
      (listedTitle) =>
        (titleWords.size > 1 && titleWords.isSubsetOf(splitWords(listedTitle.key))) ||
        (department === null &&
          specificWords.size > 0 &&
          specificTitleWords([listedTitle.title]).intersection(specificWords).size > 0)
    )
    if (item !== undefined && isPlausibleSeniority(seniority, listedTitles))
      return { persona, reason: `The title shares its words with “${item.title}” of ${persona.name}.` }
  }
  return undefined
}

const matchByOwner = (reading: TitleReading, candidates: ReadonlyArray<Candidate>): ChosenPersona | undefined => {
  if (reading.department !== "leadership") return undefined
  const owner = candidates.find(({ listedTitles }) => listedTitles.some((item) => item.reading.seniority === "owner"))
  return owner && { persona: owner.persona, reason: `${owner.persona.name} lists owners.` }
}

/** The persona of a job title; "Everyone else" if none fits. The same input always gives the same result. */
export const routePersona = (
  title: string | null | undefined,
  personas: ReadonlyArray<RoutedPersona>
): RoutingResult => {
  const reading = readTitle(title)
  const candidates = cachedCandidates(personas)
  const fallbackPersona = personas.find(({ kind }) => kind === "everyone_else") ?? personas.at(-1)
  const match = matchByTitle(title ?? "", candidates) ?? matchByDepartment(title ?? "", reading, candidates)
  const choice =
    typeof match === "object"
      ? match
      : (matchByOwner(reading, candidates) ?? matchByWords(title ?? "", reading, candidates))
  const persona = choice?.persona ?? fallbackPersona
  const name = persona?.name ?? "Everyone else"
  const fallbackReason =
    reading.department === null
      ? `The title tells no department, so the lead goes to ${name}.`
      : `No persona lists ${departmentName(reading.department)} titles, so the lead goes to ${name}.`
  const routingReason =
    choice?.reason ?? (typeof match === "string" ? `${match} The lead goes to ${name}.` : fallbackReason)
  return {
    persona_id: persona?.id ?? "",
    persona: name,
    department: reading.department,
    seniority: reading.seniority,
    reasons: [...reading.reasons, routingReason]
  }
}
