// scripts/chaos/Client.ts: the callers. Every error must have the envelope and a readable message, and a missing answer
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
  /** Hangs up after so long. */
  readonly hangUpAfter?: number
  /** Whether the request waits for a model. */
  readonly asksModel?: boolean
}

/** Undefined when there was no answer because of an injected fault. */
export type Send = (method: string, path: string, sent?: RequestOptions) => Effect.Effect<Answer | undefined>

/** Longer than any work, so that only what hangs is given up. */
const requestTimeoutMillis = 240_000
/** A write that waits for a store that cannot be written: the busy time-out, and what stands before it in the queue. */
const longestWrite = 20_000

/** What a caller cannot do anything with. */
const unreadable = /SqlError|SQLITE|at .*\.ts:\d|node:internal|\[object|undefined/

/** An error has the envelope, words for a person, and a fault to blame where it is the server's. */
const checkAnswer = (
  findings: Findings,
  { body, headers, status }: Answer,
  request: { readonly route: string; readonly from: number; readonly asksModel: boolean }
) => {
  findings.count(`answers ${status}`)
  const what = `${request.route}: ${status}`
  if (status < 300) return
  if (status >= 500) findings.count(`5xx: ${what}`)
  const text = JSON.stringify(body)?.slice(0, 300)
  if (
    headers.get("content-type")?.startsWith("application/json") !== true ||
    typeof body?.error !== "string" ||
    typeof body.message !== "string" ||
    body.message.length < 5 ||
    body.request_id !== headers.get("x-request-id") ||
    typeof body.request_id !== "string"
  ) {
    findings.broken(`${what} without the envelope: ${text}`)
  } else if (unreadable.test(body.message)) findings.broken(`${what} with an unreadable message: ${text}`)
  if (status >= 500 && !findings.isExcused("store", request.from) && !findings.isExcused("gone", request.from)) {
    if (!request.asksModel || !findings.isExcused("model", request.from))
      findings.broken(`${what} for no reason: ${text}`)
  }
}

/** A caller with this key. */
export const client = ({ findings, server }: Pick<Environment, "findings" | "server">, key: string): Send =>
  Effect.fnUntraced(function* (method, path, sent = {}) {
    const { asksModel = false, body, hangUpAfter, headers } = sent
    const route = `${method} ${routeOf(path)}`
    const phase = server.phase()
    const from = performance.now()
    findings.count("requests")
    const result = yield* Effect.tryPromise({
      try: (aborted) => {
        const signal = AbortSignal.any([aborted, AbortSignal.timeout(hangUpAfter ?? requestTimeoutMillis)])
        return sendRequest(server.url(), key, { method, path, body, headers, signal })
      },
      catch: (thrown) => ({ thrown })
    }).pipe(Effect.result)
    const took = performance.now() - from
    if (result._tag === "Success") {
      checkAnswer(findings, result.success, { route, from, asksModel })
      if (!asksModel) {
        findings.recordMax("slowest answer without a model, ms", took)
        if (took > longestWrite) {
          findings.broken(`${route} took ${Math.round(took)} ms`)
        }
      }
      return result.success
    }
    if (hangUpAfter !== undefined) findings.count("hung up")
    else if (phase % 2 === 1 && server.phase() === phase) {
      const { thrown } = result.failure
      const why = thrown instanceof Error ? `${thrown.message} ${String(thrown.cause)}` : String(thrown)
      findings.broken(`${route} had no answer after ${Math.round(took)} ms: ${why}`)
    } else findings.count("cut off by a kill or a stop")
    return undefined
  })
