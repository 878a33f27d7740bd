// layers/Queue.ts: background jobs, stored in the same transaction as the rows they work on. Jobs are also a resource
// of the API. A gate is a name that jobs wait for: they become pending when it is released.
import {
  Array as Arr,
  Clock,
  Context,
  Deferred,
  Effect,
  Layer,
  Option,
  Queue as EffectQueue,
  Schema,
  type Scope,
  Stream
} from "effect"
import { WorkspaceId } from "#schema/Auth.ts"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Channel } from "#layers/database/Channel.ts"
import { joinTransaction } from "#layers/database/Transactions.ts"
import { add, jobRetries, jobsEnded } from "#layers/Metrics.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import { Failure, NotFound } from "#schema/Errors.ts"
import type { Job, JobResult } from "#schema/Jobs.ts"

/** A job that a worker holds by a lease. */
export const ClaimedJob = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  type: Schema.String,
  subject: Schema.String,
  payload: Schema.fromJsonString(Schema.Json),
  /** Runs that count towards the retry limit, including this one; crashed and interrupted runs do not count. */
  attempts: Schema.Int,
  /** Runs that ended in a crash of the worker. */
  crashes: Schema.Int,
  lease: Schema.String
})
export type ClaimedJob = typeof ClaimedJob.Type

/** A free worker slot of this process, reserved for a job before it is stored, so that the job starts at the commit without being polled for. */
export interface SlotReservation {
  readonly lease: string
  readonly lease_until: number
  /** Starts the job. Call it after the job's row is committed. */
  readonly begin: (claim: ClaimedJob) => Effect.Effect<void>
}

interface HeldSlot extends SlotReservation {
  /** Releases the slot unless the job has started. */
  readonly release: Effect.Effect<void>
  /** Waits until the job has left its slot; returns at once if the job never started. */
  readonly awaitEnd: Effect.Effect<void>
}

export type ReserveSlot = (type: string) => Effect.Effect<HeldSlot | undefined>

/** Releases a slot. With `mayHaveJobs`, the worker looks for a job even if no job has waited for the slot. */
export type ReleaseSlot = (mayHaveJobs: boolean) => Effect.Effect<unknown>

/** Makes a reservation of a slot that is already taken. */
export const makeHeldSlot = (
  release: ReleaseSlot,
  { lease, lease_until }: Pick<SlotReservation, "lease" | "lease_until">,
  start: (job: ClaimedJob, release: ReleaseSlot) => Effect.Effect<void>
): HeldSlot => {
  const endSignal = Deferred.makeUnsafe<void>()
  let hasStarted = false
  return {
    lease,
    lease_until,
    begin: (job) =>
      Effect.suspend(() => {
        hasStarted = true
        return start(job, (mayHaveJobs) => Effect.andThen(release(mayHaveJobs), Deferred.succeed(endSignal, undefined)))
      }),
    release: Effect.suspend(() => (hasStarted ? Effect.void : Effect.asVoid(release(false)))),
    awaitEnd: Effect.suspend(() => (hasStarted ? Deferred.await(endSignal) : Effect.void))
  }
}

const makeSlotReservations = () => {
  let reserveSlot: ReserveSlot | undefined
  return {
    /** Offers the slots of a worker until the scope closes. */
    offer: (worker: ReserveSlot) =>
      Effect.acquireRelease(
        Effect.sync(() => void (reserveSlot = worker)),
        () => Effect.sync(() => void (reserveSlot = reserveSlot === worker ? undefined : reserveSlot))
      ),
    /**
     * Runs `store` with a slot for this type of job, if one is free. Returns after that job has ended or was requeued,
     * if it started. After a crash in between, the job counts as claimed by a dead worker.
     */
    withReservation: <A, E, R>(
      type: string,
      store: (reservation: SlotReservation | undefined) => Effect.Effect<A, E, R>
    ) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => (reserveSlot === undefined ? Effect.undefined : reserveSlot(type))),
        (reservation) => Effect.map(store(reservation), (stored) => ({ stored, reservation })),
        (reservation) => reservation?.release ?? Effect.void
      ).pipe(Effect.flatMap(({ reservation, stored }) => Effect.as(reservation?.awaitEnd ?? Effect.void, stored)))
  }
}
type SlotReservations = ReturnType<typeof makeSlotReservations>

/** A job to store. */
interface JobRequest {
  readonly workspace: WorkspaceId
  readonly type: string
  /** The id of the workspace, campaign or list that the job works on. */
  readonly subject: string
  readonly payload?: Schema.Json
  /** The job waits until this gate is released. */
  readonly gate?: string | undefined
  /** A reserved worker slot in which the job starts on commit. For a single job without a gate. */
  readonly reservation?: SlotReservation | undefined
  /** The work is already done; the job is only a record of it. */
  readonly done?: boolean
}

