// layers/model/Client.ts: one attempt to call an OpenAI-compatible server, through the openai package.
import { Clock, Duration, Effect, Redacted, Schema } from "effect"
import type { OpenAI } from "openai"
import { type ModelFault, toModelFault, unreadableAnswer } from "#layers/model/Faults.ts"
import { fetch } from "#layers/model/ModelFetch.ts"
import type { RequestParameters, Sampling } from "#layers/model/Sampling.ts"
import type { Address } from "#layers/model/DetectServer.ts"

/** If `api` is undefined, the kind of server is detected; if `url` is undefined, the server is OpenAI. */
export interface ClientSettings extends Address {
  readonly model: string
  /** The model that verifies claims; the writer by default. */
  readonly verifier?: string | undefined
  readonly sampling?: Sampling | undefined
  /** The largest context to use, in tokens; the server's by default. */
  readonly context?: number | undefined
  /** Concurrent requests; the default depends on the kind of server. */
  readonly atOnce?: number | undefined
  /** Timeout for an answer, in milliseconds; the default depends on the kind of server. */
  readonly answerMillis?: number | undefined
}

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** The messages to the model, and the format of its answer. */
export interface CompletionRequest {
  readonly messages: ReadonlyArray<Message>
  readonly format: OpenAI.ChatCompletionCreateParams["response_format"]
  readonly model: string
  readonly parameters: RequestParameters
  /** Timeout for the answer, in milliseconds. */
  readonly millis?: number | undefined
  /** Additional fields for this kind of server. */
  readonly extra?: { readonly [name: string]: unknown } | undefined
}

/** A count of tokens as a server reports it; `ModelProvider` limits what is recorded. */
export const TokenCount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const optionalNullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The fields of a completion that are read; servers differ in the others. */
export const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      finish_reason: optionalNullable(Schema.String),
      message: Schema.Struct({ content: optionalNullable(Schema.String), refusal: optionalNullable(Schema.String) })
    })
  ),
  usage: optionalNullable(
    Schema.Struct({
      prompt_tokens: optionalNullable(TokenCount),
      completion_tokens: optionalNullable(TokenCount),
      prompt_tokens_details: optionalNullable(Schema.Struct({ cached_tokens: optionalNullable(TokenCount) }))
    })
  )
})
export type Completion = typeof Completion.Type

const ModelList = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })
/** Timeout for a server's list of models. */
export const modelListMillis = 10_000

export interface Client {
  readonly complete: (request: CompletionRequest) => Effect.Effect<Completion, ModelFault>
  /** The names of the server's models. */
  readonly models: Effect.Effect<ReadonlyArray<string>, ModelFault>
}

/** Decodes the answer of `call` by `schema`, within `millis`. Every failure becomes a `ModelFault`. */
export const decodeAnswer = <S extends Schema.ConstraintDecoder<unknown>>(
  call: (signal: AbortSignal) => Promise<unknown>,
  schema: S,
  parameters: RequestParameters,
  millis: number
) =>
  // Effect's timeout, because the package measures time by the system clock, which may be changed. The package gets twice
  // the time, so that this timeout comes first.
  Effect.tryPromise({ try: call, catch: (thrown) => ({ thrown }) }).pipe(
    Effect.catch(({ thrown }) =>
      Effect.flatMap(Clock.currentTimeMillis, (currentMillis) =>
        Effect.fail(toModelFault(thrown, currentMillis, parameters))
      )
    ),
    Effect.timeoutOrElse({
      duration: millis,
      orElse: () => {
        const limit = Duration.format(Duration.millis(millis))
        return Effect.fail<ModelFault>({ what: `did not answer within ${limit}`, kind: "passing" })
      }
    }),
    Effect.flatMap((answer) => Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), () => unreadableAnswer))
  )

export const make = (settings: ClientSettings, attemptMillis: number): Client => {
  let sdk: Promise<OpenAI> | undefined
  // Imported on first use: it takes a quarter of a second, and most commands do not need it.
  const client = Effect.promise(
    () =>
      (sdk ??= import("openai").then(
        ({ OpenAI }) =>
          new OpenAI({
            apiKey: Redacted.value(settings.key),
            baseURL: settings.url ?? "https://api.openai.com/v1",
            maxRetries: 0,
            fetch,
            // Off, because the package can log whole requests and takes its level from the environment.
            logLevel: "off"
          })
      ))
  )

  const complete = Effect.fnUntraced(function* ({
    extra,
    format,
    messages,
    millis = attemptMillis,
    model,
    parameters
  }: CompletionRequest) {
    const { chat } = yield* client
    const body = {
      ...parameters,
      ...extra,
      model,
      messages: [...messages],
      ...(format === undefined ? {} : { response_format: format })
    }
    return yield* decodeAnswer(
      async (signal) => (await chat.completions.create(body, { signal, timeout: 2 * millis }).asResponse()).json(),
      Completion,
      parameters,
      millis
    )
  })

  const models = Effect.gen(function* () {
    const { models: modelApi } = yield* client
    const { data } = yield* decodeAnswer(
      async (signal) => (await modelApi.list({ signal, timeout: 2 * modelListMillis }).asResponse()).json(),
      ModelList,
      {},
      Math.min(attemptMillis, modelListMillis)
    )
    return data.map(({ id }) => id)
  })

  return { complete, models }
}
