// layers/Jobs.ts: work that outlives the request that asked for it, kept in the same store and the same transactions as
// what it is about. Each job is also the API's Job resource.
import { Array as Arr, Context, Effect, Layer, Option, Schema, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { joined } from "#layers/database/Transactions.ts"
import { add, jobsEnded } from "#layers/Metrics.ts"
import { Claim } from "#layers/jobs/Claim.ts"
import { claimOf, type Order, statusAtFirst } from "#layers/jobs/Order.ts"
import * as Places from "#layers/jobs/Places.ts"
import * as Signals from "#layers/jobs/Signals.ts"
import { now } from "#layers/Now.ts"
import { traced } from "#layers/Traced.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Failure, NotFound } from "#schema/Errors.ts"
import type { Job, JobResult } from "#schema/Jobs.ts"

export { Claim }

/** The job is in other hands by now; what this worker did must not be kept. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { id: Schema.String }) {}

/** Jobs that are part of another resource and not one of their own. */
const internal = ["list.batch", "list.single", "list.variety", "list.file", "campaign.preview", "mail.completion"]

/** Types whose status is that of a resource being made: a caller who was told `processing` never sees `pending`. */
const derived = [
  "campaign.target_audience",
  "campaign.value_propositions",
  "campaign.build",
  "campaign.playbook",
  "workspace.onboarding",
  "workspace.regenerate"
]

/** Jobs inserted in one statement: small enough to leave other requests their turn. */
const insertSize = 200

const statusOf = (type: string, status: string): Job["status"] => {
  if (status === "completed" || status === "failed") return status
  return status === "processing" || derived.includes(type) ? "processing" : "pending"
}

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Stores the jobs in the caller's transaction, and wakes the workers once it is committed. */
    readonly enqueue: (orders: ReadonlyArray<Order>) => Effect.Effect<ReadonlyArray<string>>
    /** Lets the jobs go that wait for `gate`. */
    readonly open: (workspace: WorkspaceId, gate: string) => Effect.Effect<void>
    /** Parks the jobs that wait for `gate`: it is not opened, or not soon. Part of the caller's transaction. */
    readonly layAside: (workspace: WorkspaceId, gate: string) => Effect.Effect<void>
    /** Gives a job back that has to wait for `gate` first. */
    readonly detain: (claim: Claim, gate: string) => Effect.Effect<void>
    /** A job of this workspace; with `type`, one of that type. */
    readonly find: (workspace: WorkspaceId, id: string, type?: string) => Effect.Effect<Job, NotFound>
    /** Returns when the job is no longer waiting or being worked on, whoever does the work. */
    readonly settled: (id: string) => Effect.Effect<void>
    /** Fails unless the claim still holds; for use inside the transaction that keeps a piece of the work. */
    readonly holding: (claim: Claim) => Effect.Effect<void, LeaseLost>
    /**
     * Keeps the work and ends the job in one transaction, or neither: in the caller's, which then fails with it, where
     * there is one. What `keep` answers is the job's result.
     */
    readonly complete: <E, R>(
      claim: Claim,
      keep: Effect.Effect<JobResult | void, E, R>
    ) => Effect.Effect<void, E | LeaseLost, R>
    /** As `complete`, for work that cannot go on now: it rests until `resume`. */
    readonly park: <E, R>(claim: Claim, keep: Effect.Effect<void, E, R>) => Effect.Effect<void, E | LeaseLost, R>
    /** Lets the jobs go on that were parked for this subject, once `gate` is open if there is one. */
    readonly resume: (workspace: WorkspaceId, subject: string, gate?: string) => Effect.Effect<void>
    /** Tells this process's workers that there may be something to do, of these types or of any. */
    readonly wake: (types?: ReadonlyArray<string>) => Effect.Effect<void>
    /** What a worker waits on for work of these types, for as long as the scope lasts. */
    readonly woken: (types: ReadonlyArray<string>) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
    readonly places: Places.Places
    /** Tells those who wait in `settled`; the worker calls it after each change of a job's state. */
    readonly announce: (id: string) => Effect.Effect<void>
  }
