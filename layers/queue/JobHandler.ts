// layers/queue/JobHandler.ts: the handler of one type of job, its retries, and how the outcome of a job is stored, also
// after an outage of the database.
import { Cause, Clock, Duration, Effect, Exit } from "effect"
import { type ClaimedJob, LeaseLost, Queue } from "#layers/Queue.ts"
import type { Failure } from "#schema/Errors.ts"
import { SqlClient, SqlError } from "effect/sql"
import { elapsed, now } from "#layers/lib/Time.ts"
import { failureOf } from "#layers/generator/GenerationFailed.ts"
import { add, jobRetries, jobsEnded } from "#layers/Metrics.ts"

/** The failure of a job. `transient` if a retry may succeed. The message is shown to the caller. */
interface WorkFailed {
  readonly message: string
  readonly transient: boolean
  /** The reason, for programs; undefined for a fault of this server. */
  readonly failure?: Failure
}

/** Handles one type of job. */
export interface JobHandler<R = never> {
  readonly type: string
  /**
   * Does the work, and ends the job by `Queue.complete` or `Queue.park`. May run more than once, so it must be
   * idempotent.
   */
  readonly run: (claim: ClaimedJob) => Effect.Effect<void, WorkFailed | LeaseLost, R>
  /** Marks the resource as failed, in the transaction that fails the job permanently. */
  readonly failed: (claim: ClaimedJob, message: string, failure: Failure) => Effect.Effect<void, never, R>
  /** Whether the handler uses `claim.crashes` to find the part of its work that crashes the worker. */
  readonly isolatesPoison?: boolean
  /** Crashes after which the job fails; the default is below. */
  readonly maxCrashes?: number
  /** A request waits for these jobs, so they are claimed even while the process shuts down. */
  readonly awaited?: boolean
  /** The error of a job that a shutdown interrupts; if undefined, the job is requeued. */
  readonly interruptionError?: string
  /** Retries of a transient failure. */
  readonly retryPolicy?: RetryPolicy
}

export interface RetryPolicy {
  readonly attempts: number
  readonly maxPause: Duration.Duration
}

/** Crashes after which a job fails that ran alone. */
export const maxCrashes = 3

/** Crashes after which a job fails that ran beside others: any of them may have been the cause. */
const maxCrashesBesideOthers = 10

const defaultRetryPolicy: RetryPolicy = { attempts: 3, maxPause: Duration.minutes(1) }

export const retryPolicyOf = (handler: { readonly retryPolicy?: RetryPolicy } | undefined) =>
  handler?.retryPolicy ?? defaultRetryPolicy

/** A lane is a set of handlers that share worker slots. Jobs of one lane never wait for those of another. */
export interface Lane<R = never> {
  readonly handlers: ReadonlyArray<JobHandler<R>>
  readonly concurrency: number
}

/** Whether the database caused the failure, which is then temporary. */
export const isOutage = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return SqlError.isSqlError(error) && error.isRetryable
  })

const logInterval = Duration.toMillis("1 minute")

/** Pause before the next write during an outage. */
export const retryPause = Effect.sleep("500 millis")

/** A success sooner after a failure may have been committed before it, by a job that ran at the same time. */
const minOutageMillis = Duration.toMillis("1 second")

/** Logs the start and end of an outage, and once a minute in between, because the log may be on the full disk. */
export const makeOutage = (backoffMillis: number) => {
  let loggedAt: number | undefined
  let failedAt = 0
  let pause = 0
  let pausedAt = 0
  const onRecovered = Effect.flatMap(elapsed, (elapsedMillis) => {
    if (loggedAt === undefined || elapsedMillis - failedAt < minOutageMillis) return Effect.void
    loggedAt = undefined
    return Effect.logInfo("The store can be written again; background work continues")
  })
  const onOutage = (cause: Cause.Cause<unknown>) =>
    Effect.flatMap(elapsed, (elapsedMillis) => {
      failedAt = elapsedMillis
      if (loggedAt !== undefined && elapsedMillis - loggedAt < logInterval) return Effect.void
      loggedAt = elapsedMillis
      return Effect.logError("The store cannot be written; background work waits until it can", cause)
    })
  const retryUntilStored = <R>(
    write: Effect.Effect<unknown, unknown, R>,
    wait: Effect.Effect<void>
  ): Effect.Effect<void, never, R> =>
    Effect.matchCauseEffect(write, {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        isOutage(cause)
          ? Effect.andThen(
              onOutage(cause),
              Effect.andThen(
                wait,
                Effect.suspend(() => retryUntilStored(write, wait))
              )
            )
          : Effect.logError("A job could not be settled", cause)
    })
  return {
    onOutage,
    /**
     * Retries a write until the database is available. A stopping worker gives up, and the job is repeated after the
     * next start.
     */
    retryUntilStored,
    /**
     * Pause before a job whose result could not be stored is repeated. Doubles each time, because the work may cost
     * money.
     */
    pause: Effect.map(elapsed, (elapsedMillis) => {
      // Not doubled for jobs that ran together, because they met the same outage.
      if (pause === 0 || elapsedMillis - pausedAt >= pause) {
        pause = Math.min(Math.max(backoffMillis, 2 * pause), logInterval)
        pausedAt = elapsedMillis
      }
      return pause
    }),
    /** A result was stored. */
    resultStored: Effect.suspend(() => {
      pause = 0
      return onRecovered
    }),
    /** Call after any write. Ends the outage only if no result is waiting to be stored. */
    writeSucceeded: Effect.suspend(() => (pause === 0 ? onRecovered : Effect.void))
  }
}
type Outage = ReturnType<typeof makeOutage>

