// console/Connection.ts: tracks whether the server answers; while it does not, probes it with growing pauses.
import { useEffect, useState } from "preact/hooks"

type ConnectionListener = () => void

const firstDelay = 1000
const maxDelay = 30_000

let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined
const lossListeners = new Set<ConnectionListener>()
const reconnectListeners = new Set<ConnectionListener>()

const updateConnection = (lost: boolean) => {
  isLost = lost
  for (const watcher of lossListeners) watcher()
}

/** Statuses of a proxy whose server does not answer. */
const proxyStatuses = [502, 503, 504]

/** Whether the answer comes from a proxy in front of the server. */
export const isFromProxy = (response: Response) =>
  proxyStatuses.includes(response.status) && response.headers.get("content-type")?.includes("json") !== true

const probe = async (pause: number) => {
  clearTimeout(timer)
  const isBack = await fetch("/api/v1/health", { cache: "no-store" }).then(
    (response) => !isFromProxy(response),
    () => false
  )
  if (!isLost) return
  if (!isBack) {
    timer = setTimeout(() => void probe(Math.min(pause * 2, maxDelay)), pause)
    return
  }
  updateConnection(false)
  const ready = [...reconnectListeners]
  reconnectListeners.clear()
  for (const listener of ready) listener()
}

/** Reports that a request got no answer, and starts probing. */
export const reportConnectionLost = () => {
  if (isLost) return
  updateConnection(true)
  timer = setTimeout(() => void probe(firstDelay * 2), firstDelay)
}

/** Probes the server immediately, without waiting for the pause to end. */
export const reconnect = () => {
  if (isLost) void probe(firstDelay)
}

/** Calls `listener` once, when the server answers again. Returns a function that unsubscribes it. */
export const onReconnect = (listener: ConnectionListener) => {
  reconnectListeners.add(listener)
  return () => void reconnectListeners.delete(listener)
}

/** Whether the server has stopped answering. */
export const useIsLost = () => {
  const [lost, setLost] = useState(isLost)
  useEffect(() => {
    const watcher = () => setLost(isLost)
    lossListeners.add(watcher)
    watcher()
    addEventListener("online", reconnect)
    return () => {
      lossListeners.delete(watcher)
      removeEventListener("online", reconnect)
    }
  }, [])
  return lost
}
