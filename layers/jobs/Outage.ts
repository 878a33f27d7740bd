// layers/jobs/Outage.ts: a store that cannot be used for a while: its disk is full, or another program has it locked.
import { Cause, Duration, Effect } from "effect"
import { SqlError } from "effect/sql"
import { elapsed } from "#layers/Elapsed.ts"

/** Whether it is the store that stood in the way; that is nobody's failure, and passes. */
export const isOutage = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return SqlError.isSqlError(error) && error.isRetryable
  })

const minute = Duration.toMillis("1 minute")

/** How long a store that cannot be written is left alone. */
export const rest = Effect.sleep("500 millis")

/** Tells of an outage when it begins, once a minute while it lasts, and when it is over: the log may be on the same disk. */
export const make = (backoffMillis: number) => {
  let told: number | undefined
  let pause = 0
  let paused = 0
  const over = Effect.suspend(() => {
    if (told === undefined) return Effect.void
    told = undefined
    return Effect.logInfo("The store can be written again; background work goes on")
  })
  const met = (cause: Cause.Cause<unknown>) =>
    Effect.flatMap(elapsed, (at) => {
      if (told !== undefined && at - told < minute) return Effect.void
      told = at
      return Effect.logError("The store cannot be written; background work waits until it can", cause)
    })
  const insist = <R>(
    write: Effect.Effect<unknown, unknown, R>,
    rest: Effect.Effect<void>
  ): Effect.Effect<void, never, R> =>
    Effect.matchCauseEffect(write, {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        isOutage(cause)
          ? Effect.andThen(
              met(cause),
              Effect.andThen(
                rest,
                Effect.suspend(() => insist(write, rest))
              )
            )
          : Effect.logError("A job could not be settled", cause)
    })
  return {
    met,
    /** Writes as soon as the store can be written; a worker that is told to stop meanwhile leaves it to the next. */
    insist,
    /** For how long to leave work alone whose result could not be kept: it may have cost something. Doubles each time. */
    pause: Effect.map(elapsed, (at) => {
      // Those who were in work together have met the same outage.
      if (pause === 0 || at - paused >= pause) {
        pause = Math.min(Math.max(backoffMillis, 2 * pause), minute)
        paused = at
      }
      return pause
    }),
    /** Work was kept. */
    kept: Effect.suspend(() => {
      pause = 0
      return over
    }),
    /** The store was written; which says little while the results of work do not fit in. */
    over: Effect.suspend(() => (pause === 0 ? over : Effect.void))
  }
}
export type Outage = ReturnType<typeof make>
