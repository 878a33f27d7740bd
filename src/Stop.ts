// src/Stop.ts: how a server comes to its end: what is in hand is answered or laid down where the next start finds it.
import { Duration, Effect } from "effect"
import { Workers } from "#layers/jobs/Worker.ts"
import { Watchers } from "#layers/lists/Watchers.ts"
import { Readiness } from "#layers/Readiness.ts"
import { Listener } from "#src/http/Listener.ts"

/** How long whoever waits for an answer is given. */
const grace = Duration.seconds(20)

/** A balancer that asks whether the server is ready needs a moment to see that it no longer is. */
const seen = Duration.seconds(5)

/** What is laid down needs no longer than this; a mail server that stalls might. */
const last = Duration.seconds(2)

/** For the end of the scope that the server lives in. */
export const stop = Effect.gen(function* () {
  const listener = yield* Listener
  const ready = yield* Readiness
  const workers = yield* Workers
  const watchers = yield* Watchers
  yield* Effect.logInfo("Stopping")
  const limit = Duration.sum(grace, Duration.times(last, 2))
  // The store is sound whenever the process ends; a supervisor that waits is not to be kept waiting.
  yield* Effect.sync(() => void setTimeout(() => process.exit(0), Duration.toMillis(limit)).unref())

  yield* workers.rest
  yield* watchers.rest
  yield* listener.release
  const lingered = (yield* ready.drain) ? seen : Duration.zero
  yield* Effect.sleep(lingered)
  yield* Effect.timeoutOption(listener.drain, Duration.subtract(grace, lingered))
  yield* Effect.timeoutOption(workers.stop, last)
})
