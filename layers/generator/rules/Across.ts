// layers/generator/rules/Across.ts: how unlike each other the first emails of a list are.
import { view } from "#layers/generator/rules/Case.ts"
import { likeness } from "#layers/generator/Text.ts"
import type { Draft } from "#layers/Generator.ts"

export interface Diversity {
  /** The largest part of the list whose bodies start with the same eight words. */
  readonly opening: number
  /** Mean likeness of two bodies. */
  readonly likeness: number
  /** Distinct subjects, as a part of the list. */
  readonly subjects: number
  readonly findings: ReadonlyArray<{ readonly rule: "X1" | "X2" | "X3"; readonly message: string }>
  /** Places in the list of those whose opening is the most shared, for rewriting. */
  readonly worst: ReadonlyArray<number>
}

const pairs = 4000

/** Judges the first emails of one list. Lists of fewer than 20 have no findings. Large lists are sampled evenly, not at random. */
export const diversity = (emails: ReadonlyArray<Draft>): Diversity => {
  const views = emails.map((draft) => view(draft))
  const openings = new Map<string, Array<number>>()
  views.forEach((each, at) => {
    const start = each.prose.sentences
      .flatMap(({ lower }) => lower)
      .slice(0, 8)
      .join(" ")
    const same = openings.get(start)
    if (same === undefined) openings.set(start, [at])
    else same.push(at)
  })
  const worst = [...openings.values()].reduce<ReadonlyArray<number>>(
    (most, each) => (each.length > most.length ? each : most),
    []
  )
  const count = views.length
  let sum = 0
  let taken = 0
  for (let distance = 1; distance < count && taken < pairs; distance++) {
    // Odd strides reach every part of a list that was sorted by anything.
    const step = Math.max(1, Math.floor((count * (count - 1)) / 2 / pairs)) | 1
    for (let at = distance % step; at + distance < count && taken < pairs; at += step) {
      const a = views[at]
      const b = views[at + distance]
      if (a === undefined || b === undefined) continue
      sum += likeness(a.trigrams, b.trigrams)
      taken++
    }
  }
  const opening = count === 0 ? 0 : worst.length / count
  const mean = taken === 0 ? 0 : sum / taken
  const subjects = count === 0 ? 1 : new Set(emails.map(({ subject }) => subject.trim().toLowerCase())).size / count
  const findings =
    count < 20
      ? []
      : [
          ...(opening > 0.05
            ? [
                {
                  rule: "X1" as const,
                  message: `${worst.length} of ${count} first emails start with the same eight words: at most one in twenty should.`
                }
              ]
            : []),
          ...(mean > 0.35
            ? [
                {
                  rule: "X2" as const,
                  message: `Two first emails of this list are alike by ${mean.toFixed(2)} on average: 0.35 is the most.`
                }
              ]
            : []),
          ...(subjects < 0.6
            ? [
                {
                  rule: "X3" as const,
                  message: `${Math.round(subjects * 100)}% of the subjects are distinct: at least 60% should be.`
                }
              ]
            : [])
        ]
  return { opening, likeness: mean, subjects, findings, worst: opening > 0.05 ? worst : [] }
}
