// layers/model/DetectServer.ts: detects the kind of a model server, and how it has loaded a model.
import { Effect, Option, Redacted, Schema } from "effect"
import { isIP } from "node:net"
import { fetch } from "#layers/model/ModelFetch.ts"

/** Kinds of servers that need different requests. */
export const apis = ["openai", "ollama", "lmstudio", "llamacpp"] as const
export type Api = (typeof apis)[number]

export const apiNames: { readonly [A in Api]: string } = {
  openai: "OpenAI's API",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp"
}

/** The address and key of a server. */
export interface Address {
  readonly api?: Api | undefined
  readonly url: string | undefined
  readonly key: Redacted.Redacted
}

/** Timeout for requests about the server itself. */
const inspectMillis = 3000

const isPrivateHost = (host: string): boolean =>
  (isIP(host) === 4 && /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)) ||
  /^\[(?:::1\]|f[cd]|fe80:)/.test(host) ||
  // A host name without a dot is a container or a machine in the local network.
  !/[.:]/.test(host) ||
  /\.(?:local|lan|internal|localhost)$/.test(host)

/** Whether the server is on this machine or in the local network, where a GPU answers few requests at a time. */
export const isLocal = (url: string | undefined): boolean =>
  url !== undefined && URL.canParse(url) && isPrivateHost(new URL(url).hostname)

/** The URL without the path of an API. */
export const serverRoot = (url: string): string => url.replace(/\/+$/, "").replace(/\/(?:v1|api)$/, "")

export const authorization = (key: Redacted.Redacted): { readonly [name: string]: string } =>
  Redacted.value(key) === "none" ? {} : { authorization: `Bearer ${Redacted.value(key)}` }

/** Fetches a JSON document from the server: none if the answer is another one, a failure if there is no answer. */
const fetchDocument = <S extends Schema.ConstraintDecoder<unknown>>(
  { key, url = "" }: Address,
  path: string,
  schema: S,
  body?: unknown
) =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(`${serverRoot(url)}${path}`, {
      signal,
      headers: { ...authorization(key), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    const text = await response.text()
    return response.ok ? text : ""
  }).pipe(
    Effect.timeout(inspectMillis),
    Effect.map((text) => Schema.decodeOption(Schema.fromJsonString(schema))(text))
  )

const Version = Schema.Struct({ version: Schema.String })
/** A server that reports a larger context is in error, and its answer is not used. */
const maxContext = 1_000_000_000
const Context = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxContext }))
const isContext = Schema.is(Context)
const LmStudioModels = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      state: Schema.String,
      loaded_context_length: Schema.optionalKey(Schema.NullOr(Context)),
      max_context_length: Schema.optionalKey(Schema.NullOr(Context))
    })
  )
})
const Props = Schema.Struct({
  default_generation_settings: Schema.Struct({ n_ctx: Context }),
  total_slots: Schema.optionalKey(Context)
})

/** The kind of server; undefined while a local server cannot be reached. Remote servers are not probed. */
export const recogniseServer = Effect.fnUntraced(
  function* (settings: Address) {
    if (settings.api !== undefined) return settings.api
    if (!isLocal(settings.url)) return "openai" as const
    if (Option.isSome(yield* fetchDocument(settings, "/api/version", Version))) return "ollama" as const
    if (Option.isSome(yield* fetchDocument(settings, "/api/v0/models", LmStudioModels))) return "lmstudio" as const
    if (Option.isSome(yield* fetchDocument(settings, "/props", Props))) return "llamacpp" as const
    return "openai" as const
  },
  Effect.orElseSucceed(() => undefined)
)

/** How a server has loaded the model. */
export interface LoadedModel {
  /** Whether the model is in memory; otherwise the first answer takes longer. */
  readonly isLoaded: boolean
  /** Context size in tokens, for prompt and answer together. */
  readonly context: number | undefined
  /** The largest context that the model allows. */
  readonly ceiling: number | undefined
  /** Requests answered at the same time. */
  readonly slots: number | undefined
}
const unknownState: LoadedModel = { isLoaded: false, context: undefined, ceiling: undefined, slots: undefined }

const ModelDetails = Schema.Struct({
  model_info: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  details: Schema.optionalKey(Schema.NullOr(Schema.Struct({ family: Schema.optionalKey(Schema.String) })))
})
const RunningModels = Schema.Struct({
  models: Schema.NullOr(
    Schema.Array(Schema.Struct({ name: Schema.String, context_length: Schema.optionalKey(Schema.NullOr(Schema.Int)) }))
  )
})

/** Compares names like Ollama, which adds `:latest` to a name without a tag. */
const isSameModel = (one: string, other: string) => {
  const withTag = (name: string) => (/:[^/]*$/.test(name) ? name : `${name}:latest`)
  return withTag(one) === withTag(other)
}

/** Details of a model in Ollama: its largest context, and whether its reasoning cannot be turned off. */
export const ollamaModelDetails = (settings: Address, model: string) =>
  fetchDocument(settings, "/api/show", ModelDetails, { model }).pipe(
    Effect.map(
      Option.map(({ details, model_info }) => {
        const [, ceiling] = Object.entries(model_info ?? {}).find(([name]) => name.endsWith(".context_length")) ?? []
        return {
          ceiling: isContext(ceiling) ? ceiling : undefined,
          alwaysThinks: details?.family === "gptoss"
        }
      })
    ),
    Effect.orElseSucceed(() => Option.none())
  )

const inspectOllama = (settings: Address, model: string) =>
  fetchDocument(settings, "/api/ps", RunningModels).pipe(
    Effect.map((response) => {
      const models = Option.isSome(response) ? (response.value.models ?? []) : []
      const runningModel = models.find(({ name }) => isSameModel(name, model))
      const length = runningModel?.context_length
      return { ...unknownState, isLoaded: runningModel !== undefined, context: isContext(length) ? length : undefined }
    })
  )

const inspectLmStudio = (settings: Address, model: string) =>
  fetchDocument(settings, "/api/v0/models", LmStudioModels).pipe(
    Effect.map((response) => {
      const models = Option.isSome(response) ? response.value.data : []
      const entry = models.find(({ id }) => id === model)
      const isLoaded = entry?.state === "loaded"
      return {
        ...unknownState,
        isLoaded,
        context: isLoaded ? (entry.loaded_context_length ?? undefined) : undefined,
        ceiling: entry?.max_context_length ?? undefined
      }
    })
  )

const inspectLlamaCpp = (settings: Address) =>
  fetchDocument(settings, "/props", Props).pipe(
    Effect.map(
      Option.match({
        onNone: () => unknownState,
        onSome: ({ default_generation_settings: { n_ctx }, total_slots }) => ({
          isLoaded: true,
          context: n_ctx,
          ceiling: n_ctx,
          slots: total_slots
        })
      })
    )
  )

/** How the server has loaded the model, as far as it tells. Never fails: the next request reports the problem. */
export const inspectServer = (settings: Address, api: Api, model: string): Effect.Effect<LoadedModel> => {
  const inspection = {
    ollama: inspectOllama(settings, model),
    lmstudio: inspectLmStudio(settings, model),
    llamacpp: inspectLlamaCpp(settings),
    openai: Effect.succeed(unknownState)
  }[api]
  return Effect.orElseSucceed(inspection, () => unknownState)
}
