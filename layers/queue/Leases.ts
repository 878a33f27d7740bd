// layers/queue/Leases.ts: claims the next job under a lease, renews the leases of running jobs, and frees the jobs of dead workers.
// Workspaces take turns, however many jobs one of them has queued.
import { Array as Arr, Effect, type Fiber, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClaimedJob, Queue } from "#layers/Queue.ts"
import { elapsed } from "#layers/lib/Time.ts"

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
