// layers/jobs/Places.ts: jobs that begin the moment they are stored: where a worker of this process has a hand free, it
// keeps that for them, and nobody has to look for them first.
import { Deferred, Effect } from "effect"
import type { Claim } from "#layers/jobs/Claim.ts"

/** A worker's hand, kept for one job. */
export interface Place {
  readonly lease: string
  readonly lease_until: number
  /** Begins the job; for the moment that its row is committed. */
  readonly begin: (claim: Claim) => Effect.Effect<void>
}

export interface Kept extends Place {
  /** Lets go of the hand unless the job has begun. */
  readonly leave: Effect.Effect<void>
  /** Waits until the job is in no hand any more; at once where none has begun. */
  readonly ended: Effect.Effect<void>
}

export type Keep = (type: string) => Effect.Effect<Kept | undefined>

/** Gives a hand back: with whether the job in it has ended. */
export type Done = (ended: boolean) => Effect.Effect<unknown>

/** A place in a hand that is taken. */
export const inHand = (
  done: Done,
  { lease, lease_until }: Pick<Place, "lease" | "lease_until">,
  start: (job: Claim, done: Done) => Effect.Effect<void>
): Kept => {
  const ended = Deferred.makeUnsafe<void>()
  let begun = false
  return {
    lease,
    lease_until,
    begin: (job) =>
      Effect.suspend(() => {
        begun = true
        return start(job, (isEnded) => Effect.andThen(done(isEnded), Deferred.succeed(ended, undefined)))
      }),
    leave: Effect.suspend(() => (begun ? Effect.void : Effect.asVoid(done(true)))),
    ended: Effect.suspend(() => (begun ? Deferred.await(ended) : Effect.void))
  }
}

export const make = () => {
  let keep: Keep | undefined
  return {
    /** Offers the hands of a worker for as long as the scope lasts. */
    offer: (worker: Keep) =>
      Effect.acquireRelease(
        Effect.sync(() => void (keep = worker)),
        () => Effect.sync(() => void (keep = keep === worker ? undefined : keep))
      ),
    /**
     * Stores work, with a place for a job of this type where one is free, and returns once that job, if it began, has
     * ended or was given back. A crash between the two leaves the job as one that was in hand.
     */
    at: <A, E, R>(type: string, store: (place: Place | undefined) => Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => (keep === undefined ? Effect.undefined : keep(type))),
        (place) => Effect.map(store(place), (stored) => ({ stored, place })),
        (place) => place?.leave ?? Effect.void
      ).pipe(Effect.flatMap(({ place, stored }) => Effect.as(place?.ended ?? Effect.void, stored)))
  }
}
export type Places = ReturnType<typeof make>
