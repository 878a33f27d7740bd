// src/start.ts: the command line as a process.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { constants } from "node:os"
import { run } from "#src/cli.ts"

// A second signal stops at once. The store is then as after a power cut.
const asked: Array<NodeJS.Signals> = []
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    asked.push(signal)
    if (asked.length > 1) process.exit(128 + constants.signals[signal])
  })
}

// Leads, hashes of keys, mail: only the user who runs this program may read its files, also in a shared folder.
process.umask(0o077)

run(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    // It has been printed, and a log line on standard output would break a document that a program reads.
    disableErrorReporting: true,
    // A stop by a signal is no failure, unless the command says that its work was unfinished.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? onExit(Number(process.exitCode ?? 0))
        : Runtime.defaultTeardown(exit, onExit)
  })
)
