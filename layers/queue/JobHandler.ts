// layers/queue/JobHandler.ts: the handler of one job type: what it runs, and how its failures are retried.
import { Duration, type Effect } from "effect"
import type { Claim, LeaseLost } from "#layers/Queue.ts"
import type { Failure } from "#schema/Errors.ts"

/** Work that could not be done. `transient` when the same thing may succeed later; the message is for its caller. */
export interface WorkFailed {
  readonly message: string
  readonly transient: boolean
  /** Why, for programs; omitted where this server is at fault. */
  readonly failure?: Failure
}

/** One kind of background work. */
export interface JobHandler<R = never> {
  readonly type: string
  /** Does the work and ends the job through `Queue.complete` or `Queue.park`. May run twice; must not store results twice. */
  readonly run: (claim: Claim) => Effect.Effect<void, WorkFailed | LeaseLost, R>
  /** Marks the resource failed, in the transaction that fails the job for good. */
  readonly failed: (claim: Claim, message: string, failure: Failure) => Effect.Effect<void, never, R>
  /** Whether the handler itself isolates the part of its work that crashes the worker, by `claim.crashes`. */
  readonly findsPoison?: boolean
  /** Crashes of the process after which this job counts as their cause. */
  readonly mostCrashes?: number
  /** A request waits for such jobs, so they are claimed even while the process shuts down. */
  readonly awaited?: boolean
  /** The error of a job that a stopping process interrupts; if absent, the job runs again after the next start. */
  readonly cutOff?: string
  /** Attempts of a transient failure; pauses double up to the longest. */
  readonly retryPolicy?: RetryPolicy
}

export interface RetryPolicy {
  readonly attempts: number
  readonly longestPause: Duration.Duration
}

/** Crashes after which a job fails, unless its handler sets another number. */
export const maxCrashes = 3

/** Crashes after which a job fails that did not run alone: any of the running jobs may have been the cause. */
export const maxCrashesBesideOthers = 10

const defaultRetryPolicy: RetryPolicy = { attempts: 3, longestPause: Duration.minutes(1) }

export const retryPolicyOf = (handler: { readonly retryPolicy?: RetryPolicy } | undefined) =>
  handler?.retryPolicy ?? defaultRetryPolicy

/** Handlers that share a number of slots. Jobs of one lane never wait for those of another. */
export interface Lane<R = never> {
  readonly handlers: ReadonlyArray<JobHandler<R>>
  readonly concurrency: number
}
