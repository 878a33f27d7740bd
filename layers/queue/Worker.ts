// layers/queue/Worker.ts: claims jobs under a lease, renews the leases of running jobs, frees the jobs of dead workers, and runs the
// handlers of jobs until a graceful shutdown. Workspaces take turns, however many jobs one of them has queued.
import { Array as Arr, Cause, Clock, Context, Duration, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { ClaimedJob, type ReleaseSlot, Queue, makeHeldSlot, type ReserveSlot } from "#layers/Queue.ts"
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
import { elapsed, now } from "#layers/lib/Time.ts"
import { IfOnlyWorker } from "#layers/database/WorkerLock.ts"
import { spanned } from "#layers/lib/Traced.ts"

export interface Timing {
  readonly leaseMillis: number
  readonly pollMillis: number
  readonly backoffMillis: number
}
export const Timing = Context.Reference<Timing>("overture/layers/queue/Timing", {
  defaultValue: () => ({ leaseMillis: 30_000, pollMillis: 1000, backoffMillis: 1000 })
})

/** Tolerated difference between machines' clocks: a `run_at` may exceed the longest backoff by this much. */
const maxClockSkew = Duration.toMillis("10 minutes")

/** The subject under which a job's model calls are recorded. */
const modelCallSubject = ({ subject, type, workspace_id }: ClaimedJob): ModelCallSubject => {
  const kind = type.slice(0, type.indexOf("."))
  return { workspace: workspace_id, kind, subject, list: kind === "list" ? subject : undefined }
}

const NextJobRequest = Schema.Struct({
  types: Schema.Array(Schema.String),
  at: Schema.Int,
  latestRunAt: Schema.Int
})
const ClaimRequest = Schema.Struct({
  ...NextJobRequest.fields,
  lease: Schema.String,
  lease_until: Schema.Int,
  updated_at: Schema.String
})

export const makeClaimNextJob = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // On PostgreSQL, skip a row that another process is claiming.
  const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })
  const beginReadCommitted = sql.onDialectOrElse({
    pg: () => "BEGIN ISOLATION LEVEL READ COMMITTED",
    orElse: () => undefined
  })

  /**
   * Orders by the number of running jobs of the workspace, then by age. Reads only the first job of each workspace and
   * type, because thousands may be queued behind it. Ignores a `run_at` beyond `latestRunAt`, the end of the
   * longest backoff: it was written before the clock was set back.
   */
  const selectNextJob = ({ at, latestRunAt, types }: typeof NextJobRequest.Type, lock = sql``) => {
    const firstJobs = types.map(
      (type) => sql`
        SELECT t.workspace_id, (
          SELECT j.id FROM jobs j
          WHERE j.workspace_id = t.workspace_id AND j.type = ${type} AND j.status = 'pending'
            AND (j.run_at <= ${at} OR j.run_at > ${latestRunAt})
          ORDER BY j.run_at, j.id LIMIT 1 ${lock}) AS id
        FROM turns t`
    )
    return sql`
      WITH RECURSIVE turns (workspace_id) AS (
        SELECT min(workspace_id) FROM jobs WHERE status = 'pending'
        UNION ALL
        SELECT (SELECT min(j.workspace_id) FROM jobs j WHERE j.status = 'pending' AND j.workspace_id > turns.workspace_id)
        FROM turns WHERE turns.workspace_id IS NOT NULL
      )
      SELECT h.id FROM (${firstJobs.reduce((union, firstJob) => sql`${union} UNION ALL ${firstJob}`)}) h WHERE h.id IS NOT NULL
      ORDER BY
        (SELECT count(*) FROM jobs r WHERE r.status = 'processing' AND r.workspace_id = h.workspace_id),
        (SELECT j.run_at FROM jobs j WHERE j.id = h.id), h.id
      LIMIT 1`
  }

  const findNextJob = SqlSchema.findOneOption({
    Request: NextJobRequest,
    Result: Schema.Struct({ id: Schema.String }),
    execute: (request) => sql`SELECT id FROM (${selectNextJob(request)}) AS first`
  })
  const claimJob = SqlSchema.findOneOption({
    Request: ClaimRequest,
    Result: ClaimedJob,
    execute: ({ lease, lease_until, updated_at, ...request }) => sql`
      UPDATE jobs SET status = 'processing', lease = ${lease}, lease_until = ${lease_until}, attempts = attempts + 1,
        updated_at = ${updated_at}
      WHERE id = (${selectNextJob(request, skipLocked)}) AND status = 'pending'
      RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  })

  const claimInTransaction = (request: typeof ClaimRequest.Type) =>
    beginReadCommitted === undefined
      ? claimJob(request)
      : Effect.provideService(sql.withTransaction(claimJob(request)), SqlClient.BeginTransaction, beginReadCommitted)

  /** Claims the next job of these types; undefined if there is none. */
  return Effect.fnUntraced(function* (request: typeof ClaimRequest.Type) {
    if (Option.isNone(yield* findNextJob(request))) return undefined
    return Option.getOrUndefined(yield* claimInTransaction(request))
  })
})

const Lease = Schema.Struct({ id: Schema.String, lease: Schema.String, lease_until: Schema.Int })
type Lease = typeof Lease.Type

/** The worker's id is the first part of a lease. */
const workerId = ({ lease }: Lease) => lease.slice(0, lease.lastIndexOf(":"))

/**
 * `heldLeases` maps this worker's leases to their fibers. `onFreed` is called with each job of a dead worker, and whether it
 * was the worker's only job.
 */
export const makeLeases = Effect.fnUntraced(function* <E, R>(
  leaseMillis: number,
  heldLeases: ReadonlyMap<string, Fiber.Fiber<unknown, unknown>>,
  onFreed: (job: ClaimedJob, wasOnlyJob: boolean) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  /**
   * When the lease of another worker was last seen to be renewed, on this process's monotonic clock, because machines'
   * clocks differ.
   */
  const lastRenewals = new Map<string, { readonly until: number; readonly seenAt: number }>()

  const findLeases = SqlSchema.findAll({
    Request: Schema.Void,
    Result: Lease,
    execute: () => sql`SELECT id, lease, lease_until FROM jobs WHERE status = 'processing'`
  })
  const freeLeases = SqlSchema.findAll({
    Request: Lease,
    Result: ClaimedJob,
    execute: ({ id, lease, lease_until }) => sql`
      UPDATE jobs SET status = 'pending', lease = NULL, crashes = crashes + 1, attempts = attempts - 1
      WHERE id = ${id} AND lease = ${lease} AND lease_until = ${lease_until} AND status = 'processing'
      RETURNING id, workspace_id, type, subject, payload, attempts, crashes, '' AS lease`
  })

  /** Requeues the jobs of dead workers. */
  const recover = Effect.fnUntraced(function* (deadLeases: ReadonlyArray<Lease>) {
    const leasesByWorker = Arr.groupBy(deadLeases, workerId)
    const freedJobs = yield* Effect.forEach(deadLeases, (lease) =>
      Effect.map(freeLeases(lease), (jobs) =>
        jobs.map((job) => ({ job, wasOnlyJob: leasesByWorker[workerId(lease)]?.length === 1 }))
      )
    )
    yield* Effect.forEach(freedJobs.flat(), ({ job, wasOnlyJob }) => onFreed(job, wasOnlyJob), { discard: true })
    if (freedJobs.length > 0) yield* queue.wake()
  })

  /** Renews the held leases, and interrupts the fiber of a lost lease. */
  const renew = Effect.fnUntraced(function* (until: number) {
    const ownLeases = [...heldLeases.keys()]
    if (ownLeases.length === 0) return false
    const rows = yield* sql<{ readonly lease: string }>`
      UPDATE jobs SET lease_until = ${until} WHERE status = 'processing' AND ${sql.in("lease", ownLeases)} RETURNING lease`
    const renewedLeases = new Set(rows.map((row) => row.lease))
    for (const lease of ownLeases) if (!renewedLeases.has(lease)) heldLeases.get(lease)?.interruptUnsafe()
    return true
  })

  /** Frees leases that were not renewed for `leaseMillis`. */
  const freeDeadWorkers = Effect.gen(function* () {
    const elapsedMillis = yield* elapsed
    const otherLeases = (yield* findLeases()).filter(({ lease }) => !heldLeases.has(lease))
    const deadLeases = otherLeases.filter(({ lease, lease_until }) => {
      const lastRenewal = lastRenewals.get(lease)
      return lastRenewal?.until === lease_until && elapsedMillis - lastRenewal.seenAt >= leaseMillis
    })
    const seenLeases = new Set(otherLeases.map(({ lease }) => lease))
    for (const lease of lastRenewals.keys()) if (!seenLeases.has(lease)) lastRenewals.delete(lease)
    for (const { lease, lease_until } of otherLeases) {
      if (lastRenewals.get(lease)?.until !== lease_until)
        lastRenewals.set(lease, { until: lease_until, seenAt: elapsedMillis })
    }
    yield* recover(deadLeases)
  })

  return {
    renew,
    freeDeadWorkers,
    /** Frees all leases of earlier processes. For the only worker of a database. */
    recoverAll: Effect.flatMap(findLeases(), recover)
  }
})

/** Stops the workers before their scope closes. */
export class Workers extends Context.Service<
  Workers,
  {
    /** Stops claiming jobs, except those that a request waits for. */
    readonly drain: Effect.Effect<void>
    /** Stops claiming jobs, requeues the running ones, and returns when all are requeued. */
    readonly stop: Effect.Effect<void>
  }
>()("overture/layers/queue/Workers") {
  /** For a process that runs no jobs. */
  static readonly layerNone = Layer.succeed(Workers, { drain: Effect.void, stop: Effect.void })
}

type WorkerPace = "working" | "draining" | "stopped"

/** The worker slots of a lane. */
interface LaneSlots<R> {
  readonly types: ReadonlyArray<string>
  /** Handlers whose jobs can be claimed now; empty if no slot is free. */
  readonly claimableHandlers: () => ReadonlyArray<JobHandler<R>>
  readonly takeSlot: () => ReleaseSlot
}

/** `wake` is called when a released slot may find a job: one that found no free slot, or one that its caller expects. */
const makeLaneSlots = <R>(
  { concurrency, handlers }: Lane<R>,
  pace: () => WorkerPace,
  wake: (types: ReadonlyArray<string>) => Effect.Effect<void>
): LaneSlots<R> => {
  const types = handlers.map((handler) => handler.type)
  const awaitedHandlers = handlers.filter((handler) => handler.awaited === true)
  const noHandlers: ReadonlyArray<JobHandler<R>> = []
  let freeSlots = concurrency
  return {
    types,
    claimableHandlers: () =>
      freeSlots < 1 || pace() === "stopped" ? noHandlers : pace() === "working" ? handlers : awaitedHandlers,
    takeSlot: () => {
      freeSlots--
      return (mayHaveJobs) =>
        Effect.suspend(() => {
          freeSlots++
          return freeSlots === 1 || mayHaveJobs ? wake(types) : Effect.void
        })
    }
  }
}

type Handlers<R> = ReadonlyMap<string, JobHandler<R>>
type Outage = ReturnType<typeof makeOutage>

const logFailure = (outage: Outage, activity: string) => (cause: Cause.Cause<unknown>) =>
  isOutage(cause) ? outage.onOutage(cause) : Effect.logError(activity, cause)

/** Makes the function that claims the next job of some handlers; undefined if there is none. */
const makeClaimJob = Effect.fnUntraced(function* <R>(leaseMillis: number, newLease: () => string, outage: Outage) {
  const claimNextJob = yield* makeClaimNextJob
  // Other machines' clocks may differ.
  const clockTolerance = isPostgres(yield* SqlClient.SqlClient) ? maxClockSkew : 0
  return Effect.fnUntraced(function* (handlers: ReadonlyArray<JobHandler<R>>) {
    const currentMillis = yield* Clock.currentTimeMillis
    const maxPauseMillis = Math.max(...handlers.map((handler) => Duration.toMillis(retryPolicyOf(handler).maxPause)))
    const claimedJob = yield* claimNextJob({
      types: handlers.map((handler) => handler.type),
      at: currentMillis,
      latestRunAt: currentMillis + maxPauseMillis + clockTolerance,
      lease: newLease(),
      lease_until: currentMillis + leaseMillis,
      updated_at: yield* now
    })
    if (claimedJob !== undefined) yield* outage.writeSucceeded
    return claimedJob
  })
})

type StoreOutcome<R> = Effect.Success<ReturnType<typeof makeOutcome<R>>>["storeOutcome"]

/** Makes the function that runs a claimed job in a fiber, stores its outcome, and then releases its slot. */
const makeStartJob = Effect.fnUntraced(function* <R>(
  handlersByType: Handlers<R>,
  fibersByLease: Map<string, Fiber.Fiber<unknown, unknown>>,
  storeOutcome: StoreOutcome<R>
) {
  const queue = yield* Queue
  const scope = yield* Effect.scope
  return (job: ClaimedJob, releaseSlot: ReleaseSlot) => {
    let hasSucceeded = false
    return Effect.uninterruptibleMask((restore) =>
      restore(Effect.suspend(() => handlersByType.get(job.type)?.run(job) ?? Effect.void)).pipe(
        Effect.provideService(ModelCallSubject, modelCallSubject(job)),
        Effect.exit,
        Effect.tap((exit) => Effect.sync(() => void (hasSucceeded = Exit.isSuccess(exit)))),
        Effect.flatMap((exit) => storeOutcome(job, exit, restore(retryPause))),
        Effect.ensuring(
          Effect.suspend(() => {
            fibersByLease.delete(job.lease)
            // The job itself may be pending again unless it succeeded.
            return Effect.andThen(queue.announce(job.id), releaseSlot(!hasSucceeded))
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
      Effect.map((fiber) => void fibersByLease.set(job.lease, fiber))
    )
  }
})

interface LaneServices<R> {
  readonly queue: typeof Queue.Service
  readonly pollMillis: number
  readonly claimJob: Effect.Success<ReturnType<typeof makeClaimJob<R>>>
  readonly startJob: Effect.Success<ReturnType<typeof makeStartJob<R>>>
}

/** Claims and runs jobs of a lane forever. Runs in a trimmed context, so it gets its services as arguments. */
const runLane = Effect.fnUntraced(function* <R>(
  laneSlots: LaneSlots<R>,
  { claimJob, pollMillis, queue, startJob }: LaneServices<R>,
  onFailure: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
) {
  const waitForWake = yield* queue.subscribe(laneSlots.types)
  const waitForWork = Effect.timeoutOption(waitForWake, pollMillis)
  const claimAndStart = (handlers: ReadonlyArray<JobHandler<R>>) =>
    Effect.tap(claimJob(handlers), (job) => {
      if (job === undefined) return Effect.void
      const releaseSlot = laneSlots.takeSlot()
      // There may be more jobs even after a success: another process can store some without a notification.
      return startJob(job, () => releaseSlot(true))
    })
  const runNext = Effect.gen(function* () {
    const handlers = laneSlots.claimableHandlers()
    // Uninterruptible, so that a claimed job is never dropped before its fiber starts.
    const job = handlers.length === 0 ? undefined : yield* Effect.uninterruptible(claimAndStart(handlers))
    if (job === undefined) yield* waitForWork
  })
  return yield* Effect.forever(
    Effect.catchCause(runNext, (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : // A pause, so that a failing database does not turn this into a busy loop.
          Effect.andThen(onFailure(cause), retryPause)
    )
  )
})

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
      const { backoffMillis, leaseMillis, pollMillis } = yield* Timing
      const worker = yield* (yield* SecureRandom.SecureRandom).uuidV7()
      let claims = 0
      const newLease = () => `${worker}:${++claims}`
      const handlersByType: Handlers<R> = new Map(
        lanes.flatMap((lane) => lane.handlers.map((handler) => [handler.type, handler] as const))
      )
      for (const type of handlersByType.keys()) yield* registerJobSeries(type)
      const fibersByLease = new Map<string, Fiber.Fiber<unknown, unknown>>()
      const context = (yield* TrimContext)(yield* Effect.context<R>())
      const outage = makeOutage(backoffMillis)
      const outcome = yield* makeOutcome(handlersByType, outage, backoffMillis)
      const leases = yield* makeLeases(leaseMillis, fibersByLease, outcome.failAfterCrashes)
      const claimJob = yield* makeClaimJob<R>(leaseMillis, newLease, outage)
      const startJob = yield* makeStartJob(handlersByType, fibersByLease, outcome.storeOutcome)
      let pace: WorkerPace = "working"
      const slotsOfLanes = lanes.map((lane) => makeLaneSlots(lane, () => pace, queue.wake))

      const heartbeat = Effect.gen(function* () {
        if (yield* leases.renew((yield* Clock.currentTimeMillis) + leaseMillis)) yield* outage.writeSucceeded
        yield* leases.freeDeadWorkers
      }).pipe(Effect.catchCause(logFailure(outage, "The heartbeat failed")))

      const reserve: ReserveSlot = Effect.fnUntraced(function* (type) {
        const laneSlots = slotsOfLanes.find((each) => each.claimableHandlers().some((handler) => handler.type === type))
        if (laneSlots === undefined) return undefined
        const lease_until = (yield* Clock.currentTimeMillis) + leaseMillis
        return makeHeldSlot(laneSlots.takeSlot(), { lease: newLease(), lease_until }, (job, releaseSlot) =>
          // Runs in the worker's context, not in that of the request that stored the job.
          Effect.andThen(outage.writeSucceeded, startJob(job, releaseSlot)).pipe(
            Effect.updateContext<never, R>(() => context)
          )
        )
      })

      yield* (yield* IfOnlyWorker)(Effect.orDie(leases.recoverAll))
      // Three heartbeats in the time of a lease, so that one that is late or fails loses none.
      yield* heartbeat.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)
      const laneServices = { queue, pollMillis, claimJob, startJob }
      const onFailure = logFailure(outage, "Cannot take jobs")
      for (const laneSlots of slotsOfLanes)
        yield* Effect.forkScoped(trimContext(runLane(laneSlots, laneServices, onFailure)))
      yield* queue.slots.offer(reserve)

      return Workers.of({
        drain: Effect.sync(() => void (pace = "draining")),
        stop: Effect.suspend(() => {
          pace = "stopped"
          return Fiber.interruptAll([...fibersByLease.values()])
        })
      })
    })
  )
