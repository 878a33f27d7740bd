// layers/model/Probe.ts: checks whether a model server can be used, by its list of models or a one-word completion.
import { Effect, Result } from "effect"
import type * as Client from "#layers/model/Client.ts"
import { unreadableAnswer, faultMessage } from "#layers/model/Faults.ts"
import * as Sampling from "#layers/model/Sampling.ts"

/** The lowest token limit that servers accept. */
const minTokenLimit = 16

/** Requests a one-word completion, which costs a few tokens. */
const probeWord = Effect.fnUntraced(function* ({ complete }: Client.Client, model: string) {
  const sampling = Sampling.make({ max_tokens: minTokenLimit })
  const messages = [{ role: "user" as const, content: "Answer with the word OK." }]
  for (;;) {
    const parameters = sampling.parameters()
    const attempt = yield* Effect.result(complete({ format: undefined, messages, model, parameters }))
    // Using up the tokens, or refusing so few, is an answer too.
    if (Result.isSuccess(attempt) || attempt.failure.kind === "content") return null
    const { hint, kind, parameter, what } = attempt.failure
    if (parameter === undefined) {
      return faultMessage({ what, hint: kind === "request" ? "Check OVERTURE_MODEL and OPENAI_BASE_URL." : hint })
    }
    sampling.refuse(parameter)
  }
})

/** Null if all models can be used, else the problem for the operator. */
export const probeModel = Effect.fnUntraced(function* (
  client: Client.Client,
  models: ReadonlyArray<string>,
  { sendsPrompt }: { readonly sendsPrompt: boolean }
) {
  const modelList = yield* Effect.result(client.models)
  if (Result.isFailure(modelList)) {
    // Some servers have no list of models, and some keys may not read it.
    const mayAnswer =
      modelList.failure === unreadableAnswer || [403, 404, 405, 501].includes(modelList.failure.status ?? 200)
    if (!mayAnswer) return faultMessage(modelList.failure)
  }
  const names = new Set(Result.isSuccess(modelList) ? modelList.success : [])
  for (const model of new Set(models)) {
    if (!sendsPrompt && names.has(model)) continue
    const problem = yield* probeWord(client, model)
    if (problem !== null) return problem
  }
  return null
})