const initialStatus = ({ done, gate, reservation }: JobRequest) =>
  done === true ? "completed" : reservation !== undefined ? "processing" : gate === undefined ? "pending" : "waiting"

/** The claim of the worker whose slot was reserved. */
const toClaimedJob = (
  id: string,
  { payload, subject, type, workspace }: JobRequest,
  { lease }: SlotReservation
): ClaimedJob => ({
  id,
  workspace_id: workspace,
  type,
  subject,
  payload: payload ?? null,
  attempts: 1,
  crashes: 0,
  lease
})

/** The job is no longer this worker's, because another claimed it or it was deleted; its results must not be stored. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { id: Schema.String }) {}

/** Types of jobs that belong to another resource and are not shown as jobs. */
const internalTypes = [
  "list.batch",
  "list.single",
  "list.variety",
  "list.file",
  "campaign.preview",
  "mail.completion",
  "webhook.delivery",
  "webhook.disabled"
]

/** Types of jobs whose resource derives its status from them: the API shows them as `processing` even while pending. */
const derivedTypes = [
  "campaign.target_audience",
  "campaign.value_propositions",
  "campaign.build",
  "campaign.playbook",
  "workspace.onboarding",
  "workspace.regenerate"
]

/** Jobs per INSERT; more would delay other requests. */
const insertSize = 200

const toJobStatus = (type: string, status: string): Job["status"] => {
  if (status === "completed" || status === "failed") return status
  return status === "processing" || derivedTypes.includes(type) ? "processing" : "pending"
}

/** Pause before the channel is reopened. */
const reopenPause = "1 second"

const workMessage = "work"
const endedPrefix = "ended "

type Listener = EffectQueue.Queue<void>

/** Registers a listener until the scope closes. Notifications coalesce: the queue holds one. */
const listen = (begin: (listener: Listener) => void, end: (listener: Listener) => void) =>
  Effect.acquireRelease(
    Effect.tap(EffectQueue.sliding<void>(1), (listener) => Effect.sync(() => begin(listener))),
    (listener) => Effect.sync(() => end(listener))
  ).pipe(Effect.map((listener) => EffectQueue.take(listener)))

/**
 * Notifies workers of new jobs and callers of finished jobs, in this process and in others. Notifications can be lost, so every waiter
 * also polls.
 */
const makeSignals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const channel = yield* Channel
  const workerListeners = new Map<Listener, ReadonlyArray<string>>()
  const callerListeners = new Map<string, Set<Listener>>()

  /** Wakes the workers of these job types, or all workers. */
  const wake = (types?: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const [listener, listenedTypes] of workerListeners) {
        if (types === undefined || types.some((type) => listenedTypes.includes(type)))
          EffectQueue.offerUnsafe(listener, undefined)
      }
    })

  const notifyCallers = (id: string) =>
    Effect.sync(() => callerListeners.get(id)?.forEach((listener) => EffectQueue.offerUnsafe(listener, undefined)))

  const onMessage = (message: string) =>
    message.startsWith(endedPrefix)
      ? notifyCallers(message.slice(endedPrefix.length))
      : message === workMessage
        ? wake()
        : message.startsWith(`${workMessage} `)
          ? wake(message.slice(workMessage.length + 1).split(" "))
          : Effect.void

  if (channel !== undefined) {
    const readMessages = Effect.gen(function* () {
      const messages = yield* channel.listen
      // Wakes all workers, because earlier messages are lost.
      yield* wake()
      yield* Stream.runForEach(messages, onMessage)
    }).pipe(Effect.scoped)
    yield* readMessages.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The store's channel was lost and is opened again", cause)),
      Effect.andThen(Effect.sleep(reopenPause)),
      Effect.forever,
      Effect.forkScoped
    )
  }

  const send = (message: string) => (channel === undefined ? Effect.void : Effect.orDie(channel.notify(message)))

  return {
    wake,
    /** Subscribes a worker to jobs of these types. */
    subscribe: (types: ReadonlyArray<string>) =>
      listen(
        (listener) => workerListeners.set(listener, types),
        (listener) => workerListeners.delete(listener)
      ),
    /** Subscribes to the end of a job. */
    subscribeToEnd: (id: string) =>
      listen(
        (listener) => callerListeners.set(id, (callerListeners.get(id) ?? new Set()).add(listener)),
        (listener) => {
          const listeners = callerListeners.get(id)
          listeners?.delete(listener)
          if (listeners?.size === 0) callerListeners.delete(id)
        }
      ),
    /** Announces new jobs after the commit of the caller's transaction. */
    announceJobs: (types?: ReadonlyArray<string>) =>
      Effect.andThen(
        sql.afterCommit(wake(types)),
        send(types === undefined ? workMessage : [workMessage, ...new Set(types)].join(" "))
      ),
    /** Announces that a job has ended or is parked. */
    announce: (id: string) => Effect.andThen(notifyCallers(id), Effect.ignoreCause(send(`${endedPrefix}${id}`)))
  }
})

