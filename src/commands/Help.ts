// src/commands/Help.ts: `overture help` and `overture version`, for people who do not know the flags yet.
import { Effect } from "effect"
import { Argument, CliError, CliOutput, Command } from "effect/cli"
import { version as versionNumber } from "#schema/Version.ts"

const subcommandsOf = (command: Command.Command.Any) => command.subcommands.flatMap(({ commands }) => commands)

/** An unknown command; suggests those that start with the same three letters. */
const unknownCommand = (root: Command.Command.Any, path: ReadonlyArray<string>) =>
  new CliError.ShowHelp({
    commandPath: path.slice(0, -1),
    errors: [
      new CliError.UnknownSubcommand({
        subcommand: path.at(-1) ?? "",
        suggestions: subcommandsOf(root)
          .map(({ name }) => name)
          .filter((name) => name.startsWith((path.at(-1) ?? "").slice(0, 3)))
      })
    ]
  })

/** `help [COMMAND ...]`, for the commands below the root that `rootOf` returns. */
export const help = (rootOf: () => Command.Command.Any) =>
  Command.make(
    "help",
    {
      path: Argument.String("command").pipe(
        Argument.withDescription("The command, such as key create; all of them without it"),
        Argument.variadic()
      )
    },
    Effect.fnUntraced(function* ({ path }) {
      let command = rootOf()
      const commandPath = [command.name]
      for (const name of path) {
        commandPath.push(name)
        const next = subcommandsOf(command).find((subcommand) => subcommand.name === name)
        if (next === undefined) return yield* unknownCommand(command, commandPath)
        command = next
      }
      return yield* new CliError.ShowHelp({ commandPath, errors: [] })
    })
  ).pipe(Command.withDescription("Show the help of a command"))

export const version = Command.make("version", {}, () =>
  Effect.gen(function* () {
    const { present } = yield* CliOutput.Presenter
    yield* present({ _tag: "Version", name: "overture", version: versionNumber })
  })
).pipe(Command.withDescription("Show the version"))
