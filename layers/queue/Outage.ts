// layers/queue/Outage.ts: handles a temporary outage of the database, for example a full disk or a lock of another
// program.
import { Cause, Duration, Effect } from "effect"
import { SqlError } from "effect/sql"
import { elapsed } from "#layers/lib/Elapsed.ts"

/** Whether the database caused the failure, which is then temporary. */
export const isOutage = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return SqlError.isSqlError(error) && error.isRetryable
  })

const logInterval = Duration.toMillis("1 minute")

/** Pause before the next write during an outage. */
export const retryPause = Effect.sleep("500 millis")

/** Logs the start and end of an outage, and once a minute in between, because the log may be on the full disk. */
export const make = (backoffMillis: number) => {
  let loggedAt: number | undefined
  let pause = 0
  let paused = 0
  const onRecovered = Effect.suspend(() => {
    if (loggedAt === undefined) return Effect.void
    loggedAt = undefined
    return Effect.logInfo("The store can be written again; background work continues")
  })
  const onOutage = (cause: Cause.Cause<unknown>) =>
    Effect.flatMap(elapsed, (at) => {
      if (loggedAt !== undefined && at - loggedAt < logInterval) return Effect.void
      loggedAt = at
      return Effect.logError("The store cannot be written; background work waits until it can", cause)
    })
  const retryUntilStored = <R>(
    write: Effect.Effect<unknown, unknown, R>,
    wait: Effect.Effect<void>
  ): Effect.Effect<void, never, R> =>
    Effect.matchCauseEffect(write, {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        isOutage(cause)
          ? Effect.andThen(
              onOutage(cause),
              Effect.andThen(
                wait,
                Effect.suspend(() => retryUntilStored(write, wait))
              )
            )
          : Effect.logError("A job could not be settled", cause)
    })
  return {
    onOutage,
    /**
     * Retries a write until the database is available. A stopping worker gives up, and the job is repeated after the
     * next start.
     */
    retryUntilStored,
    /**
     * Pause before a job whose result could not be stored is repeated. Doubles each time, because the work may cost
     * money.
     */
    pause: Effect.map(elapsed, (at) => {
      // Not doubled for jobs that ran together, because they met the same outage.
      if (pause === 0 || at - paused >= pause) {
        pause = Math.min(Math.max(backoffMillis, 2 * pause), logInterval)
        paused = at
      }
      return pause
    }),
    /** A result was stored. */
    kept: Effect.suspend(() => {
      pause = 0
      return onRecovered
    }),
    /** Call after any write. Ends the outage only if no result is waiting to be stored. */
    over: Effect.suspend(() => (pause === 0 ? onRecovered : Effect.void))
  }
}
export type Outage = ReturnType<typeof make>
