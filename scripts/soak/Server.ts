// scripts/soak/Server.ts: the real server in a process of its own, with the probe beside it, and what is seen of it.
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { end } from "#test/support/process.ts"
import * as Process from "../Process.ts"
import type { Report } from "./Probe.ts"
import type { Sample } from "./Verdict.ts"

const main = join(import.meta.dirname, "../../src/main.ts")

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

export const start = Effect.fnUntraced(function* (data: string) {
  const log = join(data, "server.log")
  const began = performance.now()
  const { child, url } = yield* Process.start({
    args: ["--import", join(import.meta.dirname, "Probe.ts"), main, "serve", "--port", "0", "--data-dir", data],
    env: { ...process.env, ...Process.busy, OVERTURE_FETCH_ALLOW_PRIVATE: "true" },
    log,
    ends: "SIGKILL",
    tells: true
  })
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
  return {
    url,
    samples,
    complaints: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => /"level":"(WARN|ERROR|FATAL)"|^\s*at |Unhandled/.test(line)),
    stop: Effect.map(end(child, "SIGTERM"), () => child.exitCode)
  } satisfies Server
})
