// test/machine.test.ts: sends random sequences of commands ("walks") to the service and compares it with a model after each.
// WALKS is the number of walks, WALK_SEED the first seed. WALK_REPLAY takes the token that a failure prints and repeats the
// shortest failing walk.
import { it } from "@effect/vitest"
import { Clock, Duration, Effect, Logger, Schema } from "effect"
import { arbitraryCommands } from "./machine/Commands.ts"
import { runCommands } from "./machine/RunCommands.ts"
import { movableClock } from "./support/clock.ts"
import { layer } from "./support/server.ts"
import { onPostgres } from "./support/store.ts"

// PostgreSQL takes four times as long.
const { WALKS = onPostgres ? "5" : "50", WALK_REPLAY, WALK_SEED } = process.env
const runs = Number(WALKS)
const rate = { limit: 1_000_000, window: Duration.minutes(1) }

it.live.prop(
  "the service and the model are in the same state after every command",
  // Most commands need a built campaign, so half of the walks start with one.
  { built: Schema.Boolean, commands: arbitraryCommands(50) },
  ({ built, commands }) =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock("2026-01-31T12:00:00.000Z")
      yield* runCommands(built ? [{ do: "build", caller: 0, campaignIndex: 0 }, ...commands] : commands, movable).pipe(
        Effect.provide([layer({ runsWorkers: false, rate }), Logger.layer([])]),
        Effect.provideService(Clock.Clock, clock)
      )
    }),
  {
    timeout: 60_000 + runs * 10_000,
    // The framework grows walks with `size`; this size allows the maximum length from the first walk on.
    arbitrary: { runs, size: 100 * runs, maxShrinks: 200, seed: WALK_SEED, replay: WALK_REPLAY }
  }
)
