// scripts/bench/sections/Batches.ts: leads a second of a batch with the built-in writer, beside plain transactions on the
// same disk, and the processor time of a lead in larger batches.
import { Effect } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { makeClient, runBatch } from "../Client.ts"
import { median } from "../../Median.ts"
import { compare, invertRatio, measurePairs } from "../Pairs.ts"
import { formatNumber, formatSignificant, comparisonRow } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, measureTime, startOverture } from "../Servers.ts"
import { temporaryCopy } from "../Store.ts"

/** Enough transactions to measure the disk. */
const maxTransactions = 2000

/** About the length of three emails as JSON. */
const emailsText = "x".repeat(2400)

interface Round {
  readonly per_second: number
  readonly cpu_ms: number
}

/** Runs transactions one after the other, each with an INSERT of the emails and an UPDATE. */
const runTransactions = (directory: string, leads: number) =>
  Effect.sync((): Round => {
    const count = Math.min(leads, maxTransactions)
    const db = new DatabaseSync(join(directory, "transactions.db"))
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      DROP TABLE IF EXISTS done;
      DROP TABLE IF EXISTS counts;
      CREATE TABLE done (id INTEGER PRIMARY KEY, sequence TEXT NOT NULL);
      CREATE TABLE counts (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
      INSERT INTO counts VALUES (1, 0);
    `)
    const insert = db.prepare("INSERT INTO done (sequence) VALUES (?)")
    const update = db.prepare("UPDATE counts SET n = n + 1 WHERE id = 1")
    const begin = db.prepare("BEGIN IMMEDIATE")
    const commit = db.prepare("COMMIT")
    const cpu = process.cpuUsage()
    const startedAt = performance.now()
    for (let i = 0; i < count; i++) {
      begin.run()
      insert.run(emailsText)
      update.run()
      commit.run()
    }
    const ms = performance.now() - startedAt
    const { system, user } = process.cpuUsage(cpu)
    db.close()
    return { per_second: (count / ms) * 1000, cpu_ms: (user + system) / 1000 / count }
  })

const measureBatch = Effect.fnUntraced(function* (server: Server, key: string, campaign: string, leads: number) {
  const { cpu_ms, ms } = yield* measureTime([server], runBatch(makeClient(server, key), campaign, leads))
  const round: Round = { per_second: (leads / ms) * 1000, cpu_ms: cpu_ms / leads }
  return round
})

const fullSizes = { counts: [1000, 10_000, 50_000], pairs: 5, seconds: 360, warmup: 1000 }
const quickSizes = { counts: [25, 250], pairs: 1, seconds: 10, warmup: 25 }

export const batches: Section = {
  name: "batches",
  about: "the built-in writer at 1,000, 10,000 and 50,000 leads, beside plain transactions",
  minutes: 8,
  run: Effect.fnUntraced(function* ({ directory, testData, quick }) {
    const size = quick ? quickSizes : fullSizes
    const { campaign, key } = testData.batches
    const results = yield* Effect.forEach(size.counts, (leads) =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* startOverture(yield* temporaryCopy(testData, directory))
          yield* measureBatch(server, key, campaign, size.warmup)
          const overtureBatch = measureBatch(server, key, campaign, leads)
          return {
            leads,
            rounds: yield* measurePairs(size.pairs, overtureBatch, runTransactions(directory, leads), size.seconds)
          }
        })
      )
    )
    const medianCpu = (rounds: (typeof results)[number]["rounds"]) => median(rounds.map(({ a }) => a.cpu_ms))
    const smallestBatchCpu = medianCpu(results[0]?.rounds ?? [])
    const formatPairCount = (pairs: number) => (pairs === 1 ? "1 pair" : `${pairs} pairs`)
    return {
      figures: results,
      tables: [
        {
          title: "A batch written by the built-in writer",
          heads: ["3 emails each", "Overture", "plain transactions", "ratio", "aim"],
          rows: results.flatMap(({ leads, rounds }) => [
            comparisonRow(
              `${formatNumber(leads)} leads: leads a second`,
              compare(rounds, ({ per_second }) => per_second),
              "≥ 5,000"
            ),
            comparisonRow(
              `${formatNumber(leads)} leads: processor time of a lead, ms`,
              invertRatio(compare(rounds, ({ cpu_ms }) => cpu_ms))
            )
          ]),
          notes: [
            "From sending the batch until its list is completed: accepted, written, checked, charged, compared with each " +
              "other. The reference commits as many rows of that length one by one to the same disk, each with an update of " +
              `a counter (at most ${formatNumber(maxTransactions)} rows), and writes no emails. ` +
              results
                .map(({ leads, rounds }) => `${formatNumber(leads)} leads: ${formatPairCount(rounds.length)}`)
                .join("; ") +
              "."
          ]
        },
        {
          title: "A lead among more leads",
          heads: ["Leads in the batch", "processor time of a lead", "aim"],
          rows: results
            .slice(1)
            .map(({ leads, rounds }) => [
              `${formatNumber(leads)} beside ${formatNumber(results[0]?.leads ?? 0)}`,
              `${formatSignificant(medianCpu(rounds) / smallestBatchCpu)} times`,
              "1"
            ]),
          notes: []
        }
      ]
    }
  })
}
