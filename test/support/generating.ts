// test/support/generating.ts: emails asked for over the wire, for one lead and for many, and a writer who likes some leads.
import { Effect } from "effect"
import type { Brief } from "#layers/Generator.ts"
import type { Caller } from "./callers.ts"
import type { outage } from "./faults.ts"
import { listOf } from "./lists.ts"
import { until } from "./until.ts"
import { fake } from "./writer.ts"

export const single = (who: Caller, campaign: string, sent: object) => who.post(`/campaigns/${campaign}/generate`, sent)
export const batch = (who: Caller, campaign: string, sent: object) =>
  who.post(`/campaigns/${campaign}/generate-batch`, sent)

const active = ["processing", "in_progress"]

/** The list once nothing more happens to it by itself. */
export const settled = (who: Caller, id: string) =>
  until(listOf(who, id), ({ processing_status }) => !active.includes(processing_status))

export const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@north.example`, name: `Lead ${i}` }))

/** Writes to everyone but those for whom `how` has an error. */
export const failWhere = (errorFor: (brief: Brief) => typeof outage | undefined) => (brief: Brief) => {
  const error = errorFor(brief)
  return error === undefined ? fake.sequence(brief) : Effect.fail(error)
}

/** A lead's place among those of `leadsOf`, or of a preview. */
export const indexOf = ({ lead }: Brief) => Number(/\d+/.exec(lead.email)?.[0])
