// layers/jobs/Worker.ts: takes jobs from the store and sees each to its end, whatever happens to those who work on it.
import { Array as Arr, Cause, Clock, Context, Duration, Effect, Exit, Fiber, Layer, PubSub, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Claim, Jobs, LeaseLost } from "#layers/Jobs.ts"
import { add, beginJobs, jobRetries, jobsEnded } from "#layers/Metrics.ts"
import { Occasion } from "#layers/ModelCalls.ts"
import { now } from "#layers/Now.ts"

/** Work that could not be done. `transient` when the same thing may succeed later; the message is for its caller. */
export interface WorkFailed {
  readonly message: string
  readonly transient: boolean
}

/** One kind of background work. */
export interface Stage<R = never> {
  readonly type: string
  /** Does the work and ends the job through `Jobs.complete` or `Jobs.park`. May run twice; must not keep it twice. */
  readonly run: (claim: Claim) => Effect.Effect<void, WorkFailed | LeaseLost, R>
  /** Tells the resource that its work has failed for good; runs in the transaction that says so of the job. */
  readonly failed: (claim: Claim, message: string) => Effect.Effect<void, never, R>
  /** The job is made of pieces and finds the one that kills its worker itself, by `claim.crashes`. */
  readonly findsPoison?: boolean
  /** How long a transient failure is believed to be one: so many attempts, with pauses that double up to the longest. */
  readonly patience?: Patience
}

export interface Patience {
  readonly attempts: number
  readonly longestPause: Duration.Duration
}

/** Some of the stages, with so many of their jobs in work at once. Jobs of one lane never wait for those of another. */
export interface Lane<R = never> {
  readonly stages: ReadonlyArray<Stage<R>>
  readonly concurrency: number
}

export interface Timing {
  readonly leaseMillis: number
  readonly pollMillis: number
  readonly backoffMillis: number
}
export const Timing = Context.Reference<Timing>("overture/layers/jobs/Timing", {
  defaultValue: () => ({ leaseMillis: 30_000, pollMillis: 1000, backoffMillis: 1000 })
})

const patience: Patience = { attempts: 3, longestPause: Duration.minutes(1) }
/** A job that has killed its worker this often is poison. */
export const maxCrashes = 3

/** What a caller may read of a failure: words that the writer chose, and nothing of a defect. */
const messageOf = (cause: Cause.Cause<WorkFailed | LeaseLost>) => {
  const failure = cause.reasons.find(Cause.isFailReason)
  return failure === undefined ? "An internal error; see the server's log" : failure.error.message
}

const isPermanent = (cause: Cause.Cause<WorkFailed | LeaseLost>) =>
  cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && !(reason.error instanceof LeaseLost) && !reason.error.transient
  )

const isLeaseLost = (cause: Cause.Cause<WorkFailed | LeaseLost>) =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof LeaseLost)

/** What the work of a job is for. */
const occasionOf = ({ subject, type, workspace_id }: Claim): Occasion => ({
  workspace: workspace_id,
  kind: type.slice(0, type.indexOf(".")),
  subject
})

/**
 * Works until its scope closes; jobs in hand are then given back untouched. The caller holds the store's worker lock,
 * so every lease found at the start is a dead process's.
 */
