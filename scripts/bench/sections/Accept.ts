// scripts/bench/sections/Accept.ts: how long the largest batch takes to be accepted, what it takes in memory, and what
// others feel of it.
import { Effect } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { accept, client } from "../Client.ts"
import { feeling, feltNote, feltRows } from "../Felt.ts"
import { batchOf } from "../../Leads.ts"
import { compare, inverse, pairs } from "../Pairs.ts"
import { number, plain, row } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { spent, startOverture } from "../Servers.ts"
import { borrowed } from "../Store.ts"

/** A server that was just started accepts one batch; then it is thrown away with what it would have gone on to write. */
const accepted = ({ directory, material, quick }: Bench, body: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* startOverture(yield* borrowed(material, directory))
      const call = client(server, material.batches.key)
      yield* feeling(server, material, Effect.sleep(quick ? 300 : 1500))
      const { outcome: idle } = yield* feeling(server, material, Effect.sleep(quick ? 500 : 3000))
      server.forgetPeak()
      const before_mb = server.memory().now
      const accepting = spent([server], accept(call, material.batches.campaign, body))
      const { outcome: during, result } = yield* feeling(server, material, accepting)
      return { ms: result.ms, before_mb, peak_mb: server.memory().peak, idle, during }
    })
  )

/** What there is no way around: the body is parsed, and each lead is a row of one transaction that is on the disk. */
const floor = ({ directory }: Bench, body: string) =>
  Effect.sync(() => {
    const began = performance.now()
    const { leads } = JSON.parse(body)
    const db = new DatabaseSync(join(directory, "floor.db"))
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      DROP TABLE IF EXISTS leads;
      CREATE TABLE leads (id TEXT PRIMARY KEY, list_id TEXT, position INTEGER, email TEXT, name TEXT, title TEXT,
        company TEXT, company_website TEXT, status TEXT, UNIQUE (list_id, position)) STRICT;
      BEGIN`)
    const insert = db.prepare("INSERT INTO leads VALUES (?, 'list', ?, ?, ?, ?, ?, ?, 'pending')")
    let position = 0
    for (const { company, company_website, email, name, title } of leads) {
      insert.run(crypto.randomUUID(), position++, email, name, title, company, company_website)
    }
    db.exec("COMMIT")
    db.close()
    return { ms: performance.now() - began }
  })

const sizes = [5000, 50_000] as const
const quickly = [200, 2000] as const

export const acceptance: Section = {
  name: "accept",
  about: "a body of 50,000 leads: until it is accepted, memory, and reads meanwhile",
  minutes: 2,
  run: Effect.fnUntraced(function* (bench) {
    const accepting = Effect.fnUntraced(function* (leads: number) {
      const body = batchOf(leads)
      const rounds = yield* pairs(bench.quick ? 1 : 5, accepted(bench, body), floor(bench, body))
      const time = compare(rounds, ({ ms }) => ms)
      return { leads, megabytes: body.length / 1e6, rounds, time }
    })
    const [fewer, most] = bench.quick ? quickly : sizes
    const few = yield* accepting(fewer)
    const many = yield* accepting(most)
    const large = many.rounds.map(({ a }) => a)
    const memory = compare(
      large.map((round) => ({ a: round, b: round })),
      ({ peak_mb }) => peak_mb,
      ({ before_mb }) => before_mb
    )
    return {
      figures: { few, many },
      tables: [
        {
          title: "A batch accepted",
          heads: ["", "Overture", "parsed and inserted, no more", "ratio", "aim"],
          rows: [
            ...[few, many].map(({ leads, megabytes, time }) =>
              row(
                `${number(leads)} leads, ${plain(megabytes)} MB: ms`,
                inverse(time),
                leads === 50_000 ? "< 2,000" : ""
              )
            ),
            [
              "Ten times the leads: times as long",
              plain(many.time.a / few.time.a),
              plain(many.time.b / few.time.b),
              plain(many.time.b / few.time.b / (many.time.a / few.time.a)),
              "10"
            ]
          ],
          notes: [
            "From the first byte sent until the 202, by a server that was just started. The reference parses the same body and " +
              "inserts its leads in one transaction of plain SQL: no checks, no credits, no jobs, no HTTP."
          ]
        },
        {
          title: `What ${number(most)} leads at once do to the server`,
          heads: ["", "meanwhile", "before", "ratio", "aim"],
          rows: [row("Memory held at most, MB", memory, "< 400"), ...feltRows(large, "< 100")],
          notes: [
            `The most that any round held was ${plain(Math.max(...large.map(({ peak_mb }) => peak_mb)))} MB. ${feltNote}`
          ]
        }
      ]
    }
  })
}
