// scripts/chaos/soak/Calls.ts: sends requests, counts them, and keeps the unexpected answers.
import { Effect } from "effect"
import * as Wire from "#test/support/wire.ts"
import { routeOf } from "../Client.ts"

type Answer = Pick<Wire.Answer, "status" | "body">

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
    const name = `${method} ${routeOf(path)}: ${what}`
    tally.surprises.set(name, (tally.surprises.get(name) ?? 0) + 1)
  }
  return (call) =>
    Effect.promise(async (over) => {
      const { expect, hangUpAfter, ...sent } = call
      tally.requests++
      const signal = AbortSignal.any([over, AbortSignal.timeout(hangUpAfter ?? 120_000)])
      try {
        const { body, status } = await Wire.ask(url, key, { ...sent, signal })
        const text = typeof body === "string" ? body : JSON.stringify(body)
        if (!expect.includes(status)) surprise(call, `${status} ${text.slice(0, 200)}`)
        return { status, body }
      } catch (error) {
        if (hangUpAfter === undefined && !over.aborted) surprise(call, String(error))
        return none
      }
    })
}
