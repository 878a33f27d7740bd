// src/commands/Root.ts: the command that all others are under, and what its flags say to each of them.
import { Console, Effect, Option, type Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { toggle } from "#src/commands/Flags.ts"
import { harmless } from "#src/commands/Words.ts"
import { dataDir } from "#src/settings.ts"

export const root = Command.make("overture").pipe(
  Command.withSharedFlags({
    dataDir: Flag.String("data-dir").pipe(
      Flag.withDescription("Where the store lives (OVERTURE_DATA_DIR, ./data)"),
      Flag.optional
    ),
    json: toggle("json", "Print one JSON document")
  }),
  Command.withDescription("Writes personalised cold-email sequences for sales leads")
)

/** Where the store lives. */
export const directory = Effect.gen(function* () {
  const given = (yield* root).dataDir
  return Option.isSome(given) ? given.value : yield* dataDir
})

/** Prints `document` with --json, and else the lines for a person. */
export const print = Effect.fnUntraced(function* (document: Schema.Json, lines: ReadonlyArray<string>) {
  const { json } = yield* root
  yield* json ? Console.log(JSON.stringify(document)) : Effect.forEach(lines, (line) => Console.log(harmless(line)))
})
