// scripts/bench/sections/ModelBatches.ts: a batch that waits for a model, compared with calls × latency ÷ concurrency.
import { Effect } from "effect"
import { Pool } from "undici"
import { makeClient, runBatch } from "../Client.ts"
import { median } from "../../Median.ts"
import type { ModelServer } from "../ModelServer.ts"
import { type Comparison, compare, measurePairs } from "../Pairs.ts"
import { formatNumber, formatSignificant, formatSpread } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { type Server, measureTime, startOverture } from "../Servers.ts"
import { temporaryCopy } from "../Store.ts"

const latency = 500

/** The ideal time of the calls as a share of the measured time, from 0 to 1. */
const efficiency = (calls: number, concurrency: number, ms: number) => (calls * latency) / concurrency / ms

/** Runs a batch, and counts its calls in the journal of the model server. */
const measureBatch = Effect.fnUntraced(function* (
  run: Effect.Effect<unknown>,
  server: Server,
  model: ModelServer,
  leads: number,
  concurrency: number
) {
  yield* model.takeJournal
  const { cpu_ms, ms } = yield* measureTime([server], run)
  const { calls, failed, length } = yield* model.takeJournal
  const perLead = { cpu_ms: cpu_ms / leads, calls_per_lead: calls / leads }
  return { ms, calls, failed, length, ...perLead, efficiency: efficiency(calls, concurrency, ms) }
})

/** The same concurrency with a client that does nothing else, which shows the overhead of the model server. */
const measureBareClient = ({ url }: ModelServer, concurrency: number, rounds: number) =>
  Effect.promise(async () => {
    const { origin, pathname } = new URL(url)
    const pool = new Pool(origin, { connections: concurrency })
    const content = `https://lead-1.example ${"and the facts about them ".repeat(400)}`
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
          const response = await pool.request({ method: "POST", path: `${pathname}/chat/completions`, headers, body })
          if (response.statusCode !== 200) throw new Error(`The model server answered ${response.statusCode}`)
          await response.body.dump()
        }
      })
    )
    const ms = performance.now() - startedAt
    await pool.close()
    return { ms, efficiency: efficiency(concurrency * rounds, concurrency, ms) }
  })

const fullSizes = {
  runs: [
    { concurrency: 16, leads: 640, pairs: 5 },
    { concurrency: 64, leads: 1920, pairs: 5 },
    { concurrency: 256, leads: 5120, pairs: 5 }
  ],
  bare: 8
}
const quickSizes = { runs: [{ concurrency: 16, leads: 40, pairs: 1 }], bare: 2 }

const measureConcurrency = (
  { directory, testData, model }: Bench,
  size: (typeof fullSizes.runs)[number],
  rounds: number
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { concurrency, leads } = size
      const env = { ...model.env, OVERTURE_CONCURRENCY: String(concurrency) }
      const server = yield* startOverture(yield* temporaryCopy(testData, directory), env)
      const run = runBatch(makeClient(server, testData.batches.key), testData.batches.campaign, leads)
      // Warm up without latency.
      yield* model.setLatency(0)
      yield* runBatch(makeClient(server, testData.batches.key), testData.batches.campaign, concurrency)
      yield* model.setLatency(latency)
      const measuredRounds = yield* measurePairs(
        size.pairs,
        measureBatch(run, server, model, leads, concurrency),
        measureBareClient(model, concurrency, rounds)
      )
      return { ...size, rounds: measuredRounds }
    })
  )

const percent = (share: number) => `${formatNumber(share * 100, 1)}%`

export const modelBatches: Section = {
  name: "model",
  about: "a batch with a model that takes 500 ms a call, against calls × latency ÷ concurrency",
  minutes: 8,
  needs: (quick) => ({ leads: Math.max(...(quick ? quickSizes : fullSizes).runs.map(({ leads }) => leads)) }),
  run: Effect.fnUntraced(function* (bench) {
    const { bare: bareRounds, runs } = bench.quick ? quickSizes : fullSizes
    const results = yield* Effect.forEach(runs, (size) => measureConcurrency(bench, size, bareRounds))
    yield* bench.model.setLatency(0)
    const compareEfficiency = (rounds: (typeof results)[number]["rounds"]): Comparison =>
      compare(rounds, (round) => round.efficiency)
    return {
      figures: results,
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
          rows: results.map(({ concurrency, leads, rounds }) => {
            const { a, b, ratio } = compareEfficiency(rounds)
            const cpu = formatSignificant(median(rounds.map((round) => round.a.cpu_ms)))
            const aim = concurrency === 16 ? "≥ 98%" : "≥ 95%"
            return [
              `${concurrency}, ${formatNumber(leads)} leads`,
              percent(a),
              percent(b),
              formatSpread(ratio),
              aim,
              cpu
            ]
          }),
          notes: [
            `The ideal is the calls in the model server's journal × ${latency} ms ÷ concurrency; ` +
              results
                .map(({ concurrency, rounds }) => {
                  const calls = rounds.map(({ a }) => a.calls_per_lead)
                  return `${formatSignificant(calls.reduce((sum, n) => sum + n, 0) / calls.length)} calls a lead at ${concurrency}`
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
