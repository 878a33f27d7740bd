// layers/model/Faults.ts: what can go wrong with one request to a model server, sorted by what is to be done about it.
import { Predicate, Schema } from "effect"
import { type Parameters, refusedOf } from "#layers/model/Sampling.ts"

/** What went wrong with one attempt. Never in the server's words: they may hold the key or what was asked. */
export interface Fault {
  readonly what: string
  /** What the operator should look at, where more is known than that the server failed. */
  readonly hint?: string | undefined
  /**
   * `passing`: the next attempt may do; `busy`: it may, and the server is well. `standing`: somebody has to mend it.
   * `request`, `content`: this one is refused, for its form or for what it says.
   */
  readonly kind: "passing" | "busy" | "standing" | "request" | "content"
  /** How long the server asks to be left alone. */
  readonly pauseMillis?: number | undefined
  /** The sampling parameter that the server refused, where its answer names one that was sent. */
  readonly parameter?: string | undefined
}

export const garbage: Fault = { what: "answered with something that is no completion", kind: "passing" }
export const open: Fault = { what: "failed again and again and is left alone for a while", kind: "standing" }

/** The answer cannot be used; another one may be. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", {
  message: Schema.String,
  /** As far as it went. */
  said: Schema.String
}) {}

/** The server will not take this request as it is. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  message: Schema.String,
  /** It is the content that it objects to. */
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
  401: ": check OPENAI_API_KEY",
  402: ": the account has no credit",
  403: ": the key may not use this model",
  404: ": check OVERTURE_MODEL and OPENAI_BASE_URL"
}

export const faultOf = (error: unknown, at: number, sent: Parameters = {}): Fault => {
  if (Predicate.hasProperty(error, "status") && typeof error.status === "number") {
    const code = Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
    const headers =
      Predicate.hasProperty(error, "headers") && error.headers instanceof Headers ? error.headers : undefined
    const kind = kindOf(error.status, code)
    const hint = code === "insufficient_quota" ? ": the account's quota is used up" : hints[error.status]
    return {
      what: `answered ${error.status}`,
      hint: kind === "standing" ? hint : undefined,
      kind,
      pauseMillis: pauseOf(headers, at),
      parameter: kind === "request" ? refusedOf(sent, error) : undefined
    }
  }
  return error instanceof SyntaxError ? garbage : { what: "could not be reached or broke off", kind: "passing" }
}
