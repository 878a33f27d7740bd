// scripts/chaos/Findings.ts: collects broken promises, counts events, and records when a fault excuses an error.

/** The part that a fault affects. */
type Excuse = "store" | "model" | "server"

export interface Findings {
  readonly report: (message: string) => void
  readonly all: () => ReadonlyArray<string>
  /** Counts an event under a label of the report. */
  readonly count: (label: string, times?: number) => void
  readonly counts: () => ReadonlyMap<string, number>
  /** Keeps the greatest value of a label. */
  readonly recordMax: (label: string, value: number) => void
  readonly begin: (excuse: Excuse) => void
  readonly end: (excuse: Excuse) => void
  /** Whether a fault was active at any moment since `sinceMillis`, or ended shortly before. */
  readonly isExcused: (excuse: Excuse, sinceMillis: number) => boolean
}

/** How long after its end a fault may still cause errors. */
const aftermathMillis: Readonly<Record<Excuse, number>> = { store: 8000, model: 45_000, server: 3000 }

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
