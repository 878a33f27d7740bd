// scripts/chaos/SoakVerdict.ts: decides from a sample each second whether the memory, files and log of a server level off.
import { median } from "../Median.ts"

/** Written by the server each second; sizes are in bytes and delays in milliseconds. */
export interface Sample {
  /** Since the start of the server. */
  readonly seconds: number
  readonly rss: number
  readonly heap: number
  /** The heap after the last full collection; undefined before the first one. */
  readonly live?: number | undefined
  readonly external: number
  /** Delays of the event loop. */
  readonly delay_p99: number
  readonly delay_max: number
  /** Open files and sockets; undefined on systems that do not list them. */
  readonly files?: number | undefined
  readonly wal: number
  readonly store: number
}

export const megabytes = (bytes: number) => bytes / 1024 / 1024

/** Shorter soaks prove nothing: a quarter of the time must have several full collections. */
export const minSoakSeconds = 120

export const durationSeconds = (samples: ReadonlyArray<Sample>) =>
  (samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0)

/** The allowed growth from one part of the time to the next: a share, and an allowance for chance in the unit that is compared. */
interface Growth {
  readonly share: number
  readonly allowance: number
}

interface Finding {
  readonly name: string
  /** In the third quarter of the time, and in the last. */
  readonly thirdQuarter: number
  readonly lastQuarter: number
  readonly limit: number
  readonly levelsOff: boolean
}

/**
 * Compares the third quarter of the time with the last; the first half is for compilation and caches. A leak adds as much in
 * each quarter, and a cache adds less and less. Resident memory moves with every collection, so its median counts. The heap
 * after collections moves little, so its limit is tight. Files and the write-ahead log are compared by their peaks.
 */
export const judge = (samples: ReadonlyArray<Sample>): ReadonlyArray<Finding> => {
  // By time rather than by count: a busy machine writes fewer samples.
  const startedAt = samples[0]?.seconds ?? 0
  const samplesBetween = (startShare: number, endShare: number) =>
    samples.filter(({ seconds }) => {
      const share = (seconds - startedAt) / durationSeconds(samples)
      return share >= startShare && share < endShare
    })
  const thirdQuarterSamples = samplesBetween(0.5, 0.75)
  const lastQuarterSamples = samplesBetween(0.75, 1)
  const compare = (
    name: string,
    measure: (samples: ReadonlyArray<Sample>) => number,
    { allowance, share }: Growth
  ): Finding => {
    const thirdQuarterValue = measure(thirdQuarterSamples)
    const lastQuarterValue = measure(lastQuarterSamples)
    const limit = thirdQuarterValue * (1 + share) + allowance
    return {
      name,
      thirdQuarter: thirdQuarterValue,
      lastQuarter: lastQuarterValue,
      limit,
      levelsOff: lastQuarterValue <= limit
    }
  }
  const filesAreKnown = samples.every(({ files }) => files !== undefined)
  const maxFiles = (samples: ReadonlyArray<Sample>) => Math.max(...samples.map((sample) => sample.files ?? 0))
  return [
    compare("resident memory, MB", (samples) => median(samples.map(({ rss }) => megabytes(rss))), {
      share: 0.05,
      allowance: 8
    }),
    compare(
      "heap after collections, MB",
      (samples) => median(samples.flatMap(({ live }) => (live === undefined ? [] : [megabytes(live)]))),
      {
        share: 0.03,
        allowance: 3
      }
    ),
    compare("memory outside of the heap, MB", (samples) => median(samples.map(({ external }) => megabytes(external))), {
      share: 0.05,
      allowance: 4
    }),
    ...(filesAreKnown ? [compare("most open files", maxFiles, { share: 0, allowance: 24 })] : []),
    compare("longest write-ahead log, MB", (samples) => Math.max(...samples.map(({ wal }) => megabytes(wal))), {
      share: 0.2,
      allowance: 8
    })
  ]
}

/** A row for each minute, or for each `seconds`. */
export const profile = (samples: ReadonlyArray<Sample>, seconds = 60): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<ReadonlyArray<string>> = [
    ["minute", "RSS MB", "heap MB", "after GC", "external", "files", "WAL MB", "store MB", "delay p99 ms", "max"]
  ]
  const startedAt = samples[0]?.seconds ?? 0
  for (let periodStart = 0; periodStart <= durationSeconds(samples); periodStart += seconds) {
    const periodSamples = samples.filter(
      (sample) => sample.seconds - startedAt >= periodStart && sample.seconds - startedAt < periodStart + seconds
    )
    if (periodSamples.length === 0) continue
    const values = (measure: (sample: Sample) => number) => periodSamples.map(measure)
    const mb = (bytes: number) => megabytes(bytes).toFixed(1)
    rows.push([
      String((periodStart + seconds) / 60),
      mb(median(values(({ rss }) => rss))),
      mb(median(values(({ heap }) => heap))),
      mb(periodSamples.at(-1)?.live ?? 0),
      mb(median(values(({ external }) => external))),
      periodSamples[0]?.files === undefined ? "?" : String(Math.max(...values(({ files }) => files ?? 0))),
      mb(Math.max(...values(({ wal }) => wal))),
      mb(periodSamples.at(-1)?.store ?? 0),
      median(values(({ delay_p99 }) => delay_p99)).toFixed(0),
      Math.max(...values(({ delay_max }) => delay_max)).toFixed(0)
    ])
  }
  return rows
}
