// layers/model/Meter.ts: metrics of model calls: count, duration, tokens, and the state of the circuit.
import { Clock, Effect } from "effect"
import * as Metrics from "#layers/Metrics.ts"
import type { Breaker } from "#layers/model/Breaker.ts"
import type { Fault } from "#layers/model/Faults.ts"
import type { ModelCall } from "#layers/model/ModelCalls.ts"
import { spanned } from "#layers/lib/Traced.ts"

const outcomes: { readonly [K in Fault["kind"]]: Metrics.ModelOutcome } = {
  passing: "failed",
  busy: "busy",
  standing: "refused",
  request: "rejected",
  content: "rejected"
}

const count = (outcome: Metrics.ModelOutcome) => Metrics.add(Metrics.modelCalls({ outcome }), 1)

/** One attempt that reaches the server. Interrupted attempts are not counted. */
export const attempt = <A>(call: Effect.Effect<A, Fault>) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.suspend(() => {
      const began = clock.monotonicTimeNanosUnsafe()
      const timed = Effect.suspend(() =>
        Metrics.add(Metrics.modelCallDuration, Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9)
      )
      return call.pipe(
        Effect.tap(Effect.andThen(timed, count("answered"))),
        Effect.tapError(({ kind }) => Effect.andThen(timed, count(outcomes[kind])))
      )
    })
  ).pipe(spanned("model call", { kind: "client" }))

/** Counts an attempt that the open circuit prevented. */
export const withheld = count("withheld")

export const tokens = ({ cached_tokens, input_tokens, output_tokens }: ModelCall) =>
  Effect.all(
    [
      Metrics.add(Metrics.modelTokens({ kind: "input" }), input_tokens),
      Metrics.add(Metrics.modelTokens({ kind: "cached" }), cached_tokens),
      Metrics.add(Metrics.modelTokens({ kind: "output" }), output_tokens)
    ],
    { discard: true }
  )

/** Shows the circuit's state until the scope closes. */
export const watch = (breaker: Breaker) =>
  Metrics.observe(Metrics.modelBreakerOpen, () => ({ value: breaker.isOpen() ? 1 : 0 }))
