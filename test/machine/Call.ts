// test/machine/Call.ts: a request of a walk, and what must be answered to it.
import type { Answer } from "#test/support/answers.ts"
import type { Mood } from "./Background.ts"

export interface Expected {
  readonly status: number
  readonly error?: string
  readonly detail?: unknown
  /** What else must be true of the answer, and what is learnt from it. */
  readonly says?: (answer: Answer) => void
  /** The answer comes of work that is done in this mood; `lost` work is found by workers that begin after it. */
  readonly takes?: { readonly mood: Mood; readonly lost?: boolean; readonly of: "preview" | "list" }
}

export interface Call {
  readonly who: number
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Refused for its form, before anybody asks what it is about or whether it came before. */
  readonly malformed?: boolean
  /** Whether the answer comes of background work of its own, so that all other work is best done before. */
  readonly works?: () => boolean
  /** Evaluated once, just before the request is sent; the model is then what the service has to become. */
  readonly expect: () => Expected
}

export const refuse = (status: number, error: string, detail?: unknown): Expected => ({
  status,
  error,
  ...(detail === undefined ? {} : { detail })
})
export const badRequest = refuse(400, "BAD_REQUEST")
export const forbidden = refuse(403, "FORBIDDEN")
export const notFound = refuse(404, "NOT_FOUND")
export const internalError = refuse(500, "INTERNAL_ERROR")

export const ok = (status: number, body: (body: any) => void): Expected => ({
  status,
  says: (answer) => body(answer.body)
})

/** An Idempotency-Key; 0 is none. */
export const keyed = (key: number) => (key === 0 ? undefined : `key-${key}`)
