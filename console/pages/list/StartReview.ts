// console/pages/list/StartReview.ts: opens the first open lead of a list, the worst findings first.
import { Struct } from "effect"
import { useState } from "preact/hooks"
import { createOrder, type Filter, leadAddress, nextOpenLead } from "#console/LeadOrder.ts"
import { useAction } from "#console/Requests.ts"
import { useSession } from "#console/Session.tsx"

export const useStartReview = (list: string, filter: Filter) => {
  const session = useSession()
  /** Whether no open lead matches the filter. */
  const [isEmpty, setEmpty] = useState(false)
  const start = useAction(async () => {
    const narrowed = Struct.omit(filter, ["status", "review", "sort"])
    const order = createOrder(list, { ...narrowed, status: "completed", review: "open", sort: "findings" })
    const first = await nextOpenLead(session, order, -1)
    setEmpty(first === undefined)
    if (first !== undefined) location.hash = leadAddress(list, first.row.position, order.filter, first.index)
  })
  return { start, isEmpty }
}