>()("overture/layers/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const { announce, ending, wake, woken, work } = yield* Signals.make

      const row = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({
          id: Schema.String,
          type: Schema.String,
          status: Schema.String,
          progress: Schema.NullOr(Schema.Finite),
          result: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))),
          error: Schema.NullOr(Schema.String),
          failure: Schema.NullOr(Schema.fromJsonString(Failure)),
          created_at: Schema.String,
          updated_at: Schema.String
        }),
        execute: ({ id, workspace }) => sql`
          SELECT id, type, status, progress, result, error, failure, created_at, updated_at FROM jobs
          WHERE id = ${id} AND workspace_id = ${workspace}`
      })

      const end = <E, R>(claim: Claim, status: "completed" | "parked", keep: Effect.Effect<JobResult | void, E, R>) =>
        Effect.gen(function* () {
          const at = yield* now
          const ended = yield* sql`
            UPDATE jobs SET status = ${status}, lease = NULL, error = NULL, updated_at = ${at}
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}
              AND status = 'processing' RETURNING id`
          if (ended.length === 0) return yield* new LeaseLost({ id: claim.id })
          const result = yield* keep
          if (result !== undefined) {
            yield* sql`
              UPDATE jobs SET result = ${JSON.stringify(result)}
              WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id}`
          }
          yield* sql.afterCommit(add(jobsEnded({ type: claim.type, outcome: status }), 1))
          yield* sql.afterCommit(announce(claim.id))
        }).pipe(joined(sql))

      return Jobs.of({
        wake,
        woken,
        places: Places.make(),
        announce,

        enqueue: traced("Jobs.enqueue")(function* (orders) {
          const at = yield* now
          const ids: Array<string> = []
          for (const part of Arr.chunksOf(orders, insertSize)) {
            const rows = yield* Effect.forEach(part, (order) =>
              Effect.map(random.uuidV7(), (id) => ({
                id,
                workspace_id: order.workspace,
                type: order.type,
                subject: order.subject,
                status: statusAtFirst(order),
                gate: order.gate ?? null,
                payload: JSON.stringify(order.payload ?? null),
                run_at: 0,
                lease: order.place?.lease ?? null,
                lease_until: order.place?.lease_until ?? 0,
                attempts: order.place === undefined ? 0 : 1,
                crashes: 0,
                created_at: at,
                updated_at: at
              }))
            )
            if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO jobs ${sql.insert(rows)}`
            for (const [at, { place, ...order }] of part.entries()) {
              if (place !== undefined) yield* sql.afterCommit(place.begin(claimOf(rows[at]?.id ?? "", order, place)))
            }
            ids.push(...rows.map((row) => row.id))
            if (ids.length < orders.length) yield* Effect.yieldNow
          }
          const types = orders.flatMap(({ place, type }) => (place === undefined ? [type] : []))
          if (types.length > 0) yield* work(types)
          return ids
        }, Effect.orDie),

        open: traced("Jobs.open")(function* (workspace, gate) {
          const at = yield* now
          yield* sql`
            UPDATE jobs SET status = 'pending', gate = NULL, updated_at = ${at}
            WHERE gate = ${gate} AND workspace_id = ${workspace} AND status = 'waiting'`
          yield* work()
        }, Effect.orDie),

        layAside: traced("Jobs.layAside")(function* (workspace, gate) {
          const aside = yield* sql<{ readonly id: string }>`
            UPDATE jobs SET status = 'parked', gate = NULL, updated_at = ${yield* now}
            WHERE gate = ${gate} AND workspace_id = ${workspace} AND status = 'waiting' RETURNING id`
          yield* sql.afterCommit(Effect.forEach(aside, ({ id }) => announce(id), { discard: true }))
        }, Effect.orDie),

        detain: traced("Jobs.detain")(function* (claim, gate) {
          yield* sql`
            UPDATE jobs SET status = 'waiting', gate = ${gate}, lease = NULL, attempts = attempts - 1
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}`
        }, Effect.orDie),

        resume: traced("Jobs.resume")(function* (workspace, subject, gate) {
          const status = gate === undefined ? "pending" : "waiting"
          yield* sql`
            UPDATE jobs SET status = ${status}, gate = ${gate ?? null}, attempts = 0, updated_at = ${yield* now}
            WHERE subject = ${subject} AND workspace_id = ${workspace} AND status = 'parked'`
          yield* work()
        }, Effect.orDie),

        find: traced("Jobs.find")(function* (workspace, id, type) {
          const found = yield* Effect.orDie(row({ workspace, id }))
          if (
            Option.isNone(found) ||
            internal.includes(found.value.type) ||
            (type ?? found.value.type) !== found.value.type
          )
            return yield* NotFound.of("job")
          const { failure, ...job } = found.value
          return { ...job, status: statusOf(job.type, job.status), ...(failure !== null && { failure }) }
        }),

        settled: traced("Jobs.settled")(
          function* (id) {
            const told = yield* ending(id)
            while (true) {
              const busy = yield* sql`
                SELECT id FROM jobs WHERE id = ${id} AND status IN ('waiting', 'pending', 'processing')`
              if (busy.length === 0) return
              // Whoever ends it may be unable to say so here: a process without a channel to this one, or one that dies.
              yield* Effect.timeoutOption(told, "1 second")
            }
          },
          Effect.scoped,
          Effect.orDie
        ),

        holding: Effect.fnUntraced(function* (claim) {
          const mine = yield* Effect.orDie(sql`
            SELECT id FROM jobs
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}`)
          if (mine.length === 0) return yield* new LeaseLost({ id: claim.id })
        }),

        complete: (claim, keep) => end(claim, "completed", keep),
        park: (claim, keep) => end(claim, "parked", keep)
      })
    })
  )
}
