// src/main.ts: the command line as a process.
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Runtime } from "effect"
import { Command } from "effect/cli"
import { constants } from "node:os"
import { version } from "#schema/Api.ts"
import { cli } from "#src/cli.ts"
import { Output } from "#src/commands/Output.ts"

// Whoever asks a second time means at once. What was in hand is then found as a power cut would leave it.
const asked: Array<NodeJS.Signals> = []
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    asked.push(signal)
    if (asked.length > 1) process.exit(128 + constants.signals[signal])
  })
}

// Leads, keys' hashes, mail: whatever this program writes is for whoever runs it, also in a folder that others may enter.
process.umask(0o077)

cli.pipe(
  Command.run({ version }),
  Effect.provide([NodeServices.layer, Output]),
  NodeRuntime.runMain({
    // Being told to stop is no failure, unless the command says that it had not done what it was to.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? onExit(Number(process.exitCode ?? 0))
        : Runtime.defaultTeardown(exit, onExit)
  })
)
