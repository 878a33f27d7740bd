// scripts/chaos/soak/Probe.ts: loaded into the server; writes its memory and the delays of its event loop to a file every second.
import { Predicate } from "effect"
import { renameSync, writeFileSync } from "node:fs"
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/** Bytes, and milliseconds. */
export interface Report {
  readonly rss: number
  readonly heap: number
  /** The heap after the last full collection. */
  readonly live: number | undefined
  readonly external: number
  /** Delays of the event loop since the last report. */
  readonly delay_p99: number
  readonly delay_max: number
}

/** The types of Node lack the detail of a collection. */
const isFullCollection = (entry: object) =>
  Predicate.hasProperty(entry, "detail") &&
  Predicate.hasProperty(entry.detail, "kind") &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

const file = process.env["CHAOS_PROBE"]
// Threads that parse documents load this too.
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let live: number | undefined
  new PerformanceObserver((list) => {
    const full = list.getEntries().some(isFullCollection)
    if (full) live = process.memoryUsage().heapUsed
  }).observe({ entryTypes: ["gc"] })
  setInterval(() => {
    const { external, heapUsed, rss } = process.memoryUsage()
    const report: Report = {
      rss,
      heap: heapUsed,
      live,
      external,
      delay_p99: delay.percentile(99) / 1e6,
      delay_max: delay.max / 1e6
    }
    delay.reset()
    // A reader never sees half a report.
    writeFileSync(`${file}.new`, JSON.stringify(report))
    renameSync(`${file}.new`, file)
  }, 1000).unref()
}
