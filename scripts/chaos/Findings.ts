// scripts/chaos/Findings.ts: what broke, what was done, and which faults may excuse an answer that would else be a finding.

type Excuse = "store" | "model" | "gone"

export interface Findings {
  readonly report: (what: string) => void
  readonly all: () => ReadonlyArray<string>
  /** Counts something that was done or seen. */
  readonly count: (what: string, times?: number) => void
  readonly counts: () => ReadonlyMap<string, number>
  /** Keeps the greatest. */
  readonly recordMax: (what: string, value: number) => void
  readonly begin: (excuse: Excuse) => void
  readonly end: (excuse: Excuse) => void
  /** Whether the fault was there at any moment since `from`, or a short while before it. */
  readonly isExcused: (excuse: Excuse, from: number) => boolean
}

/** How long after its end a fault may still be felt. */
const aftermathMillis: Readonly<Record<Excuse, number>> = { store: 8000, model: 45_000, gone: 3000 }

export const make = (print: (line: string) => void): Findings => {
  const reports: Array<string> = []
  const counts = new Map<string, number>()
  const active = new Map<Excuse, number>()
  const endedAt = new Map<Excuse, number>()
  return {
    report: (what) => {
      if (!reports.includes(what)) print(`BROKEN: ${what}`)
      reports.push(what)
    },
    all: () => [...new Set(reports)],
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    counts: () => counts,
    recordMax: (what, value) => void counts.set(what, Math.max(counts.get(what) ?? 0, Math.round(value))),
    begin: (excuse) => void active.set(excuse, (active.get(excuse) ?? 0) + 1),
    end: (excuse) => {
      active.set(excuse, (active.get(excuse) ?? 1) - 1)
      endedAt.set(excuse, performance.now())
    },
    isExcused: (excuse, from) =>
      (active.get(excuse) ?? 0) > 0 || (endedAt.get(excuse) ?? -Infinity) + aftermathMillis[excuse] >= from
  }
}
