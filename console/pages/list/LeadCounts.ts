// console/pages/list/LeadCounts.ts: the number of leads of a list by outcome and by review.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { LeadStatus } from "#schema/ListLeads.ts"
import type { List } from "#schema/Lists.ts"
import type { ReviewCounts } from "#schema/Review.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { isActive } from "#console/ListProgress.ts"

export type CountKind = LeadStatus | "all"

const countLeads = (api: Client, list: string, status: LeadStatus) =>
  Effect.map(
    api.lists.listLeads({ params: { id: list }, query: { status, limit: 1, offset: 0 } }),
    ({ total }) => total
  )

export interface LeadCounts {
  readonly kinds: Readonly<Record<CountKind, number>>
  readonly review: ReviewCounts
}

/** Milliseconds between two readings of a list that is being written. */
const refreshInterval = 5000

/** The progress of a list as a text that changes at most every few seconds. The last change is never lost. */
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
  // A running list reports its outcomes in `progress`.
  const isStated = progress !== undefined
  const outcomes = useRequest(
    (api) => {
      const count = (status: LeadStatus) => countLeads(api, id, status)
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
  const reviews = useRequest((api) => api.review.getLastBulkReview({ params: { id } }), [id])
  const first = useRef(stage)
  useEffect(() => {
    if (first.current === stage) return
    first.current = stage
    reviews.reload()
    if (!isStated) outcomes.reload()
  }, [stage])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const counted = outcomes.state === "loaded" ? outcomes.value : undefined
  return {
    counts:
      reviews.state === "loaded" && (isStated || counted !== undefined)
        ? { kinds: kindsOf(list, counted), review: reviews.value.counts }
        : undefined,
    /** Recounts the reviews once no decision has been made for a moment. */
    recount: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(reviews.reload, settleDelay)
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
