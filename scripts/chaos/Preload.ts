// scripts/chaos/Preload.ts: loaded into the server before its own code. Shifts the clock by the number in a file, resolves
// names under `chaos.example` to loopback, and in a soak writes a sample of the process to a file each second.
import { Predicate } from "effect"
import dns from "node:dns"
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"
import type { Sample } from "./SoakVerdict.ts"

const file = process.env["CHAOS_CLOCK"] ?? ""
const trueNow = Date.now.bind(Date)
const readEveryMillis = 20

let shift = 0
let readAt = -Infinity
const now = () => {
  const at = performance.now()
  if (at - readAt > readEveryMillis) {
    readAt = at
    try {
      const shiftInFile = Number(readFileSync(file, "utf8"))
      if (Number.isFinite(shiftInFile)) shift = shiftInFile
    } catch {
      // It is being written.
    }
  }
  return trueNow() + shift
}
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget)
})

const loopback = { address: "127.0.0.1", family: 4 }
const known = /^localhost$|^127\.0\.0\.1$|\.chaos\.example$/
const lookup = (hostname: string, options: unknown, given?: unknown) => {
  const answer = typeof options === "function" ? options : given
  if (typeof answer !== "function") return
  const all = typeof options === "object" && options !== null && "all" in options && options.all === true
  setImmediate(() => {
    if (!known.test(hostname)) answer(Object.assign(new Error("Unknown host"), { code: "ENOTFOUND" }))
    else if (all) answer(null, [loopback])
    else answer(null, loopback.address, loopback.family)
  })
}
Object.assign(dns, { lookup })
syncBuiltinESMExports()

const samples = process.env["CHAOS_SAMPLES"]
const store = process.env["CHAOS_STORE"] ?? ""

/** The types of Node do not have the kind of a collection. */
const isFullCollection = (entry: object) =>
  Predicate.hasProperty(entry, "detail") &&
  Predicate.hasProperty(entry.detail, "kind") &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

// Threads load this file too.
if (samples !== undefined && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let live: number | undefined
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFullCollection)) live = process.memoryUsage().heapUsed
  }).observe({ entryTypes: ["gc"] })
  setInterval(() => {
    const { external, heapUsed, rss } = process.memoryUsage()
    const sample: Sample = {
      seconds: performance.now() / 1000,
      rss,
      heap: heapUsed,
      live,
      external,
      delay_p99: delay.percentile(99) / 1e6,
      delay_max: delay.max / 1e6,
      files: existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : undefined,
      wal: sizeOf(`${store}-wal`),
      store: sizeOf(store)
    }
    delay.reset()
    appendFileSync(samples, `${JSON.stringify(sample)}\n`)
  }, 1000).unref()
}
