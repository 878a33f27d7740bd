// scripts/chaos/Client.ts: the callers. Each answer is looked at: an error has the envelope and words for a person, and
// what nobody answers must have a fault to blame.
import { Effect } from "effect"
import type { Findings } from "./Findings.ts"
import type { Stand } from "./Stand.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body, or its text where it is none. */
  readonly body: any
}

interface Sent {
  readonly body?: unknown
  readonly form?: FormData
  readonly headers?: Record<string, string>
  /** Hangs up after so long. */
  readonly hangUpAfter?: number
  /** Somebody waits for a model in it. */
  readonly asksModel?: boolean
}

/** Nothing when no answer came, and that is nobody's fault but the script's. */
export type Send = (method: string, path: string, sent?: Sent) => Effect.Effect<Answer | undefined>

export interface Client {
  readonly as: (key: string) => Send
}

/** Longer than any work, so that only what hangs is given up. */
const longest = 240_000
/** A write that waits for a store that cannot be written: the busy time-out, and what stands before it in the queue. */
const longestWrite = 20_000

/** What a caller cannot do anything with. */
const unreadable = /SqlError|SQLITE|at .*\.ts:\d|node:internal|\[object|undefined/

export const make = ({ findings, stand }: { readonly findings: Findings; readonly stand: Stand }): Client => {
  const inspect = (method: string, path: string, answer: Answer, from: number, sent: Sent) => {
    const { body, headers, status } = answer
    findings.count(`answers ${status}`)
    const what = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id").replace(/\?.*/, "")}: ${status}`
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
    } else if (unreadable.test(body.message)) findings.broken(`${what} with words for nobody: ${text}`)
    if (status >= 500 && !findings.excused("store", from) && !findings.excused("gone", from)) {
      if (sent.asksModel !== true || !findings.excused("model", from)) findings.broken(`${what} for no reason: ${text}`)
    }
  }

  return {
    as: (key) =>
      Effect.fnUntraced(function* (method, path, sent = {}) {
        const phase = stand.phase()
        const from = performance.now()
        findings.count("requests")
        const asked = yield* Effect.tryPromise({
          try: async (signal): Promise<Answer> => {
            const ends = AbortSignal.any([signal, AbortSignal.timeout(sent.hangUpAfter ?? longest)])
            const json = sent.body === undefined ? undefined : JSON.stringify(sent.body)
            const response = await fetch(`${stand.url()}/api/v1${path}`, {
              method,
              signal: ends,
              headers: {
                authorization: `Bearer ${key}`,
                ...(json === undefined ? {} : { "content-type": "application/json" }),
                ...sent.headers
              },
              ...(json === undefined && sent.form === undefined ? {} : { body: sent.form ?? json ?? "" })
            })
            const text = await response.text()
            const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
            return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
          },
          catch: (thrown) => ({ thrown })
        }).pipe(Effect.result)
        const took = performance.now() - from
        if (asked._tag === "Success") {
          inspect(method, path, asked.success, from, sent)
          if (sent.asksModel !== true) {
            findings.most("slowest answer without a model, ms", took)
            if (took > longestWrite) {
              findings.broken(`${method} ${path.replace(/[0-9a-f-]{36}/g, ":id")} took ${Math.round(took)} ms`)
            }
          }
          return asked.success
        }
        if (sent.hangUpAfter !== undefined) findings.count("hung up")
        else if (phase % 2 === 1 && stand.phase() === phase) {
          const { thrown } = asked.failure
          const why = thrown instanceof Error ? `${thrown.message} ${String(thrown.cause)}` : String(thrown)
          findings.broken(
            `${method} ${path.replace(/[0-9a-f-]{36}/g, ":id")} had no answer after ${Math.round(took)} ms: ${why}`
          )
        } else findings.count("cut off by a kill or a stop")
        return undefined
      })
  }
}
