// src/cli.ts: all commands of the CLI. A command is imported only when it is used, because importing all of them takes
// longer than most commands.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { version as versionNumber } from "#schema/Version.ts"
import { help, version } from "#src/commands/Help.ts"
import { Output, reportUnexpected } from "#src/commands/Output.ts"
import { globalFlags, root } from "#src/commands/Root.ts"

const commands = [
  {
    name: "serve",
    description: "Answer requests and do the background work, or one of both (OVERTURE_ROLE)",
    load: () => import("#src/commands/Serve.ts").then(({ serve }) => serve)
  },
  {
    name: "workspace",
    description: "Make, list, show and delete workspaces, and say who owns one",
    load: () => import("#src/commands/Workspace.ts").then(({ workspace }) => workspace)
  },
  {
    name: "key",
    description: "Make, list, revoke and replace API keys",
    load: () => import("#src/commands/Key.ts").then(({ key }) => key)
  },
  {
    name: "link",
    description: "Print a link that signs in to the page of a running server, once",
    load: () => import("#src/commands/Link.ts").then(({ link }) => link)
  },
  {
    name: "plan",
    description: "Say what a workspace may spend",
    load: () => import("#src/commands/Credits.ts").then(({ plan }) => plan)
  },
  {
    name: "credits",
    description: "Grant credits, and show what became of them",
    load: () => import("#src/commands/Credits.ts").then(({ credits }) => credits)
  },
  {
    name: "campaign",
    description: "Build campaigns on a server",
    load: () => import("#src/commands/Campaign.ts").then(({ campaign }) => campaign)
  },
  {
    name: "generate",
    description: "Write to every lead of a file, over HTTP; rerun the command to resume",
    load: () => import("#src/commands/Generate.ts").then(({ generate }) => generate)
  },
  {
    name: "preview",
    description: "Read emails to five made-up leads; five credits, and one back for each that fails",
    load: () => import("#src/commands/Preview.ts").then(({ preview }) => preview)
  },
  {
    name: "lint",
    description: "Check an email or a template; exits with status 1 when it fails",
    load: () => import("#src/commands/Lint.ts").then(({ lint }) => lint)
  },
  {
    name: "lists",
    description: "Show the lists of leads on a server, newest first, with their progress",
    load: () => import("#src/commands/Lists.ts").then(({ lists }) => lists)
  },
  {
    name: "export",
    description: "Export the emails of a completed list to a file or to standard output",
    load: () => import("#src/commands/Lists.ts").then(({ exportList }) => exportList)
  },
  {
    name: "review",
    description: "Review the emails of a list on a server",
    load: () => import("#src/commands/Review.ts").then(({ review }) => review)
  },
  {
    name: "rewrite",
    description: "Write the emails of a lead again; costs one credit if a text changes",
    load: () => import("#src/commands/Review.ts").then(({ rewrite }) => rewrite)
  },
  {
    name: "suppressions",
    description: "Show the addresses and domains that must not be written to, newest first",
    load: () => import("#src/commands/Suppressions.ts").then(({ suppressions }) => suppressions)
  },
  {
    name: "person",
    description: "Find or erase the data of one person",
    load: () => import("#src/commands/Person.ts").then(({ person }) => person)
  },
  {
    name: "mcp",
    description:
      "Give an agent tools to work with a server, over MCP on standard input and output; the server has them at /mcp",
    load: () => import("#src/commands/Mcp.ts").then(({ mcp }) => mcp)
  },
  {
    name: "verify",
    description: "Check every invariant of the store",
    load: () => import("#src/commands/Verify.ts").then(({ verify }) => verify)
  },
  {
    name: "doctor",
    description:
      "Check the settings, the disk, the store, mail, the model and the clock; asks the model one question, changes nothing",
    load: () => import("#src/commands/Doctor.ts").then(({ doctor }) => doctor)
  },
  {
    name: "backup",
    description: "Write the whole store to one file, while a server runs or not",
    load: () => import("#src/commands/Backup.ts").then(({ backup }) => backup)
  },
  {
    name: "restore",
    description: "Put a backup into an empty data directory, and check it",
    load: () => import("#src/commands/Backup.ts").then(({ restore }) => restore)
  },
  {
    name: "prune",
    description: "Delete what is old: finished lists, conversations, previews, files; never the ledger",
    load: () => import("#src/commands/Prune.ts").then(({ prune }) => prune)
  },
  {
    name: "migrate-to",
    description: "Move the store into an empty PostgreSQL database, while no server runs",
    load: () => import("#src/commands/MigrateTo.ts").then(({ migrateTo }) => migrateTo)
  }
] as const

type LoadedCommand = Awaited<ReturnType<(typeof commands)[number]["load"]>>
// oxlint-disable-next-line typescript/no-explicit-any -- each command has a name and flags of its own
type AnyCommand = Command.Command<any, any, {}, Command.Error<LoadedCommand>, Command.Services<LoadedCommand>>

/** The CLI with the commands that `isNeeded`; all others have only name and description. */
const commandLine = async (isNeeded: (name: string) => boolean) => {
  const loading = commands.map(async ({ description, load, name }) => {
    const command: AnyCommand = isNeeded(name) ? await load() : Command.make(name)
    return Command.withDescription(command, description)
  })
  const subcommands = [...(await Promise.all(loading)), help((): Command.Command.Any => cli), version]
  const cli = root.pipe(Command.withSubcommands(subcommands), Command.withGlobalFlags(globalFlags))
  return cli
}

/** The CLI with all commands. */
export const fullCommandLine = () => commandLine(() => true)

/** Shell completions and the wizard need the flags of every command. */
const needsAllCommands = (arg: string) => /^--(completions|wizard)\b/.test(arg)

/** Runs a command line. An error is printed as one line on standard error. */
export const run = (args: ReadonlyArray<string>) =>
  Effect.promise(() => commandLine((name) => args.includes(name) || args.some(needsAllCommands))).pipe(
    Effect.flatMap((cli) => Command.runWith(cli, { version: versionNumber })(args)),
    reportUnexpected,
    Effect.provide(Output)
  )
