// scripts/bench/Servers.ts: the processes that are measured, and what the system tells of each.
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { program, type Store, surroundings } from "./Store.ts"

export interface Memory {
  /** Megabytes held now. */
  readonly now: number
  /** The most since the peak was forgotten last. */
  readonly peak: number
}

export interface Server {
  readonly url: string
  readonly port: number
  /** Processor seconds it has used so far, on all its threads; not known on every system. */
  readonly cpu: () => number | undefined
  readonly memory: () => Memory | undefined
  readonly forgetPeak: () => void
}

const linux = process.platform === "linux"

/** The clock ticks that Linux counts a process's time in. */
const ticks = 100

const cpuOf = (pid: number | undefined) => {
  if (!linux) return undefined
  // The name may hold spaces, and ends with the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

const memoryOf = (pid: number | undefined): Memory | undefined => {
  if (!linux) return undefined
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1000
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") }
}

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

export type Env = Readonly<Record<string, string>>

/** Starts a server, its request log going to a file, and ends it with the scope. */
const start = Effect.fnUntraced(function* (
  store: Store,
  args: ReadonlyArray<string>,
  env: Env = {},
  file = process.execPath
) {
  const log = join(store.dataDir, "server.log")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const stderr = openSync(log, "a")
      const child = spawn(file, args, {
        env: {
          ...surroundings(),
          OVERTURE_GENERATOR: "builtin",
          OVERTURE_RATE_LIMIT: "100000000/1m",
          OVERTURE_LOG_FORMAT: "json",
          ...env
        },
        stdio: ["ignore", "pipe", stderr]
      })
      closeSync(stderr)
      return child
    }),
    // Nothing is measured of a stop, and what it is in the middle of is thrown away with its store.
    (child) =>
      Effect.andThen(
        Effect.sync(() => child.kill(store.kept === true ? "SIGTERM" : "SIGKILL")),
        ended(child)
      )
  )
  const url = yield* Effect.callback<string>((resume) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const url = /Listening on (\S+)/.exec(text)?.[1]
      if (url !== undefined) resume(Effect.succeed(url))
    })
    child.once("exit", () => resume(Effect.die(new Error(`A server ended at once: ${readFileSync(log, "utf8")}`))))
  })
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

const peer = join(import.meta.dirname, "peer/server.ts")

export const startOverture = (store: Store, env?: Env) =>
  start(store, [program, "serve", "--port", "0", "--data-dir", store.dataDir], env)

/** The single executable in place of the sources. */
export const startBinary = (store: Store, file: string) =>
  start(store, ["serve", "--port", "0", "--data-dir", store.dataDir], {}, file)

export const startFastify = (store: Store, env?: Env) => start(store, [peer, join(store.dataDir, "overture.db")], env)
