// layers/model/Faults.ts: failures of requests to a model server, grouped by what can be done about them.
import { Predicate, Schema } from "effect"
import { findRefusedParameter, type RequestParameters } from "#layers/model/Sampling.ts"

/** The failure of one attempt. Does not quote the server, whose message may contain the key or the prompt. */
export interface ModelFault {
  /** Continues the sentence "The model server …". */
  readonly what: string
  /** What the operator should check, as a sentence; by default that the server runs and its address is right. */
  readonly hint?: string | undefined
  /**
   * `passing`: a retry may succeed. `busy`: likewise, and the server is healthy. `standing`: the operator has to fix
   * something. `request`, `content`: the server refuses the form or the content of this request.
   */
  readonly kind: "passing" | "busy" | "standing" | "request" | "content"
  /** HTTP status of the answer, if there was one. */
  readonly status?: number | undefined
  /** The pause that the server requests. */
  readonly pauseMillis?: number | undefined
  /** The sampling parameter that the server refused, if its answer names one that was sent. */
  readonly parameter?: string | undefined
}

export const unreadableAnswer: ModelFault = {
  what: "answered with something that is no completion",
  hint: "Check that OPENAI_BASE_URL ends where its API does, often in /v1.",
  kind: "passing"
}
/** Thrown where a response is not read further. */
export class RefusedResponse extends Error {
  readonly fault: ModelFault

  constructor(fault: ModelFault) {
    super(fault.what)
    this.fault = fault
  }
}

/** The circuit is open, so nothing was sent. */
export const breakerOpen: ModelFault = { what: "failed several times in a row", kind: "standing" }

/** Hints name settings, never their values. */
const checkServer = "Check that it runs, and that OPENAI_BASE_URL names it."

/** The error message for the operator. */
export const faultMessage = ({ hint = checkServer, what }: Pick<ModelFault, "hint" | "what">, attempts = 1): string =>
  `The model server ${what}${attempts > 1 ? ` (${attempts} attempts)` : ""}. ${hint}`

/** The answer cannot be used; a retry may give a better one. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", {
  message: Schema.String,
  /** The answer or its beginning. */
  text: Schema.String
}) {}

/** The server refuses this request. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  message: Schema.String,
  /** Whether the content is refused; otherwise the form. */
  content: Schema.Boolean,
  parameter: Schema.optionalKey(Schema.UndefinedOr(Schema.String))
}) {}

const retryAfterMillis = (headers: Headers | undefined, currentMillis: number): number | undefined => {
  const millis = Number(headers?.get("retry-after-ms") ?? Number.NaN)
  if (millis >= 0) return millis
  const retryAfter = headers?.get("retry-after") ?? ""
  const pause = /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - currentMillis
  return Number.isFinite(pause) ? Math.max(0, pause) : undefined
}

const contentCodes = /content|policy|moderat|safety|context_length|too_long|max_tokens/i

/** Wordings of servers for a prompt that exceeds the context. */
const contextWords = /context[ _](?:size|length|window)|\bn_ctx\b/i

const errorMessage = (error: object): string => {
  const field = (name: string) =>
    Predicate.hasProperty(error, name) && typeof error[name] === "string" ? error[name] : ""
  return `${field("type")} ${field("message")}`
}

const classifyError = (status: number, code: string): ModelFault["kind"] => {
  if (code === "out_of_memory") return "standing"
  if (code === "queue_full") return "busy"
  if (code === "format_refused") return "request"
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

/** Faults of local servers only, as `what` and `hint`. */
const localFaults: { readonly [code: string]: Pick<ModelFault, "what" | "hint"> } = {
  out_of_memory: {
    what: "has not enough memory for the model",
    hint: "Choose a smaller model, or lower OVERTURE_MODEL_CONTEXT."
  },
  queue_full: { what: "is busy, and its queue is full", hint: "Wait, or lower OVERTURE_CONCURRENCY." },
  model_missing: {
    what: "does not have the model",
    hint: "Download it with ollama pull, or set OVERTURE_MODEL to a name that ollama list shows."
  }
}

const contextHint =
  "Load the model with a larger context, or set OVERTURE_MODEL to a model that has one; overture doctor shows the size."

const noConnection = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

/** Whether the connection failed; the client wraps the cause several times. */
const isUnreachable = (error: unknown, depth = 5): boolean =>
  depth > 0 &&
  Predicate.isObject(error) &&
  (("code" in error && noConnection.test(String(error.code))) ||
    ("cause" in error && isUnreachable(error.cause, depth - 1)))

/** The client wraps what its `fetch` throws. */
const refusedResponse = (error: unknown, depth = 5): ModelFault | undefined => {
  if (error instanceof RefusedResponse) return error.fault
  return depth > 0 && Predicate.hasProperty(error, "cause") ? refusedResponse(error.cause, depth - 1) : undefined
}

export const toModelFault = (error: unknown, currentMillis: number, parameters: RequestParameters = {}): ModelFault => {
  if (Predicate.hasProperty(error, "status") && typeof error.status === "number") {
    const code = Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
    const headers =
      Predicate.hasProperty(error, "headers") && error.headers instanceof Headers ? error.headers : undefined
    if (error.status !== 401 && error.status !== 429 && contextWords.test(`${code} ${errorMessage(error)}`)) {
      return {
        what: "has too small a context for this prompt",
        hint: contextHint,
        kind: "content",
        status: error.status
      }
    }
    if (error.status === 503 && /\bloading\b/i.test(errorMessage(error))) {
      return { what: "is still loading its model", hint: "Wait until it is ready.", kind: "passing", status: 503 }
    }
    const kind = classifyError(error.status, code)
    const localFault = localFaults[code]
    const hint =
      code === "insufficient_quota"
        ? "The quota is used up of the account that OPENAI_API_KEY belongs to."
        : hints[error.status]
    return {
      what: localFault?.what ?? `answered ${error.status}`,
      hint: kind === "standing" || kind === "busy" ? (localFault?.hint ?? hint) : undefined,
      kind,
      status: error.status,
      pauseMillis: retryAfterMillis(headers, currentMillis),
      parameter: kind === "request" ? findRefusedParameter(parameters, error) : undefined
    }
  }
  if (error instanceof SyntaxError) return unreadableAnswer
  const refusedFault = refusedResponse(error)
  if (refusedFault !== undefined) return refusedFault
  return { what: isUnreachable(error) ? "cannot be reached" : "broke off its answer", kind: "passing" }
}
