// layers/model/Faults.ts: the failures of a request to a model server, by what can be done about them.
import { Predicate, Schema } from "effect"
import { type Parameters, refusedOf } from "#layers/model/Sampling.ts"

/** The failure of one attempt. Never quotes the server, whose message may contain the key or the prompt. */
export interface Fault {
  /** Continues the sentence "The model server …". */
  readonly what: string
  /** What the operator should check, as a sentence; by default the server and its address. */
  readonly hint?: string | undefined
  /**
   * `passing`: the next attempt may succeed. `busy`: the same, and the server is healthy. `standing`: the operator has to
   * fix something. `request`, `content`: the server refuses this request, for its form or for its content.
   */
  readonly kind: "passing" | "busy" | "standing" | "request" | "content"
  /** Status of the answer, if there was one. */
  readonly status?: number | undefined
  /** The pause that the server asks for. */
  readonly pauseMillis?: number | undefined
  /** The sampling parameter that the server refused, if its answer names one that was sent. */
  readonly parameter?: string | undefined
}

export const garbage: Fault = {
  what: "answered with something that is no completion",
  hint: "Check that OPENAI_BASE_URL ends where its API does, often in /v1.",
  kind: "passing"
}
/** The circuit is open, so nothing was sent. */
export const open: Fault = { what: "failed several times in a row", kind: "standing" }

/** Hints name settings and never show their values. */
const checkServer = "Check that it runs, and that OPENAI_BASE_URL names it."

/** A fault in the operator's words. */
export const problemOf = ({ hint = checkServer, what }: Pick<Fault, "hint" | "what">, attempts = 1): string =>
  `The model server ${what}${attempts > 1 ? ` (${attempts} attempts)` : ""}. ${hint}`

/** The answer cannot be used; another attempt may give a better one. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", {
  message: Schema.String,
  /** The answer, or its beginning. */
  said: Schema.String
}) {}

/** The server refuses this request. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  message: Schema.String,
  /** Whether it refuses the content, and not the form. */
  content: Schema.Boolean,
  parameter: Schema.optionalKey(Schema.UndefinedOr(Schema.String))
}) {}

const pauseOf = (headers: Headers | undefined, at: number): number | undefined => {
  const millis = Number(headers?.get("retry-after-ms") ?? Number.NaN)
  if (millis >= 0) return millis
  const said = headers?.get("retry-after") ?? ""
  const pause = /^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - at
  return Number.isFinite(pause) ? Math.max(0, pause) : undefined
}

const contentCodes = /content|policy|moderat|safety|context_length|too_long|max_tokens/i

const kindOf = (status: number, code: string): Fault["kind"] => {
  if (status === 429) return code === "insufficient_quota" ? "standing" : "busy"
  if (status === 408 || status === 409 || status === 425 || status >= 500) return "passing"
  if (contentCodes.test(code) || status === 413) return "content"
  return status === 401 || status === 402 || status === 403 || status === 404 ? "standing" : "request"
}

const hints: { readonly [status: number]: string } = {
  401: "It refuses the key: check OPENAI_API_KEY.",
  402: "The account that OPENAI_API_KEY belongs to has no credit.",
  403: "The key may not use this model: check OPENAI_API_KEY and OVERTURE_MODEL.",
  404: "It does not know the model or the address: check OVERTURE_MODEL and OPENAI_BASE_URL.",
  429: "It gets more requests than it takes: wait, or lower OVERTURE_CONCURRENCY."
}

const noConnection = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

/** Whether no connection was made; the client wraps the reason several times. */
const isUnreachable = (error: unknown, depth = 5): boolean =>
  depth > 0 &&
  Predicate.isObject(error) &&
  (("code" in error && noConnection.test(String(error.code))) ||
    ("cause" in error && isUnreachable(error.cause, depth - 1)))

export const faultOf = (error: unknown, at: number, sent: Parameters = {}): Fault => {
  if (Predicate.hasProperty(error, "status") && typeof error.status === "number") {
    const code = Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
    const headers =
      Predicate.hasProperty(error, "headers") && error.headers instanceof Headers ? error.headers : undefined
    const kind = kindOf(error.status, code)
    const hint =
      code === "insufficient_quota"
        ? "The quota is used up of the account that OPENAI_API_KEY belongs to."
        : hints[error.status]
    return {
      what: `answered ${error.status}`,
      hint: kind === "standing" || kind === "busy" ? hint : undefined,
      kind,
      status: error.status,
      pauseMillis: pauseOf(headers, at),
      parameter: kind === "request" ? refusedOf(sent, error) : undefined
    }
  }
  if (error instanceof SyntaxError) return garbage
  return { what: isUnreachable(error) ? "cannot be reached" : "broke off its answer", kind: "passing" }
}
