// layers/lists/InProcessHandoff.ts: passes a single lead from the request that stored it to the worker of the same process, which saves
// reading it back. A worker that claims the job from the store, for example after a crash, has no handoff and reads the rows.
import { Effect } from "effect"
import type { Claim } from "#layers/Queue.ts"
import type { SlotReservation } from "#layers/queue/SlotReservation.ts"
import type { PendingLead, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import type { ListWriting } from "#layers/lists/Store.ts"

export interface InProcessHandoff {
  readonly writing: ListWriting
  readonly lead: PendingLead
  /** The key of its brief: the build and the version of the playbook. */
  readonly brief: string
  /** The emails, once they are committed. */
  written?: WrittenEmails
}

const handoffs = new WeakMap<Claim, InProcessHandoff>()

export const handoffOf = (claim: Claim) => handoffs.get(claim)

/** Records the committed emails. */
export const keepResult = (claim: Claim, written: WrittenEmails) => {
  const handoff = handoffs.get(claim)
  if (handoff !== undefined) handoff.written = written
}

/** A slot reservation whose job starts with this handoff. */
export const attachHandoff = (place: SlotReservation, handoff: InProcessHandoff): SlotReservation => ({
  ...place,
  begin: (claim) =>
    Effect.suspend(() => {
      handoffs.set(claim, handoff)
      return place.begin(claim)
    })
})
