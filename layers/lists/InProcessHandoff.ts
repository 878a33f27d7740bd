// layers/lists/InProcessHandoff.ts: passes a single lead from the request that stored it to the worker in the same
// process, so that the worker need not read it back. A worker that claims the job later, for example after a crash,
// reads the rows.
import { Effect } from "effect"
import type { Claim } from "#layers/Queue.ts"
import type { SlotReservation } from "#layers/queue/SlotReservation.ts"
import type { PendingLead } from "#layers/lists/LeadColumns.ts"
import type { ListWriting } from "#layers/lists/Store.ts"
import type { Sequence } from "#schema/Lead.ts"

export interface InProcessHandoff {
  readonly writing: ListWriting
  readonly lead: PendingLead
  /** The key of the brief: the build and the version of the playbook. */
  readonly brief: string
  /** The emails, set after they are committed. */
  sequence?: Sequence
}

const handoffs = new WeakMap<Claim, InProcessHandoff>()

export const handoffOf = (claim: Claim) => handoffs.get(claim)

/** Records the committed emails. */
export const keepResult = (claim: Claim, sequence: Sequence) => {
  const handoff = handoffs.get(claim)
  if (handoff !== undefined) handoff.sequence = sequence
}

/** A slot reservation that passes this handoff to its job. */
export const attachHandoff = (place: SlotReservation, handoff: InProcessHandoff): SlotReservation => ({
  ...place,
  begin: (claim) =>
    Effect.suspend(() => {
      handoffs.set(claim, handoff)
      return place.begin(claim)
    })
})
