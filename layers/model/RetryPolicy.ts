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
  /** The longest pause before the second attempt; the limit doubles with each further attempt. */
  readonly backoffMillis: number
  /** A server that requests a longer pause counts as down. */
  readonly maxPauseMillis: number
  /** Failures in a row that open the circuit, and how long it stays open. */
  readonly failures: number
  readonly openMillis: number
}
export const RetryPolicy = Context.Reference<RetryPolicy>("overture/layers/model/RetryPolicy", {
  defaultValue: () => ({
    attempts: 3,
    attemptMillis: 60_000,
    localMillis: 300_000,
    coldMillis: 600_000,
    backoffMillis: 500,
    maxPauseMillis: 60_000,
    failures: 5,
    openMillis: 30_000
  })
})

/** Retries that all callers of one server share. */
export const make = Effect.gen(function* () {
  const policy = yield* RetryPolicy
  const breaker = Breaker.make(policy)
  yield* Meter.exposeBreaker(breaker)
  /** No request is sent before this time, because the server has requested a pause. */
  let pausedUntil = 0
  /** The last failure, which callers get while the circuit is open. */
  let lastFault: ModelFault = breakerOpen

  /** Random, so that callers that waited for the same moment do not send at once. */
  const waitBeforeAttempt = Effect.fnUntraced(function* (attempt: number) {
    const remaining = Math.max(0, pausedUntil - (yield* elapsed))
    if (remaining === 0 && attempt === 1) return
    yield* Effect.sleep(remaining + (yield* Random.next) * policy.backoffMillis * 2 ** Math.max(0, attempt - 2))
  })

  const withRetries = <A>(
    attemptOnce: Effect.Effect<A, ModelFault>,
    meteredCall: Meter.MeteredCall,
    attempt = 1
  ): Effect.Effect<A, GenerationFailed | Rejected> =>
    Effect.andThen(
      waitBeforeAttempt(attempt),
      breaker.guard(Meter.countAttempt(attemptOnce, meteredCall), ({ kind }) => kind === "passing", breakerOpen)
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
          else lastFault = fault
          const isPauseShort = pauseMillis === undefined || pauseMillis <= policy.maxPauseMillis
          if (isPauseShort) pausedUntil = Math.max(pausedUntil, (yield* elapsed) + (pauseMillis ?? 0))
          if (kind === "standing" || attempt >= policy.attempts || !isPauseShort) {
            return yield* new GenerationFailed({
              message: faultMessage(lastFault, fault === breakerOpen ? attempt - 1 : attempt),
              transient: true,
              failure: { reason: "model_unreachable" }
            })
          }
          return yield* withRetries(attemptOnce, meteredCall, attempt + 1)
        })
      )
    )

  return {
    withRetries: <A>(attemptOnce: Effect.Effect<A, ModelFault>, meteredCall: Meter.MeteredCall) =>
      withRetries(attemptOnce, meteredCall),
    close: breaker.close
  }
})