export const layer = <R>(lanes: ReadonlyArray<Lane<R>>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const random = yield* SecureRandom.SecureRandom
      const { backoffMillis, leaseMillis, pollMillis } = yield* Timing
      const worker = yield* random.uuidV7()
      const scope = yield* Effect.scope
      const stages = new Map(lanes.flatMap((lane) => lane.stages.map((stage) => [stage.type, stage] as const)))
      const held = new Map<string, Fiber.Fiber<unknown, unknown>>()
      let claims = 0
      for (const type of stages.keys()) yield* beginJobs(type)

      const next = SqlSchema.findAll({
        Request: Schema.Struct({ types: Schema.Array(Schema.String), at: Schema.Int }),
        Result: Schema.Struct({ id: Schema.String }),
        // Whoever has least in work comes first: workspaces take turns, however much one of them has queued.
        execute: ({ at, types }) => sql`
          SELECT j.id FROM jobs j
          LEFT JOIN (SELECT workspace_id, count(*) AS running FROM jobs WHERE status = 'processing' GROUP BY workspace_id) r
            ON r.workspace_id = j.workspace_id
          WHERE j.status = 'pending' AND ${sql.in("j.type", types)} AND j.run_at <= ${at}
          ORDER BY COALESCE(r.running, 0), j.run_at, j.id LIMIT 1`
      })
      const take = SqlSchema.findOneOption({
        Request: Schema.Struct({
          id: Schema.String,
          lease: Schema.String,
          until: Schema.Int,
          updated_at: Schema.String
        }),
        Result: Claim,
        execute: ({ id, lease, until, updated_at }) => sql`
          UPDATE jobs SET status = 'processing', lease = ${lease}, lease_until = ${until}, attempts = attempts + 1,
            updated_at = ${updated_at}
          WHERE id = ${id} AND status = 'pending'
          RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
      })

      const claim = Effect.fnUntraced(function* (types: ReadonlyArray<string>) {
        const at = yield* Clock.currentTimeMillis
        const found = Arr.head(yield* next({ types, at }))
        if (found._tag === "None") return undefined
        const taken = yield* take({
          id: found.value.id,
          lease: `${worker}:${++claims}`,
          until: at + leaseMillis,
          updated_at: yield* now
        })
        return taken._tag === "Some" ? taken.value : undefined
      })

      const fail = (job: Claim, message: string) =>
        Effect.gen(function* () {
          const failed = yield* sql`
            UPDATE jobs SET status = 'failed', lease = NULL, error = ${message}, updated_at = ${yield* now}
            WHERE id = ${job.id} AND lease = ${job.lease} RETURNING id`
          if (failed.length === 0) return
          yield* sql.afterCommit(add(jobsEnded({ type: job.type, outcome: "failed" }), 1))
          yield* stages.get(job.type)?.failed(job, message) ?? Effect.void
        }).pipe(sql.withTransaction)

      const giveBack = (job: Claim, delay: number, counts: boolean) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (at) => sql`
            UPDATE jobs SET status = 'pending', lease = NULL, run_at = ${delay === 0 ? 0 : at + delay},
              attempts = attempts - ${counts ? 0 : 1}
            WHERE id = ${job.id} AND lease = ${job.lease}`
        )

      /** What becomes of a job whose stage did not end it. */
      const settle = (job: Claim, exit: Exit.Exit<void, WorkFailed | LeaseLost>) => {
        if (Exit.isSuccess(exit) || isLeaseLost(exit.cause)) return Effect.void
        if (Cause.hasInterruptsOnly(exit.cause)) return giveBack(job, 0, false)
        const report = Effect.logWarning("A job failed", { job: job.id, type: job.type, attempt: job.attempts })
        const { attempts, longestPause } = stages.get(job.type)?.patience ?? patience
        const pause = Math.min(backoffMillis * 2 ** (job.attempts - 1), Duration.toMillis(longestPause))
        return Effect.andThen(
          Cause.hasFails(exit.cause) ? report : Effect.logError("A job broke", exit.cause),
          isPermanent(exit.cause) || job.attempts >= attempts
            ? fail(job, messageOf(exit.cause))
            : Effect.andThen(giveBack(job, pause, true), add(jobRetries({ type: job.type }), 1))
        )
      }

      const start = (job: Claim, done: Effect.Effect<void>) =>
        Effect.suspend(() => stages.get(job.type)?.run(job) ?? Effect.void).pipe(
          Effect.provideService(Occasion, occasionOf(job)),
          Effect.onExit((exit) =>
            settle(job, exit).pipe(
              Effect.retry({ times: 5 }),
              Effect.catchCause((cause) => Effect.logError("A job could not be settled", cause)),
              Effect.ensuring(Effect.sync(() => held.delete(job.id))),
              Effect.andThen(jobs.announce(job.id)),
              Effect.andThen(done)
            )
          ),
          Effect.annotateLogs({ job: job.id }),
          Effect.withSpan(`job ${job.type}`, {
            root: true,
            kind: "consumer",
            attributes: { job_id: job.id, "job.type": job.type, "job.attempt": job.attempts }
          }),
          Effect.ignoreCause,
          Effect.forkIn(scope),
          Effect.map((fiber) => held.set(job.id, fiber))
        )

      /** Jobs whose worker is gone, back to the start; those that keep killing it fail. */
      const recover = Effect.fnUntraced(function* (before: number) {
        const lost = yield* SqlSchema.findAll({
          Request: Schema.Int,
          Result: Claim,
          execute: (at) => sql`
            UPDATE jobs SET status = 'pending', lease = NULL, crashes = crashes + 1, attempts = attempts - 1
            WHERE status = 'processing' AND lease_until < ${at}
            RETURNING id, workspace_id, type, subject, payload, attempts, crashes, '' AS lease`
        })(before)
        for (const job of lost) {
          if (job.crashes < maxCrashes || stages.get(job.type)?.findsPoison === true) continue
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const message = "The work ended the process three times and is given up"
              yield* sql`
                UPDATE jobs SET status = 'failed', error = ${message}, updated_at = ${yield* now}
                WHERE id = ${job.id} AND status = 'pending'`
              yield* sql.afterCommit(add(jobsEnded({ type: job.type, outcome: "failed" }), 1))
              yield* stages.get(job.type)?.failed(job, message) ?? Effect.void
            })
          )
          yield* jobs.announce(job.id)
        }
        if (lost.length > 0) yield* PubSub.publish(jobs.wake, undefined)
      })

      const heartbeat = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const ids = [...held.keys()]
        if (ids.length > 0) {
          const kept = yield* sql<{ readonly id: string }>`
            UPDATE jobs SET lease_until = ${at + leaseMillis}
            WHERE status = 'processing' AND ${sql.in("id", ids)} AND lease LIKE ${`${worker}:%`} RETURNING id`
          const mine = new Set(kept.map((row) => row.id))
          for (const id of ids) if (!mine.has(id)) held.get(id)?.interruptUnsafe()
        }
        yield* recover(at)
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("The heartbeat failed", cause)))

      const work = Effect.fnUntraced(function* (lane: Lane<R>) {
        const types = lane.stages.map((stage) => stage.type)
        const woken = yield* PubSub.subscribe(jobs.wake)
        let free = lane.concurrency
        const done = Effect.andThen(
          Effect.sync(() => void free++),
          Effect.asVoid(PubSub.publish(jobs.wake, undefined))
        )
        const rest = Effect.timeoutOption(PubSub.take(woken), pollMillis)
        const round = Effect.gen(function* () {
          // A claimed job is never dropped between the claim and its fiber.
          const job =
            free === 0
              ? undefined
              : yield* Effect.uninterruptible(
                  Effect.tap(claim(types), (job) => {
                    if (job === undefined) return Effect.void
                    free--
                    return start(job, done)
                  })
                )
          if (job === undefined) yield* rest
        })
        // The pause keeps a broken store from turning the worker into a busy loop.
        const broken = (cause: Cause.Cause<unknown>) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(Effect.logError("Cannot take jobs", cause), Effect.sleep(500))
        return yield* Effect.forever(Effect.catchCause(round, broken))
      })

      yield* Effect.orDie(recover(Number.MAX_SAFE_INTEGER))
      yield* heartbeat.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)
      for (const lane of lanes) yield* Effect.forkScoped(work(lane))
    })
  )
