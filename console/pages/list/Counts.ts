// console/pages/list/Counts.ts: how many leads of a list there are of each kind: by outcome, by review, and with a failing finding.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { LeadStatus } from "#schema/ListLeads.ts"
import type { List } from "#schema/Lists.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { isActive } from "#console/ListProgress.ts"
import type { Filter } from "#console/LeadOrder.ts"

export type CountKind = LeadStatus | "all"

/** The number of leads that match a filter. */
export const countLeads = (api: Client, list: string, filter: Filter) =>
  Effect.map(
    api.lists.listLeads({ params: { id: list }, query: { ...filter, limit: 1, offset: 0 } }),
    ({ total }) => total
  )

export interface LeadCounts {
  readonly kinds: Readonly<Record<CountKind, number>>
  readonly review: { readonly open: number; readonly approved: number; readonly rejected: number }
  /** Open leads with a finding that must change. */
  readonly failing: number
}

/** Milliseconds between two readings of a list that is being written. */
const refreshInterval = 5000

/** How far a list is, as a text that changes at most every few seconds; its last change is never lost. */
export const useListStage = (list: List): string => {
  const { processing_status, progress } = list
  const now = `${processing_status} ${progress?.leads_done} ${progress?.leads_failed}`
  const [stage, setStage] = useState(now)
  const changedAt = useRef(Date.now())
  const isQuick = !isActive(list)
  useEffect(() => {
    if (now === stage) return
    const wait = isQuick ? 0 : changedAt.current + refreshInterval - Date.now()
    const timer = setTimeout(() => {
      changedAt.current = Date.now()
      setStage(now)
    }, wait)
    return () => clearTimeout(timer)
  }, [now, stage])
  return stage
}

/** Milliseconds after the last decision until the reviews are counted again. */
const settleDelay = 500

export const useLeadCounts = (list: List, stage: string) => {
  const { id, progress } = list
  // A list that is being written states its outcomes itself.
  const isStated = progress !== undefined
  const outcomes = useRequest(
    (api) => {
      const count = (status: LeadStatus) => countLeads(api, id, { status })
      return isStated
        ? Effect.undefined
        : Effect.all(
            {
              completed: count("completed"),
              failed: count("failed"),
              pending: count("pending"),
              skipped: count("skipped")
            },
            { concurrency: 4 }
          )
    },
    [id, isStated]
  )
  const reviews = useRequest(
    (api) => {
      const count = (filter: Filter) => countLeads(api, id, { status: "completed", ...filter })
      return Effect.all(
        {
          approved: count({ review: "approved" }),
          rejected: count({ review: "rejected" }),
          failing: count({ review: "open", severity: "fail" })
        },
        { concurrency: 3 }
      )
    },
    [id]
  )
  const first = useRef(stage)
  useEffect(() => {
    if (first.current === stage) return
    first.current = stage
    reviews.again()
    if (!isStated) outcomes.again()
  }, [stage])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const counted = outcomes.state === "there" ? outcomes.value : undefined
  return {
    counts:
      reviews.state === "there" && (isStated || counted !== undefined)
        ? countsOf(list, counted, reviews.value)
        : undefined,
    /** Counts the reviews again once no more decisions follow. */
    recount: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(reviews.again, settleDelay)
    }
  }
}

const kindsOf = (
  { progress }: List,
  found: Readonly<Record<LeadStatus, number>> | undefined
): Readonly<Record<CountKind, number>> => {
  if (progress !== undefined) {
    const { leads_done: completed, leads_failed: failed, leads_skipped: skipped = 0, leads_total: all } = progress
    return { all, completed, failed, pending: all - completed - failed - skipped, skipped }
  }
  const { completed = 0, failed = 0, pending = 0, skipped = 0 } = found ?? {}
  return { all: completed + failed + pending + skipped, completed, failed, pending, skipped }
}

const countsOf = (
  list: List,
  found: Readonly<Record<LeadStatus, number>> | undefined,
  { approved, failing, rejected }: Readonly<Record<"approved" | "rejected" | "failing", number>>
): LeadCounts => {
  const kinds = kindsOf(list, found)
  return { kinds, review: { open: Math.max(0, kinds.completed - approved - rejected), approved, rejected }, failing }
}
