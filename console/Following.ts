// console/Following.ts: lists with their counts, and the progress of one by the server's events.
import { useEffect, useState } from "preact/hooks"
import { Effect, Stream } from "effect"
import type { List, ListEntry } from "#schema/Lists.ts"
import { type Asked, useAsk } from "#console/Asking.ts"
import type { Client } from "#console/Api.ts"
import { onSignOut, useSession } from "#console/Session.tsx"

export const isActive = ({ processing_status }: Pick<List, "processing_status">) =>
  processing_status === "processing" || processing_status === "in_progress"

/** How many leads a list has, and what came of them. */
export interface Counts {
  readonly leads: number
  readonly written: number
  readonly waiting: number
  readonly emails: number
}

const countsOf = ({ emails_created = 0, leads_count = 0, progress }: List): Counts => {
  if (progress === undefined) return { leads: leads_count, written: leads_count, waiting: 0, emails: emails_created }
  const { leads_done, leads_failed, leads_total } = progress
  return { leads: leads_total, written: leads_done, waiting: leads_total - leads_done - leads_failed, emails: 0 }
}

/** The counts of lists that are done; they do not change. */
const settled = new Map<string, Counts>()
onSignOut(() => settled.clear())

/** Reads the counts of lists, which the API states with each list alone. */
export const countLists = (api: Client, lists: ReadonlyArray<ListEntry>) =>
  Effect.forEach(
    lists,
    Effect.fnUntraced(function* ({ id }) {
      const known = settled.get(id)
      if (known !== undefined) return [id, known] as const
      const list = yield* api.lists.getList({ params: { id } })
      const counts = countsOf(list)
      if (list.processing_status === "completed" || list.processing_status === "failed") settled.set(id, counts)
      return [id, counts] as const
    }),
    { concurrency: 5 }
  ).pipe(Effect.map((counts) => new Map(counts)))

/** Milliseconds until a broken stream is reopened. */
const pause = 3000

/** The list with its current progress. Polls when the stream is unavailable. */
export const useList = (id: string): Asked<List> => {
  const { ask } = useSession()
  const asked = useAsk((api) => api.lists.getList({ params: { id } }), [id])
  const [list, setList] = useState<List>()
  const { again } = asked
  const known = asked.state === "there" ? asked.value : undefined
  useEffect(() => setList(known), [known])
  // A paused list may resume by itself.
  const active = list !== undefined && (isActive(list) || list.processing_status === "pending")
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    ask(
      (api) =>
        api.lists.followList({ params: { id } }).pipe(
          Effect.flatMap(
            Stream.runForEach((news) =>
              Effect.sync(() => {
                if (stop.signal.aborted) return
                if (news.event === "end") {
                  ended = true
                  setList(news.data)
                } else {
                  const { processing_status, progress } = news.data
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
        if (!ended && !stop.signal.aborted) timer = setTimeout(again, pause)
      })
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
    // Follows again after each new answer.
  }, [id, active, known])
  return asked.state === "there" ? { ...asked, value: list ?? asked.value } : asked
}
