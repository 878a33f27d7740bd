// scripts/bench/sections/Machines.ts: the throughput of one, two and four worker processes on one PostgreSQL.
import { Effect, Schema } from "effect"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { administer } from "#test/support/store.ts"
import { client, written } from "../Client.ts"
import { median } from "../../Median.ts"
import { number, plain } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { type Env, spent, startOverture } from "../Servers.ts"
import { borrowed, movedToPostgres } from "../Store.ts"

const latency = 500
const concurrency = 16

const sizes = { workers: [1, 2, 4], rounds: 3, leads: 320, builtin: 2000 }
const quickly = { workers: [1, 2], rounds: 1, leads: 16, builtin: 20 }

/** The activity of a database so far. */
const Tally = Schema.Struct({ transactions: Schema.Finite, log_bytes: Schema.Finite, bytes: Schema.Finite })

const tally = (server: string) =>
  administer(
    server,
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log_bytes,
      pg_database_size(datname)::float8 AS bytes
    FROM pg_stat_database WHERE datname = current_database()`
  ).pipe(
    // PostgreSQL reports the transactions of a connection after it has been idle for a second.
    Effect.delay("1500 millis"),
    Effect.flatMap((rows) => Schema.decodeUnknownEffect(Tally)(rows[0])),
    Effect.orDie
  )

interface Round {
  readonly per_second: number
  /** Processor time of all workers for each lead. */
  readonly cpu_ms: number
  /** The database activity for each lead. */
  readonly database: typeof Tally.Type
}

/** Runs a batch with one API and a number of workers on the database. */
const batch = (
  { directory, material }: Bench,
  env: Env & { readonly DATABASE_URL: string },
  workers: number,
  leads: number
): Effect.Effect<Round, never> =>
  Effect.scoped(
    Effect.gen(function* () {
      const place = () => ({ dataDir: mkdtempSync(join(directory, "process-")), kept: true })
      const api = yield* startOverture(place(), { ...env, OVERTURE_ROLE: "api" })
      const all = yield* Effect.forEach(
        Array.from({ length: workers }, place),
        (own) => startOverture(own, { ...env, OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: api.url }),
        { concurrency: "unbounded" }
      )
      const call = client(api, material.batches.key)
      // Warm up.
      yield* written(call, material.batches.campaign, concurrency * workers)
      const before = yield* tally(env.DATABASE_URL)
      const { cpu_ms, ms } = yield* spent(all, written(call, material.batches.campaign, leads))
      const { bytes, log_bytes, transactions } = yield* tally(env.DATABASE_URL)
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
    const { leads, workers } = quick ? quickly : sizes
    return { leads: leads * Math.max(...workers) }
  },
  run: Effect.fnUntraced(function* (bench) {
    const size = bench.quick ? quickly : sizes
    const { server } = yield* movedToPostgres(yield* borrowed(bench.material, bench.directory))
    const env = { DATABASE_URL: server, OVERTURE_CONCURRENCY: String(concurrency) }
    const waiting = { ...env, ...bench.model.env }
    yield* bench.model.latency(latency)
    // Round by round, so that other load on the machine affects all of them.
    const rounds = yield* Effect.forEach(Array.from({ length: size.rounds }), () =>
      Effect.forEach(size.workers, (workers) =>
        Effect.gen(function* () {
          const model = yield* batch(bench, waiting, workers, size.leads * workers)
          const builtin = yield* batch(bench, env, workers, size.builtin)
          return { workers, model, builtin }
        })
      )
    )
    yield* bench.model.latency(0)
    const of = (workers: number, figure: (round: (typeof rounds)[number][number]) => number) =>
      median(
        rounds
          .flat()
          .filter((round) => round.workers === workers)
          .map(figure)
      )
    const beside = (workers: number, figure: (round: (typeof rounds)[number][number]) => number) =>
      `${plain(of(workers, figure) / of(size.workers[0] ?? 1, figure))} times`
    const ideal = (workers: number) => (workers * concurrency * 1000) / latency
    return {
      figures: rounds,
      tables: [
        {
          title: "Workers on one PostgreSQL",
          heads: [
            "Workers",
            `model of ${latency} ms, beside one`,
            "of the ideal",
            "built-in writer, beside one",
            "its processor time a lead, beside one"
          ],
          rows: size.workers.map((workers) => [
            number(workers),
            beside(workers, ({ model }) => model.per_second),
            `${number((of(workers, ({ model }) => model.per_second) / ideal(workers)) * 100)}%`,
            beside(workers, ({ builtin }) => builtin.per_second),
            beside(workers, ({ builtin }) => builtin.cpu_ms)
          ]),
          notes: [
            `One API, the workers and the database on this machine; each worker writes ${concurrency} leads at once. ` +
              `The ideal is workers × ${concurrency} ÷ ${latency} ms, at one call a lead. Medians of ${size.rounds} rounds.`
          ]
        },
        {
          title: "PostgreSQL activity for each lead",
          heads: ["Workers", "Writer", "transactions", "log, kB", "stored, kB"],
          rows: size.workers.flatMap((workers) =>
            (["model", "builtin"] as const).map((writer) => [
              number(workers),
              writer === "model" ? "model" : "built-in",
              plain(of(workers, (round) => round[writer].database.transactions)),
              plain(of(workers, (round) => round[writer].database.log_bytes / 1000)),
              plain(of(workers, (round) => round[writer].database.bytes / 1000))
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
