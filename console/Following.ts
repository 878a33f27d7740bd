// console/Following.ts: follows a list's progress by the server's events.
import { useEffect, useState } from "preact/hooks"
import { Effect, Stream } from "effect"
import type { List } from "#schema/Lists.ts"
import { type Asked, useAsk } from "#console/Asking.ts"
import { useSession } from "#console/Session.tsx"

export const isActive = ({ processing_status }: Pick<List, "processing_status">) =>
  processing_status === "processing" || processing_status === "in_progress"

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
