// scripts/soak/Probe.ts: loaded into the server beside its own code; tells its parent every second how it is.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/** Bytes, and milliseconds. */
export interface Report {
  readonly rss: number
  readonly heap: number
  readonly external: number
  /** The worst wait for the event loop but for one in a hundred, and the worst of all. */
  readonly delay_p99: number
  readonly delay_max: number
}

// Threads that read documents load this too, and have no parent process of their own.
if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  setInterval(() => {
    const { external, heapUsed, rss } = process.memoryUsage()
    const report: Report = {
      rss,
      heap: heapUsed,
      external,
      delay_p99: delay.percentile(99) / 1e6,
      delay_max: delay.max / 1e6
    }
    delay.reset()
    process.send?.(report)
  }, 1000).unref()
  process.channel?.unref()
}
