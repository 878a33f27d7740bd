// test/support/generation-requests.ts: requests that generate emails for one lead or many, and a writer that fails for some leads.
import { Effect } from "effect"
import type { Brief } from "#layers/Generator.ts"
import type { Caller } from "./callers.ts"
import type { outage } from "./faults.ts"
import { getList } from "./lists.ts"
import { until } from "./until.ts"
import { fakeWriter } from "./writer.ts"

export const generateOne = (caller: Caller, campaign: string, request: object) =>
  caller.post(`/campaigns/${campaign}/generate`, request)
export const generateBatch = (caller: Caller, campaign: string, request: object) =>
  caller.post(`/campaigns/${campaign}/generate-batch`, request)

const activeStatuses = ["processing", "in_progress"]

/** Waits until no worker processes the list, and returns it. */
export const waitUntilSettled = (caller: Caller, id: string) =>
  until(getList(caller, id), ({ processing_status }) => !activeStatuses.includes(processing_status))

export const makeLeads = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@north.example`, name: `Lead ${i}` }))

/** A writer that fails for the leads for which `errorFor` returns an error. */
export const failWhere = (errorFor: (brief: Brief) => typeof outage | undefined) => (brief: Brief) => {
  const error = errorFor(brief)
  return error === undefined ? fakeWriter.sequence(brief) : Effect.fail(error)
}

/** The index of a lead created by `makeLeads`, or of a preview's lead. */
export const leadIndex = ({ lead }: Brief) => Number(/\d+/.exec(lead.email)?.[0])
