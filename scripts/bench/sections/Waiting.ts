// scripts/bench/sections/Waiting.ts: a batch that waits for a model, compared with calls × latency ÷ concurrency.
import { Effect } from "effect"
import { Pool } from "undici"
import { client, written } from "../Client.ts"
import { median } from "../../Median.ts"
import type { Model } from "../Model.ts"
import { type Compared, compare, pairs } from "../Pairs.ts"
import { number, plain, spreadCell } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { type Server, spent, startOverture } from "../Servers.ts"
import { borrowed } from "../Store.ts"

const latency = 500

/** The ideal time of the calls as a share of the measured time, from 0 to 1. */
const efficiency = (calls: number, concurrency: number, ms: number) => (calls * latency) / concurrency / ms

/** Runs a batch, and counts its calls in the journal of the model server. */
const batch = Effect.fnUntraced(function* (
  run: Effect.Effect<unknown>,
  server: Server,
  model: Model,
  leads: number,
  concurrency: number
) {
  yield* model.journal
  const { cpu_ms, ms } = yield* spent([server], run)
  const { calls, failed, length } = yield* model.journal
  const of_lead = { cpu_ms: cpu_ms / leads, calls_per_lead: calls / leads }
  return { ms, calls, failed, length, ...of_lead, efficiency: efficiency(calls, concurrency, ms) }
})

/** The same concurrency with a client that does nothing else, which shows the overhead of the model server. */
const bare = ({ url }: Model, concurrency: number, rounds: number) =>
  Effect.promise(async () => {
    const { origin, pathname } = new URL(url)
    const pool = new Pool(origin, { connections: concurrency })
    const content = `https://someone-1.example ${"and the facts about them ".repeat(400)}`
    const body = JSON.stringify({
      model: "bench",
      messages: [
        { role: "system", content: "Write." },
        { role: "user", content }
      ]
    })
    const headers = { "content-type": "application/json", authorization: "Bearer sk-of-no-account" }
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let i = 0; i < rounds; i++) {
          const answer = await pool.request({ method: "POST", path: `${pathname}/chat/completions`, headers, body })
          if (answer.statusCode !== 200) throw new Error(`The model server answered ${answer.statusCode}`)
          await answer.body.dump()
        }
      })
    )
    const ms = performance.now() - startedAt
    await pool.close()
    return { ms, efficiency: efficiency(concurrency * rounds, concurrency, ms) }
  })

const sizes = {
  runs: [
    { concurrency: 16, leads: 640, pairs: 5 },
    { concurrency: 64, leads: 1920, pairs: 5 },
    { concurrency: 256, leads: 5120, pairs: 5 }
  ],
  bare: 8
}
const quickly = { runs: [{ concurrency: 16, leads: 40, pairs: 1 }], bare: 2 }

const waited = ({ directory, material, model }: Bench, size: (typeof sizes.runs)[number], rounds: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { concurrency, leads } = size
      const env = { ...model.env, OVERTURE_CONCURRENCY: String(concurrency) }
      const server = yield* startOverture(yield* borrowed(material, directory), env)
      const run = written(client(server, material.batches.key), material.batches.campaign, leads)
      // Warm up without latency.
      yield* model.latency(0)
      yield* written(client(server, material.batches.key), material.batches.campaign, concurrency)
      yield* model.latency(latency)
      const all = yield* pairs(
        size.pairs,
        batch(run, server, model, leads, concurrency),
        bare(model, concurrency, rounds)
      )
      return { ...size, rounds: all }
    })
  )

const percent = (share: number) => `${number(share * 100, 1)}%`

export const waiting: Section = {
  name: "model",
  about: "a batch with a model that takes 500 ms a call, against calls × latency ÷ concurrency",
  minutes: 8,
  needs: (quick) => ({ leads: Math.max(...(quick ? quickly : sizes).runs.map(({ leads }) => leads)) }),
  run: Effect.fnUntraced(function* (bench) {
    const { bare, runs } = bench.quick ? quickly : sizes
    const measured = yield* Effect.forEach(runs, (size) => waited(bench, size, bare))
    yield* bench.model.latency(0)
    const against = (rounds: (typeof measured)[number]["rounds"]): Compared =>
      compare(rounds, (round) => round.efficiency)
    return {
      figures: measured,
      tables: [
        {
          title: `A batch that waits for a model of ${latency} ms`,
          heads: [
            "OVERTURE_CONCURRENCY",
            "of the ideal",
            "a bare client's",
            "ratio",
            "aim",
            "processor time of a lead, ms"
          ],
          rows: measured.map(({ concurrency, leads, rounds }) => {
            const { a, b, ratio } = against(rounds)
            const cpu = plain(median(rounds.map((round) => round.a.cpu_ms)))
            const aim = concurrency === 16 ? "≥ 98%" : "≥ 95%"
            return [`${concurrency}, ${number(leads)} leads`, percent(a), percent(b), spreadCell(ratio), aim, cpu]
          }),
          notes: [
            `The ideal is the calls in the model server's journal × ${latency} ms ÷ concurrency; ` +
              measured
                .map(({ concurrency, rounds }) => {
                  const calls = rounds.map(({ a }) => a.calls_per_lead)
                  return `${plain(calls.reduce((sum, n) => sum + n, 0) / calls.length)} calls a lead at ${concurrency}`
                })
                .join(", ") +
              ". The time is from sending the batch until its list is completed. The bare client makes as many calls at once " +
              "and does nothing else; what it lacks of 100% is the overhead of the model server."
          ]
        }
      ]
    }
  })
}