type JobFailure = Cause.Cause<WorkFailed | LeaseLost>

/** The error message for the caller, which never shows a defect. */
export const failureMessage = (cause: JobFailure) => {
  const failure = cause.reasons.find(Cause.isFailReason)
  return failure === undefined ? "An internal error; see the server's log" : failure.error.message
}

/** The reason given by the handler; a defect is a fault of this server. */
const handlerReason = (cause: JobFailure): Failure | null => {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure === undefined) return failureOf({})
  return failure.error instanceof LeaseLost ? null : (failure.error.failure ?? null)
}

/** The reason of the failure, for programs. */
export const failureReason = (cause: JobFailure): Failure => handlerReason(cause) ?? failureOf({})

const isPermanent = (cause: JobFailure) =>
  cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && !(reason.error instanceof LeaseLost) && !reason.error.transient
  )

const isLeaseLost = (cause: JobFailure) =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof LeaseLost)

export const makeOutcome = Effect.fnUntraced(function* <R>(
  handlers: ReadonlyMap<string, JobHandler<R>>,
  outage: Outage,
  backoffMillis: number
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue

  /** Fails the job permanently if its row still matches `condition`. */
  const fail = (job: ClaimedJob, message: string, failure: Failure | null, condition = sql`lease = ${job.lease}`) =>
    Effect.gen(function* () {
      const failedRows = yield* sql`
        UPDATE jobs SET status = 'failed', lease = NULL, error = ${message},
          failure = ${failure === null ? null : JSON.stringify(failure)}, updated_at = ${yield* now}
        WHERE id = ${job.id} AND workspace_id = ${job.workspace_id} AND ${condition} RETURNING id`
      if (failedRows.length === 0) return
      yield* sql.afterCommit(add(jobsEnded({ type: job.type, outcome: "failed" }), 1))
      yield* handlers.get(job.type)?.failed(job, message, failure ?? failureOf({})) ?? Effect.void
    }).pipe(sql.withTransaction)

  const requeue = (job: ClaimedJob, delay: number, countsAttempt: boolean) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (timestamp) => sql`
        UPDATE jobs SET status = 'pending', lease = NULL, run_at = ${delay === 0 ? 0 : timestamp + delay},
          attempts = attempts - ${countsAttempt ? 0 : 1}
        WHERE id = ${job.id} AND workspace_id = ${job.workspace_id} AND lease = ${job.lease}`
    )

  /** Logs and stores the outcome. During an outage, retries with `wait` between the attempts. */
  const storeOutcome = Effect.fnUntraced(function* (
    job: ClaimedJob,
    exit: Exit.Exit<void, WorkFailed | LeaseLost>,
    wait: Effect.Effect<void>
  ) {
    if (Exit.isSuccess(exit)) return yield* outage.resultStored
    if (isLeaseLost(exit.cause)) return
    const handler = handlers.get(job.type)
    if (Cause.hasInterruptsOnly(exit.cause)) {
      const error = handler?.interruptionError
      return yield* outage.retryUntilStored(
        error === undefined ? requeue(job, 0, false) : fail(job, error, failureOf({})),
        wait
      )
    }
    if (isOutage(exit.cause)) {
      yield* outage.onOutage(exit.cause)
      return yield* outage.retryUntilStored(requeue(job, yield* outage.pause, false), wait)
    }
    yield* Cause.hasFails(exit.cause)
      ? Effect.logWarning("A job failed", { job: job.id, type: job.type, attempt: job.attempts })
      : Effect.logError("A job broke", exit.cause)
    const { attempts, maxPause } = retryPolicyOf(handler)
    if (isPermanent(exit.cause) || job.attempts >= attempts) {
      return yield* outage.retryUntilStored(fail(job, failureMessage(exit.cause), handlerReason(exit.cause)), wait)
    }
    const pause = Math.min(backoffMillis * 2 ** (job.attempts - 1), Duration.toMillis(maxPause))
    const requeueLater = Effect.andThen(requeue(job, pause, true), add(jobRetries({ type: job.type }), 1))
    return yield* outage.retryUntilStored(requeueLater, wait)
  })

  /** Fails the job of a dead worker after too many crashes. */
  const failAfterCrashes = Effect.fnUntraced(function* (job: ClaimedJob, ranAlone: boolean) {
    const handler = handlers.get(job.type)
    const maxOwnCrashes = handler?.maxCrashes ?? (ranAlone ? maxCrashes : maxCrashesBesideOthers)
    if (handler?.isolatesPoison === true || job.crashes < maxOwnCrashes) return
    const message = "The work ended the process again and again and is given up"
    yield* fail(job, message, failureOf({}), sql`status = 'pending'`)
    yield* queue.announce(job.id)
  })

  return { storeOutcome, failAfterCrashes }
})
