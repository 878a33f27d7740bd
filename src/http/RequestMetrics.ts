// src/http/RequestMetrics.ts: how many requests, how they end, how long they take, and how many are under way.
import { Effect } from "effect"
import { observe, requestDuration, requests, requestsInFlight } from "#layers/Metrics.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * Notes an answer and its milliseconds. Answers without a route share one series, and so do methods that do not exist, or a
 * stranger could make up as many series as they like.
 */
export const measure = Effect.map(Effect.context<never>(), (context) => {
  // Finding a series by its labels takes longer than the rest of a request's accounting.
  const series = new Map<string, (millis: number) => void>()
  return (method: string, route = "other", status: number, millis: number) => {
    const named = methods.has(method) ? method : "other"
    const labels = `${named} ${status} ${route}`
    let note = series.get(labels)
    if (note === undefined) {
      const count = requests({ method: named, route, status: String(status) })
      const duration = requestDuration({ method: named, route })
      note = (millis) => {
        count.updateUnsafe(1, context)
        duration.updateUnsafe(millis / 1000, context)
      }
      series.set(labels, note)
    }
    note(millis)
  }
})

let underWay = 0

/** Counts requests from their headers to the end of the answer or of the connection, whichever comes first. */
export const count = {
  in: (): void => void underWay++,
  out: (): void => void underWay--
}

/** Shows the count for as long as the scope lasts. */
export const inFlight = observe(requestsInFlight, () => ({ value: underWay }))
