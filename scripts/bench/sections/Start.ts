// scripts/bench/sections/Start.ts: from the start of a process until its first answer, beside a Node that does nothing.
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { join } from "node:path"
import { page } from "../Kinds.ts"
import { compare, inverse, pairs } from "../Pairs.ts"
import { number, row } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, startBinary, startFastify, startOverture } from "../Servers.ts"
import { borrowed } from "../Store.ts"

const nothing = Effect.promise(async () => {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit")
  return { ms: performance.now() - startedAt, cpu_ms: NaN, memory_mb: NaN }
})

const binary = (file: string) =>
  Effect.sync(() => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../binary.ts"), "--out", file], { stdio: "pipe" })
    return { mb: statSync(file).size / 1e6, node_mb: statSync(process.execPath).size / 1e6 }
  })

/** Starts a server, and waits for the first answer to a page. */
const firstAnswer = <R>(start: Effect.Effect<Server, never, R>, path: string, key: string) =>
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

export const starts: Section = {
  name: "start",
  about: "a cold process over an existing store, until its first answer",
  minutes: 0.5,
  run: Effect.fnUntraced(function* ({ directory, material, quick }) {
    const store = yield* borrowed(material, directory)
    const { key, path } = page(material)
    const first = <R>(start: Effect.Effect<Server, never, R>) => firstAnswer(start, path, key)
    const overture = first(startOverture(store))
    const fastify = first(startFastify(store))
    // Fills the file cache of the system, as an earlier start would.
    if (!quick) yield* Effect.andThen(overture, fastify)
    const count = quick ? 1 : 7
    const file = join(directory, "overture")
    const size = yield* binary(file)
    const packed = yield* pairs(count, first(startBinary(store, file)), overture)
    const bare = yield* pairs(count, overture, nothing)
    const beside = yield* pairs(count, overture, fastify)
    const against = (all: typeof beside, of: (start: (typeof beside)[number]["a"]) => number) =>
      inverse(compare(all, of))
    return {
      figures: { size, packed, bare, beside },
      tables: [
        {
          title: "Until the first answer",
          heads: ["", "Overture", "the other", "ratio", "aim"],
          rows: [
            row(
              "`node -e 0`, until it exits: ms",
              against(bare, ({ ms }) => ms)
            ),
            row(
              "Fastify: ms",
              against(beside, ({ ms }) => ms)
            ),
            row(
              "Fastify: processor time, ms",
              against(beside, ({ cpu_ms }) => cpu_ms)
            ),
            row(
              "Fastify: memory after it, MB",
              against(beside, ({ memory_mb }) => memory_mb)
            )
          ],
          notes: ["From starting the process until a page of 10 rows is received. Above 1 Overture takes less."]
        },
        {
          title: "The single executable, until the first answer",
          heads: ["", "the executable", "`node src/main.ts`", "ratio"],
          rows: [
            row(
              "ms",
              against(packed, ({ ms }) => ms)
            ),
            row(
              "processor time, ms",
              against(packed, ({ cpu_ms }) => cpu_ms)
            ),
            row(
              "memory after it, MB",
              against(packed, ({ memory_mb }) => memory_mb)
            )
          ].map((cells) => cells.slice(0, 4)),
          notes: [`The executable has ${number(size.mb)} MB, of which Node alone takes ${number(size.node_mb)} MB.`]
        }
      ]
    }
  })
}
