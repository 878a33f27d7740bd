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
import { fakeWriter } from "#test/support/writer.ts"
import type { WriterState } from "./Background.ts"

/** The `additional_details` that makes the fake writer fail for this many leads of a preview. */
export const failLeadsInstruction = (leads: number) => `fail ${leads}`

export const makeWorkers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { member } = dialectOf(sql)
  const context = yield* Effect.context<Layer.Services<ReturnType<typeof BackgroundWorkers>>>()
  let writerState: WriterState = "well"
  const stalledLeads = new Set<string>()

  const failIfDown =
    <Args extends ReadonlyArray<unknown>, A>(operation: (...args: Args) => Effect.Effect<A, typeof outage>) =>
    (...args: Args) =>
      Effect.suspend(() => (writerState === "down" ? Effect.fail(outage) : operation(...args)))

  const writer = Layer.succeed(Generator, {
    ...fakeWriter,
    audienceResearch: failIfDown(fakeWriter.audienceResearch),
    valuePropositions: failIfDown(fakeWriter.valuePropositions),
    emailInstructions: failIfDown(fakeWriter.emailInstructions),
    syntheticLeads: failIfDown(fakeWriter.syntheticLeads),
    sequence: failIfDown((brief: Brief) => {
      const [id = "", position = ""] = brief.seed.split(":")
      const [, failingLeads] = /^fail (\d)$/.exec(brief.additional_details ?? "") ?? []
      if (brief.lead.name === "refused" || (failingLeads !== undefined && Number(position) < Number(failingLeads))) {
        return Effect.fail(refusal)
      }
      if (brief.lead.name !== "slow" || writerState !== "stalling") return fakeWriter.sequence(brief)
      stalledLeads.add(`${id}:${position}`)
      return Effect.never
    })
  })
  const timing = Layer.succeed(Timing, { leaseMillis: 30_000, pollMillis: 5, backoffMillis: 1 })
  const enrichment = Layer.succeed(Enrichment, { enrich: (_, lead) => Effect.succeed({ lead, facts: [] }) })
  const workers = Layer.fresh(BackgroundWorkers({ concurrency: 100 })).pipe(Layer.provide([writer, timing, enrichment]))

  /** Whether the workers have nothing to do except for the batches with stalled leads. */
  const isIdle = Effect.gen(function* () {
    const [counts] = yield* sql<{ readonly pending: number; readonly working: number; readonly leads: number }>`
      SELECT (SELECT count(*) FROM jobs WHERE status = 'pending' AND type <> 'mail.completion') AS pending,
             (SELECT count(*) FROM jobs WHERE status = 'processing') AS working,
             (SELECT count(*) FROM credit_holds h JOIN leads l ON l.id = h.owner
              JOIN jobs j ON j.subject = l.list_id AND j.status = 'processing'
                AND l.position / 25 = CAST(${sql.literal(member("j.payload", "batch"))} AS INTEGER)) AS leads`
    const batches = new Set(
      [...stalledLeads].map((lead) => lead.replace(/\d+$/, (position) => `${Math.floor(Number(position) / 25)}`))
    )
    return counts?.pending === 0 && counts.working === batches.size && counts.leads === stalledLeads.size
  }).pipe(Effect.orDie)

  /** Runs the workers until they are idle, runs the operation, and stops the workers as a shutdown does. */
  const runUntilIdle = <A>(newState: WriterState, operation: Effect.Effect<A>) =>
    Effect.scopedWith(
      Effect.fnUntraced(function* (scope) {
        writerState = newState
        stalledLeads.clear()
        yield* Layer.buildWithScope(workers, scope)
        yield* until(isIdle, (isDone) => isDone)
        return yield* operation
      })
    ).pipe(Effect.provideContext(context))

  return {
    runUntilIdle,
    /** Changes the writer's state while the workers run. */
    setWriterState: (newState: WriterState) => Effect.sync(() => void (writerState = newState))
  }
})