export class Queue extends Context.Service<
  Queue,
  {
    /** Stores the jobs in the caller's transaction and wakes the workers after its commit. Returns the jobs' ids. */
    readonly enqueue: (requests: ReadonlyArray<JobRequest>) => Effect.Effect<ReadonlyArray<string>>
    /** Makes the jobs that wait for `gate` pending. */
    readonly releaseGate: (workspace: WorkspaceId, gate: string) => Effect.Effect<void>
    /** Parks the jobs that wait for `gate`, in the caller's transaction. */
    readonly parkWaiting: (workspace: WorkspaceId, gate: string) => Effect.Effect<void>
    /** Requeues a claimed job to wait for `gate`. */
    readonly requeueBehindGate: (claim: ClaimedJob, gate: string) => Effect.Effect<void>
    /**
     * NOT_FOUND unless this workspace has the job and, with `type`, the job is of that type. Internal types are NOT_FOUND
     * too.
     */
    readonly find: (workspace: WorkspaceId, id: string, type?: string) => Effect.Effect<Job, NotFound>
    /** Waits until the job is neither waiting, pending nor running, in any process. */
    readonly waitUntilSettled: (id: string) => Effect.Effect<void>
    /** Fails if the lease was lost. For transactions that store part of the work. */
    readonly requireLease: (claim: ClaimedJob) => Effect.Effect<void, LeaseLost>
    /**
     * Runs `store` and completes the job in one transaction, which may be the caller's. The value of `store` becomes the
     * job's result.
     */
    readonly complete: <E, R>(
      claim: ClaimedJob,
      store: Effect.Effect<JobResult | void, E, R>
    ) => Effect.Effect<void, E | LeaseLost, R>
    /** Like `complete`, but parks the job until `resume`. */
    readonly park: <E, R>(claim: ClaimedJob, store: Effect.Effect<void, E, R>) => Effect.Effect<void, E | LeaseLost, R>
    /** Like `complete`, but the job runs again after `pause` milliseconds, with its attempts reset. */
    readonly postpone: <E, R>(
      claim: ClaimedJob,
      pause: number,
      store: Effect.Effect<void, E, R>
    ) => Effect.Effect<void, E | LeaseLost, R>
    /** Makes the parked jobs of a subject pending or, with `gate`, waiting for that gate. */
    readonly resume: (workspace: WorkspaceId, subject: string, gate?: string) => Effect.Effect<void>
    /** Wakes this process's workers of these job types, or of all types. */
    readonly wake: (types?: ReadonlyArray<string>) => Effect.Effect<void>
    /** Subscribes to jobs of these types until the scope closes; the returned effect waits for the next wake-up. */
    readonly subscribe: (types: ReadonlyArray<string>) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
    readonly slots: SlotReservations
    /** Notifies the callers of `waitUntilSettled`; the worker calls it after each change of a job's status. */
    readonly announce: (id: string) => Effect.Effect<void>
  }
