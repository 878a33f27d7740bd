// console/Connection.ts: whether the server answers; while it does not, it is asked again with growing pauses.
import { useEffect, useState } from "preact/hooks"

type Listener = () => void

const firstPause = 1000
const longestPause = 30_000

let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<Listener>()
const waiting = new Set<Listener>()

const change = (lost: boolean) => {
  isLost = lost
  for (const watcher of watchers) watcher()
}

/** Statuses with which a proxy says that the server behind it does not answer. */
const fromProxy = [502, 503, 504]

/** Whether an answer is not the server's but that of a proxy before it. */
export const isFromProxy = (response: Response) =>
  fromProxy.includes(response.status) && response.headers.get("content-type")?.includes("json") !== true

const probe = async (pause: number) => {
  clearTimeout(timer)
  const isBack = await fetch("/api/v1/health", { cache: "no-store" }).then(
    (response) => !isFromProxy(response),
    () => false
  )
  if (!isLost) return
  if (!isBack) {
    timer = setTimeout(() => void probe(Math.min(pause * 2, longestPause)), pause)
    return
  }
  change(false)
  const ready = [...waiting]
  waiting.clear()
  for (const listener of ready) listener()
}

/** A request got no answer. */
export const noteLost = () => {
  if (isLost) return
  change(true)
  timer = setTimeout(() => void probe(firstPause * 2), firstPause)
}

/** Asks the server at once, without waiting for the pause to end. */
export const reconnect = () => {
  if (isLost) void probe(firstPause)
}

/** Calls `listener` once, when the server answers again; the returned function takes that back. */
export const onReconnect = (listener: Listener) => {
  waiting.add(listener)
  return () => void waiting.delete(listener)
}

/** Whether the server has stopped answering. */
export const useIsLost = () => {
  const [lost, setLost] = useState(isLost)
  useEffect(() => {
    const watcher = () => setLost(isLost)
    watchers.add(watcher)
    watcher()
    addEventListener("online", reconnect)
    return () => {
      watchers.delete(watcher)
      removeEventListener("online", reconnect)
    }
  }, [])
  return lost
}
