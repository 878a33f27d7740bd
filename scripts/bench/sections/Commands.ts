// scripts/bench/sections/Commands.ts: the processor time of commands and of a server's start, and an idle server's memory, beside
// those of a Node that does nothing.
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { compare, measurePairs } from "../Pairs.ts"
import { bareNode, processorTime } from "../ProcessorTime.ts"
import { comparisonRow } from "../Report.ts"
import type { Section } from "../Section.ts"
import { residentMemory, type Server, startBinary, startBundle } from "../Servers.ts"
import { temporaryCopy } from "../Store.ts"

const root = join(import.meta.dirname, "../../..")
const heads = ["", "Overture", "`node`", "ratio", "aim"]

/** Processor time until the server's health is answered, in milliseconds. */
const startupCpu = <R>(start: Effect.Effect<Server, never, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* start
      yield* Effect.promise(() => fetch(`${server.url}/health`))
      return server.cpu()
    })
  )

/** Resident memory in megabytes after half a minute without requests. */
const idleMemory = <R>(start: Effect.Effect<Server, never, R>, seconds: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* start
      yield* Effect.sleep(seconds * 1000)
      return server.memory()
    })
  )

const bareNodeMemory = Effect.acquireUseRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setTimeout(() => {}, 1e6)"], { stdio: "ignore" })),
  ({ pid }) =>
    Effect.delay(
      Effect.sync(() => residentMemory(pid)),
      "2 seconds"
    ),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

export const commands: Section = {
  name: "commands",
  about: "commands, a server's start and its idle memory, beside a bare Node",
  minutes: 15,
  run: Effect.fnUntraced(function* ({ directory, testData, quick }) {
    const store = yield* temporaryCopy(testData, directory)
    const executable = join(directory, "overture-commands")
    yield* Effect.sync(() =>
      execFileSync(process.execPath, [join(root, "scripts/binary.ts"), "--out", executable], { stdio: "pipe" })
    )
    const fromSources = (...args: ReadonlyArray<string>) =>
      processorTime(["sh", "scripts/run.sh", "overture", ...args], root)
    const fromExecutable = (...args: ReadonlyArray<string>) => processorTime([executable, ...args])
    const keyListArgs = ["key", "list", "--workspace", testData.reads.workspace, "--data-dir", store.dataDir]
    const measurements = [
      ["`overture --version`, sources", fromSources("--version"), "≤ 0.25 s"],
      ["`overture --version`, executable", fromExecutable("--version"), "≤ 0.1 s"],
      ["`overture --help`, sources", fromSources("--help"), ""],
      ["`overture --help`, executable", fromExecutable("--help"), ""],
      ["`overture key list`, sources", fromSources(...keyListArgs), ""],
      ["`overture key list`, executable", fromExecutable(...keyListArgs), ""],
      ["`npm start` again, until it answers, sources", startupCpu(startBundle(store)), "≤ 1.0 s"],
      ["`serve`, until it answers, executable", startupCpu(startBinary(store, executable)), "≤ 0.3 s"]
    ] as const
    const count = quick ? 1 : 5
    const rounds = yield* Effect.forEach(measurements, ([name, command, aim]) =>
      Effect.gen(function* () {
        // The first run makes the bundle, and fills the caches of Node and of the system.
        if (!quick) yield* command
        return { name, aim, pairs: yield* measurePairs(count, command, bareNode) }
      })
    )
    const seconds = quick ? 0 : 30
    const servers = [
      ["Idle server, sources", startBundle(store), "≤ 150 MB"],
      ["Idle server, executable", startBinary(store, executable), "≤ 100 MB"]
    ] as const
    const memory = yield* Effect.forEach(servers, ([name, start, aim]) =>
      Effect.map(measurePairs(count, idleMemory(start, seconds), bareNodeMemory), (pairs) => ({ name, aim, pairs }))
    )
    return {
      figures: { rounds, memory },
      tables: [
        {
          title: "Processor time of commands and starts, ms",
          heads,
          rows: rounds.map(({ aim, name, pairs }) =>
            comparisonRow(
              name,
              compare(pairs, (ms) => ms),
              aim
            )
          ),
          notes: ["`node` is `node -e 0`, run alternately. Here less is better."]
        },
        {
          title: "Memory of an idle server, MB",
          heads,
          rows: memory.map(({ aim, name, pairs }) =>
            comparisonRow(
              name,
              compare(pairs, (mb) => mb),
              aim
            )
          ),
          notes: [`Resident, ${seconds} s after the start. \`node\` is a process that waits for a timer.`]
        }
      ]
    }
  })
}
