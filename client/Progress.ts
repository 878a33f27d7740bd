// client/Progress.ts: shows the progress of a batch: a bar on a terminal, else a line at intervals.
import { Clock, Duration, Effect } from "effect"
import type { Counts } from "#client/Batch.ts"

export interface Output {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly write: (text: string) => unknown
}

const width = 30
const lineEvery = Duration.toMillis("5 seconds")

/** The two largest units of a duration: `1 h 5 min`, `2 min 10 s`, `8 s`. */
export const timeOf = (millis: number): string => {
  const seconds = Math.ceil(millis / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** Leads that need no more work. */
const settledOf = ({ leads_done, leads_failed, leads_skipped = 0 }: Counts) => leads_done + leads_failed + leads_skipped

/** `12 of 200 leads, 1 failed, 2 min 10 s left`; the time is omitted until the rate is known. */
const words = (counts: Counts, eta: number | undefined) =>
  [
    `${settledOf(counts)} of ${counts.leads_total} leads`,
    ...(counts.leads_failed > 0 ? [`${counts.leads_failed} failed`] : []),
    ...(counts.leads_skipped === undefined ? [] : [`${counts.leads_skipped} left out`]),
    ...(eta === undefined ? [] : [`${timeOf(eta)} left`])
  ].join(", ")

/** Shows the counts as they arrive; `clear` removes the bar. */
export const make = (output: Output) =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    let before: number | undefined
    let said = start

    /** Estimated from the leads done since the first call, because the start time of earlier leads is unknown. */
    const etaOf = (counts: Counts, now: number) => {
      const settled = settledOf(counts)
      before ??= settled
      const fresh = settled - before
      return fresh > 0 ? ((now - start) / fresh) * (counts.leads_total - settled) : undefined
    }

    const show = Effect.fnUntraced(function* (counts: Counts) {
      const now = yield* Clock.currentTimeMillis
      const text = words(counts, etaOf(counts, now))
      if (output.isTTY === true) {
        const part = settledOf(counts) / Math.max(1, counts.leads_total)
        const filled = Math.floor(part * width)
        const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)} ${Math.floor(part * 100)}%  ${text}`
        output.write(`\r\u001b[2K${bar.slice(0, (output.columns || 80) - 1)}`)
      } else if (now - said >= lineEvery) {
        said = now
        output.write(`${text}\n`)
      }
    })
    const clear = Effect.sync(() => void (output.isTTY === true && output.write("\r\u001b[2K")))
    return { show, clear }
  })
