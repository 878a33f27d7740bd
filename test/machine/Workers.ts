// test/machine/Workers.ts: starts and stops the service's background workers, with a writer whose state a test sets.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"
import { Enrichment } from "#layers/Enrichment.ts"
import { type Brief, Generator } from "#layers/Generator.ts"
import { Timing } from "#layers/queue/Worker.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { outage, refusal } from "#test/support/faults.ts"
import { until } from "#test/support/until.ts"
import { fake } from "#test/support/writer.ts"
import type { WriterState } from "./Background.ts"

/** The `additional_details` of a preview in which this many leads fail. */
export const failLeads = (leads: number) => `fail ${leads}`

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { member } = dialectOf(sql)
  const context = yield* Effect.context<Layer.Services<ReturnType<typeof BackgroundWorkers>>>()
  let writerState: WriterState = "well"
  const stalled = new Set<string>()

  const unlessDown =
    <Args extends ReadonlyArray<unknown>, A>(then: (...args: Args) => Effect.Effect<A, typeof outage>) =>
    (...args: Args) =>
      Effect.suspend(() => (writerState === "down" ? Effect.fail(outage) : then(...args)))

  const writer = Layer.succeed(Generator, {
    ...fake,
    audienceResearch: unlessDown(fake.audienceResearch),
    valuePropositions: unlessDown(fake.valuePropositions),
    emailInstructions: unlessDown(fake.emailInstructions),
    syntheticLeads: unlessDown(fake.syntheticLeads),
    sequence: unlessDown((brief: Brief) => {
      const [id = "", place = ""] = brief.seed.split(":")
      const [, failingLeads] = /^fail (\d)$/.exec(brief.additional_details ?? "") ?? []
      if (brief.lead.name === "refused" || (failingLeads !== undefined && Number(place) < Number(failingLeads))) {
        return Effect.fail(refusal)
      }
      if (brief.lead.name !== "slow" || writerState !== "stalling") return fake.sequence(brief)
      stalled.add(`${id}:${place}`)
      return Effect.never
    })
  })
  const timing = Layer.succeed(Timing, { leaseMillis: 30_000, pollMillis: 5, backoffMillis: 1 })
  const web = Layer.succeed(Enrichment, { enrich: (_, lead) => Effect.succeed({ lead, facts: [] }) })
  const workers = Layer.fresh(BackgroundWorkers({ concurrency: 100 })).pipe(Layer.provide([writer, timing, web]))

  /** Whether nothing is left that the workers could do; leads that stall keep their batches, and nothing else does. */
  const isIdle = Effect.gen(function* () {
    const [left] = yield* sql<{ readonly pending: number; readonly working: number; readonly leads: number }>`
      SELECT (SELECT count(*) FROM jobs WHERE status = 'pending' AND type <> 'mail.completion') AS pending,
             (SELECT count(*) FROM jobs WHERE status = 'processing') AS working,
             (SELECT count(*) FROM credit_holds h JOIN leads l ON l.id = h.owner
              JOIN jobs j ON j.subject = l.list_id AND j.status = 'processing'
                AND l.position / 25 = CAST(${sql.literal(member("j.payload", "batch"))} AS INTEGER)) AS leads`
    const batches = new Set([...stalled].map((lead) => lead.replace(/\d+$/, (at) => `${Math.floor(Number(at) / 25)}`)))
    return left?.pending === 0 && left.working === batches.size && left.leads === stalled.size
  }).pipe(Effect.orDie)

  /** Runs the workers until they are idle, runs `then`, and stops them as a process would. */
  const runUntilIdle = <A>(next: WriterState, then: Effect.Effect<A>) =>
    Effect.scopedWith(
      Effect.fnUntraced(function* (scope) {
        writerState = next
        stalled.clear()
        yield* Layer.buildWithScope(workers, scope)
        yield* until(isIdle, (done) => done)
        return yield* then
      })
    ).pipe(Effect.provideContext(context))

  return {
    runUntilIdle,
    /** Changes the writer's state while the workers run. */
    setWriterState: (next: WriterState) => Effect.sync(() => void (writerState = next))
  }
})
