// layers/queue/Leases.ts: renews the leases of running jobs, and requeues the jobs of dead workers.
import { Array as Arr, Effect, type Fiber, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { elapsed } from "#layers/lib/Elapsed.ts"
import { Claim, Queue } from "#layers/Queue.ts"

const Lease = Schema.Struct({ id: Schema.String, lease: Schema.String, lease_until: Schema.Int })
type Lease = typeof Lease.Type

/** The worker's id is the first part of a lease. */
const workerId = ({ lease }: Lease) => lease.slice(0, lease.lastIndexOf(":"))

/**
 * `held` maps this worker's leases to their fibers. `freed` is called with each job of a dead worker, and whether it
 * was the worker's only job.
 */
export const make = Effect.fnUntraced(function* <E, R>(
  leaseMillis: number,
  held: ReadonlyMap<string, Fiber.Fiber<unknown, unknown>>,
  freed: (job: Claim, alone: boolean) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  /**
   * When the lease of another worker was last seen to be renewed, on this process's monotonic clock, because machines'
   * clocks differ.
   */
  const lastRenewals = new Map<string, { readonly until: number; readonly since: number }>()

  const leases = SqlSchema.findAll({
    Request: Schema.Void,
    Result: Lease,
    execute: () => sql`SELECT id, lease, lease_until FROM jobs WHERE status = 'processing'`
  })
  const freeLeases = SqlSchema.findAll({
    Request: Lease,
    Result: Claim,
    execute: ({ id, lease, lease_until }) => sql`
      UPDATE jobs SET status = 'pending', lease = NULL, crashes = crashes + 1, attempts = attempts - 1
      WHERE id = ${id} AND lease = ${lease} AND lease_until = ${lease_until} AND status = 'processing'
      RETURNING id, workspace_id, type, subject, payload, attempts, crashes, '' AS lease`
  })

  /** Requeues the jobs of dead workers. */
  const recover = Effect.fnUntraced(function* (dead: ReadonlyArray<Lease>) {
    const ofWorker = Arr.groupBy(dead, workerId)
    const lost = yield* Effect.forEach(dead, (lease) =>
      Effect.map(freeLeases(lease), (jobs) =>
        jobs.map((job) => ({ job, alone: ofWorker[workerId(lease)]?.length === 1 }))
      )
    )
    yield* Effect.forEach(lost.flat(), ({ alone, job }) => freed(job, alone), { discard: true })
    if (lost.length > 0) yield* queue.wake()
  })

  /** Renews the held leases, and interrupts the fiber of a lost lease. */
  const renew = Effect.fnUntraced(function* (until: number) {
    const mine = [...held.keys()]
    if (mine.length === 0) return false
    const kept = yield* sql<{ readonly lease: string }>`
      UPDATE jobs SET lease_until = ${until} WHERE status = 'processing' AND ${sql.in("lease", mine)} RETURNING lease`
    const renewed = new Set(kept.map((row) => row.lease))
    for (const lease of mine) if (!renewed.has(lease)) held.get(lease)?.interruptUnsafe()
    return true
  })

  /** Frees leases that were not renewed for a whole lease time. */
  const freeDeadWorkers = Effect.gen(function* () {
    const at = yield* elapsed
    const found = (yield* leases()).filter(({ lease }) => !held.has(lease))
    const dead = found.filter(({ lease, lease_until }) => {
      const before = lastRenewals.get(lease)
      return before?.until === lease_until && at - before.since >= leaseMillis
    })
    const foundLeases = new Set(found.map(({ lease }) => lease))
    for (const lease of lastRenewals.keys()) if (!foundLeases.has(lease)) lastRenewals.delete(lease)
    for (const { lease, lease_until } of found) {
      if (lastRenewals.get(lease)?.until !== lease_until) lastRenewals.set(lease, { until: lease_until, since: at })
    }
    yield* recover(dead)
  })

  return {
    renew,
    freeDeadWorkers,
    /** Frees all leases of earlier processes. For the only worker of a database. */
    recoverAll: Effect.flatMap(leases(), recover)
  }
})
