// layers/queue/Outcome.ts: fails or requeues a job that its handler did not end.
import { Cause, Clock, Duration, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { failureOf } from "#layers/generator/GenerationFailed.ts"
import { type Claim, Queue, LeaseLost } from "#layers/Queue.ts"
import * as Outage from "#layers/queue/Outage.ts"
import {
  maxCrashes,
  maxCrashesBesideOthers,
  retryPolicyOf,
  type JobHandler,
  type WorkFailed
} from "#layers/queue/JobHandler.ts"
import { add, jobRetries, jobsEnded } from "#layers/Metrics.ts"
import { now } from "#layers/lib/Now.ts"
import type { Failure } from "#schema/Errors.ts"

type JobFailure = Cause.Cause<WorkFailed | LeaseLost>

/** The error message for the caller, which never shows a defect. */
export const failureMessage = (cause: JobFailure) => {
  const failure = cause.reasons.find(Cause.isFailReason)
  return failure === undefined ? "An internal error; see the server's log" : failure.error.message
}

/** The reason given by the handler; a defect is a fault of this server. */
const givenReason = (cause: JobFailure): Failure | null => {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure === undefined) return failureOf({})
  return failure.error instanceof LeaseLost ? null : (failure.error.failure ?? null)
}

/** The reason of the failure, for programs. */
export const failureReason = (cause: JobFailure): Failure => givenReason(cause) ?? failureOf({})

const isPermanent = (cause: JobFailure) =>
  cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && !(reason.error instanceof LeaseLost) && !reason.error.transient
  )

const isLeaseLost = (cause: JobFailure) =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof LeaseLost)

export const make = Effect.fnUntraced(function* <R>(
  handlers: ReadonlyMap<string, JobHandler<R>>,
  outage: Outage.Outage,
  backoffMillis: number
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue

  /** Fails the job permanently if its row still matches `still`. */
  const fail = (job: Claim, message: string, failure: Failure | null, still = sql`lease = ${job.lease}`) =>
    Effect.gen(function* () {
      const failed = yield* sql`
        UPDATE jobs SET status = 'failed', lease = NULL, error = ${message},
          failure = ${failure === null ? null : JSON.stringify(failure)}, updated_at = ${yield* now}
        WHERE id = ${job.id} AND workspace_id = ${job.workspace_id} AND ${still} RETURNING id`
      if (failed.length === 0) return
      yield* sql.afterCommit(add(jobsEnded({ type: job.type, outcome: "failed" }), 1))
      yield* handlers.get(job.type)?.failed(job, message, failure ?? failureOf({})) ?? Effect.void
    }).pipe(sql.withTransaction)

  const requeue = (job: Claim, delay: number, counts: boolean) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (at) => sql`
        UPDATE jobs SET status = 'pending', lease = NULL, run_at = ${delay === 0 ? 0 : at + delay},
          attempts = attempts - ${counts ? 0 : 1}
        WHERE id = ${job.id} AND workspace_id = ${job.workspace_id} AND lease = ${job.lease}`
    )

  /** Logs and stores the outcome. During an outage, retries with `wait` between the attempts. */
  const settle = Effect.fnUntraced(function* (
    job: Claim,
    exit: Exit.Exit<void, WorkFailed | LeaseLost>,
    wait: Effect.Effect<void>
  ) {
    if (Exit.isSuccess(exit)) return yield* outage.kept
    if (isLeaseLost(exit.cause)) return
    const handler = handlers.get(job.type)
    if (Cause.hasInterruptsOnly(exit.cause)) {
      const cutOff = handler?.cutOff
      return yield* outage.retryUntilStored(
        cutOff === undefined ? requeue(job, 0, false) : fail(job, cutOff, failureOf({})),
        wait
      )
    }
    if (Outage.isOutage(exit.cause)) {
      yield* outage.onOutage(exit.cause)
      return yield* outage.retryUntilStored(requeue(job, yield* outage.pause, false), wait)
    }
    yield* Cause.hasFails(exit.cause)
      ? Effect.logWarning("A job failed", { job: job.id, type: job.type, attempt: job.attempts })
      : Effect.logError("A job broke", exit.cause)
    const { attempts, longestPause } = retryPolicyOf(handler)
    if (isPermanent(exit.cause) || job.attempts >= attempts) {
      return yield* outage.retryUntilStored(fail(job, failureMessage(exit.cause), givenReason(exit.cause)), wait)
    }
    const pause = Math.min(backoffMillis * 2 ** (job.attempts - 1), Duration.toMillis(longestPause))
    const requeueLater = Effect.andThen(requeue(job, pause, true), add(jobRetries({ type: job.type }), 1))
    return yield* outage.retryUntilStored(requeueLater, wait)
  })

  /** Fails the job of a dead worker after too many crashes. */
  const freed = Effect.fnUntraced(function* (job: Claim, alone: boolean) {
    const handler = handlers.get(job.type)
    const maxOwnCrashes = handler?.mostCrashes ?? (alone ? maxCrashes : maxCrashesBesideOthers)
    if (handler?.findsPoison === true || job.crashes < maxOwnCrashes) return
    const message = "The work ended the process again and again and is given up"
    yield* fail(job, message, failureOf({}), sql`status = 'pending'`)
    yield* queue.announce(job.id)
  })

  return { settle, freed }
})
