// scripts/bench/Servers.ts: starts the measured servers, and reads their processor time and memory from the system.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf, stopProcess } from "#test/support/process.ts"
import { mainFile, type Store, cleanEnvironment } from "./Store.ts"

export interface Server {
  readonly url: string
  /** Processor time in milliseconds of all threads and of children that have ended; NaN on systems other than Linux. */
  readonly cpu: () => number
  /** Resident memory in megabytes; NaN on systems other than Linux. */
  readonly memory: () => number
}

const isLinux = process.platform === "linux"

/** Linux counts the time of a process in these ticks a second. */
const ticksPerSecond = 100

const processCpu = (pid: number | undefined) => {
  if (!isLinux) return NaN
  // The name may contain spaces, and ends with the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  // User and system time of all threads of the process, then of its children that have ended and were waited for.
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return (((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / ticksPerSecond) * 1000
}

/** Processor time of a process and of all its descendants, in milliseconds. */
export const processTreeCpu = (pid: number | undefined): number => {
  if (!isLinux) return NaN
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
  return children.reduce((sum, child) => sum + processTreeCpu(Number(child)), processCpu(pid))
}

export const residentMemory = (pid: number | undefined) =>
  isLinux ? Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000 : NaN

export type Env = Readonly<Record<string, string>>

/** No rate limit, and no model to wait for. */
const benchSettings = {
  OVERTURE_GENERATOR: "builtin",
  OVERTURE_RATE_LIMIT: "100000000/1m",
  OVERTURE_LOG_FORMAT: "json"
}

/** Starts a server that logs to a file. It is killed, which is faster than a stop, unless the store is used afterwards. */
const startServer = Effect.fnUntraced(function* (
  store: Store,
  args: ReadonlyArray<string>,
  env: Env = {},
  executable = process.execPath
) {
  const logFile = join(store.dataDir, "server.log")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const stderr = openSync(logFile, "a")
      const child = spawn(executable, args, {
        env: { ...cleanEnvironment(), ...benchSettings, ...env },
        stdio: ["ignore", "pipe", stderr]
      })
      closeSync(stderr)
      return child
    }),
    (child) => stopProcess(child, store.stopGracefully === true ? "SIGTERM" : "SIGKILL")
  )
  const url = yield* addressOf(child, () => readFileSync(logFile, "utf8"))
  return {
    url,
    cpu: () => processCpu(child.pid),
    memory: () => residentMemory(child.pid)
  } satisfies Server
})

/** The time of a piece of work and the processor time of the servers meanwhile, in milliseconds. */
export const measureTime = Effect.fnUntraced(function* <A, E, R>(
  servers: ReadonlyArray<Pick<Server, "cpu">>,
  work: Effect.Effect<A, E, R>
) {
  const totalCpu = () => servers.reduce((sum, { cpu }) => sum + cpu(), 0)
  const cpuBefore = totalCpu()
  const startedAt = performance.now()
  const result = yield* work
  const ms = performance.now() - startedAt
  return { result, ms, cpu_ms: totalCpu() - cpuBefore }
})

const fastifyProgram = join(import.meta.dirname, "peer/server.ts")

export const startOverture = (store: Store, env?: Env) =>
  startServer(store, [mainFile, "serve", "--port", "0", "--data-dir", store.dataDir], env)

/** Starts the bundle of the sources by the script behind `npm start`. */
export const startBundle = (store: Store) =>
  startServer(store, ["scripts/run.sh", "overture", "serve", "--port", "0", "--data-dir", store.dataDir], {}, "sh")

/** Starts the single executable instead of the sources. */
export const startBinary = (store: Store, executable: string) =>
  startServer(store, ["serve", "--port", "0", "--data-dir", store.dataDir], {}, executable)

export const startFastify = (store: Store, env?: Env) =>
  startServer(store, [fastifyProgram, join(store.dataDir, "overture.db")], env)
