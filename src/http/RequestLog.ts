// src/http/RequestLog.ts: logs one line per request. Lines are buffered, so that writing them does not delay requests.
import { Context, Effect, Layer } from "effect"
import type { RequestContext } from "#src/http/RequestContext.ts"

export interface RequestLine extends Pick<RequestContext, "request_id" | "method" | "route" | "workspace" | "key"> {
  /** Epoch milliseconds at the end of the request, so that log lines are in order. */
  readonly at: number
  readonly status: number
  readonly ms: number
}

/** Flushes of all request logs. Other log lines call them first, to keep the order. */
export const PendingLines = Context.Reference<Set<() => void>>("overture/src/http/PendingLines", {
  defaultValue: () => new Set()
})

export class RequestLog extends Context.Service<RequestLog, { readonly note: (line: RequestLine) => void }>()(
  "overture/src/http/RequestLog"
) {
  static readonly layerNone = Layer.succeed(RequestLog, { note: () => {} })

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
        return { note: (line) => void lines.push(line) }
      })
    )
}
