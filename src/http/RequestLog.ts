// src/http/RequestLog.ts: one line per request, noted as it ends and written a little later, off the request's own path.
import { Context, Effect, Layer } from "effect"
import type { RequestContext } from "#src/http/RequestContext.ts"

export interface RequestLine extends Pick<RequestContext, "request_id" | "method" | "route" | "workspace" | "key"> {
  /** When it ended, so that the lines of the log are in order. */
  readonly at: number
  readonly status: number
  readonly ms: number
}

/** Writes what waits in each request log: whatever else writes to standard error does so first, to keep the order. */
export const PendingLines = Context.Reference<Set<() => void>>("overture/src/http/PendingLines", {
  defaultValue: () => new Set()
})

export class RequestLog extends Context.Service<RequestLog, { readonly note: (line: RequestLine) => void }>()(
  "overture/src/http/RequestLog"
) {
  static readonly layerNone = Layer.succeed(RequestLog, { note: () => {} })

  /** Hands what has gathered to `write`, four times a second, before other lines of the log, and at the end. */
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
