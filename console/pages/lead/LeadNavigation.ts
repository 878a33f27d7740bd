// console/pages/lead/LeadNavigation.ts: the previous and next lead, in the order of the list or of a filter.
import { useEffect, useState } from "preact/hooks"
import type { ReviewedLead } from "#schema/Review.ts"
import { toProblem, type Problem } from "#console/Api.ts"
import type { DecisionPage } from "#console/Decisions.ts"
import {
  leadAddress,
  type LeadOrder,
  nextOpenLead,
  getOrCreateOrder,
  pageSize,
  parseOrderParam,
  useRenderOnOrderChange
} from "#console/LeadOrder.ts"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

export interface LeadNavigation {
  readonly previous: string | undefined
  readonly next: string | undefined
  /** The number of the lead, from 1, and the number of leads; undefined until they are loaded. */
  readonly leadNumber: number | undefined
  readonly total: number | undefined
  /** Whether the leads are a review queue: a decision then opens the next open lead. */
  readonly isQueue: boolean
  /** The next open lead of the queue, or the list when there is none. */
  readonly nextOpen: () => Promise<{ readonly address: string; readonly page: DecisionPage }>
  readonly problem: Problem | undefined
}

/** Loads the part of an order that contains a lead and its neighbours. `expectedIndex` is where the address expects the lead. */
const useNeighbours = (order: LeadOrder, leadId: string | undefined, expectedIndex: number, isNeeded: boolean) => {
  const session = useSession()
  const [problem, setProblem] = useState<Problem>()
  useRenderOnOrderChange(order)
  useEffect(() => {
    if (!isNeeded || leadId === undefined) return
    const find = async () => {
      if (order.indexOf(leadId) === undefined) await order.load(session, Math.floor(expectedIndex / pageSize))
      // The lead may have moved since the address was created.
      if (order.indexOf(leadId) === undefined) await order.load(session, 0)
      const index = order.indexOf(leadId)
      if (index !== undefined) await Promise.all([order.rowAt(session, index - 1), order.rowAt(session, index + 1)])
    }
    find().catch((error: unknown) => setProblem(toProblem(error)))
  }, [order, leadId])
  return { index: order.indexOf(leadId), problem }
}

export const useLeadNavigation = (
  list: string,
  position: number,
  address: string | undefined,
  lead: ReviewedLead | undefined,
  totalOfList: number | undefined
): LeadNavigation => {
  const session = useSession()
  const { filter, index: expectedIndex } = parseOrderParam(address)
  const order = getOrCreateOrder(list, filter)
  const isListOrder = Object.keys(filter).length === 0
  const { index, problem } = useNeighbours(order, lead?.id, expectedIndex, !isListOrder)
  const toNextOpen = async () => {
    const next = await nextOpenLead(session, order, index ?? -1)
    if (next === undefined) return { address: routeTo("lists", list), page: "list" as const }
    const { position } = next.row
    return { address: leadAddress(list, position, filter, next.index), page: position }
  }
  if (isListOrder) {
    const total = totalOfList
    return {
      previous: position > 1 ? routeTo("lists", list, position - 1) : undefined,
      next: total !== undefined && position < total ? routeTo("lists", list, position + 1) : undefined,
      leadNumber: position,
      total,
      isQueue: false,
      nextOpen: toNextOpen,
      problem
    }
  }
  const addressAt = (index: number) => {
    const row = order.rows.get(index)
    return row === undefined ? undefined : leadAddress(list, row.position, filter, index)
  }
  return {
    previous: index === undefined ? undefined : addressAt(index - 1),
    next: addressAt(index === undefined ? 0 : index + 1),
    leadNumber: index === undefined ? undefined : index + 1,
    total: order.total(),
    isQueue: filter.review === "open",
    nextOpen: toNextOpen,
    problem
  }
}
