// layers/model/Probe.ts: checks whether a model server can be used, by its list of models or a completion of one word.
import { Effect, Result } from "effect"
import type * as Client from "#layers/model/Client.ts"
import { unreadableAnswer, faultMessage } from "#layers/model/Faults.ts"
import * as Sampling from "#layers/model/Sampling.ts"

/** The lowest token limit that servers accept. */
const fewTokens = 16

/** Requests one word of this model. Costs a few tokens. */
const probeWord = Effect.fnUntraced(function* ({ complete }: Client.Client, model: string) {
  const sampling = Sampling.make({ max_tokens: fewTokens })
  const messages = [{ role: "user" as const, content: "Answer with the word OK." }]
  for (;;) {
    const parameters = sampling.parameters()
    const attempt = yield* Effect.result(complete({ format: undefined, messages, model, parameters }))
    // A server that used up the tokens, or objects to so few, has answered.
    if (Result.isSuccess(attempt) || attempt.failure.kind === "content") return null
    const { hint, kind, parameter, what } = attempt.failure
    if (parameter === undefined) {
      return faultMessage({ what, hint: kind === "request" ? "Check OVERTURE_MODEL and OPENAI_BASE_URL." : hint })
    }
    sampling.refuse(parameter)
  }
})

/** Null if all of the models can be used, else the problem in the operator's words. */
export const probeModel = Effect.fnUntraced(function* (
  client: Client.Client,
  models: ReadonlyArray<string>,
  { asks }: { readonly asks: boolean }
) {
  const found = yield* Effect.result(client.models)
  if (Result.isFailure(found)) {
    // A server may complete although it has no list of models, or the key may not read the list.
    const mayAnswer = found.failure === unreadableAnswer || [403, 404, 405, 501].includes(found.failure.status ?? 200)
    if (!mayAnswer) return faultMessage(found.failure)
  }
  const names = new Set(Result.isSuccess(found) ? found.success : [])
  for (const model of new Set(models)) {
    if (!asks && names.has(model)) continue
    const problem = yield* probeWord(client, model)
    if (problem !== null) return problem
  }
  return null
})
