// layers/queue/SlotReservation.ts: reserves a free worker slot of this process for a job before it is stored, so that
// the job starts on commit instead of at the next poll.
import { Deferred, Effect } from "effect"
import type { Claim } from "#layers/queue/Claim.ts"

/** A worker slot reserved for one job. */
export interface SlotReservation {
  readonly lease: string
  readonly lease_until: number
  /** Starts the job. Call it after the job's row is committed. */
  readonly begin: (claim: Claim) => Effect.Effect<void>
}

export interface HeldSlot extends SlotReservation {
  /** Releases the slot unless the job has started. */
  readonly leave: Effect.Effect<void>
  /** Waits until the job has left its slot; returns at once if the job never started. */
  readonly ended: Effect.Effect<void>
}

export type ReserveSlot = (type: string) => Effect.Effect<HeldSlot | undefined>

/** Releases a slot. The argument tells whether the job has ended. */
export type Done = (ended: boolean) => Effect.Effect<unknown>

/** Makes a reservation of a slot that is already taken. */
export const reserveAll = (
  done: Done,
  { lease, lease_until }: Pick<SlotReservation, "lease" | "lease_until">,
  start: (job: Claim, done: Done) => Effect.Effect<void>
): HeldSlot => {
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
  let keep: ReserveSlot | undefined
  return {
    /** Offers the slots of a worker until the scope closes. */
    offer: (worker: ReserveSlot) =>
      Effect.acquireRelease(
        Effect.sync(() => void (keep = worker)),
        () => Effect.sync(() => void (keep = keep === worker ? undefined : keep))
      ),
    /**
     * Runs `store` with a slot for this type of job, if one is free. Returns after that job has ended or was requeued,
     * if it started. After a crash in between, the job counts as claimed by a dead worker.
     */
    at: <A, E, R>(type: string, store: (place: SlotReservation | undefined) => Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => (keep === undefined ? Effect.undefined : keep(type))),
        (place) => Effect.map(store(place), (stored) => ({ stored, place })),
        (place) => place?.leave ?? Effect.void
      ).pipe(Effect.flatMap(({ place, stored }) => Effect.as(place?.ended ?? Effect.void, stored)))
  }
}
export type SlotReservations = ReturnType<typeof make>
