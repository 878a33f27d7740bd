// layers/jobs/Stage.ts: a kind of background work, and how its failures are to be taken.
import { Duration, type Effect } from "effect"
import type { Claim, LeaseLost } from "#layers/Jobs.ts"
import type { Failure } from "#schema/Errors.ts"

/** Work that could not be done. `transient` when the same thing may succeed later; the message is for its caller. */
export interface WorkFailed {
  readonly message: string
  readonly transient: boolean
  /** Why, for programs; omitted where this server is at fault. */
  readonly failure?: Failure
}

/** One kind of background work. */
export interface Stage<R = never> {
  readonly type: string
  /** Does the work and ends the job through `Jobs.complete` or `Jobs.park`. May run twice; must not keep it twice. */
  readonly run: (claim: Claim) => Effect.Effect<void, WorkFailed | LeaseLost, R>
  /** Tells the resource that its work has failed for good; runs in the transaction that says so of the job. */
  readonly failed: (claim: Claim, message: string, failure: Failure) => Effect.Effect<void, never, R>
  /** The job is made of pieces and finds the one that kills its worker itself, by `claim.crashes`. */
  readonly findsPoison?: boolean
  /** How often the process may end with such a job in hand before the job is taken for the reason. */
  readonly mostCrashes?: number
  /** A request waits for it: such jobs are still taken while the process comes to rest. */
  readonly awaited?: boolean
  /** What the job fails with when the process stops first; without it, the job is done after the next start. */
  readonly cutOff?: string
  /** How long a transient failure is believed to be one: so many attempts, with pauses that double up to the longest. */
  readonly patience?: Patience
}

export interface Patience {
  readonly attempts: number
  readonly longestPause: Duration.Duration
}

/** A job that has killed its worker this often is poison, unless its stage says otherwise. */
export const maxCrashes = 3

/** The same for a job that was not the only one in work when its worker died: any of them may have been the cause. */
export const maxCrashesBesideOthers = 10

const usual: Patience = { attempts: 3, longestPause: Duration.minutes(1) }

export const patienceOf = (stage: { readonly patience?: Patience } | undefined) => stage?.patience ?? usual

/** Some of the stages, with so many of their jobs in work at once. Jobs of one lane never wait for those of another. */
export interface Lane<R = never> {
  readonly stages: ReadonlyArray<Stage<R>>
  readonly concurrency: number
}
