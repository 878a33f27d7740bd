// src/workers/Periods.ts: starts billing periods on time, so that the ledger of an unused workspace is right too.
import { Effect, Layer, Schedule } from "effect"
import { Credits } from "#layers/Credits.ts"

export const periods = Layer.effectDiscard(
  Effect.gen(function* () {
    const { renew } = yield* Credits
    yield* renew.pipe(
      Effect.catchCause((cause) => Effect.logError("Billing periods could not be renewed", cause)),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )
  })
)
