// layers/model/Breaker.ts: a circuit breaker: stops calling a provider that keeps failing, and tries one call after a
// pause.
import { Cause, Effect, Exit } from "effect"
import { elapsed } from "#layers/lib/Time.ts"

export interface Breaker {
  /** Whether the circuit is open or half-open. */
  readonly isOpen: () => boolean
  /** Closes the circuit, after a call outside it has succeeded. */
  readonly close: () => void
  /** Runs the call, or fails with `openError` while the circuit is open. `countsAsFailure` decides which failures count. */
  readonly guard: <A, E, E2>(
    call: Effect.Effect<A, E>,
    countsAsFailure: (error: E) => boolean,
    openError: E2
  ) => Effect.Effect<A, E | E2>
}

/** Opens after `failures` failures in a row, for `openMillis`. */
export const make = (options: { readonly failures: number; readonly openMillis: number }): Breaker => {
  let failures = 0
  /** Monotonic time in milliseconds until which the circuit is open; 0 while it is closed. */
  let openUntil = 0
  let isProbing = false

  return {
    isOpen: () => openUntil > 0,
    close: () => {
      failures = 0
      openUntil = 0
    },
    guard: Effect.fnUntraced(function* (call, countsAsFailure, openError) {
      const isProbe = openUntil > 0
      if (isProbe && (isProbing || openUntil > (yield* elapsed))) return yield* Effect.fail(openError)
      if (isProbe) isProbing = true
      return yield* Effect.onExit(
        call,
        Effect.fnUntraced(function* (exit) {
          if (isProbe) isProbing = false
          // An interrupted call counts as neither success nor failure.
          if (Exit.isFailure(exit) && !Cause.hasFails(exit.cause)) return
          const hasFailed =
            Exit.isFailure(exit) &&
            exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && countsAsFailure(reason.error))
          if (!hasFailed) {
            failures = 0
            openUntil = 0
            return
          }
          failures++
          if (failures >= options.failures) openUntil = (yield* elapsed) + options.openMillis
        })
      )
    })
  }
}
