// layers/model/Client.ts: one attempt at an OpenAI-compatible server, through the openai package.
import { Clock, Duration, Effect, Redacted, Schema } from "effect"
import type { OpenAI } from "openai"
import { type Fault, faultOf, garbage } from "#layers/model/Faults.ts"
import { fetch } from "#layers/model/Fetch.ts"
import type { Parameters, Sampling } from "#layers/model/Sampling.ts"

export interface Settings {
  /** Undefined for OpenAI itself. */
  readonly url: string | undefined
  readonly key: Redacted.Redacted
  readonly model: string
  /** The model that checks claims; the writer's own by default. */
  readonly verifier?: string | undefined
  readonly sampling?: Sampling | undefined
}

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** The messages to the model, and the format of its answer. */
export interface Asked {
  readonly messages: ReadonlyArray<Message>
  readonly format: OpenAI.ChatCompletionCreateParams["response_format"]
  readonly model: string
  readonly parameters: Parameters
}

const tokens = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const absent = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The fields of a completion that are read; servers differ in the others. */
export const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      finish_reason: absent(Schema.String),
      message: Schema.Struct({ content: absent(Schema.String), refusal: absent(Schema.String) })
    })
  ),
  usage: absent(
    Schema.Struct({
      prompt_tokens: absent(tokens),
      completion_tokens: absent(tokens),
      prompt_tokens_details: absent(Schema.Struct({ cached_tokens: absent(tokens) }))
    })
  )
})
export type Completion = typeof Completion.Type

const Listed = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })
/** Timeout for a server's list of models. */
const listMillis = 10_000

export interface Client {
  readonly complete: (asked: Asked) => Effect.Effect<Completion, Fault>
  /** The names of the server's models. */
  readonly models: Effect.Effect<ReadonlyArray<string>, Fault>
}

/** Every failure of the server becomes a `Fault`. */
export const make = (settings: Settings, attemptMillis: number): Client => {
  let sdk: Promise<OpenAI> | undefined
  // Loaded on first use: it takes a quarter of a second, and most commands never need it.
  const client = Effect.promise(
    () =>
      (sdk ??= import("openai").then(
        ({ OpenAI }) =>
          new OpenAI({
            apiKey: Redacted.value(settings.key),
            baseURL: settings.url ?? "https://api.openai.com/v1",
            maxRetries: 0,
            timeout: 2 * attemptMillis,
            fetch,
            // The package can log whole requests, and reads its level from the environment.
            logLevel: "off"
          })
      ))
  )

  /** The answer of `call`, decoded with `schema`, within a time limit. */
  const answered = <S extends Schema.ConstraintDecoder<unknown>>(
    call: (signal: AbortSignal) => Promise<unknown>,
    schema: S,
    parameters: Parameters,
    millis: number
  ) =>
    // The timeout is set here because the package measures time by a clock that may be set forward or back.
    Effect.tryPromise({ try: call, catch: (thrown) => ({ thrown }) }).pipe(
      Effect.catch(({ thrown }) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => Effect.fail(faultOf(thrown, at, parameters)))
      ),
      Effect.timeoutOrElse({
        duration: millis,
        orElse: () => {
          const limit = Duration.format(Duration.millis(millis))
          return Effect.fail<Fault>({ what: `did not answer within ${limit}`, kind: "passing" })
        }
      }),
      Effect.flatMap((answer) => Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), () => garbage))
    )

  const complete = Effect.fnUntraced(function* ({ format, messages, model, parameters }: Asked) {
    const { chat } = yield* client
    const sent = {
      ...parameters,
      model,
      messages: [...messages],
      ...(format === undefined ? {} : { response_format: format })
    }
    return yield* answered(
      async (signal) => (await chat.completions.create(sent, { signal }).asResponse()).json(),
      Completion,
      parameters,
      attemptMillis
    )
  })

  const models = Effect.gen(function* () {
    const { models } = yield* client
    const { data } = yield* answered(
      async (signal) => (await models.list({ signal }).asResponse()).json(),
      Listed,
      {},
      Math.min(attemptMillis, listMillis)
    )
    return data.map(({ id }) => id)
  })

  return { complete, models }
}
