// scripts/soak/Verdict.ts: whether what a server takes up levels off, told from what was seen of it second by second.

/** Bytes, and milliseconds. */
export interface Sample {
  /** Since the server was started. */
  readonly seconds: number
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly delay_p99: number
  readonly delay_max: number
  /** Open files and sockets; not known on every system. */
  readonly files: number | undefined
  readonly wal: number
  readonly store: number
}

export const megabytes = (bytes: number) => bytes / 1024 / 1024

export const median = (numbers: ReadonlyArray<number>) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** Fewer seconds tell nothing: a third of them must hold several collections. */
export const fewest = 120

/** The lowest of each `size` running: of a heap, about what was left after each collection. */
const floors = (numbers: ReadonlyArray<number>, size: number) =>
  Array.from({ length: Math.floor(numbers.length / size) }, (_, at) =>
    Math.min(...numbers.slice(at * size, (at + 1) * size))
  )

/** May be so much more at the end than in the middle: a share of it, and a little for chance. */
interface Room {
  readonly share: number
  readonly bytes: number
}

export interface Finding {
  readonly what: string
  /** In the middle third and in the last. */
  readonly middle: number
  readonly last: number
  readonly most: number
  readonly holds: boolean
}

/**
 * The first quarter is for warming up: code is compiled, caches fill. What is left is cut in three, and the last third may
 * need hardly more than the middle one. A leak adds as much in each, whatever the height it starts from; what levels off
 * adds ever less. Resident memory is held by its medians, since it moves with every collection; the heap by what is left
 * after collections, which moves little, so that it is held the more tightly; files and the write-ahead log by their peaks.
 */
export const judge = (samples: ReadonlyArray<Sample>): ReadonlyArray<Finding> => {
  const warm = samples.slice(Math.floor(samples.length / 4))
  const third = Math.floor(warm.length / 3)
  const middle = warm.slice(third, 2 * third)
  const last = warm.slice(2 * third)
  const compare = (what: string, measure: (some: ReadonlyArray<Sample>) => number, { bytes, share }: Room): Finding => {
    const before = measure(middle)
    const after = measure(last)
    const most = before * (1 + share) + bytes
    return { what, middle: before, last: after, most, holds: after <= most }
  }
  const known = samples.every(({ files }) => files !== undefined)
  const files = (some: ReadonlyArray<Sample>) => Math.max(...some.map((each) => each.files ?? 0))
  return [
    compare("resident memory, MB", (some) => median(some.map(({ rss }) => megabytes(rss))), { share: 0.05, bytes: 8 }),
    compare(
      "heap after collections, MB",
      (some) =>
        median(
          floors(
            some.map(({ heap }) => megabytes(heap)),
            15
          )
        ),
      { share: 0.03, bytes: 3 }
    ),
    compare("memory beside the heap, MB", (some) => median(some.map(({ external }) => megabytes(external))), {
      share: 0.05,
      bytes: 4
    }),
    ...(known ? [compare("most open files", files, { share: 0, bytes: 24 })] : []),
    compare("longest write-ahead log, MB", (some) => Math.max(...some.map(({ wal }) => megabytes(wal))), {
      share: 0.2,
      bytes: 8
    })
  ]
}

/** A row for each minute, or for each `seconds`. */
export const profile = (samples: ReadonlyArray<Sample>, seconds = 60): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<ReadonlyArray<string>> = [
    ["minute", "RSS MB", "heap MB", "after GC", "external", "files", "WAL MB", "store MB", "delay p99 ms", "max"]
  ]
  for (let from = 0; from < samples.length; from += seconds) {
    const some = samples.slice(from, from + seconds)
    const one = (measure: (sample: Sample) => number) => some.map(measure)
    const mb = (bytes: number) => megabytes(bytes).toFixed(1)
    rows.push([
      String((from + seconds) / 60),
      mb(median(one(({ rss }) => rss))),
      mb(median(one(({ heap }) => heap))),
      mb(Math.min(...one(({ heap }) => heap))),
      mb(median(one(({ external }) => external))),
      some[0]?.files === undefined ? "?" : String(Math.max(...one(({ files }) => files ?? 0))),
      mb(Math.max(...one(({ wal }) => wal))),
      mb(some.at(-1)?.store ?? 0),
      median(one(({ delay_p99 }) => delay_p99)).toFixed(0),
      Math.max(...one(({ delay_max }) => delay_max)).toFixed(0)
    ])
  }
  return rows
}
