// scripts/chaos/Client.ts: requests of the callers. Every error must have the envelope and a readable message, and a missing answer
// must be explained by a fault.
import { Effect } from "effect"
import { type Answer, sendRequest } from "#test/support/api-client.ts"
import type { Findings } from "./Findings.ts"
import type { Environment } from "./Environment.ts"

/** A path without its ids and its query. */
const routeOf = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id").replace(/\?.*/, "")

interface RequestOptions {
  /** A form or a text is sent as it is, and anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Closes the connection after this many milliseconds. */
  readonly hangUpAfterMillis?: number
  /** Whether the request waits for a model. */
  readonly asksModel?: boolean
}

/** Undefined when there was no answer because of an injected fault. */
export type Send = (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answer | undefined>

/** Longer than any request takes, so that only one that hangs times out. */
const requestTimeoutMillis = 240_000
/** The longest write to a store that cannot be written: the busy timeout, and the writes before it in the queue. */
const maxWriteMillis = 20_000

/** Internal details that an error message must not contain. */
const internalText = /SqlError|SQLITE|at .*\.ts:\d|node:internal|\[object|undefined/

/** Checks that an error has the envelope and a readable message, and that a 5xx is explained by a fault. */
const checkResponse = (
  findings: Findings,
  { body, headers, status }: Answer,
  request: { readonly route: string; readonly startedAtMillis: number; readonly asksModel: boolean }
) => {
  findings.count(`answers ${status}`)
  const description = `${request.route}: ${status}`
  if (status < 300) return
  if (status >= 500) findings.count(`5xx: ${description}`)
  const text = JSON.stringify(body)?.slice(0, 300)
  if (
    headers.get("content-type")?.startsWith("application/json") !== true ||
    typeof body?.error !== "string" ||
    typeof body.message !== "string" ||
    body.message.length < 5 ||
    body.request_id !== headers.get("x-request-id") ||
    typeof body.request_id !== "string"
  ) {
    findings.report(`${description} without the envelope: ${text}`)
  } else if (internalText.test(body.message)) findings.report(`${description} with an unreadable message: ${text}`)
  if (
    status >= 500 &&
    !findings.isExcused("store", request.startedAtMillis) &&
    !findings.isExcused("server", request.startedAtMillis)
  ) {
    if (!request.asksModel || !findings.isExcused("model", request.startedAtMillis))
      findings.report(`${description} for no reason: ${text}`)
  }
}

/** A caller with this key. */
export const makeClient = ({ findings, server }: Pick<Environment, "findings" | "server">, key: string): Send =>
  Effect.fnUntraced(function* (method, path, options = {}) {
    const { asksModel = false, body, hangUpAfterMillis, headers } = options
    const route = `${method} ${routeOf(path)}`
    const phase = server.phase()
    const startedAt = performance.now()
    findings.count("requests")
    const result = yield* Effect.tryPromise({
      try: (aborted) => {
        const signal = AbortSignal.any([aborted, AbortSignal.timeout(hangUpAfterMillis ?? requestTimeoutMillis)])
        return sendRequest(server.url(), key, { method, path, body, headers, signal })
      },
      catch: (thrown) => ({ thrown })
    }).pipe(Effect.result)
    const elapsedMillis = performance.now() - startedAt
    if (result._tag === "Success") {
      checkResponse(findings, result.success, { route, startedAtMillis: startedAt, asksModel })
      if (!asksModel) {
        findings.recordMax("slowest answer without a model, ms", elapsedMillis)
        if (elapsedMillis > maxWriteMillis) {
          findings.report(`${route} took ${Math.round(elapsedMillis)} ms`)
        }
      }
      return result.success
    }
    if (hangUpAfterMillis !== undefined) findings.count("hung up")
    else if (phase % 2 === 1 && server.phase() === phase) {
      const { thrown } = result.failure
      const reason = thrown instanceof Error ? `${thrown.message} ${String(thrown.cause)}` : String(thrown)
      findings.report(`${route} had no answer after ${Math.round(elapsedMillis)} ms: ${reason}`)
    } else findings.count("cut off by a kill or a stop")
    return undefined
  })
