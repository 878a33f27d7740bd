// src/http/RequestMetrics.ts: metrics of requests: count, status, duration, and requests in flight.
import { Effect } from "effect"
import { observe, requestDuration, requests, requestsInFlight } from "#layers/Metrics.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * Records an answer with its duration in milliseconds. Requests without a route share one series, and so do unknown
 * methods, so that callers cannot create series at will.
 */
export const measure = Effect.map(Effect.context<never>(), (context) => {
  // Cached, because looking up a series by its labels takes longer than updating it.
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

/** Counts requests in flight, from their headers to the end of the answer or the connection. */
export const count = {
  in: (): void => void underWay++,
  out: (): void => void underWay--
}

/** Exposes the number of requests in flight until the scope closes. */
export const inFlight = observe(requestsInFlight, () => ({ value: underWay }))
