// layers/queue/JobHandler.ts: the handler of one job type, and how its failures are retried.
import { Duration, type Effect } from "effect"
import type { Claim, LeaseLost } from "#layers/Queue.ts"
import type { Failure } from "#schema/Errors.ts"

/** The failure of a job. `transient` if a retry may succeed. The message is shown to the caller. */
export interface WorkFailed {
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
  readonly run: (claim: Claim) => Effect.Effect<void, WorkFailed | LeaseLost, R>
  /** Marks the resource as failed, in the transaction that fails the job permanently. */
  readonly failed: (claim: Claim, message: string, failure: Failure) => Effect.Effect<void, never, R>
  /** Whether the handler itself finds the part of its work that crashes the worker, from `claim.crashes`. */
  readonly findsPoison?: boolean
  /** Crashes after which the job fails; the default is below. */
  readonly mostCrashes?: number
  /** A request waits for these jobs, so they are claimed even while the process shuts down. */
  readonly awaited?: boolean
  /** The error of a job that a shutdown interrupts; if undefined, the job is requeued. */
  readonly cutOff?: string
  /** Retries of a transient failure. */
  readonly retryPolicy?: RetryPolicy
}

export interface RetryPolicy {
  readonly attempts: number
  readonly longestPause: Duration.Duration
}

/** Crashes after which a job fails that ran alone. */
export const maxCrashes = 3

/** Crashes after which a job fails that ran beside others: any of them may have been the cause. */
export const maxCrashesBesideOthers = 10

const defaultRetryPolicy: RetryPolicy = { attempts: 3, longestPause: Duration.minutes(1) }

export const retryPolicyOf = (handler: { readonly retryPolicy?: RetryPolicy } | undefined) =>
  handler?.retryPolicy ?? defaultRetryPolicy

/** Handlers that share worker slots. Jobs of one lane never wait for those of another. */
export interface Lane<R = never> {
  readonly handlers: ReadonlyArray<JobHandler<R>>
  readonly concurrency: number
}
