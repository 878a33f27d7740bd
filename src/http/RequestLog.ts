// src/http/RequestLog.ts: one line a request, noted as it ends and written a little later, off the request's own way.
import { Context, Effect, Layer } from "effect"
import type { Facts } from "#src/http/Facts.ts"

interface Line extends Pick<Facts, "request_id" | "method" | "route" | "workspace" | "key"> {
  readonly at: number
  readonly status: number
  readonly ms: number
}

export class RequestLog extends Context.Service<RequestLog, { readonly note: (line: Line) => void }>()(
  "overture/src/http/RequestLog"
) {
  static readonly layerNone = Layer.succeed(RequestLog, { note: () => {} })

  /** Hands what has gathered to `write`, four times a second and at the end. */
  static readonly layer = (write: (lines: ReadonlyArray<Line>) => void) =>
    Layer.effect(
      RequestLog,
      Effect.gen(function* () {
        let lines: Array<Line> = []
        const flush = Effect.sync(() => {
          if (lines.length === 0) return
          write(lines)
          lines = []
        })
        yield* flush.pipe(Effect.delay(250), Effect.forever, Effect.forkScoped)
        yield* Effect.addFinalizer(() => flush)
        return { note: (line) => void lines.push(line) }
      })
    )
}

export const toJson = ({ at, ...line }: Line) =>
  JSON.stringify({ timestamp: new Date(at).toISOString(), level: "INFO", message: "request", ...line })

export const toPretty = ({ at, method, ms, request_id, route, status }: Line) =>
  `[${new Date(at).toISOString().slice(11, 23)}] ${status} ${method} ${route ?? "(no route)"} ${ms} ms ${request_id}`
