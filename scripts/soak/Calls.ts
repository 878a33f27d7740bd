// scripts/soak/Calls.ts: requests, counted, and those whose answer nobody expected, kept.
import { Effect } from "effect"

interface Answer {
  readonly status: number
  readonly body: any
}

export interface Tally {
  requests: number
  leads: number
  /** By what was asked and what came back. */
  readonly surprises: Map<string, number>
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Statuses that are as they should be. */
  readonly expect: ReadonlyArray<number>
  /** Hangs up after so many milliseconds, whatever has come by then. */
  readonly hangUpAfter?: number
}

export type Send = (call: Call) => Effect.Effect<Answer>

/** Not an answer at all. */
const none: Answer = { status: 0, body: undefined }

export const calls = (url: string, key: string, tally: Tally): Send => {
  const surprise = ({ method, path }: Call, what: string) => {
    const name = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id").replace(/\?.*/, "")}: ${what}`
    tally.surprises.set(name, (tally.surprises.get(name) ?? 0) + 1)
  }
  return (call) =>
    Effect.promise(async (over) => {
      const { body, expect, hangUpAfter, headers, method, path } = call
      tally.requests++
      const raw = body instanceof FormData || typeof body === "string"
      try {
        const response = await fetch(`${url}/api/v1${path}`, {
          method,
          signal: AbortSignal.any([over, AbortSignal.timeout(hangUpAfter ?? 120_000)]),
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) })
        })
        const text = await response.text()
        if (!expect.includes(response.status)) surprise(call, `${response.status} ${text.slice(0, 200)}`)
        const json = response.headers.get("content-type")?.startsWith("application/json") === true
        return { status: response.status, body: json ? JSON.parse(text) : text }
      } catch (error) {
        if (hangUpAfter === undefined && !over.aborted) surprise(call, String(error))
        return none
      }
    })
}
