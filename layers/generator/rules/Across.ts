// layers/generator/rules/Across.ts: how unlike each other the first emails of a list are.
import type { Draft } from "#layers/Generator.ts"
import { type View, view } from "#layers/generator/rules/View.ts"
import { likeness } from "#layers/text/Likeness.ts"

/** What first emails have in common, in lower case, and their places in the list. */
export interface Shared {
  readonly text: string
  readonly places: ReadonlyArray<number>
}

export interface Diversity {
  /** The largest part of the list whose bodies start with the same eight words. */
  readonly opening: number
  /** Mean likeness of two bodies. */
  readonly likeness: number
  /** Distinct subjects, as a part of the list. */
  readonly subjects: number
  readonly findings: ReadonlyArray<{ readonly rule: "X1" | "X2" | "X3"; readonly message: string }>
  /** How far the list is from keeping the three rules; 0 where it keeps them. */
  readonly breach: number
  /** Places in the list of those to write to again: no more than it takes, and at most a fifth. */
  readonly worst: ReadonlyArray<number>
  /** Each opening and each subject of the list, the commonest first. */
  readonly openings: ReadonlyArray<Shared>
  readonly headings: ReadonlyArray<Shared>
}

/** Lists of fewer have no findings. */
export const fewest = 20
const alike = 0.35
const pairs = 2000

export const openingOf = ({ prose }: View): string => {
  const start: Array<string> = []
  for (const { lower } of prose.sentences) {
    start.push(...lower)
    if (start.length >= 8) break
  }
  return start.slice(0, 8).join(" ")
}

export const subjectOf = ({ subject }: Pick<Draft, "subject">): string => subject.trim().toLowerCase()

/** The commonest first, and of those as common the one that comes first in the list. */
const commonestFirst = (a: Shared, b: Shared) =>
  b.places.length - a.places.length || (a.places[0] ?? 0) - (b.places[0] ?? 0)

/** `keys` has what each email of the list shares with those whose key is the same. */
const sharing = (keys: ReadonlyArray<string>): ReadonlyArray<Shared> => {
  const places = Map.groupBy(keys.keys(), (at) => keys[at] ?? "")
  return [...places].map(([text, places]) => ({ text, places })).sort(commonestFirst)
}

/** The same once the email at a place has another key. */
const moved = (all: ReadonlyArray<Shared>, at: number, before: string, after: string): ReadonlyArray<Shared> => {
  if (before === after) return all
  const changed: Array<Shared> = []
  let joins = false
  for (const shared of all) {
    const { places, text } = shared
    if (text === after) {
      joins = true
      changed.push({ text, places: [...places, at].sort((a, b) => a - b) })
    } else if (text !== before) changed.push(shared)
    else if (places.length > 1) changed.push({ text, places: places.filter((place) => place !== at) })
  }
  if (!joins) changed.push({ text: after, places: [at] })
  return changed.sort(commonestFirst)
}

interface Pair {
  readonly places: readonly [number, number]
  readonly likeness: number
}

const pairOf = (views: ReadonlyArray<View>, places: Pair["places"]): Pair => {
  const [a, b] = [views[places[0]], views[places[1]]]
  return { places, likeness: a === undefined || b === undefined ? 0 : likeness(a.trigrams, b.trigrams) }
}

/** Which pairs are looked at: all of a short list; a large one is sampled evenly, not at random. */
const sample = (count: number): ReadonlyArray<Pair["places"]> => {
  const taken: Array<Pair["places"]> = []
  // Odd strides reach every part of a list that was sorted by anything.
  const step = Math.max(1, Math.floor((count * (count - 1)) / 2 / pairs)) | 1
  for (let distance = 1; distance < count && taken.length < pairs; distance++) {
    for (let at = distance % step; at + distance < count && taken.length < pairs; at += step) {
      taken.push([at, at + distance])
    }
  }
  return taken
}

const mean = (taken: ReadonlyArray<Pair>): number =>
  taken.length === 0 ? 0 : taken.reduce((sum, { likeness }) => sum + likeness, 0) / taken.length

/** Adds to `named` those who are most like the others, until those who are left keep the rule or `most` are named. */
const nameAlike = (taken: ReadonlyArray<Pair>, named: Set<number>, most: number): void => {
  const pairsOf = new Map<number, Array<Pair>>()
  for (const pair of taken) {
    for (const at of pair.places) {
      const own = pairsOf.get(at)
      if (own === undefined) pairsOf.set(at, [pair])
      else own.push(pair)
    }
  }
  const order = [...pairsOf].map(([at, own]) => ({ at, likeness: mean(own) })).sort((a, b) => b.likeness - a.likeness)
  const left = new Set(taken.filter(({ places }) => !places.some((at) => named.has(at))))
  let sum = 0
  for (const { likeness } of left) sum += likeness
  for (const { at } of order) {
    if (named.size >= most || sum <= alike * left.size) return
    named.add(at)
    for (const pair of pairsOf.get(at) ?? []) if (left.delete(pair)) sum -= pair.likeness
  }
}

