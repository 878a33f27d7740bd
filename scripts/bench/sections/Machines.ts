// scripts/bench/sections/Machines.ts: the throughput of one, two and four worker processes on one PostgreSQL.
import { Effect, Schema } from "effect"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { administer } from "#test/support/store.ts"
import { makeClient, runBatch } from "../Client.ts"
import { median } from "../../Median.ts"
import { formatNumber, formatSignificant } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { type Env, measureTime, startOverture } from "../Servers.ts"
import { temporaryCopy, copyToPostgres } from "../Store.ts"

const modelLatency = 500
const concurrency = 16

const fullSizes = { workers: [1, 2, 4], rounds: 3, leads: 320, builtin: 2000 }
const quickSizes = { workers: [1, 2], rounds: 1, leads: 16, builtin: 20 }

/** The activity of a database so far. */
const DatabaseActivity = Schema.Struct({ transactions: Schema.Finite, log_bytes: Schema.Finite, bytes: Schema.Finite })

const readDatabaseActivity = (server: string) =>
  administer(
    server,
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log_bytes,
      pg_database_size(datname)::float8 AS bytes
    FROM pg_stat_database WHERE datname = current_database()`
  ).pipe(
    // PostgreSQL reports the transactions of a connection after it has been idle for a second.
    Effect.delay("1500 millis"),
    Effect.flatMap((rows) => Schema.decodeUnknownEffect(DatabaseActivity)(rows[0])),
    Effect.orDie
  )

interface Round {
  readonly per_second: number
  /** Processor time of all workers for each lead. */
  readonly cpu_ms: number
  /** The database activity for each lead. */
  readonly database: typeof DatabaseActivity.Type
}

/** Runs a batch with one API and a number of workers on the database. */
const measureBatch = (
  { directory, testData }: Bench,
  env: Env & { readonly DATABASE_URL: string },
  workers: number,
  leads: number
): Effect.Effect<Round, never> =>
  Effect.scoped(
    Effect.gen(function* () {
      const newProcessStore = () => ({ dataDir: mkdtempSync(join(directory, "process-")), stopGracefully: true })
      const api = yield* startOverture(newProcessStore(), { ...env, OVERTURE_ROLE: "api" })
      const workerServers = yield* Effect.forEach(
        Array.from({ length: workers }, newProcessStore),
        (store) => startOverture(store, { ...env, OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: api.url }),
        { concurrency: "unbounded" }
      )
      const call = makeClient(api, testData.batches.key)
      // Warm up.
      yield* runBatch(call, testData.batches.campaign, concurrency * workers)
      const before = yield* readDatabaseActivity(env.DATABASE_URL)
      const { cpu_ms, ms } = yield* measureTime(workerServers, runBatch(call, testData.batches.campaign, leads))
      const { bytes, log_bytes, transactions } = yield* readDatabaseActivity(env.DATABASE_URL)
      const database = {
        transactions: (transactions - before.transactions) / leads,
        log_bytes: (log_bytes - before.log_bytes) / leads,
        bytes: (bytes - before.bytes) / leads
      }
      return { per_second: (leads / ms) * 1000, cpu_ms: cpu_ms / leads, database }
    })
  )

export const machines: Section = {
  name: "machines",
  about: "one, two and four workers on one PostgreSQL",
  minutes: 6,
  needs: (quick) => {
    const { leads, workers } = quick ? quickSizes : fullSizes
    return { leads: leads * Math.max(...workers) }
  },
  run: Effect.fnUntraced(function* (bench) {
    const size = bench.quick ? quickSizes : fullSizes
    const { server } = yield* copyToPostgres(yield* temporaryCopy(bench.testData, bench.directory))
    const env = { DATABASE_URL: server, OVERTURE_CONCURRENCY: String(concurrency) }
    const modelEnv = { ...env, ...bench.model.env }
    yield* bench.model.setLatency(modelLatency)
    // Round by round, so that other load on the machine affects all of them.
    const rounds = yield* Effect.forEach(Array.from({ length: size.rounds }), () =>
      Effect.forEach(size.workers, (workers) =>
        Effect.gen(function* () {
          const model = yield* measureBatch(bench, modelEnv, workers, size.leads * workers)
          const builtin = yield* measureBatch(bench, env, workers, size.builtin)
          return { workers, model, builtin }
        })
      )
    )
    yield* bench.model.setLatency(0)
    const medianOf = (workers: number, figure: (round: (typeof rounds)[number][number]) => number) =>
      median(
        rounds
          .flat()
          .filter((round) => round.workers === workers)
          .map(figure)
      )
    const formatRelativeToFirst = (workers: number, figure: (round: (typeof rounds)[number][number]) => number) =>
      `${formatSignificant(medianOf(workers, figure) / medianOf(size.workers[0] ?? 1, figure))} times`
    const idealPerSecond = (workers: number) => (workers * concurrency * 1000) / modelLatency
    return {
      figures: rounds,
      tables: [
        {
          title: "Workers on one PostgreSQL",
          heads: [
            "Workers",
            `model of ${modelLatency} ms, beside one`,
            "of the ideal",
            "built-in writer, beside one",
            "its processor time a lead, beside one"
          ],
          rows: size.workers.map((workers) => [
            formatNumber(workers),
            formatRelativeToFirst(workers, ({ model }) => model.per_second),
            `${formatNumber((medianOf(workers, ({ model }) => model.per_second) / idealPerSecond(workers)) * 100)}%`,
            formatRelativeToFirst(workers, ({ builtin }) => builtin.per_second),
            formatRelativeToFirst(workers, ({ builtin }) => builtin.cpu_ms)
          ]),
          notes: [
            `One API, the workers and the database on this machine; each worker writes ${concurrency} leads at once. ` +
              `The ideal is workers × ${concurrency} ÷ ${modelLatency} ms, at one call a lead. Medians of ${size.rounds} rounds.`
          ]
        },
        {
          title: "PostgreSQL activity for each lead",
          heads: ["Workers", "Writer", "transactions", "log, kB", "stored, kB"],
          rows: size.workers.flatMap((workers) =>
            (["model", "builtin"] as const).map((writer) => [
              formatNumber(workers),
              writer === "model" ? "model" : "built-in",
              formatSignificant(medianOf(workers, (round) => round[writer].database.transactions)),
              formatSignificant(medianOf(workers, (round) => round[writer].database.log_bytes / 1000)),
              formatSignificant(medianOf(workers, (round) => round[writer].database.bytes / 1000))
            ])
          ),
          notes: [
            "From accepting the batch until its end, including indexes and the polling of its progress; the log is the " +
              "write-ahead log with its full pages. Storage grows by whole pages."
          ]
        }
      ]
    }
  })
}
