// scripts/soak/Probe.ts: loaded into the server beside its own code; tells its parent every second how it is.
import { Predicate } from "effect"
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/** Bytes, and milliseconds. */
export interface Report {
  readonly rss: number
  readonly heap: number
  /** The heap as the last full collection left it, of those that came by themselves. */
  readonly live: number | undefined
  readonly external: number
  /** The worst wait for the event loop but for one in a hundred, and the worst of all. */
  readonly delay_p99: number
  readonly delay_max: number
}

/** The types of Node do not know what an entry of a collection tells besides. */
const isFullCollection = (entry: object) =>
  Predicate.hasProperty(entry, "detail") &&
  Predicate.hasProperty(entry.detail, "kind") &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

// Threads that read documents load this too, and have no parent process of their own.
if (isMainThread && process.send !== undefined) {
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
    process.send?.(report)
  }, 1000).unref()
  process.channel?.unref()
}
