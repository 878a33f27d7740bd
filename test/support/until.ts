// test/support/until.ts: polls until a condition is met.
import { Duration, Effect } from "effect"
import * as Stores from "./store.ts"

/** How many times to poll before the pause grows. */
const quickAttempts = 100

/** Polls until the result is as expected. Fails after a minute by default. */
export const until = Effect.fnUntraced(function* <A, E, R>(
  poll: Effect.Effect<A, E, R>,
  isExpected: (a: A) => boolean,
  timeout: Duration.Input = "1 minute"
) {
  let last: A | undefined
  return yield* Effect.gen(function* () {
    // Short pauses catch short-lived states. They grow on PostgreSQL and on busy machines, or polling would exceed the rate
    // limit.
    for (let attempt = 1, pause = 5; ; attempt++) {
      const answer = yield* poll
      last = answer
      if (isExpected(answer)) return answer
      yield* Effect.sleep(pause)
      if (Stores.onPostgres) pause = Math.min(250, pause * 1.3)
      else if (attempt > quickAttempts) pause = Math.min(250, pause * 1.05)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.die(new Error(`Timed out; the last result was ${JSON.stringify(last)}`))
    })
  )
})
