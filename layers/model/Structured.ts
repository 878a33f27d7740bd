// layers/model/Structured.ts: requests structured answers by schema, by JSON mode or by the prompt alone, as the server
// allows.
import { Effect, Option } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Prompt } from "#layers/Model.ts"
import type { Message } from "#layers/model/Client.ts"
import { Unusable } from "#layers/model/Faults.ts"
import type { ModelProvider, ModelRequest } from "#layers/model/ModelProvider.ts"

const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The JSON document in a text that may have other text around it. */
const findJson = (text: string): Option.Option<unknown> => {
  // Some models write their reasoning first.
  const withoutThinking = text.replace(/^\s*<think>[\s\S]*?<\/think>/, "")
  return Option.orElse(parseJson(withoutThinking), () =>
    parseJson(withoutThinking.slice(withoutThinking.indexOf("{"), withoutThinking.lastIndexOf("}") + 1))
  )
}

/** Maximum nesting of an answer, the same as of a request's body, because the code that reads answers is recursive. */
const maxLevels = 64

const isTooDeep = (value: unknown, levels = 0): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === maxLevels || Object.values(value).some((part) => isTooDeep(part, levels + 1)))

export interface Structured {
  readonly ask: <A>(
    prompt: Prompt<A>,
    messages: ReadonlyArray<Message>
  ) => Effect.Effect<{ readonly answer: A; readonly text: string }, GenerationFailed | Unusable>
}

export const make = (provider: ModelProvider): Structured => {
  /** Index of the richest format to try: of the one that the server accepted, or 0 before it accepted any. */
  let richestFormat = 0
  let hasAnswered = false

  const requestAnswer = (
    request: Omit<ModelRequest, "format">,
    formats: ReadonlyArray<ModelRequest["format"]>,
    formatIndex: number
  ): Effect.Effect<string, GenerationFailed | Unusable> => {
    const recordAccepted = Effect.sync(() => {
      richestFormat = Math.max(richestFormat, formatIndex)
      hasAnswered = true
    })
    return provider.complete({ ...request, format: formats[formatIndex] }).pipe(
      Effect.tap(recordAccepted),
      // Even an unusable answer shows that the server accepts the format.
      Effect.tapErrorTag("Unusable", () => recordAccepted),
      Effect.catchTag("Rejected", ({ content, message }) =>
        content || formatIndex + 1 === formats.length
          ? // A server that has never accepted a request is misconfigured; the lead is not the cause.
            Effect.fail(
              new GenerationFailed({
                message: content || hasAnswered ? message : `${message}. Check OVERTURE_MODEL and OPENAI_BASE_URL.`,
                transient: !content && !hasAnswered,
                failure: { reason: content || hasAnswered ? "model_refused" : "model_unreachable" }
              })
            )
          : requestAnswer(request, formats, formatIndex + 1)
      )
    )
  }

  return {
    ask: Effect.fnUntraced(function* ({ by = "writer", decode, name, schema, version }, messages) {
      const formats: ReadonlyArray<ModelRequest["format"]> = [
        { type: "json_schema", json_schema: { name, strict: true, schema } },
        { type: "json_object" },
        undefined
      ]
      const answerText = yield* requestAnswer({ prompt: name, version, by, messages }, formats, richestFormat)
      const json = findJson(answerText)
      if (Option.exists(json, (value) => isTooDeep(value)))
        return yield* new Unusable({ message: "The model's answer is nested too deeply", text: answerText })
      const answer = Option.map(json, decode)
      if (Option.isNone(answer))
        return yield* new Unusable({ message: "The model's answer is no JSON", text: answerText })
      if (Option.isNone(answer.value)) {
        return yield* new Unusable({
          message: "The model's answer has not the form that was asked for",
          text: answerText
        })
      }
      return { answer: answer.value.value, text: answerText }
    })
  }
}
