// layers/model/RetryPolicy.ts: retries of model calls, with backoff and a circuit breaker.
import { Context, Effect, Random } from "effect"
import { elapsed } from "#layers/lib/Time.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import * as Breaker from "#layers/model/Breaker.ts"
import { breakerOpen, faultMessage, type ModelFault, Rejected } from "#layers/model/Faults.ts"
import * as Meter from "#layers/model/Meter.ts"

export interface RetryPolicy {
  readonly attempts: number
  readonly attemptMillis: number
  /** Timeouts for a local model, and for a local model that is not loaded yet. */
  readonly localMillis: number
  readonly coldMillis: number
  /** The first pause; the maximum doubles with each attempt. */
  readonly backoffMillis: number
  /** A server that requests a longer pause counts as down. */
  readonly longestPauseMillis: number
  /** Failures in a row that open the circuit, and how long it stays open. */
  readonly failures: number
  readonly restMillis: number
}
export const RetryPolicy = Context.Reference<RetryPolicy>("overture/layers/model/RetryPolicy", {
  defaultValue: () => ({
    attempts: 3,
    attemptMillis: 60_000,
    localMillis: 300_000,
    coldMillis: 600_000,
    backoffMillis: 500,
    longestPauseMillis: 60_000,
    failures: 5,
    restMillis: 30_000
  })
})

/** Shared by all callers of one server. */
export const make = Effect.gen(function* () {
  const patience = yield* RetryPolicy
  const breaker = Breaker.make(patience)
  yield* Meter.measureCall(breaker)
  /** No request is sent before this time, because the server has requested a pause. */
  let notBefore = 0
  /** The last failure, which callers get while the circuit is open. */
  let latest: ModelFault = breakerOpen

  /** Random, so that callers that waited for the same moment do not send at once. */
  const pauseBefore = Effect.fnUntraced(function* (attempt: number) {
    const left = Math.max(0, notBefore - (yield* elapsed))
    if (left === 0 && attempt === 1) return
    yield* Effect.sleep(left + (yield* Random.next) * patience.backoffMillis * 2 ** Math.max(0, attempt - 2))
  })

  const patiently = <A>(
    once: Effect.Effect<A, ModelFault>,
    described: Meter.MeteredCall,
    attempt = 1
  ): Effect.Effect<A, GenerationFailed | Rejected> =>
    Effect.andThen(
      pauseBefore(attempt),
      breaker.guard(Meter.countAttempt(once, described), ({ kind }) => kind === "passing", breakerOpen)
    ).pipe(
      Effect.catch((fault) =>
        Effect.gen(function* () {
          const { hint, kind, parameter, pauseMillis, what } = fault
          if (kind === "request" || kind === "content") {
            const message =
              hint === undefined ? `The model server refused the request: it ${what}` : faultMessage(fault)
            return yield* new Rejected({ message, content: kind === "content", parameter })
          }
          if (fault === breakerOpen) yield* Meter.countWithheld
          else latest = fault
          const patient = pauseMillis === undefined || pauseMillis <= patience.longestPauseMillis
          if (patient) notBefore = Math.max(notBefore, (yield* elapsed) + (pauseMillis ?? 0))
          if (kind === "standing" || attempt >= patience.attempts || !patient) {
            return yield* new GenerationFailed({
              message: faultMessage(latest, fault === breakerOpen ? attempt - 1 : attempt),
              transient: true,
              failure: { reason: "model_unreachable" }
            })
          }
          return yield* patiently(once, described, attempt + 1)
        })
      )
    )

  return {
    patiently: <A>(once: Effect.Effect<A, ModelFault>, described: Meter.MeteredCall) => patiently(once, described),
    close: breaker.close
  }
})
