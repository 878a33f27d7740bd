// test/support/lists.ts: lists of leads as a caller begins and follows them.
import { Effect } from "effect"
import { body } from "./answers.ts"
import type { Caller } from "./callers.ts"
import { until } from "./until.ts"

/** So many leads, of whom nothing is known but an address. */
export const leadsOf = (count: number): ReadonlyArray<{ readonly email: string }> =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@company.example` }))

/** Sends a batch, of one email to each lead unless options say something else, and answers its list. */
export const begin = Effect.fnUntraced(function* (
  who: Caller,
  campaign: string,
  leads: ReadonlyArray<object>,
  options: object = {}
) {
  const { list_id } = yield* body(
    202,
    who.post(`/campaigns/${campaign}/generate-batch`, {
      leads,
      options: { email_count: 1, email_signature: "Ann", ...options }
    })
  )
  return list_id as string
})

export const listOf = (who: Caller, list: string) => body(200, who.get(`/lists/${list}`))

/** Waits until a list is in this state, and answers it. */
export const becomes = (who: Caller, list: string, status = "completed") =>
  until(listOf(who, list), ({ processing_status }) => processing_status === status)

/** Its leads as they are exported. */
export const exported = (who: Caller, list: string) =>
  Effect.map(body(200, who.get(`/lists/${list}/export?format=json`)), ({ leads }) => leads)

export const balanceOf = (who: Caller) =>
  Effect.map(body(200, who.get("/credits")), (account) => account.balance as number)
