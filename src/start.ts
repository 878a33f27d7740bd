// src/start.ts: runs the CLI as a process.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { constants } from "node:os"
import { run } from "#src/cli.ts"

// A second signal exits at once, which the database survives like a power failure.
const receivedSignals: Array<NodeJS.Signals> = []
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    receivedSignals.push(signal)
    if (receivedSignals.length > 1) process.exit(128 + constants.signals[signal])
  })
}

// Files contain leads, key hashes and mail, so only the user who runs the program may read them.
process.umask(0o077)

run(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    // Errors are already printed, and a log line on standard output would break JSON output.
    disableErrorReporting: true,
    // A stop by signal is a success, unless the command set an exit code.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? onExit(Number(process.exitCode ?? 0))
        : Runtime.defaultTeardown(exit, onExit)
  })
)
