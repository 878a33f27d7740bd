// layers/queue/Worker.ts: claims jobs and runs their handlers, with leases, a heartbeat and a graceful shutdown.
import { Cause, Clock, Context, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { type ClaimedJob, type ReleaseSlot, Queue, makeHeldSlot, type ReserveSlot } from "#layers/Queue.ts"
import { makeDequeue, makeLeases } from "#layers/queue/Leases.ts"
import {
  isOutage,
  type JobHandler,
  type Lane,
  makeOutage,
  makeOutcome,
  retryPause,
  retryPolicyOf
} from "#layers/queue/JobHandler.ts"
import { TrimContext, trimContext } from "#layers/database/Transactions.ts"
import { registerJobSeries } from "#layers/Metrics.ts"
import { ModelCallSubject } from "#layers/model/ModelCalls.ts"
import { now } from "#layers/lib/Time.ts"
import { IfOnlyWorker } from "#layers/database/WorkerLock.ts"
import { spanned } from "#layers/lib/Traced.ts"

export interface Timing {
  readonly leaseMillis: number
  readonly pollMillis: number
  readonly backoffMillis: number
}
export const Timing = Context.Reference<Timing>("overture/layers/jobs/Timing", {
  defaultValue: () => ({ leaseMillis: 30_000, pollMillis: 1000, backoffMillis: 1000 })
})

/** Tolerated difference between machines' clocks: a `run_at` may exceed the longest backoff by this much. */
const maxClockSkew = Duration.toMillis("10 minutes")

/** The subject under which a job's model calls are recorded. */
const modelCallSubject = ({ subject, type, workspace_id }: ClaimedJob): ModelCallSubject => {
  const kind = type.slice(0, type.indexOf("."))
  return { workspace: workspace_id, kind, subject, list: kind === "list" ? subject : undefined }
}

/** Stops the workers before their scope closes. */
export class Workers extends Context.Service<
  Workers,
  {
    /** Stops claiming jobs, except those that a request waits for. */
    readonly drain: Effect.Effect<void>
    /** Stops claiming jobs, requeues the running ones, and returns when all are requeued. */
    readonly stop: Effect.Effect<void>
  }
>()("overture/layers/jobs/Workers") {
  /** For a process that runs no jobs. */
  static readonly layerNone = Layer.succeed(Workers, { drain: Effect.void, stop: Effect.void })
}

type WorkerPace = "working" | "draining" | "stopped"

/** The free worker slots of a lane, and the job types that it may claim now. */
interface WorkerSlots<R> {
  readonly types: ReadonlyArray<string>
  /** Handlers whose jobs can be claimed now; empty if no slot is free. */
  readonly claimable: () => ReadonlyArray<JobHandler<R>>
  /** Takes a slot. Call the result to release the slot; its argument tells whether the job has ended. */
  readonly takeSlot: () => (hasEnded: boolean) => Effect.Effect<void>
}

/** `wake` is called when a slot becomes free again: jobs may be pending that found no free slot or were requeued. */
const makeWorkerSlots = <R>(
  { concurrency, handlers }: Lane<R>,
  state: () => WorkerPace,
  wake: (types: ReadonlyArray<string>) => Effect.Effect<void>
): WorkerSlots<R> => {
  const types = handlers.map((handler) => handler.type)
  const awaitedHandlers = handlers.filter((handler) => handler.awaited === true)
  const noHandlers: ReadonlyArray<JobHandler<R>> = []
  let freeSlots = concurrency
  return {
    types,
    claimable: () =>
      freeSlots < 1 || state() === "stopped" ? noHandlers : state() === "working" ? handlers : awaitedHandlers,
    takeSlot: () => {
      freeSlots--
      return (hasEnded) =>
        Effect.suspend(() => {
          freeSlots++
          return freeSlots === 1 || !hasEnded ? wake(types) : Effect.void
        })
    }
  }
}

/**
 * Runs jobs until its scope closes, then requeues the running ones without counting an attempt. The caller holds the
 * worker lock. A single worker treats every lease found at its start as abandoned; with several workers, a lease counts
 * as abandoned when it is not renewed in time.
 */
export const layer = <R>(lanes: ReadonlyArray<Lane<R>>) =>
  Layer.effect(
    Workers,
    Effect.gen(function* () {
      const queue = yield* Queue
      const random = yield* SecureRandom.SecureRandom
      const { backoffMillis, leaseMillis, pollMillis } = yield* Timing
      const worker = yield* random.uuidV7()
      const scope = yield* Effect.scope
      const handlers = new Map(
        lanes.flatMap((lane) => lane.handlers.map((handler) => [handler.type, handler] as const))
      )
      /** Running fibers by lease. */
      const runningFibers = new Map<string, Fiber.Fiber<unknown, unknown>>()
      let claims = 0
      const newLease = () => `${worker}:${++claims}`
      // Other machines' clocks may differ.
      const clockTolerance = isPostgres(yield* SqlClient.SqlClient) ? maxClockSkew : 0
      const context = (yield* TrimContext)(yield* Effect.context<R>())
      const outage = makeOutage(backoffMillis)
      const outcome = yield* makeOutcome(handlers, outage, backoffMillis)
      let state: WorkerPace = "working"
      for (const type of handlers.keys()) yield* registerJobSeries(type)

      const dequeue = yield* makeDequeue

      const claim = Effect.fnUntraced(function* (handlers: ReadonlyArray<JobHandler<R>>) {
        const currentMillis = yield* Clock.currentTimeMillis
        const maxPauseMillis = Math.max(
          ...handlers.map((handler) => Duration.toMillis(retryPolicyOf(handler).maxPause))
        )
        const claimedJob = yield* dequeue({
          types: handlers.map((handler) => handler.type),
          at: currentMillis,
          latest: currentMillis + maxPauseMillis + clockTolerance,
          lease: newLease(),
          lease_until: currentMillis + leaseMillis,
          updated_at: yield* now
        })
        if (claimedJob !== undefined) yield* outage.writeSucceeded
        return claimedJob
      })

      const startJob = (job: ClaimedJob, releaseSlot: ReleaseSlot) => {
        let hasSucceeded = false
        return Effect.uninterruptibleMask((restore) =>
          restore(Effect.suspend(() => handlers.get(job.type)?.run(job) ?? Effect.void)).pipe(
            Effect.provideService(ModelCallSubject, modelCallSubject(job)),
            Effect.exit,
            Effect.tap((exit) => Effect.sync(() => void (hasSucceeded = Exit.isSuccess(exit)))),
            Effect.flatMap((exit) => outcome.storeOutcome(job, exit, restore(retryPause))),
            Effect.ensuring(
              Effect.suspend(() => {
                runningFibers.delete(job.lease)
                return Effect.andThen(queue.announce(job.id), releaseSlot(hasSucceeded))
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
          Effect.map((fiber) => void runningFibers.set(job.lease, fiber))
        )
      }

      const leases = yield* makeLeases(leaseMillis, runningFibers, outcome.failAfterCrashes)

      const logFailure = (activity: string) => (cause: Cause.Cause<unknown>) =>
        isOutage(cause) ? outage.onOutage(cause) : Effect.logError(activity, cause)

      const heartbeat = Effect.gen(function* () {
        if (yield* leases.renew((yield* Clock.currentTimeMillis) + leaseMillis)) yield* outage.writeSucceeded
        yield* leases.freeDeadWorkers
      }).pipe(Effect.catchCause(logFailure("The heartbeat failed")))

      const slots = lanes.map((lane) => makeWorkerSlots(lane, () => state, queue.wake))

      const reserve: ReserveSlot = Effect.fnUntraced(function* (type) {
        const slot = slots.find(({ claimable }) => claimable().some((handler) => handler.type === type))
        if (slot === undefined) return undefined
        const lease_until = (yield* Clock.currentTimeMillis) + leaseMillis
        return makeHeldSlot(slot.takeSlot(), { lease: newLease(), lease_until }, (job, releaseSlot) =>
          // Runs in the worker's context, not in that of the request that stored the job.
          Effect.andThen(outage.writeSucceeded, startJob(job, releaseSlot)).pipe(
            Effect.updateContext<never, R>(() => context)
          )
        )
      })

      const runSlots = Effect.fnUntraced(function* (slot: WorkerSlots<R>) {
        const waitForWake = yield* queue.subscribe(slot.types)
        const waitForWork = Effect.timeoutOption(waitForWake, pollMillis)
        const claimAndRun = Effect.gen(function* () {
          // Uninterruptible, so that a claimed job is never dropped before its fiber starts.
          const handlers = slot.claimable()
          const job =
            handlers.length === 0
              ? undefined
              : yield* Effect.uninterruptible(
                  Effect.tap(claim(handlers), (job) => {
                    if (job === undefined) return Effect.void
                    const release = slot.takeSlot()
                    // Looks again, because another process may have stored more jobs without a notification.
                    return startJob(job, () => release(false))
                  })
                )
          if (job === undefined) yield* waitForWork
        })
        // A pause, so that a failing database does not turn this into a busy loop.
        const onFailure = (cause: Cause.Cause<unknown>) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(logFailure("Cannot take jobs")(cause), retryPause)
        return yield* Effect.forever(Effect.catchCause(claimAndRun, onFailure))
      })

      yield* (yield* IfOnlyWorker)(Effect.orDie(leases.recoverAll))
      yield* heartbeat.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)
      for (const slot of slots) yield* Effect.forkScoped(trimContext(runSlots(slot)))
      yield* queue.slots.offer(reserve)

      return Workers.of({
        drain: Effect.sync(() => void (state = "draining")),
        stop: Effect.suspend(() => {
          state = "stopped"
          return Fiber.interruptAll([...runningFibers.values()])
        })
      })
    })
  )