>()("overture/layers/Queue") {
  static readonly layer = Layer.effect(
    Queue,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const { announce, subscribeToEnd, wake, subscribe, announceJobs } = yield* makeSignals

      const findJob = SqlSchema.findOneOption({
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

      const endJob = <E, R>(
        claim: ClaimedJob,
        status: "completed" | "parked",
        store: Effect.Effect<JobResult | void, E, R>
      ) =>
        Effect.gen(function* () {
          const timestamp = yield* now
          const endedRows = yield* sql`
            UPDATE jobs SET status = ${status}, lease = NULL, error = NULL, updated_at = ${timestamp}
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}
              AND status = 'processing' RETURNING id`
          if (endedRows.length === 0) return yield* new LeaseLost({ id: claim.id })
          const result = yield* store
          if (result !== undefined) {
            yield* sql`
              UPDATE jobs SET result = ${JSON.stringify(result)}
              WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id}`
          }
          yield* sql.afterCommit(add(jobsEnded({ type: claim.type, outcome: status }), 1))
          yield* sql.afterCommit(announce(claim.id))
        }).pipe(joinTransaction(sql))

      return Queue.of({
        wake,
        subscribe,
        slots: makeSlotReservations(),
        announce,

        enqueue: traced("Queue.enqueue")(function* (requests) {
          const timestamp = yield* now
          const ids: Array<string> = []
          for (const part of Arr.chunksOf(requests, insertSize)) {
            const rows = yield* Effect.forEach(part, (request) =>
              Effect.map(random.uuidV7(), (id) => ({
                id,
                workspace_id: request.workspace,
                type: request.type,
                subject: request.subject,
                status: initialStatus(request),
                gate: request.gate ?? null,
                payload: JSON.stringify(request.payload ?? null),
                run_at: 0,
                lease: request.reservation?.lease ?? null,
                lease_until: request.reservation?.lease_until ?? 0,
                attempts: request.reservation === undefined ? 0 : 1,
                crashes: 0,
                created_at: timestamp,
                updated_at: timestamp
              }))
            )
            if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO jobs ${sql.insert(rows)}`
            for (const [index, { reservation, ...request }] of part.entries()) {
              if (reservation !== undefined)
                yield* sql.afterCommit(reservation.begin(toClaimedJob(rows[index]?.id ?? "", request, reservation)))
            }
            ids.push(...rows.map((row) => row.id))
            if (ids.length < requests.length) yield* Effect.yieldNow
          }
          const types = requests.flatMap(({ reservation, type }) => (reservation === undefined ? [type] : []))
          if (types.length > 0) yield* announceJobs(types)
          return ids
        }, Effect.orDie),

        releaseGate: traced("Queue.releaseGate")(function* (workspace, gate) {
          const timestamp = yield* now
          yield* sql`
            UPDATE jobs SET status = 'pending', gate = NULL, updated_at = ${timestamp}
            WHERE gate = ${gate} AND workspace_id = ${workspace} AND status = 'waiting'`
          yield* announceJobs()
        }, Effect.orDie),

        parkWaiting: traced("Queue.parkWaiting")(function* (workspace, gate) {
          const parkedJobs = yield* sql<{ readonly id: string }>`
            UPDATE jobs SET status = 'parked', gate = NULL, updated_at = ${yield* now}
            WHERE gate = ${gate} AND workspace_id = ${workspace} AND status = 'waiting' RETURNING id`
          yield* sql.afterCommit(Effect.forEach(parkedJobs, ({ id }) => announce(id), { discard: true }))
        }, Effect.orDie),

        requeueBehindGate: traced("Queue.requeueBehindGate")(function* (claim, gate) {
          yield* sql`
            UPDATE jobs SET status = 'waiting', gate = ${gate}, lease = NULL, attempts = attempts - 1
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}`
        }, Effect.orDie),

        resume: traced("Queue.resume")(function* (workspace, subject, gate) {
          const status = gate === undefined ? "pending" : "waiting"
          yield* sql`
            UPDATE jobs SET status = ${status}, gate = ${gate ?? null}, attempts = 0, updated_at = ${yield* now}
            WHERE subject = ${subject} AND workspace_id = ${workspace} AND status = 'parked'`
          yield* announceJobs()
        }, Effect.orDie),

        find: traced("Queue.find")(function* (workspace, id, type) {
          const jobRow = yield* Effect.orDie(findJob({ workspace, id }))
          if (
            Option.isNone(jobRow) ||
            internalTypes.includes(jobRow.value.type) ||
            (type ?? jobRow.value.type) !== jobRow.value.type
          )
            return yield* NotFound.of("job")
          const { failure, ...job } = jobRow.value
          return { ...job, status: toJobStatus(job.type, job.status), ...(failure !== null && { failure }) }
        }),

        waitUntilSettled: traced("Queue.settled")(
          function* (id) {
            const waitForEnd = yield* subscribeToEnd(id)
            while (true) {
              const unsettledJobs = yield* sql`
                SELECT id FROM jobs WHERE id = ${id} AND status IN ('waiting', 'pending', 'processing')`
              if (unsettledJobs.length === 0) return
              // Polls too, because a notification can be lost: its sender may crash, or have no channel to this
              // process.
              yield* Effect.timeoutOption(waitForEnd, "1 second")
            }
          },
          Effect.scoped,
          Effect.orDie
        ),

        requireLease: Effect.fnUntraced(function* (claim) {
          const heldJobs = yield* Effect.orDie(sql`
            SELECT id FROM jobs
            WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}`)
          if (heldJobs.length === 0) return yield* new LeaseLost({ id: claim.id })
        }),

        postpone: (claim, pause, store) =>
          Effect.gen(function* () {
            const run_at = (yield* Clock.currentTimeMillis) + pause
            const postponedJobs = yield* sql`
              UPDATE jobs SET status = 'pending', lease = NULL, run_at = ${run_at}, attempts = 0, crashes = 0,
                updated_at = ${yield* now}
              WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease}
                AND status = 'processing' RETURNING id`
            if (postponedJobs.length === 0) return yield* new LeaseLost({ id: claim.id })
            yield* store
            yield* sql.afterCommit(add(jobRetries({ type: claim.type }), 1))
          }).pipe(joinTransaction(sql)),
        complete: (claim, store) => endJob(claim, "completed", store),
        park: (claim, store) => endJob(claim, "parked", store)
      })
    })
  )
}
