// src/http/ErrorReply.ts: the body of an error in the format that the caller prefers. All errors of parsed requests use
// it.
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

/** `body` is the encoded error. Adds `Vary: Accept`, because caches must keep both formats apart. */
export const errorReply = (status: number, body: unknown, context: RequestContext | undefined): TextReply => {
  if (!isEnvelope(body)) return { status, text: JSON.stringify(body) }
  if (context !== undefined) context.headers = { ...context.headers, vary: "Accept" }
  return prefersProblem(context?.accept)
    ? { status, type: problemType, text: JSON.stringify(problemOf(status, body)) }
    : { status, text: JSON.stringify(body) }
}
