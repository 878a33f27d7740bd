// layers/model/ModelProvider.ts: one request to the model server, with retries and accounting.
import { Effect } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type * as Client from "#layers/model/Client.ts"
import { type Rejected, Unusable } from "#layers/model/Faults.ts"
import * as Meter from "#layers/model/Meter.ts"
import * as RetryPolicy from "#layers/model/RetryPolicy.ts"
import * as Probe from "#layers/model/Probe.ts"
import * as Server from "#layers/model/ModelServer.ts"
import * as Sampling from "#layers/model/Sampling.ts"
import { maxTokens, ModelCalls } from "#layers/model/ModelCalls.ts"
import { traced } from "#layers/lib/Traced.ts"

export interface ModelRequest extends Pick<Client.CompletionRequest, "format" | "messages"> {
  readonly prompt: string
  readonly version: string
  /** The model to use. */
  readonly by: "writer" | "verifier"
}

export interface ModelProvider {
  /** Information about the server, without a request. */
  readonly serverInfo: Server.Server["serverInfo"]
  /** Null, or the problem with the server, the key or a model. */
  readonly probe: (options: { readonly sendsPrompt: boolean }) => Effect.Effect<string | null>
  /** The text of the model's answer. */
  readonly complete: (request: ModelRequest) => Effect.Effect<string, GenerationFailed | Unusable | Rejected>
}

/** The number of tokens to record, from 0 to `maxTokens`: a server may report any number, and sums must fit into 64 bits. */
const tokenCount = (reportedCount: number | null | undefined) =>
  Math.min(Math.max(Math.round(reportedCount ?? 0), 0), maxTokens)

export const make = (settings: Client.ClientSettings) =>
  Effect.gen(function* () {
    const calls = yield* ModelCalls
    const { close, withRetries } = yield* RetryPolicy.make
    const server = Server.make(settings, yield* RetryPolicy.RetryPolicy)

    const sampling = settings.sampling ?? {}
    const models = {
      writer: { model: settings.model, sampling: Sampling.make(sampling) },
      verifier: { model: settings.verifier ?? settings.model, sampling: Sampling.make(sampling) }
    }

    /**
     * Requests a completion. If the server refuses a parameter by name, retries without it and never sends it again.
     */
    const requestCompletion = (request: ModelRequest): Effect.Effect<Client.Completion, GenerationFailed | Rejected> =>
      Effect.suspend(() => {
        const { model, sampling } = models[request.by]
        const parameters = sampling.parameters()
        return withRetries(
          Effect.tap(
            server.complete({ format: request.format, messages: request.messages, model, parameters }),
            Meter.countAnswer
          ),
          Meter.describeCall({
            provider: server.serverInfo().api ?? "openai",
            model,
            isJson: request.format !== undefined,
            sampling: settings.sampling ?? {}
          })
        ).pipe(
          Effect.catchTag("Rejected", (error) => {
            if (error.parameter === undefined) return Effect.fail(error)
            sampling.refuse(error.parameter)
            return Effect.andThen(
              Effect.logWarning("The model server refuses a parameter, which is no longer sent", {
                parameter: error.parameter,
                model
              }),
              requestCompletion(request)
            )
          })
        )
      })

    const record = ({ usage }: Client.Completion, { by, prompt, version }: ModelRequest) => {
      const call = {
        prompt,
        version,
        model: models[by].model,
        input_tokens: tokenCount(usage?.prompt_tokens),
        cached_tokens: tokenCount(usage?.prompt_tokens_details?.cached_tokens),
        output_tokens: tokenCount(usage?.completion_tokens)
      }
      return Effect.andThen(Meter.countTokens(call), calls.record(call))
    }

    return {
      serverInfo: server.serverInfo,
      probe: traced("ModelProvider.probe")(function* (options) {
        yield* server.detect
        const problem = yield* Probe.probeModel(server, [models.writer.model, models.verifier.model], options)
        if (problem === null) close()
        return problem
      }),
      complete: traced("ModelProvider.complete")(function* (request) {
        yield* calls.recordHeld
        const completion = yield* server.withConcurrencyLimit(requestCompletion(request))
        yield* record(completion, request)
        const [{ finish_reason, message }] = completion.choices
        const content = message.content ?? ""
        const unusable = (problem: string) => new Unusable({ message: `The model ${problem}`, text: content })
        if ((message.refusal ?? "") !== "" || finish_reason === "content_filter") return yield* unusable("refused")
        if (finish_reason === "length") return yield* unusable("broke off before the end of its answer")
        if (content.trim() === "") return yield* unusable("gave an empty answer")
        return content
      })
    } satisfies ModelProvider
  })
