// test/machine.test.ts: campaigns, lists, credits and idempotency keys do what their tables say, whatever is asked of them
// in whatever order. WALKS says how many walks are taken and WALK_SEED from which seed on; WALK_REPLAY takes the token that
// a failure prints, and goes the shortest failing walk again.
import { it } from "@effect/vitest"
import { Clock, Duration, Effect, Logger, Schema } from "effect"
import { arbitraryCommands } from "./machine/Commands.ts"
import { runCommands } from "./machine/RunCommands.ts"
import { movableClock } from "./support/clock.ts"
import { layer } from "./support/server.ts"
import { onPostgres } from "./support/store.ts"

// On PostgreSQL they take four times as long.
const { WALKS = onPostgres ? "5" : "50", WALK_REPLAY, WALK_SEED } = process.env
const runs = Number(WALKS)
const rate = { limit: 1_000_000, window: Duration.minutes(1) }

it.live.prop(
  "the service is where the model is after every step",
  // Most of what there is to do needs a campaign that is built.
  { built: Schema.Boolean, commands: arbitraryCommands(50) },
  ({ built, commands }) =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock("2026-01-31T12:00:00.000Z")
      yield* runCommands(built ? [{ do: "build", caller: 0, at: 0 }, ...commands] : commands, movable).pipe(
        Effect.provide([layer({ working: false, rate }), Logger.layer([])]),
        Effect.provideService(Clock.Clock, clock)
      )
    }),
  {
    timeout: 60_000 + runs * 10_000,
    // Every walk may be as long as the longest.
    arbitrary: { runs, size: 100 * runs, maxShrinks: 200, seed: WALK_SEED, replay: WALK_REPLAY }
  }
)
