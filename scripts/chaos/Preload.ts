// scripts/chaos/Preload.ts: loaded into the server before its own code. Shifts the clock by the number in a file, resolves
// names under `chaos.example` to loopback, and in a soak writes a sample of the process to a file each second.
import { Predicate } from "effect"
import dns from "node:dns"
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"
import type { Sample } from "./SoakVerdict.ts"

const clockFile = process.env["CHAOS_CLOCK"] ?? ""
const systemNow = Date.now.bind(Date)
const readEveryMillis = 20

let clockOffsetMillis = 0
let readAt = -Infinity
const now = () => {
  const monotonicNow = performance.now()
  if (monotonicNow - readAt > readEveryMillis) {
    readAt = monotonicNow
    try {
      const offsetInFile = Number(readFileSync(clockFile, "utf8"))
      if (Number.isFinite(offsetInFile)) clockOffsetMillis = offsetInFile
    } catch {
      // The file is being written: the last offset stays.
    }
  }
  return systemNow() + clockOffsetMillis
}
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget)
})

const loopback = { address: "127.0.0.1", family: 4 }
const localHosts = /^localhost$|^127\.0\.0\.1$|\.chaos\.example$/
const lookup = (hostname: string, options: unknown, optionalCallback?: unknown) => {
  const callback = typeof options === "function" ? options : optionalCallback
  if (typeof callback !== "function") return
  const wantsAll = typeof options === "object" && options !== null && "all" in options && options.all === true
  setImmediate(() => {
    if (!localHosts.test(hostname)) callback(Object.assign(new Error("Unknown host"), { code: "ENOTFOUND" }))
    else if (wantsAll) callback(null, [loopback])
    else callback(null, loopback.address, loopback.family)
  })
}
Object.assign(dns, { lookup })
syncBuiltinESMExports()

const samples = process.env["CHAOS_SAMPLES"]
const store = process.env["CHAOS_STORE"] ?? ""

/** Node's types lack the kind of a garbage collection. */
const isFullCollection = (entry: object) =>
  Predicate.hasProperty(entry, "detail") &&
  Predicate.hasProperty(entry.detail, "kind") &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

// Threads load this file too.
if (samples !== undefined && isMainThread) {
  const eventLoopDelay = monitorEventLoopDelay({ resolution: 10 })
  eventLoopDelay.enable()
  let heapAfterFullCollection: number | undefined
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFullCollection)) heapAfterFullCollection = process.memoryUsage().heapUsed
  }).observe({ entryTypes: ["gc"] })
  setInterval(() => {
    const { external, heapUsed, rss } = process.memoryUsage()
    const sample: Sample = {
      seconds: performance.now() / 1000,
      rss,
      heap: heapUsed,
      live: heapAfterFullCollection,
      external,
      delay_p99: eventLoopDelay.percentile(99) / 1e6,
      delay_max: eventLoopDelay.max / 1e6,
      files: existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : undefined,
      wal: sizeOf(`${store}-wal`),
      store: sizeOf(store)
    }
    eventLoopDelay.reset()
    appendFileSync(samples, `${JSON.stringify(sample)}\n`)
  }, 1000).unref()
}