/** What is known of the first emails of one list. */
interface Known {
  readonly views: ReadonlyArray<View>
  readonly starts: ReadonlyArray<string>
  readonly subjects: ReadonlyArray<string>
  readonly openings: ReadonlyArray<Shared>
  readonly headings: ReadonlyArray<Shared>
  readonly sampled: ReadonlyArray<Pair>
  /** Where in `sampled` the pairs of each email are. */
  readonly pairsOf: ReadonlyArray<ReadonlyArray<number>>
}

const judge = (known: Known): Diversity => {
  const count = known.views.length
  const { headings, openings } = known
  const { sampled } = known
  const commonest = openings[0]?.places.length ?? 0
  const opening = count === 0 ? 0 : commonest / count
  const likeness = mean(sampled)
  const subjects = count === 0 ? 1 : headings.length / count
  const judged = count >= fewest
  const allowed = Math.floor(count / 20)
  const tooCommon = judged ? openings.filter(({ places }) => places.length > allowed) : []
  const surplus = tooCommon.flatMap(({ places }) => places.slice(allowed))
  const lacking = judged ? Math.max(0, Math.ceil((3 * count) / 5) - headings.length) : 0
  const excess = judged ? Math.max(0, likeness - alike) : 0
  const findings: Array<Diversity["findings"][number]> = []
  const find = (rule: (typeof findings)[number]["rule"], message: string) => findings.push({ rule, message })
  if (surplus.length > 0)
    find("X1", `${commonest} of ${count} first emails start with the same eight words: at most one in twenty should.`)
  if (excess > 0)
    find("X2", `Two first emails of this list are alike by ${likeness.toFixed(2)} on average: 0.35 is the most.`)
  if (lacking > 0) find("X3", `${Math.round(subjects * 100)}% of the subjects are distinct: at least 60% should be.`)
  return {
    opening,
    likeness,
    subjects,
    findings,
    openings,
    headings,
    breach: count === 0 ? 0 : surplus.length / count + excess + lacking / count,
    get worst() {
      const most = Math.floor(count / 5)
      const named = new Set(surplus)
      // Whoever is written to again gets another subject with it.
      const repeated = headings.flatMap(({ places }) => places.slice(1))
      const cheapest = [...repeated.filter((at) => named.has(at)), ...repeated.filter((at) => !named.has(at))]
      for (const at of cheapest.slice(0, lacking)) named.add(at)
      if (excess > 0) nameAlike(sampled, named, most)
      return [...named].slice(0, most)
    }
  }
}

/** The first emails of one list, judged; and, with another in the place of one of them, judged again. */
interface Comparison {
  readonly found: Diversity
  readonly with: (at: number, view: View) => Comparison
}

const comparison = (known: Known): Comparison => ({
  found: judge(known),
  with: (at, view) => {
    const views = known.views.with(at, view)
    const start = openingOf(view)
    const subject = subjectOf(view)
    // Whatever the others have in common, they have it still.
    const sampled = [...known.sampled]
    for (const pair of known.pairsOf[at] ?? []) sampled[pair] = pairOf(views, sampled[pair]?.places ?? [at, at])
    return comparison({
      views,
      starts: known.starts.with(at, start),
      subjects: known.subjects.with(at, subject),
      openings: moved(known.openings, at, known.starts[at] ?? "", start),
      headings: moved(known.headings, at, known.subjects[at] ?? "", subject),
      sampled,
      pairsOf: known.pairsOf
    })
  }
})

/** Pairs that are looked at in one piece, for less than a millisecond. */
const piece = 250

/** Compares the emails piece by piece, for whoever has others wait meanwhile. */
export function* comparing(views: ReadonlyArray<View>): Generator<void, Comparison> {
  const starts = views.map(openingOf)
  const subjects = views.map(subjectOf)
  const sampled: Array<Pair> = []
  const pairsOf: ReadonlyArray<Array<number>> = views.map(() => [])
  for (const places of sample(views.length)) {
    for (const place of places) pairsOf[place]?.push(sampled.length)
    sampled.push(pairOf(views, places))
    if (sampled.length % piece === 0) yield
  }
  return comparison({
    views,
    starts,
    subjects,
    openings: sharing(starts),
    headings: sharing(subjects),
    sampled,
    pairsOf
  })
}

export const compare = (views: ReadonlyArray<View>): Comparison => {
  const steps = comparing(views)
  while (true) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Judges the first emails of one list. */
export const across = (views: ReadonlyArray<View>): Diversity => compare(views).found

export const diversity = (emails: ReadonlyArray<Draft>): Diversity => across(emails.map((draft) => view(draft)))
