// scripts/bench.ts: how fast the server is, always beside something measured in the same minutes on the same machine.
// usage: npm run bench -- [--quick] [--json FILE]
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Batch from "./bench/Batch.ts"
import { make } from "./bench/Loader.ts"
import * as Routes from "./bench/Routes.ts"
import { copy, directory, fill, startFastify, startOverture } from "./bench/Servers.ts"

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "string" } }
})
const size = flags.quick
  ? { rounds: 3, millis: 600, warmup: 1500, idleMillis: 1200, counts: [300, 600] as const }
  : { rounds: 6, millis: 1800, warmup: 3000, idleMillis: 4000, counts: [1000, 2000] as const }

const median = (numbers: ReadonlyArray<number>) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}
const spread = (numbers: ReadonlyArray<number>): Spread => ({
  median: median(numbers),
  min: Math.min(...numbers),
  max: Math.max(...numbers)
})

const number = (n: number, digits = 0) =>
  n.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
const ratio = (s: Spread) => `${number(s.median, 2)} (${number(s.min, 2)} to ${number(s.max, 2)})`
const columns = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)))
  const line = (row: ReadonlyArray<string>) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ")
  return rows.map(line).join("\n")
}

/** What the rounds of one route come to. CPU is what a request costs, so its ratio is the other way round. */
const summary = (rounds: ReadonlyArray<Routes.Round>) => {
  const cpu = rounds.flatMap(({ fastify, overture }) =>
    overture.cpu_us === undefined || fastify.cpu_us === undefined
      ? []
      : [{ overture: overture.cpu_us, fastify: fastify.cpu_us }]
  )
  return {
    per_second: {
      overture: median(rounds.map((round) => round.overture.per_second)),
      fastify: median(rounds.map((round) => round.fastify.per_second)),
      ratio: spread(rounds.map((round) => round.overture.per_second / round.fastify.per_second))
    },
    cpu_us:
      cpu.length === 0
        ? undefined
        : {
            overture: median(cpu.map((round) => round.overture)),
            fastify: median(cpu.map((round) => round.fastify)),
            ratio: spread(cpu.map((round) => round.fastify / round.overture))
          },
    sender_busy: Math.max(...rounds.flatMap((round) => [round.overture.sender_busy, round.fastify.sender_busy]))
  }
}
type Summary = ReturnType<typeof summary>

const rowsOf = (name: string, { cpu_us, per_second }: Summary) => [
  [name, number(per_second.overture), number(per_second.fastify), ratio(per_second.ratio)],
  ...(cpu_us === undefined
    ? []
    : [["  CPU per request, us", number(cpu_us.overture, 1), number(cpu_us.fastify, 1), ratio(cpu_us.ratio)]])
]

const bench = Effect.gen(function* () {
  const machine = {
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    cores: availableParallelism()
  }
  yield* Console.log(`${machine.platform} ${machine.arch}, ${machine.cores} cores, Node ${machine.node}`)

  const temporary = yield* directory
  const load = yield* make
  const filled = yield* fill(join(temporary, "filled"))

  const rounds = yield* Effect.scoped(
    Effect.gen(function* () {
      const store = copy(filled, join(temporary, "overture"))
      const overture = yield* startOverture(store)
      const fastify = yield* startFastify(copy(filled, join(temporary, "fastify")))
      return yield* Routes.run(load, { overture, fastify }, store, size)
    })
  )
  const reads = summary(rounds.reads)
  const writes = summary(rounds.writes)
  yield* Console.log(
    "\n" +
      columns([
        ["Requests a second, 32 connections", "Overture", "tuned Fastify 5", "ratio (worst to best round)"],
        ...rowsOf("GET /signatures?limit=10", reads),
        ...rowsOf("POST /signatures", writes)
      ])
  )
  const busy = Math.max(reads.sender_busy, writes.sender_busy)
  yield* Console.log(`The sender was busy for at most ${number(busy * 100)}% of its time.`)

  const { felt, written } = yield* Effect.scoped(
    Effect.gen(function* () {
      const store = copy(filled, join(temporary, "batches"))
      return yield* Batch.run(load, yield* startOverture(store), store, temporary, size)
    })
  )
  yield* Console.log(
    "\n" +
      columns([
        ["Leads a second, 3 emails each, built-in writer", "batch", "plain transactions", "ratio"],
        ...written.map(({ leads, leads_per_second, plain_per_second, reads_beside }) => [
          `${number(leads)} leads${reads_beside === 0 ? "" : `, ${reads_beside} reads a second beside them`}`,
          number(leads_per_second),
          number(plain_per_second),
          number(leads_per_second / plain_per_second, 2)
        ])
      ]) +
      "\n\n" +
      columns([
        ["The reads beside the second batch, ms", "idle", "during", "ratio"],
        ["p50", number(felt.idle.p50, 1), number(felt.during.p50, 1), number(felt.during.p50 / felt.idle.p50, 1)],
        ["p99", number(felt.idle.p99, 1), number(felt.during.p99, 1), number(felt.during.p99 / felt.idle.p99, 1)]
      ])
  )
  if (flags.json !== undefined) {
    const report = { machine, reads, writes, rounds, batches: written, reads_beside: felt }
    writeFileSync(flags.json, JSON.stringify(report, undefined, 2) + "\n")
  }
}).pipe(Effect.scoped)

NodeRuntime.runMain(bench)
