// src/main.ts: the command line as a process.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Runtime } from "effect"
import { Command } from "effect/cli"
import { version } from "#schema/Api.ts"
import { cli } from "#src/cli.ts"
import { Output } from "#src/commands/Output.ts"

// Leads, emails and keys are for whoever runs this, in whatever folder they are written.
process.umask(0o077)

cli.pipe(
  Command.run({ version }),
  Effect.provide([NodeServices.layer, Output]),
  NodeRuntime.runMain({
    // Being told to stop is no failure.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)
  })
)
