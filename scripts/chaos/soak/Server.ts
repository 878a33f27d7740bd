// scripts/chaos/soak/Server.ts: the server with the probe in a process of its own, and a sample of it for every second.
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { end, serve } from "#test/support/process.ts"
import type { Report } from "./Probe.ts"
import type { Sample } from "./Verdict.ts"

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Open files and sockets, where the system has a list of them. */
const openFiles = (pid: number | undefined) =>
  process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : undefined

export const start = Effect.fnUntraced(function* (data: string) {
  const probe = join(data, "probe.json")
  const began = performance.now()
  const { child, log, url } = yield* serve(data, {
    NODE_OPTIONS: `--import ${new URL("./Probe.ts", import.meta.url).href}`,
    CHAOS_PROBE: probe,
    OVERTURE_GENERATOR: "builtin",
    OVERTURE_RATE_LIMIT: "100000000/1m",
    OVERTURE_LOG_FORMAT: "json",
    OVERTURE_FETCH_ALLOW_PRIVATE: "true"
  })
  const samples: Array<Sample> = []
  const sample = Effect.sync(() => {
    if (sizeOf(probe) === 0) return
    const report: Report = JSON.parse(readFileSync(probe, "utf8"))
    samples.push({
      ...report,
      seconds: (performance.now() - began) / 1000,
      files: openFiles(child.pid),
      wal: sizeOf(join(data, "overture.db-wal")),
      store: sizeOf(join(data, "overture.db"))
    })
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sample, "1 second")))
  return {
    url,
    samples,
    /** What it has logged of a level above information. */
    complaints: () =>
      log()
        .split("\n")
        .filter((line) => /"level":"(WARN|ERROR|FATAL)"|^\s*at |Unhandled/.test(line)),
    /** Stops it and returns its exit status. */
    stop: Effect.map(end(child, "SIGTERM"), () => child.exitCode)
  }
})
