// src/http/Measure.ts: how many requests, how they end, how long they take, and how many are under way.
import { Effect } from "effect"
import type { Server } from "node:http"
import { observe, requestDuration, requests, requestsInFlight } from "#layers/Metrics.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Notes one answer. What no endpoint answered is of one route, or a stranger could make up as many as they like. */
export const measure = Effect.map(
  Effect.context<never>(),
  (context) =>
    (method: string, route = "other", status: number, millis: number) => {
      const named = methods.has(method) ? method : "other"
      requests({ method: named, route, status: String(status) }).updateUnsafe(1, context)
      requestDuration({ method: named, route }).updateUnsafe(millis / 1000, context)
    }
)

let underWay = 0

/** Counts requests from their headers to the end of the answer or of the connection, whichever comes first. */
export const watch = (server: Server) =>
  server.on("request", (_, response) => {
    underWay++
    response.once("close", () => underWay--)
  })

/** Shows the count for as long as the scope lasts. */
export const inFlight = observe(requestsInFlight, () => ({ value: underWay }))
