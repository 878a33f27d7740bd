// test/support/until.ts: waiting for what comes about by itself.
import { Effect } from "effect"
import * as Stores from "./store.ts"

/** Asks again until the answer is as hoped, for a minute at most. */
export const until = Effect.fnUntraced(function* <A, E, R>(ask: Effect.Effect<A, E, R>, hoped: (a: A) => boolean) {
  let last: A | undefined
  return yield* Effect.gen(function* () {
    // What is to be seen may last a moment; but on PostgreSQL, which takes its time, asking so often meets the rate limit.
    for (let pause = 5; ; pause = Math.min(Stores.onPostgres ? 250 : 5, pause * 1.3)) {
      const answer = yield* ask
      last = answer
      if (hoped(answer)) return answer
      yield* Effect.sleep(pause)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.die(new Error(`This never came about; the last answer was ${JSON.stringify(last)}`))
    })
  )
})
