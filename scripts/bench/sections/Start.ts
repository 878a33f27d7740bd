// scripts/bench/sections/Start.ts: the time from the start of a server process until its first response, beside a Node that does nothing.
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { join } from "node:path"
import { signaturesRequest } from "../RequestClasses.ts"
import { compare, invertRatio, measurePairs, type Pair } from "../Pairs.ts"
import { formatNumber, comparisonRow } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, startBinary, startFastify, startOverture } from "../Servers.ts"
import { temporaryCopy } from "../Store.ts"

const runBareNode = Effect.promise(async () => {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit")
  return { ms: performance.now() - startedAt, cpu_ms: NaN, memory_mb: NaN }
})

const buildBinary = (executable: string) =>
  Effect.sync(() => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../binary.ts"), "--out", executable], {
      stdio: "pipe"
    })
    return { mb: statSync(executable).size / 1e6, node_mb: statSync(process.execPath).size / 1e6 }
  })

/** Starts a server, and waits for the first answer to a page. */
const measureFirstResponse = <R>(start: Effect.Effect<Server, never, R>, path: string, key: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const startedAt = performance.now()
      const server = yield* start
      const headers = { authorization: `Bearer ${key}` }
      const { status } = yield* Effect.promise(() => fetch(`${server.url}${path}`, { headers }))
      if (status !== 200) return yield* Effect.die(new Error(`The first answer was ${status}`))
      const ms = performance.now() - startedAt
      return { ms, cpu_ms: server.cpu(), memory_mb: server.memory() }
    })
  )

interface Start {
  readonly ms: number
  readonly cpu_ms: number
  readonly memory_mb: number
}

const startRow = (label: string, rounds: ReadonlyArray<Pair<Start, Start>>, figureOf: (start: Start) => number) =>
  comparisonRow(label, invertRatio(compare(rounds, figureOf)))

export const start: Section = {
  name: "start",
  about: "a cold process over an existing store, until its first answer",
  minutes: 0.5,
  run: Effect.fnUntraced(function* ({ directory, testData, quick }) {
    const store = yield* temporaryCopy(testData, directory)
    const { key, path } = signaturesRequest(testData)
    const measureStart = <R>(start: Effect.Effect<Server, never, R>) => measureFirstResponse(start, path, key)
    const overture = measureStart(startOverture(store))
    const fastify = measureStart(startFastify(store))
    // Fills the file cache of the system, as an earlier start would.
    if (!quick) yield* Effect.andThen(overture, fastify)
    const count = quick ? 1 : 7
    const executable = join(directory, "overture")
    const size = yield* buildBinary(executable)
    const executableRounds = yield* measurePairs(count, measureStart(startBinary(store, executable)), overture)
    const bareNodeRounds = yield* measurePairs(count, overture, runBareNode)
    const fastifyRounds = yield* measurePairs(count, overture, fastify)
    return {
      figures: { size, packed: executableRounds, bare: bareNodeRounds, beside: fastifyRounds },
      tables: [
        {
          title: "Until the first answer",
          heads: ["", "Overture", "the other", "ratio", "aim"],
          rows: [
            startRow("`node -e 0`, until it exits: ms", bareNodeRounds, ({ ms }) => ms),
            startRow("Fastify: ms", fastifyRounds, ({ ms }) => ms),
            startRow("Fastify: processor time, ms", fastifyRounds, ({ cpu_ms }) => cpu_ms),
            startRow("Fastify: memory after it, MB", fastifyRounds, ({ memory_mb }) => memory_mb)
          ],
          notes: ["From starting the process until a page of 10 rows is received. Above 1 Overture takes less."]
        },
        {
          title: "The single executable, until the first answer",
          heads: ["", "the executable", "`node src/main.ts`", "ratio"],
          rows: [
            startRow("ms", executableRounds, ({ ms }) => ms),
            startRow("processor time, ms", executableRounds, ({ cpu_ms }) => cpu_ms),
            startRow("memory after it, MB", executableRounds, ({ memory_mb }) => memory_mb)
          ].map((cells) => cells.slice(0, 4)),
          notes: [
            `The executable has ${formatNumber(size.mb)} MB, of which Node alone takes ${formatNumber(size.node_mb)} MB.`
          ]
        }
      ]
    }
  })
}
