// src/http/RequestMetrics.ts: how many requests, how they end, how long they take, and how many are under way.
import { Effect } from "effect"
import { observe, requestDuration, requests, requestsInFlight } from "#layers/Metrics.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Notes answers of one kind by how long each took. What no endpoint answered is of one route, or a stranger could make up as many as they like. */
export const measure = Effect.map(
  Effect.context<never>(),
  (context) =>
    (method: string, route = "other", status: number) => {
      const named = methods.has(method) ? method : "other"
      const count = requests({ method: named, route, status: String(status) })
      const duration = requestDuration({ method: named, route })
      return (millis: number) => {
        count.updateUnsafe(1, context)
        duration.updateUnsafe(millis / 1000, context)
      }
    }
)

let underWay = 0

/** Counts requests from their headers to the end of the answer or of the connection, whichever comes first. */
export const count = {
  in: (): void => void underWay++,
  out: (): void => void underWay--
}

/** Shows the count for as long as the scope lasts. */
export const inFlight = observe(requestsInFlight, () => ({ value: underWay }))
