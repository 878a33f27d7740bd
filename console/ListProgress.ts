// console/ListProgress.ts: the counts of lists, and the live progress of one list from server-sent events.
import { useEffect, useState } from "preact/hooks"
import { Effect, Stream } from "effect"
import type { List, ListEntry } from "#schema/Lists.ts"
import { type RequestState, useRequest } from "#console/Requests.ts"
import type { Client } from "#console/Api.ts"
import { onSignOut, useSession } from "#console/Session.tsx"

export const isActive = ({ processing_status }: Pick<List, "processing_status">) =>
  processing_status === "processing" || processing_status === "in_progress"

/** How many leads a list has, by outcome. */
export interface ListCounts {
  readonly leads: number
  readonly written: number
  readonly waiting: number
  readonly emails: number
}

/** Leads that are left out are not counted. */
const toListCounts = ({ emails_created = 0, leads_count = 0, leads_skipped = 0, progress }: List): ListCounts => {
  if (progress === undefined) {
    const leads = leads_count - leads_skipped
    return { leads, written: leads, waiting: 0, emails: emails_created }
  }
  const { leads_done, leads_failed, leads_skipped: skipped = 0, leads_total } = progress
  const leads = leads_total - skipped
  return { leads, written: leads_done, waiting: leads - leads_done - leads_failed, emails: 0 }
}

/** The counts of finished lists, which do not change. */
const settledCounts = new Map<string, ListCounts>()
onSignOut(() => settledCounts.clear())

/** Reads the counts with one request per list, because the list of lists does not have them. */
export const countLists = (api: Client, lists: ReadonlyArray<ListEntry>) =>
  Effect.forEach(
    lists,
    Effect.fnUntraced(function* ({ id }) {
      const known = settledCounts.get(id)
      if (known !== undefined) return [id, known] as const
      const list = yield* api.lists.getList({ params: { id } })
      const counts = toListCounts(list)
      if (list.processing_status === "completed" || list.processing_status === "failed") settledCounts.set(id, counts)
      return [id, counts] as const
    }),
    { concurrency: 5 }
  ).pipe(Effect.map((counts) => new Map(counts)))

/** Milliseconds until a broken stream is reopened. */
const reopenDelay = 3000

/** The list with its current progress. Polls when the stream is unavailable. */
export const useListProgress = (id: string): RequestState<List> => {
  const { callApi } = useSession()
  const request = useRequest((api) => api.lists.getList({ params: { id } }), [id])
  const [list, setList] = useState<List>()
  const { reload } = request
  const known = request.state === "loaded" ? request.value : undefined
  useEffect(() => setList(known), [known])
  // The server may resume a paused list, so its events are followed too.
  const active = list !== undefined && (isActive(list) || list.processing_status === "pending")
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    callApi(
      (api) =>
        api.lists.followList({ params: { id } }).pipe(
          Effect.flatMap(
            Stream.runForEach((message) =>
              Effect.sync(() => {
                if (stop.signal.aborted) return
                if (message.event === "end") {
                  ended = true
                  setList(message.data)
                } else {
                  const { processing_status, progress } = message.data
                  setList((list) => list && { ...list, processing_status, progress })
                }
              })
            )
          )
        ),
      stop.signal
    )
      .catch(() => {})
      .finally(() => {
        if (!ended && !stop.signal.aborted) timer = setTimeout(reload, reopenDelay)
      })
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
    // Reopens the stream after each new response.
  }, [id, active, known])
  return request.state === "loaded" ? { ...request, value: list ?? request.value } : request
}
