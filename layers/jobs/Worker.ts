// layers/jobs/Worker.ts: takes jobs from the store and sees each to its end, whatever happens to those who work on it.
import { Cause, Clock, Context, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { type Claim, Jobs } from "#layers/Jobs.ts"
import * as Hands from "#layers/jobs/Hands.ts"
import * as Leases from "#layers/jobs/Leases.ts"
import * as Outage from "#layers/jobs/Outage.ts"
import * as Outcome from "#layers/jobs/Outcome.ts"
import { type Done, inHand, type Keep } from "#layers/jobs/Places.ts"
import { type Lane, patienceOf, type Stage } from "#layers/jobs/Stage.ts"
import * as Turns from "#layers/jobs/Turns.ts"
import { Lean, leanly } from "#layers/Lean.ts"
import { beginJobs } from "#layers/Metrics.ts"
import { Occasion } from "#layers/ModelCalls.ts"
import { now } from "#layers/Now.ts"
import { IfAlone } from "#layers/database/WorkerLock.ts"
import { spanned } from "#layers/Traced.ts"

export interface Timing {
  readonly leaseMillis: number
  readonly pollMillis: number
  readonly backoffMillis: number
}
export const Timing = Context.Reference<Timing>("overture/layers/jobs/Timing", {
  defaultValue: () => ({ leaseMillis: 30_000, pollMillis: 1000, backoffMillis: 1000 })
})

/** Clocks of machines that share a store may differ by so much before a pause that one set is ignored by another. */
const mostClockSkew = Duration.toMillis("10 minutes")

/** What the work of a job is for. */
const occasionOf = ({ subject, type, workspace_id }: Claim): Occasion => ({
  workspace: workspace_id,
  kind: type.slice(0, type.indexOf(".")),
  subject
})

/** Those who work, for whoever has to bring them to a stop before their scope closes. */
export class Workers extends Context.Service<
  Workers,
  {
    /** Takes nothing more but what a request waits for. */
    readonly rest: Effect.Effect<void>
    /** Takes nothing more, gives back what is in hand, and returns once that is done. */
    readonly stop: Effect.Effect<void>
  }
>()("overture/layers/jobs/Workers") {
  /** Nobody: another process does the work. */
  static readonly layerNone = Layer.succeed(Workers, { rest: Effect.void, stop: Effect.void })
}

/**
 * Works until its scope closes; jobs in hand are then given back untouched. The caller holds the store's worker lock. A
 * worker that is alone takes every lease that it finds at its start for a dead process's, and one that is not waits
 * until it is not renewed.
 */
export const layer = <R>(lanes: ReadonlyArray<Lane<R>>) =>
  Layer.effect(
    Workers,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const random = yield* SecureRandom.SecureRandom
      const { backoffMillis, leaseMillis, pollMillis } = yield* Timing
      const worker = yield* random.uuidV7()
      const scope = yield* Effect.scope
      const stages = new Map(lanes.flatMap((lane) => lane.stages.map((stage) => [stage.type, stage] as const)))
      /** The fibers at work, by their leases. */
      const held = new Map<string, Fiber.Fiber<unknown, unknown>>()
      let claims = 0
      const newLease = () => `${worker}:${++claims}`
      // Machines that share a store may have set `run_at` by clocks that differ from this one's.
      const clockTolerance = isPostgres(yield* SqlClient.SqlClient) ? mostClockSkew : 0
      const context = (yield* Lean)(yield* Effect.context<R>())
      const outage = Outage.make(backoffMillis)
      const outcome = yield* Outcome.make(stages, outage, backoffMillis)
      let pace: Hands.Pace = "working"
      for (const type of stages.keys()) yield* beginJobs(type)

      const take = yield* Turns.make

      const claim = Effect.fnUntraced(function* (stages: ReadonlyArray<Stage<R>>) {
        const at = yield* Clock.currentTimeMillis
        const longest = Math.max(...stages.map((stage) => Duration.toMillis(patienceOf(stage).longestPause)))
        const taken = yield* take({
          types: stages.map((stage) => stage.type),
          at,
          latest: at + longest + clockTolerance,
          lease: newLease(),
          lease_until: at + leaseMillis,
          updated_at: yield* now
        })
        if (taken !== undefined) yield* outage.over
        return taken
      })

      const start = (job: Claim, done: Done) => {
        let ended = false
        return Effect.uninterruptibleMask((restore) =>
          restore(Effect.suspend(() => stages.get(job.type)?.run(job) ?? Effect.void)).pipe(
            Effect.provideService(Occasion, occasionOf(job)),
            Effect.exit,
            Effect.tap((exit) => Effect.sync(() => void (ended = Exit.isSuccess(exit)))),
            Effect.flatMap((exit) => outcome.settle(job, exit, restore(Outage.rest))),
            Effect.ensuring(
              Effect.suspend(() => {
                held.delete(job.lease)
                return Effect.andThen(jobs.announce(job.id), done(ended))
              })
            )
          )
        ).pipe(
          Effect.annotateLogs({ job: job.id }),
          spanned(`job ${job.type}`, {
            root: true,
            kind: "consumer",
            attributes: { job_id: job.id, "job.type": job.type, "job.attempt": job.attempts }
          }),
          Effect.ignoreCause,
          Effect.forkIn(scope),
          Effect.map((fiber) => void held.set(job.lease, fiber))
        )
      }

      const leases = yield* Leases.make(leaseMillis, held, outcome.freed)

      const met = (what: string) => (cause: Cause.Cause<unknown>) =>
        Outage.isOutage(cause) ? outage.met(cause) : Effect.logError(what, cause)

      const heartbeat = Effect.gen(function* () {
        if (yield* leases.renew((yield* Clock.currentTimeMillis) + leaseMillis)) yield* outage.over
        yield* leases.watch
      }).pipe(Effect.catchCause(met("The heartbeat failed")))

      const hands = lanes.map((lane) => Hands.make(lane, () => pace, jobs.wake))

      const keep: Keep = Effect.fnUntraced(function* (type) {
        const hand = hands.find(({ takes }) => takes().some((stage) => stage.type === type))
        if (hand === undefined) return undefined
        const lease_until = (yield* Clock.currentTimeMillis) + leaseMillis
        return inHand(hand.take(), { lease: newLease(), lease_until }, (job, done) =>
          // It is nothing of the request's that stored it.
          Effect.andThen(outage.over, start(job, done)).pipe(Effect.updateContext<never, R>(() => context))
        )
      })

      const work = Effect.fnUntraced(function* (hand: Hands.Hands<R>) {
        const woken = yield* jobs.woken(hand.types)
        const rest = Effect.timeoutOption(woken, pollMillis)
        const round = Effect.gen(function* () {
          // A claimed job is never dropped between the claim and its fiber.
          const stages = hand.takes()
          const job =
            stages.length === 0
              ? undefined
              : yield* Effect.uninterruptible(
                  Effect.tap(claim(stages), (job) => {
                    if (job === undefined) return Effect.void
                    const done = hand.take()
                    // Another process may have stored more meanwhile, and have no way to say so.
                    return start(job, () => done(false))
                  })
                )
          if (job === undefined) yield* rest
        })
        // The pause keeps a broken store from turning the worker into a busy loop.
        const broken = (cause: Cause.Cause<unknown>) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(met("Cannot take jobs")(cause), Outage.rest)
        return yield* Effect.forever(Effect.catchCause(round, broken))
      })

      yield* (yield* IfAlone)(Effect.orDie(leases.recoverAll))
      yield* heartbeat.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)
      for (const hand of hands) yield* Effect.forkScoped(leanly(work(hand)))
      yield* jobs.places.offer(keep)

      return Workers.of({
        rest: Effect.sync(() => void (pace = "resting")),
        stop: Effect.suspend(() => {
          pace = "stopped"
          return Fiber.interruptAll([...held.values()])
        })
      })
    })
  )
