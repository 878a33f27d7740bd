// test/support/lists.ts: starts lists of leads and reads their state.
import { Effect } from "effect"
import { expectBody } from "./answers.ts"
import type { Caller } from "./callers.ts"
import { until } from "./until.ts"

/** Leads with nothing but an address. */
export const makeLeads = (count: number): ReadonlyArray<{ readonly email: string }> =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@company.example` }))

/** Starts a batch, with one email per lead by default, and returns the id of its list. */
export const startBatch = Effect.fnUntraced(function* (
  caller: Caller,
  campaign: string,
  leads: ReadonlyArray<object>,
  options: object = {}
) {
  const { list_id } = yield* expectBody(
    202,
    caller.post(`/campaigns/${campaign}/generate-batch`, {
      leads,
      options: { email_count: 1, email_signature: "Ann", ...options }
    })
  )
  return list_id as string
})

export const getList = (caller: Caller, list: string) => expectBody(200, caller.get(`/lists/${list}`))

/** Waits until a list has this status and returns it. */
export const waitForList = (caller: Caller, list: string, status = "completed") =>
  until(getList(caller, list), ({ processing_status }) => processing_status === status)

/** The leads of a list as exported. */
export const exportLeads = (caller: Caller, list: string) =>
  Effect.map(expectBody(200, caller.get(`/lists/${list}/export?format=json`)), ({ leads }) => leads)

export const balanceOf = (caller: Caller) =>
  Effect.map(expectBody(200, caller.get("/credits")), (account) => account.balance as number)
