// layers/model/RetryPolicy.ts: retries of model calls: attempts, the pauses between them, and when the circuit opens.
import { Context, Effect, Random } from "effect"
import { elapsed } from "#layers/lib/Elapsed.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import * as Breaker from "#layers/model/Breaker.ts"
import { type Fault, open, problemOf, Rejected } from "#layers/model/Faults.ts"
import * as Meter from "#layers/model/Meter.ts"

export interface RetryPolicy {
  readonly attempts: number
  readonly attemptMillis: number
  /** The first pause; each next one may be twice as long. */
  readonly backoffMillis: number
  /** A server that asks for a longer pause counts as down. */
  readonly longestPauseMillis: number
  /** Consecutive failures that open the circuit, and how long it stays open. */
  readonly failures: number
  readonly restMillis: number
}
export const RetryPolicy = Context.Reference<RetryPolicy>("overture/layers/model/RetryPolicy", {
  defaultValue: () => ({
    attempts: 3,
    attemptMillis: 60_000,
    backoffMillis: 500,
    longestPauseMillis: 60_000,
    failures: 5,
    restMillis: 30_000
  })
})

/** The retries of all callers of one server. */
export const make = Effect.gen(function* () {
  const patience = yield* RetryPolicy
  const breaker = Breaker.make(patience)
  yield* Meter.watch(breaker)
  /** No request is sent before this time: the server has asked for a pause, which applies to all callers. */
  let notBefore = 0
  /** The latest failure, reported while the circuit is open. */
  let latest: Fault = open

  /** Random, so that callers who waited for the same moment do not all send at once. */
  const pauseBefore = Effect.fnUntraced(function* (attempt: number) {
    const left = Math.max(0, notBefore - (yield* elapsed))
    if (left === 0 && attempt === 1) return
    yield* Effect.sleep(left + (yield* Random.next) * patience.backoffMillis * 2 ** Math.max(0, attempt - 2))
  })

  const patiently = <A>(once: Effect.Effect<A, Fault>, attempt = 1): Effect.Effect<A, GenerationFailed | Rejected> =>
    Effect.andThen(
      pauseBefore(attempt),
      breaker.guard(Meter.attempt(once), ({ kind }) => kind === "passing", open)
    ).pipe(
      Effect.catch((fault) =>
        Effect.gen(function* () {
          const { kind, parameter, pauseMillis, what } = fault
          if (kind === "request" || kind === "content") {
            const message = `The model server refused the request: it ${what}`
            return yield* new Rejected({ message, content: kind === "content", parameter })
          }
          if (fault === open) yield* Meter.withheld
          else latest = fault
          const patient = pauseMillis === undefined || pauseMillis <= patience.longestPauseMillis
          if (patient) notBefore = Math.max(notBefore, (yield* elapsed) + (pauseMillis ?? 0))
          if (kind === "standing" || attempt >= patience.attempts || !patient) {
            return yield* new GenerationFailed({
              message: problemOf(latest, fault === open ? attempt - 1 : attempt),
              transient: true,
              failure: { reason: "model_unreachable" }
            })
          }
          return yield* patiently(once, attempt + 1)
        })
      )
    )

  return { patiently: <A>(once: Effect.Effect<A, Fault>) => patiently(once), close: breaker.close }
})
