// src/commands/Root.ts: the command that all others are under, and the flags that every command takes.
import { Console, Effect, Option, type Schema } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { toggle } from "#src/commands/Flags.ts"
import { harmless } from "#src/commands/Words.ts"
import { dataDir } from "#src/settings.ts"

const DataDir = GlobalFlag.Setting("data-dir")({
  flag: Flag.String("data-dir").pipe(
    Flag.withDescription("Directory of the store (OVERTURE_DATA_DIR, ./data)"),
    Flag.optional
  )
})

/** Whether `--json` was given. */
export const wantsJson = GlobalFlag.Setting("json")({ flag: toggle("json", "Print one JSON document") })

/** Flags of every command. They are global, since the wizard would ask for shared ones before the command itself. */
export const everywhere = [DataDir, wantsJson] as const

export const root = Command.make("overture").pipe(
  Command.withDescription("Writes personalised cold-email sequences for sales leads")
)

/** Where the store is. */
export const directory = Effect.gen(function* () {
  const given = yield* DataDir
  return Option.isSome(given) ? given.value : yield* dataDir
})

/** Prints `document` with --json, and otherwise the lines for a person, which are only made when they are printed. */
export const print = Effect.fnUntraced(function* (
  document: Schema.Json,
  lines: ReadonlyArray<string> | (() => ReadonlyArray<string>)
) {
  if (yield* wantsJson) return yield* Console.log(JSON.stringify(document))
  for (const line of typeof lines === "function" ? lines() : lines) yield* Console.log(harmless(line))
})
