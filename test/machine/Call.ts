// test/machine/Call.ts: a request of a test run, and the answer that is expected.
import type { Answer } from "#test/support/answers.ts"
import type { WriterState } from "./Background.ts"
import type { Lead, List } from "./Model.ts"

export interface Expected {
  readonly status: number
  readonly error?: string
  readonly detail?: unknown
  /** Checks the rest of the response, and copies new ids into the model. */
  readonly checkAnswer?: (answer: Answer) => void
  /** Background work that the answer waits for, with the writer's state; with `startsLate`, workers start after the request. */
  readonly background?: {
    readonly writerState: WriterState
    readonly startsLate?: boolean
    readonly waitsFor: "preview" | "list"
  }
  /** The list that the request exports, and the leads in the file: the service records the time of the export in the background. */
  readonly exported?: { readonly list: List; readonly leads: ReadonlyArray<Lead> }
}

export interface Call {
  readonly caller: number
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Whether the request is invalid, and so refused before its resource or its Idempotency-Key is looked up. */
  readonly malformed?: boolean
  /** Whether the request starts background work and waits for it, so that all other work is finished first. */
  readonly needsIdleWorkers?: () => boolean
  /** Runs once, just before the request is sent, and updates the model to the state that the service must reach. */
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
  checkAnswer: (answer) => body(answer.body)
})

/** An Idempotency-Key; 0 is none. */
export const idempotencyKey = (key: number) => (key === 0 ? undefined : `key-${key}`)
