// src/commands/Output.ts: how the command line speaks: help to whoever asks for it, and a failure in one line.
import { Config, Console, Context, Effect, Layer, Schema, SchemaIssue } from "effect"
import { CliError, CliOutput, Command } from "effect/cli"
import type { Setting } from "#src/settings/Setting.ts"

/** Annotation of a command: the lines that its help ends with. */
const HelpEnd = Context.Reference<ReadonlyArray<string>>("overture/src/HelpEnd", { defaultValue: () => [] })

/** Has the help of a command end with what the environment may say to it. */
export const withEnvironment = (settings: ReadonlyArray<Setting<unknown>>) =>
  Command.annotate(HelpEnd, [
    "",
    "ENVIRONMENT (or a .env in the data directory)",
    ...settings.map(({ meaning, name, otherwise }) => `  ${name.padEnd(30)}${meaning} (${otherwise})`)
  ])

// What comes from outside, such as the name of a file, must not steer the terminal either.
const inOneLine = (text: string) => text.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, and where. */
export const described = ({ issue }: Schema.SchemaError) =>
  format(issue)
    .issues.map(({ message, path = [] }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ")

/** Ends the command with one line that says what to do. */
export const fail = (message: string) => new CliError.UserError({ cause: message, userMessage: message })

/** What a person who typed the command can do something about. */
export const told = Effect.mapError((error: { readonly message: string }) => {
  if (error instanceof CliError.UserError) return error
  return fail(
    error instanceof Config.ConfigError && Schema.isSchemaError(error.cause) ? described(error.cause) : error.message
  )
})

const formatter = CliOutput.defaultFormatter()

const present: CliOutput.Presenter["present"] = Effect.fnUntraced(function* (event) {
  if (event._tag === "InvalidInvocation") {
    const wrong = event.errors.map(({ message }) =>
      inOneLine(message).replace(". Expected: Schema validation failed: ", ": ")
    )
    return yield* Console.error(`${wrong.join("; ")}; see ${event.commandPath.join(" ")} --help`)
  }
  yield* CliOutput.defaultPresenter.present(event)
  if (event._tag !== "Help") return
  for (const line of Context.get(event.helpDoc.annotations, HelpEnd)) yield* Console.log(line)
})

export const Output = Layer.merge(
  CliOutput.layer({ ...formatter, formatError: ({ message }) => inOneLine(message) }),
  CliOutput.layerPresenter({ present })
)
