// layers/lists/AtHand.ts: what this process knows of a list of one while its caller waits, so that nobody reads back what
// was stored a moment before. Whoever takes such a job from the store, after a crash for one, knows nothing and reads it.
import { Effect } from "effect"
import type { Claim } from "#layers/Jobs.ts"
import type { SlotReservation } from "#layers/jobs/SlotReservation.ts"
import type { PendingLead } from "#layers/lists/Lead.ts"
import type { ListWriting } from "#layers/lists/List.ts"
import type { Sequence } from "#schema/Lead.ts"

export interface AtHand {
  readonly writing: ListWriting
  readonly lead: PendingLead
  /** What tells its brief from others: its build and the version of its playbook. */
  readonly brief: string
  /** What was written, once that is committed. */
  sequence?: Sequence
}

const known = new WeakMap<Claim, AtHand>()

export const of = (claim: Claim) => known.get(claim)

/** Notes what was written, which is committed. */
export const keep = (claim: Claim, sequence: Sequence) => {
  const atHand = known.get(claim)
  if (atHand !== undefined) atHand.sequence = sequence
}

/** The place of a job that begins with this at hand. */
export const at = (place: SlotReservation, atHand: AtHand): SlotReservation => ({
  ...place,
  begin: (claim) =>
    Effect.suspend(() => {
      known.set(claim, atHand)
      return place.begin(claim)
    })
})
