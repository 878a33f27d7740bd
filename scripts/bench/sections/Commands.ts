// scripts/bench/sections/Commands.ts: the processor time of commands and of a server's start, and an idle server's memory, beside
// those of a Node that does nothing.
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { compare, pairs } from "../Pairs.ts"
import { bareNode, processorTime } from "../Processor.ts"
import { row } from "../Report.ts"
import type { Section } from "../Section.ts"
import { memoryOf, type Server, startBinary, startBundle } from "../Servers.ts"
import { borrowed } from "../Store.ts"

const root = join(import.meta.dirname, "../../..")
const heads = ["", "Overture", "`node`", "ratio", "aim"]

/** Processor time until the server's health is answered, in milliseconds. */
const untilHealthy = <R>(start: Effect.Effect<Server, never, R>) =>
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

const bareMemory = Effect.acquireUseRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setTimeout(() => {}, 1e6)"], { stdio: "ignore" })),
  ({ pid }) =>
    Effect.delay(
      Effect.sync(() => memoryOf(pid)),
      "2 seconds"
    ),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

export const commands: Section = {
  name: "commands",
  about: "commands, a server's start and its idle memory, beside a bare Node",
  minutes: 15,
  run: Effect.fnUntraced(function* ({ directory, material, quick }) {
    const store = yield* borrowed(material, directory)
    const file = join(directory, "overture-commands")
    yield* Effect.sync(() =>
      execFileSync(process.execPath, [join(root, "scripts/binary.ts"), "--out", file], { stdio: "pipe" })
    )
    const sources = (...args: ReadonlyArray<string>) =>
      processorTime(["sh", "scripts/run.sh", "overture", ...args], root)
    const binary = (...args: ReadonlyArray<string>) => processorTime([file, ...args])
    const keys = ["key", "list", "--workspace", material.reads.workspace, "--data-dir", store.dataDir]
    const timed = [
      ["`overture --version`, sources", sources("--version"), "≤ 0.25 s"],
      ["`overture --version`, executable", binary("--version"), "≤ 0.1 s"],
      ["`overture --help`, sources", sources("--help"), ""],
      ["`overture --help`, executable", binary("--help"), ""],
      ["`overture key list`, sources", sources(...keys), ""],
      ["`overture key list`, executable", binary(...keys), ""],
      ["`npm start` again, until it answers, sources", untilHealthy(startBundle(store)), "≤ 1.0 s"],
      ["`serve`, until it answers, executable", untilHealthy(startBinary(store, file)), "≤ 0.3 s"]
    ] as const
    const count = quick ? 1 : 5
    const rounds = yield* Effect.forEach(timed, ([name, command, aim]) =>
      Effect.gen(function* () {
        // The first run makes the bundle, and fills the caches of Node and of the system.
        if (!quick) yield* command
        return { name, aim, pairs: yield* pairs(count, command, bareNode) }
      })
    )
    const seconds = quick ? 0 : 30
    const servers = [
      ["Idle server, sources", startBundle(store), "≤ 150 MB"],
      ["Idle server, executable", startBinary(store, file), "≤ 100 MB"]
    ] as const
    const memory = yield* Effect.forEach(servers, ([name, start, aim]) =>
      Effect.map(pairs(count, idleMemory(start, seconds), bareMemory), (pairs) => ({ name, aim, pairs }))
    )
    return {
      figures: { rounds, memory },
      tables: [
        {
          title: "Processor time of commands and starts, ms",
          heads,
          rows: rounds.map(({ aim, name, pairs }) =>
            row(
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
            row(
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
