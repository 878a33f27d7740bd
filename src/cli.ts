// src/cli.ts: every command of the command line.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { version as number } from "#schema/Api.ts"
import { backup, restore } from "#src/commands/Backup.ts"
import { campaign } from "#src/commands/Campaign.ts"
import { credits, plan } from "#src/commands/Credits.ts"
import { doctor } from "#src/commands/Doctor.ts"
import { generate } from "#src/commands/Generate.ts"
import { help, version } from "#src/commands/Help.ts"
import { key } from "#src/commands/Key.ts"
import { exportList, lists } from "#src/commands/Lists.ts"
import { lint } from "#src/commands/Lint.ts"
import { mcp } from "#src/commands/Mcp.ts"
import { migrateTo } from "#src/commands/MigrateTo.ts"
import { Output, reportUnexpected } from "#src/commands/Output.ts"
import { person } from "#src/commands/Person.ts"
import { preview } from "#src/commands/Preview.ts"
import { prune } from "#src/commands/Prune.ts"
import { everywhere, root } from "#src/commands/Root.ts"
import { serve } from "#src/commands/Serve.ts"
import { suppressions } from "#src/commands/Suppressions.ts"
import { verify } from "#src/commands/Verify.ts"
import { workspace } from "#src/commands/Workspace.ts"

const all: () => Command.Command.Any = () => cli

export const cli = root.pipe(
  Command.withSubcommands([
    serve,
    workspace,
    key,
    plan,
    credits,
    campaign,
    generate,
    preview,
    lint,
    lists,
    exportList,
    suppressions,
    person,
    mcp,
    verify,
    doctor,
    backup,
    restore,
    prune,
    migrateTo,
    help(all),
    version
  ]),
  Command.withGlobalFlags(everywhere)
)

/** Runs a command line to its end; whatever goes wrong is one line on standard error. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(cli, { version: number })(args).pipe(reportUnexpected, Effect.provide(Output))
