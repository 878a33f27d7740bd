// layers/model/OpenAi.ts: one request to an OpenAI-compatible server, through everything that can befall it.
import { Clock, Context, Duration, Effect, Random, Redacted, Schema } from "effect"
import type { OpenAI } from "openai"
import { elapsed } from "#layers/Elapsed.ts"
import { GenerationFailed } from "#layers/GenerationFailed.ts"
import * as Breaker from "#layers/model/Breaker.ts"
import { type Fault, faultOf, garbage, open } from "#layers/model/Faults.ts"
import { fetch } from "#layers/model/Fetch.ts"
import * as Meter from "#layers/model/Meter.ts"
import { ModelCalls } from "#layers/ModelCalls.ts"
import { traced } from "#layers/Traced.ts"

export interface Settings {
  /** None for OpenAI itself. */
  readonly url: string | undefined
  readonly key: Redacted.Redacted
  readonly model: string
}

export interface Patience {
  readonly attempts: number
  readonly attemptMillis: number
  /** Of the first pause; each next one may be twice as long. */
  readonly backoffMillis: number
  /** A server that asks for a longer pause is down. */
  readonly longestPauseMillis: number
  /** Failures in a row after which the server is left alone, and for how long. */
  readonly failures: number
  readonly restMillis: number
}
export const Patience = Context.Reference<Patience>("overture/layers/model/Patience", {
  defaultValue: () => ({
    attempts: 3,
    attemptMillis: 60_000,
    backoffMillis: 500,
    longestPauseMillis: 60_000,
    failures: 5,
    restMillis: 30_000
  })
})

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
  content: Schema.Boolean
}) {}

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

export interface Request {
  readonly prompt: string
  readonly version: string
  readonly messages: ReadonlyArray<Message>
  readonly format: OpenAI.ChatCompletionCreateParams["response_format"]
}

export interface Provider {
  /** What the model said, in full. */
  readonly complete: (request: Request) => Effect.Effect<string, GenerationFailed | Unusable | Rejected>
}

const tokens = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const absent = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** As much of a completion as is read; servers differ in the rest. */
const Completion = Schema.Struct({
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
type Completion = typeof Completion.Type

export const make = (settings: Settings) =>
  Effect.gen(function* () {
    const calls = yield* ModelCalls
    const patience = yield* Patience
    const breaker = Breaker.make(patience)
    yield* Meter.watch(breaker)
    let sdk: Promise<OpenAI> | undefined
    // When it is first needed, since it takes a quarter of a second to load and most commands never do.
    const client = Effect.promise(
      () =>
        (sdk ??= import("openai").then(
          ({ OpenAI }) =>
            new OpenAI({
              apiKey: Redacted.value(settings.key),
              baseURL: settings.url ?? "https://api.openai.com/v1",
              maxRetries: 0,
              timeout: 2 * patience.attemptMillis,
              fetch,
              // It can log whole requests, and takes the level from the environment.
              logLevel: "off"
            })
        ))
    )
    /** No request before this moment: the server has asked for a pause, and means everyone. */
    let notBefore = 0

    const once = Effect.fnUntraced(function* ({ format, messages }: Request) {
      const { chat } = yield* client
      const sent = {
        model: settings.model,
        messages: [...messages],
        ...(format === undefined ? {} : { response_format: format })
      }
      const answer = yield* Effect.tryPromise({
        // The package would measure how long an answer takes by a clock that can be put forward or back meanwhile.
        try: async (signal): Promise<unknown> => (await chat.completions.create(sent, { signal }).asResponse()).json(),
        catch: (thrown) => ({ thrown })
      }).pipe(
        Effect.catch(({ thrown }) => Effect.flatMap(Clock.currentTimeMillis, (at) => Effect.fail(faultOf(thrown, at)))),
        Effect.timeoutOrElse({
          duration: patience.attemptMillis,
          orElse: () => {
            const limit = Duration.format(Duration.millis(patience.attemptMillis))
            return Effect.fail<Fault>({ what: `did not answer within ${limit}`, kind: "passing" })
          }
        })
      )
      return yield* Effect.mapError(Schema.decodeUnknownEffect(Completion)(answer), () => garbage)
    })

    const record = ({ usage }: Completion, { prompt, version }: Request) => {
      const call = {
        prompt,
        version,
        model: settings.model,
        input_tokens: Math.round(usage?.prompt_tokens ?? 0),
        cached_tokens: Math.round(usage?.prompt_tokens_details?.cached_tokens ?? 0),
        output_tokens: Math.round(usage?.completion_tokens ?? 0)
      }
      return Effect.andThen(Meter.tokens(call), calls.record(call))
    }

    /** Spread over a while, so that those who waited for the same moment do not all come at it. */
    const pauseBefore = Effect.fnUntraced(function* (attempt: number) {
      const left = Math.max(0, notBefore - (yield* elapsed))
      if (left === 0 && attempt === 1) return
      yield* Effect.sleep(left + (yield* Random.next) * patience.backoffMillis * 2 ** Math.max(0, attempt - 2))
    })

    const completed = (request: Request, attempt: number): Effect.Effect<Completion, GenerationFailed | Rejected> =>
      Effect.andThen(
        pauseBefore(attempt),
        breaker.guard(Meter.attempt(once(request)), ({ kind }) => kind === "passing", open)
      ).pipe(
        Effect.catch((fault) =>
          Effect.gen(function* () {
            const { kind, pauseMillis, what } = fault
            if (fault === open) yield* Meter.withheld
            const message = `The model provider ${what}`
            if (kind === "request" || kind === "content") {
              return yield* new Rejected({ message, content: kind === "content" })
            }
            const patient = pauseMillis === undefined || pauseMillis <= patience.longestPauseMillis
            if (patient) notBefore = Math.max(notBefore, (yield* elapsed) + (pauseMillis ?? 0))
            if (kind === "standing" || attempt >= patience.attempts || !patient) {
              const times = attempt > 1 ? ` at attempt ${attempt}` : ""
              return yield* new GenerationFailed({ message: `${message}${times}`, transient: true })
            }
            return yield* completed(request, attempt + 1)
          })
        )
      )

    return {
      complete: traced("OpenAi.complete")(function* (request) {
        yield* calls.settle
        const completion = yield* completed(request, 1)
        yield* record(completion, request)
        const [{ finish_reason, message }] = completion.choices
        const said = message.content ?? ""
        const unusable = (what: string) => new Unusable({ message: `The model ${what}`, said })
        if ((message.refusal ?? "") !== "" || finish_reason === "content_filter") return yield* unusable("refused")
        if (finish_reason === "length") return yield* unusable("broke off before the end of its answer")
        if (said.trim() === "") return yield* unusable("gave an empty answer")
        return said
      })
    } satisfies Provider
  })
