// src/http/RequestLog.ts: records each request: a log line, which is buffered so that requests do not wait for it, and
// metrics.
import { Context, Effect, Layer } from "effect"
import type { RequestContext } from "#src/http/RequestContext.ts"
import { observe, requestDuration, requests, requestsInFlight } from "#layers/Metrics.ts"

export interface RequestLine extends Pick<RequestContext, "request_id" | "method" | "route" | "workspace" | "key"> {
  /** Epoch milliseconds at the end of the request, so that log lines are in order. */
  readonly endedAt: number
  readonly status: number
  readonly ms: number
}

/** Flushes of all request logs. Other log lines call them first, to keep the order. */
export const PendingLines = Context.Reference<Set<() => void>>("overture/src/http/PendingLines", {
  defaultValue: () => new Set()
})

export class RequestLog extends Context.Service<RequestLog, { readonly add: (line: RequestLine) => void }>()(
  "overture/src/http/RequestLog"
) {
  static readonly layerNone = Layer.succeed(RequestLog, { add: () => {} })

  /** Passes buffered lines to `write` four times a second, before other log lines, and at the end. */
  static readonly layer = (write: (lines: ReadonlyArray<RequestLine>) => void) =>
    Layer.effect(
      RequestLog,
      Effect.gen(function* () {
        const pending = yield* PendingLines
        let lines: Array<RequestLine> = []
        const flush = () => {
          if (lines.length === 0) return
          write(lines)
          lines = []
        }
        pending.add(flush)
        yield* Effect.sync(flush).pipe(Effect.delay(250), Effect.forever, Effect.forkScoped)
        yield* Effect.addFinalizer(() => Effect.sync(() => (flush(), pending.delete(flush))))
        return { add: (line) => void lines.push(line) }
      })
    )
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * Records an answer with its duration in milliseconds. Requests without a route share one series, and so do unknown
 * methods, so that callers cannot create series at will.
 */
export const requestMetrics = Effect.map(Effect.context<never>(), (context) => {
  // Cached, because looking up a series by its labels takes longer than updating it.
  const series = new Map<string, (millis: number) => void>()
  return (method: string, route = "other", status: number, millis: number) => {
    const methodLabel = methods.has(method) ? method : "other"
    const labels = `${methodLabel} ${status} ${route}`
    let update = series.get(labels)
    if (update === undefined) {
      const counter = requests({ method: methodLabel, route, status: String(status) })
      const duration = requestDuration({ method: methodLabel, route })
      update = (millis) => {
        counter.updateUnsafe(1, context)
        duration.updateUnsafe(millis / 1000, context)
      }
      series.set(labels, update)
    }
    update(millis)
  }
})

let inFlightCount = 0

/** Counts requests in flight, from their headers to the end of the answer or the connection. */
export const inFlightCounter = {
  increment: (): void => void inFlightCount++,
  decrement: (): void => void inFlightCount--
}

/** Exposes the number of requests in flight until the scope closes. */
export const observeInFlight = observe(requestsInFlight, () => ({ value: inFlightCount }))
