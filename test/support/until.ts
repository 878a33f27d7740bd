// test/support/until.ts: waiting for what comes about by itself.
import { Duration, Effect } from "effect"
import * as Stores from "./store.ts"

/** As often as an answer is asked for without a pause that grows. */
const quickAttempts = 100

/** Polls until the answer is as hoped; fails after a minute by default. */
export const until = Effect.fnUntraced(function* <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  isExpected: (a: A) => boolean,
  timeout: Duration.Input = "1 minute"
) {
  let last: A | undefined
  return yield* Effect.gen(function* () {
    // What is to be seen may last a moment; but on PostgreSQL, and on a machine that is busy, asking so often meets the
    // rate limit.
    for (let attempt = 1, pause = 5; ; attempt++) {
      const answer = yield* ask
      last = answer
      if (isExpected(answer)) return answer
      yield* Effect.sleep(pause)
      if (Stores.onPostgres) pause = Math.min(250, pause * 1.3)
      else if (attempt > quickAttempts) pause = Math.min(250, pause * 1.05)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.die(new Error(`This never came about; the last answer was ${JSON.stringify(last)}`))
    })
  )
})
