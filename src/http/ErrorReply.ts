// src/http/ErrorReply.ts: the body of an error in the form that its caller prefers. Every error of a parsed request is written here.
import { isEnvelope, problemOf, problemType } from "#schema/Problem.ts"
import { prefersProblem } from "#src/http/Accept.ts"
import type { RequestContext } from "#src/http/RequestContext.ts"

export interface TextReply {
  readonly status: number
  /** JSON. */
  readonly text: string
  /** The media type, `application/json` by default. */
  readonly type?: typeof problemType
}

/** `body` is the encoded error. Caches keep both forms apart, since the answer then varies by the Accept header. */
export const errorReply = (status: number, body: unknown, context: RequestContext | undefined): TextReply => {
  if (!isEnvelope(body)) return { status, text: JSON.stringify(body) }
  if (context !== undefined) context.headers = { ...context.headers, vary: "Accept" }
  return prefersProblem(context?.accept)
    ? { status, type: problemType, text: JSON.stringify(problemOf(status, body)) }
    : { status, text: JSON.stringify(body) }
}
