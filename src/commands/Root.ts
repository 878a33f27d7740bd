// src/commands/Root.ts: the root command and the flags of all commands.
import { Console, Effect, Option, type Schema } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { toggle } from "#src/commands/Flags.ts"
import { escapeControl } from "#src/commands/TerminalText.ts"
import { dataDir } from "#src/settings.ts"

const DataDir = GlobalFlag.Setting("data-dir")({
  flag: Flag.String("data-dir").pipe(
    Flag.withDescription("Directory of the store (OVERTURE_DATA_DIR, ./data)"),
    Flag.optional
  )
})

/** Whether `--json` was given. */
export const wantsJson = GlobalFlag.Setting("json")({ flag: toggle("json", "Print one JSON document") })

/** Flags of all commands. Global, because the wizard would ask for shared flags before the command. */
export const globalFlags = [DataDir, wantsJson] as const

export const root = Command.make("overture").pipe(
  Command.withDescription("Writes personalised cold-email sequences for sales leads")
)

/** The data directory. */
export const directory = Effect.gen(function* () {
  const flag = yield* DataDir
  return Option.isSome(flag) ? flag.value : yield* dataDir
})

/** Prints `document` with --json, otherwise the lines, which are computed only if needed. */
export const print = Effect.fnUntraced(function* (
  document: Schema.Json,
  lines: ReadonlyArray<string> | (() => ReadonlyArray<string>)
) {
  if (yield* wantsJson) return yield* Console.log(JSON.stringify(document))
  for (const line of typeof lines === "function" ? lines() : lines) yield* Console.log(escapeControl(line))
})
