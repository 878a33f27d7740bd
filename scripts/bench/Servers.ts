// scripts/bench/Servers.ts: the processes that are measured, and what the system tells of each.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf, end } from "#test/support/process.ts"
import { program, type Store, surroundings } from "./Store.ts"

/** In megabytes; NaN where the system does not tell. */
interface Memory {
  readonly now: number
  /** The most since the peak was forgotten last. */
  readonly peak: number
}

export interface Server {
  readonly url: string
  readonly port: number
  /** Processor milliseconds it has used so far, on all its threads; NaN where the system does not tell. */
  readonly cpu: () => number
  readonly memory: () => Memory
  readonly forgetPeak: () => void
}

const linux = process.platform === "linux"

/** The clock ticks that Linux counts a process's time in. */
const ticks = 100

const cpuOf = (pid: number | undefined) => {
  if (!linux) return NaN
  // The name may hold spaces, and ends with the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticks) * 1000
}

const memoryOf = (pid: number | undefined): Memory => {
  if (!linux) return { now: NaN, peak: NaN }
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1000
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") }
}

export type Env = Readonly<Record<string, string>>

/** No rate limit, and no model to wait for. */
const busy = {
  OVERTURE_GENERATOR: "builtin",
  OVERTURE_RATE_LIMIT: "100000000/1m",
  OVERTURE_LOG_FORMAT: "json"
}

/** Nothing is measured of a stop, and what a server is in the middle of is thrown away with its store, unless that is kept. */
const start = Effect.fnUntraced(function* (
  store: Store,
  args: ReadonlyArray<string>,
  env: Env = {},
  file = process.execPath
) {
  // The log goes to a file, so that this process does not spend time on it.
  const log = join(store.dataDir, "server.log")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const stderr = openSync(log, "a")
      const child = spawn(file, args, {
        env: { ...surroundings(), ...busy, ...env },
        stdio: ["ignore", "pipe", stderr]
      })
      closeSync(stderr)
      return child
    }),
    (child) => end(child, store.kept === true ? "SIGTERM" : "SIGKILL")
  )
  const url = yield* addressOf(child, () => readFileSync(log, "utf8"))
  return {
    url,
    port: Number(new URL(url).port),
    cpu: () => cpuOf(child.pid),
    memory: () => memoryOf(child.pid),
    forgetPeak: () => {
      if (linux) writeFileSync(`/proc/${child.pid}/clear_refs`, "5")
    }
  } satisfies Server
})

/** What a piece of work took, in milliseconds, the servers' processor time among them. */
export const spent = Effect.fnUntraced(function* <A, E, R>(
  servers: ReadonlyArray<Server>,
  work: Effect.Effect<A, E, R>
) {
  const used = () => servers.reduce((sum, { cpu }) => sum + cpu(), 0)
  const before = used()
  const began = performance.now()
  const result = yield* work
  const ms = performance.now() - began
  return { result, ms, cpu_ms: used() - before }
})

const peer = join(import.meta.dirname, "peer/server.ts")

export const startOverture = (store: Store, env?: Env) =>
  start(store, [program, "serve", "--port", "0", "--data-dir", store.dataDir], env)

/** The single executable in place of the sources. */
export const startBinary = (store: Store, file: string) =>
  start(store, ["serve", "--port", "0", "--data-dir", store.dataDir], {}, file)

export const startFastify = (store: Store, env?: Env) => start(store, [peer, join(store.dataDir, "overture.db")], env)
