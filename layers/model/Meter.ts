// layers/model/Meter.ts: metrics and spans of model calls: count, duration, tokens, and the circuit's state.
import { Clock, Effect } from "effect"
import * as Metrics from "#layers/Metrics.ts"
import type { Breaker } from "#layers/model/Breaker.ts"
import type { ModelFault } from "#layers/model/Faults.ts"
import type { Completion } from "#layers/model/Client.ts"
import type { Sampling } from "#layers/model/Sampling.ts"
import type { ModelCall } from "#layers/model/ModelCalls.ts"
import { spanned } from "#layers/lib/Traced.ts"

const outcomes: { readonly [K in ModelFault["kind"]]: Metrics.ModelOutcome } = {
  passing: "failed",
  busy: "busy",
  standing: "refused",
  request: "rejected",
  content: "rejected"
}

const count = (outcome: Metrics.ModelOutcome) => Metrics.add(Metrics.modelCalls({ outcome }), 1)

/** The attributes of an attempt's span, by OpenTelemetry's semantic conventions for generative AI. */
export interface MeteredCall {
  readonly model: string
  readonly attributes: { readonly [name: string]: unknown }
}

/** The attributes known before the answer. They contain neither prompt nor answer. */
export const describeCall = (call: {
  readonly provider: string
  readonly model: string
  readonly isJson: boolean
  readonly sampling: Sampling
}): MeteredCall => {
  const { max_tokens, seed, temperature } = call.sampling
  const measures = {
    "gen_ai.request.temperature": temperature,
    "gen_ai.request.max_tokens": max_tokens,
    "gen_ai.request.seed": seed
  }
  return {
    model: call.model,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": call.provider,
      "gen_ai.request.model": call.model,
      "gen_ai.output.type": call.isJson ? "json" : "text",
      ...Object.fromEntries(Object.entries(measures).filter(([, value]) => value !== undefined))
    }
  }
}

/** Adds the attributes of the answer to the span. */
export const countAnswer = ({ choices: [{ finish_reason }], usage }: Completion) =>
  Effect.annotateCurrentSpan({
    "gen_ai.usage.input_tokens": usage?.prompt_tokens ?? 0,
    "gen_ai.usage.cache_read.input_tokens": usage?.prompt_tokens_details?.cached_tokens ?? 0,
    "gen_ai.usage.output_tokens": usage?.completion_tokens ?? 0,
    ...(typeof finish_reason === "string" ? { "gen_ai.response.finish_reasons": [finish_reason] } : {})
  })

/** Counts and times an attempt, except an interrupted one. */
export const countAttempt = <A>(call: Effect.Effect<A, ModelFault>, { attributes, model }: MeteredCall) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.suspend(() => {
      const startNanos = clock.monotonicTimeNanosUnsafe()
      const recordDuration = Effect.suspend(() =>
        Metrics.add(Metrics.modelCallDuration, Number(clock.monotonicTimeNanosUnsafe() - startNanos) / 1e9)
      )
      return call.pipe(
        Effect.tap(Effect.andThen(recordDuration, count("answered"))),
        Effect.tapError(({ kind, status }) =>
          Effect.annotateCurrentSpan("error.type", String(status ?? kind)).pipe(
            Effect.andThen(recordDuration),
            Effect.andThen(count(outcomes[kind]))
          )
        )
      )
    })
  ).pipe(spanned(`chat ${model}`, { kind: "client", attributes }))

/** Counts an attempt that the open circuit rejected. */
export const countWithheld = count("withheld")

export const countTokens = ({ cached_tokens, input_tokens, output_tokens }: ModelCall) =>
  Effect.all(
    [
      Metrics.add(Metrics.modelTokens({ kind: "input" }), input_tokens),
      Metrics.add(Metrics.modelTokens({ kind: "cached" }), cached_tokens),
      Metrics.add(Metrics.modelTokens({ kind: "output" }), output_tokens)
    ],
    { discard: true }
  )

/** Exposes the circuit's state until the scope closes. */
export const exposeBreaker = (breaker: Breaker) =>
  Metrics.observe(Metrics.modelBreakerOpen, () => ({ value: breaker.isOpen() ? 1 : 0 }))
