// layers/model/Ollama.ts: one attempt to call Ollama's own API, which accepts a context size with each request.
import { Effect, Predicate, Schema } from "effect"
import {
  decodeAnswer,
  type CompletionRequest,
  type Client,
  type Completion,
  modelListMillis,
  type ClientSettings,
  TokenCount
} from "#layers/model/Client.ts"
import { fetch } from "#layers/model/ModelFetch.ts"
import type { Size } from "#layers/model/ContextSize.ts"
import { authorization, serverRoot } from "#layers/model/DetectServer.ts"

/** How long the model stays loaded after an answer: enough for a person to read the answer. */
const keepAlive = "30m"

/** An error response of Ollama, with the fields that `Faults.ts` reads. */
class OllamaRefused extends Error {
  readonly status: number
  readonly headers: Headers
  readonly code: string
  /** The request parameter that Ollama refuses. */
  readonly param: string | undefined

  constructor(status: number, headers: Headers, message: string) {
    super(message)
    this.status = status
    this.headers = headers
    this.code = errorCode(status, message)
    this.param = status === 400 && /\bthink/i.test(message) ? "reasoning_effort" : undefined
  }
}

const errorCode = (status: number, message: string): string => {
  if (status >= 500 && /\bmemory\b/i.test(message)) return "out_of_memory"
  if (status === 503) return "queue_full"
  if (status === 404) return "model_missing"
  return status >= 400 && /grammar|\bformat\b|schema/i.test(message) ? "format_refused" : ""
}

/** The message of an error response. */
const errorMessage = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    return Predicate.hasProperty(body, "error") ? String(body.error) : text
  } catch {
    return text
  }
}

const OllamaAnswer = Schema.Struct({
  message: Schema.Struct({ content: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
  done_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  // Omitted by Ollama if 0.
  prompt_eval_count: Schema.optionalKey(Schema.NullOr(TokenCount)),
  eval_count: Schema.optionalKey(Schema.NullOr(TokenCount))
})

const OllamaModels = Schema.Struct({ models: Schema.NullOr(Schema.Array(Schema.Struct({ name: Schema.String }))) })

/** Ollama's reasoning option. Models that cannot stop reasoning get the lowest level. */
const thinkingOption = (effort: unknown, alwaysThinks: boolean): boolean | string => {
  if (effort === undefined || effort === "none") return alwaysThinks ? "low" : false
  if (effort === "minimal") return "low"
  return effort === "xhigh" ? "high" : String(effort)
}

const responseFormat = (format: CompletionRequest["format"]) => {
  if (format?.type === "json_schema") return { format: format.json_schema.schema }
  return format?.type === "json_object" ? { format: "json" } : {}
}

/** The body of a request. */
const requestBody = (
  { format, messages, model, parameters }: CompletionRequest,
  size: Size,
  alwaysThinks: boolean
) => ({
  model,
  messages,
  stream: false,
  think: thinkingOption(parameters.reasoning_effort, alwaysThinks),
  keep_alive: keepAlive,
  // Makes newer versions refuse a prompt that is too long, instead of truncating it.
  truncate: false,
  shift: false,
  ...responseFormat(format),
  options: {
    num_ctx: size.context,
    // A limit, because a model that repeats itself would not stop.
    num_predict: size.answer,
    ...(parameters.temperature === undefined ? {} : { temperature: parameters.temperature }),
    ...(parameters.seed === undefined ? {} : { seed: parameters.seed })
  }
})

const toCompletion = ({
  done_reason,
  eval_count,
  message,
  prompt_eval_count
}: typeof OllamaAnswer.Type): Completion => ({
  choices: [{ finish_reason: done_reason ?? null, message: { content: message.content ?? "" } }],
  usage: { prompt_tokens: prompt_eval_count ?? 0, completion_tokens: eval_count ?? 0 }
})

export interface Ollama extends Pick<Client, "models"> {
  readonly complete: (
    request: CompletionRequest,
    options: { readonly size: Size; readonly alwaysThinks: boolean; readonly millis: number }
  ) => ReturnType<Client["complete"]>
}

export const make = (settings: ClientSettings): Ollama => {
  const root = serverRoot(settings.url ?? "http://127.0.0.1:11434")
  const headers = { "content-type": "application/json", ...authorization(settings.key) }

  const fetchJson = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await fetch(`${root}${path}`, { headers, ...init })
    const text = await response.text()
    if (!response.ok) throw new OllamaRefused(response.status, response.headers, errorMessage(text))
    return JSON.parse(text)
  }

  return {
    complete: (request, { alwaysThinks, millis, size }) => {
      const body = JSON.stringify(requestBody(request, size, alwaysThinks))
      return Effect.map(
        decodeAnswer(
          (signal) => fetchJson("/api/chat", { method: "POST", body, signal }),
          OllamaAnswer,
          request.parameters,
          millis
        ),
        toCompletion
      )
    },
    models: decodeAnswer((signal) => fetchJson("/api/tags", { signal }), OllamaModels, {}, modelListMillis).pipe(
      Effect.map(({ models }) => (models ?? []).flatMap(({ name }) => [name, name.replace(/:latest$/, "")]))
    )
  }
}
