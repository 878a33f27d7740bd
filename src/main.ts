// src/main.ts: the command line as a process.
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Runtime } from "effect"
import { constants } from "node:os"
import { run } from "#src/cli.ts"

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

run(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    // It has been printed, and a log line on standard output would break a document that a program reads.
    disableErrorReporting: true,
    // Being told to stop is no failure, unless the command says that it had not done what it was to.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? onExit(Number(process.exitCode ?? 0))
        : Runtime.defaultTeardown(exit, onExit)
  })
)
