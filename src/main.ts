// src/main.ts: the command line.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Runtime } from "effect"
import { Command } from "effect/cli"
import { version } from "#schema/Api.ts"
import { backup, restore } from "#src/commands/Backup.ts"
import { credits, plan } from "#src/commands/Credits.ts"
import { key } from "#src/commands/Key.ts"
import { Output } from "#src/commands/Output.ts"
import { root } from "#src/commands/Root.ts"
import { serve } from "#src/commands/Serve.ts"
import { verify } from "#src/commands/Verify.ts"
import { workspace } from "#src/commands/Workspace.ts"

root.pipe(
  Command.withSubcommands([serve, workspace, key, plan, credits, verify, backup, restore]),
  Command.run({ version }),
  Effect.provide([NodeServices.layer, Output]),
  NodeRuntime.runMain({
    // Being told to stop is no failure.
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)
  })
)
