// layers/model/ModelServer.ts: the configured model server, called in the way of its kind.
import { Effect, Option, Semaphore } from "effect"
import {
  type CompletionRequest,
  type Client,
  type Completion,
  make as makeOpenAi,
  type ClientSettings
} from "#layers/model/Client.ts"
import { isComplete, type Size, promptSize, promptTooLong, promptTruncated } from "#layers/model/ContextSize.ts"
import type { ModelFault } from "#layers/model/Faults.ts"
import * as Ollama from "#layers/model/Ollama.ts"
import type { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import {
  type Api,
  type LoadedModel,
  inspectServer,
  recogniseServer,
  ollamaModelDetails
} from "#layers/model/DetectServer.ts"

/** Information about the server, for people. */
export interface ServerInfo {
  /** Undefined until the server was reached. */
  readonly api: Api | undefined
  readonly host: string
  /**
   * Context size in tokens, for prompt and answer together; undefined if there is no limit or the server does not tell.
   */
  readonly context: number | undefined
  /** Concurrent requests; undefined if there is no limit. */
  readonly atOnce: number | undefined
}

export interface Server extends Client {
  readonly serverInfo: () => ServerInfo
  /** Detects the kind of server and how it has loaded the model. */
  readonly detect: Effect.Effect<void>
  /** Runs a request when the server has a free slot. */
  readonly withConcurrencyLimit: <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** Default for OVERTURE_CONCURRENCY: a local GPU gains little from several requests at the same time. */
const defaultConcurrency = (api: Api, slots: number | undefined): number | undefined =>
  ({ ollama: 1, lmstudio: 2, llamacpp: Math.min(slots ?? 1, 2), openai: undefined })[api]

const contextHints: { readonly [A in Api]: string } = {
  openai: "Raise OVERTURE_MODEL_CONTEXT, or set OVERTURE_MODEL to a model with a larger context.",
  ollama: "Raise OVERTURE_MODEL_CONTEXT (num_ctx), or set OVERTURE_MODEL to a model with a larger context.",
  lmstudio: "Load the model in LM Studio with a larger context length.",
  llamacpp: "Start llama-server with a larger --ctx-size; --parallel divides it."
}

/** Turns reasoning off, if the model's chat template can and OVERTURE_REASONING_EFFORT does not ask for it. */
const withoutReasoning = ({ parameters }: CompletionRequest) =>
  parameters.reasoning_effort === undefined || parameters.reasoning_effort === "none"
    ? { chat_template_kwargs: { enable_thinking: false } }
    : undefined

const capTokens = (...limits: ReadonlyArray<number | undefined>): number | undefined => {
  const setLimits = limits.filter((limit) => limit !== undefined)
  return setLimits.length === 0 ? undefined : Math.min(...setLimits)
}

export const make = (settings: ClientSettings, policy: RetryPolicy): Server => {
  const localMillis = settings.answerMillis ?? policy.localMillis
  const coldMillis = Math.max(localMillis, policy.coldMillis)
  const openAi = makeOpenAi(settings, settings.answerMillis ?? policy.attemptMillis)
  const ollama = Ollama.make(settings)
  const host = new URL(settings.url ?? "https://api.openai.com").host

  let api: Api | undefined = settings.api
  let loadedModel: LoadedModel | undefined
  let concurrency:
    | { readonly atOnce: number | undefined; readonly semaphore: Semaphore.Semaphore | undefined }
    | undefined
  /** The largest context used so far, by model, because a smaller one would reload the model. */
  const contextSizes = new Map<string, number>()
  const modelDetails = new Map<string, { readonly ceiling: number | undefined; readonly alwaysThinks: boolean }>()

  const inspectModel = Effect.fnUntraced(function* (model: string) {
    api ??= yield* recogniseServer(settings)
    const loaded = yield* inspectServer(settings, api ?? "openai", model)
    if (api === undefined) return { api: "openai" as const, loaded }
    if (model === settings.model)
      loadedModel = { ...loaded, ceiling: loaded.ceiling ?? modelDetails.get(model)?.ceiling }
    if (concurrency === undefined) {
      const atOnce = api === "openai" ? undefined : (settings.atOnce ?? defaultConcurrency(api, loaded.slots))
      concurrency = { atOnce, semaphore: atOnce === undefined ? undefined : Semaphore.makeUnsafe(atOnce) }
    }
    return { api, loaded }
  })

  const findModelDetails = Effect.fnUntraced(function* (model: string) {
    const cached = modelDetails.get(model)
    if (cached !== undefined) return cached
    const details = yield* ollamaModelDetails(settings, model)
    if (Option.isSome(details)) modelDetails.set(model, details.value)
    return Option.getOrElse(details, () => ({ ceiling: undefined, alwaysThinks: false }))
  })

  /** The completion, unless the server truncated the prompt. */
  const checkPromptSize =
    ({ messages }: CompletionRequest, kind: Api, context: number | undefined) =>
    (completion: Completion) => {
      const read = completion.usage?.prompt_tokens ?? 0
      return read === 0 || isComplete(messages, read, context)
        ? Effect.succeed(completion)
        : Effect.fail(promptTruncated(read, context, contextHints[kind]))
    }

  const askOllama = Effect.fnUntraced(function* (request: CompletionRequest, loaded: LoadedModel) {
    const { model, parameters } = request
    const { alwaysThinks, ceiling } = yield* findModelDetails(model)
    const maxContext = capTokens(ceiling, settings.context) ?? Number.POSITIVE_INFINITY
    const requestedTokens = parameters.max_completion_tokens ?? parameters.max_tokens
    // Another process may have loaded the model with a larger context, which is used instead of reloading the model.
    const floor = Math.min(Math.max(contextSizes.get(model) ?? 0, loaded.context ?? 0), maxContext)
    const answer = requestedTokens === undefined ? undefined : Number(requestedTokens)
    const size: Size | { readonly needs: number } = promptSize(request.messages, { answer, ceiling: maxContext, floor })
    if ("needs" in size) return yield* Effect.fail(promptTooLong(size.needs, maxContext, contextHints.ollama))
    contextSizes.set(model, size.context)
    const isModelReady = loaded.isLoaded && (loaded.context ?? 0) >= size.context
    return yield* ollama
      .complete(request, { size, alwaysThinks, millis: isModelReady ? localMillis : coldMillis })
      .pipe(Effect.flatMap(checkPromptSize(request, "ollama", size.context)))
  })

  const askOther = Effect.fnUntraced(function* (request: CompletionRequest, kind: Api, loaded: LoadedModel) {
    const maxContext = capTokens(loaded.context, settings.context)
    if (maxContext !== undefined) {
      const size = promptSize(request.messages, { answer: undefined, ceiling: maxContext, floor: 0 })
      if ("needs" in size) return yield* Effect.fail(promptTooLong(size.needs, maxContext, contextHints[kind]))
    }
    if (kind === "openai") return yield* openAi.complete(request)
    const millis = loaded.isLoaded ? localMillis : coldMillis
    const extra = kind === "llamacpp" ? withoutReasoning(request) : undefined
    return yield* openAi
      .complete({ ...request, millis, extra })
      .pipe(Effect.flatMap(checkPromptSize(request, kind, loaded.context)))
  })

  const complete = Effect.fnUntraced(function* (request: CompletionRequest): Effect.fn.Return<Completion, ModelFault> {
    const { api, loaded } = yield* inspectModel(request.model)
    return yield* api === "ollama" ? askOllama(request, loaded) : askOther(request, api, loaded)
  })

  return {
    complete,
    models: Effect.flatMap(inspectModel(settings.model), ({ api }) =>
      api === "ollama" ? ollama.models : openAi.models
    ),
    detect: Effect.gen(function* () {
      const { api } = yield* inspectModel(settings.model)
      if (api !== "ollama") return
      const { ceiling } = yield* findModelDetails(settings.model)
      if (loadedModel !== undefined) loadedModel = { ...loadedModel, ceiling }
    }),
    withConcurrencyLimit: (request) =>
      Effect.andThen(
        Effect.suspend(() => (concurrency === undefined ? inspectModel(settings.model) : Effect.void)),
        Effect.suspend(() =>
          concurrency?.semaphore === undefined ? request : concurrency.semaphore.withPermit(request)
        )
      ),
    serverInfo: () => ({
      api,
      host,
      context: capTokens(api === "ollama" ? loadedModel?.ceiling : loadedModel?.context, settings.context),
      atOnce: concurrency?.atOnce
    })
  }
}
