// scripts/soak/Server.ts: the real server in a process of its own, with the probe beside it, and what is seen of it.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Report } from "./Probe.ts"
import type { Sample } from "./Verdict.ts"

const root = join(import.meta.dirname, "../..")

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** How many files and sockets it has open, where the system tells. */
const openFiles = (pid: number | undefined) =>
  process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : undefined

export interface Server {
  readonly url: string
  /** One for each second that it has run. */
  readonly samples: ReadonlyArray<Sample>
  /** What it has logged of a level above information. */
  readonly complaints: () => ReadonlyArray<string>
  /** Tells it to stop and answers its exit status. */
  readonly stop: Effect.Effect<number | null>
}

export const start = (data: string) =>
  Effect.acquireRelease(
    Effect.callback<Server & { readonly end: Effect.Effect<void> }>((resume) => {
      const log = join(data, "server.log")
      const stderr = openSync(log, "a")
      const began = performance.now()
      const args = ["--import", join(import.meta.dirname, "Probe.ts"), join(root, "src/main.ts"), "serve"]
      const child = spawn(process.execPath, [...args, "--port", "0", "--data-dir", data], {
        env: {
          ...process.env,
          OVERTURE_GENERATOR: "builtin",
          OVERTURE_RATE_LIMIT: "100000000/1m",
          OVERTURE_FETCH_ALLOW_PRIVATE: "true",
          OVERTURE_LOG_FORMAT: "json"
        },
        stdio: ["ignore", "pipe", stderr, "ipc"]
      })
      closeSync(stderr)
      const samples: Array<Sample> = []
      child.on("message", (report: Report) => {
        samples.push({
          ...report,
          seconds: (performance.now() - began) / 1000,
          files: openFiles(child.pid),
          wal: sizeOf(join(data, "overture.db-wal")),
          store: sizeOf(join(data, "overture.db"))
        })
      })
      const gone = once(child, "exit")
      const stop = Effect.promise(async () => {
        child.kill("SIGTERM")
        await gone
        return child.exitCode
      })
      const end = Effect.promise(async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
        await gone
      })
      const complaints = () =>
        readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => /"level":"(WARN|ERROR|FATAL)"|^\s*at |Unhandled/.test(line))
      let out = ""
      child.stdout?.on("data", (chunk: Buffer) => {
        out += chunk.toString()
        const url = /Listening on (\S+)/.exec(out)?.[1]
        if (url !== undefined) resume(Effect.succeed({ url, samples, complaints, stop, end }))
      })
      child.once("exit", () => resume(Effect.die(new Error(`The server ended at once: ${readFileSync(log, "utf8")}`))))
    }),
    ({ end }) => end
  )
