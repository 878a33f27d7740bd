// src/commands/Output.ts: formats the help, and prints errors as one line on standard error.
import { Cause, Config, Console, Context, Effect, Layer, Option, Schema, SchemaIssue } from "effect"
import { CliError, CliOutput, Command, type HelpDoc } from "effect/cli"
import type { Setting } from "#src/settings/Setting.ts"
import { logSettings } from "#src/settings/Telemetry.ts"

/** Annotation of a command: lines appended to its help. */
const HelpEnd = Context.Reference<ReadonlyArray<string>>("overture/src/HelpEnd", { defaultValue: () => [] })

/** Appends the environment variables that a command reads to its help. */
export const withEnvironment = (settings: ReadonlyArray<Setting<unknown>>) =>
  Command.annotate(HelpEnd, [
    "",
    "ENVIRONMENT (or a .env in the data directory)",
    ...settings.map(({ meaning, name, otherwise }) => `  ${name.padEnd(30)}${meaning} (${otherwise})`)
  ])

// External text, for example a file name, must not control the terminal.
const inOneLine = (text: string) => text.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The issues of a schema error, each with its path. */
export const described = ({ issue }: Schema.SchemaError) =>
  format(issue)
    .issues.map(({ message, path = [] }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ")

/** An error that ends the command with a one-line message that says what to do. */
export const userError = (message: string) => new CliError.UserError({ cause: message, userMessage: message })

/** Turns any error into a one-line message for the user. */
export const asUserError = Effect.mapError((error: { readonly message: string }) => {
  if (error instanceof CliError.UserError) return error
  return userError(
    error instanceof Config.ConfigError && Schema.isSchemaError(error.cause) ? described(error.cause) : error.message
  )
})

/** `a`, `a or b`, `a, b or c`. */
const oneOf = (words: ReadonlyArray<string>) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

/** The expected value in plain words. */
const expectation = (text: string) => {
  const bare = text.replace(/^Schema validation failed: /, "")
  if (bare === "Expected a string representing a finite number" || bare === "Expected an integer") {
    return "must be a whole number"
  }
  const choices = bare.replace(/^Expected /, "").split(" | ")
  if (choices.every((choice) => /^"[^"]*"$/.test(choice)))
    return `must be ${oneOf(choices.map((one) => one.slice(1, -1)))}`
  return bare.replace(/^Expected/, "expected")
}

const suggested = (suggestions: ReadonlyArray<string>) =>
  suggestions.length === 0 ? "" : `. Did you mean ${oneOf(suggestions)}?`

/** The problem of a command line as one sentence, without a full stop. */
const complaint = (error: CliError.NonShowHelpErrors) => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}${suggested(error.suggestions)}`
    case "UnknownSubcommand":
      return `Unknown command "${error.subcommand}"${suggested(error.suggestions)}`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : error.option
      if (error.kind === "flag" && error.expected === "at most 1 value") return `${name} is given more than once`
      // The library reports an empty value as a missing one.
      if (error.kind === "flag" && /^(?:string|integer|file|boolean)$/.test(error.expected))
        return `${name} needs a value`
      return `Invalid value for ${name}: "${error.value}": ${expectation(error.expected)}`
    }
    default:
      return error.message
  }
}

const formatter = CliOutput.defaultFormatter()

/** The help of a command, with its required flags in the usage line and marked in the list. */
const withRequired = (doc: HelpDoc.HelpDoc): HelpDoc.HelpDoc => {
  const required = doc.flags.filter((flag) => flag.required).map(({ name, type }) => `--${name} <${type}>`)
  return {
    ...doc,
    usage: doc.usage.replace(" [flags]", () => [...required.map((flag) => ` ${flag}`), " [flags]"].join("")),
    flags: doc.flags.map((flag) =>
      flag.required ? { ...flag, description: Option.map(flag.description, (text) => `${text} (required)`) } : flag
    )
  }
}

const present: CliOutput.Presenter["present"] = Effect.fnUntraced(function* (event) {
  if (event._tag === "InvalidInvocation") {
    const wrong = event.errors.map((error) => inOneLine(complaint(error))).join("; ")
    const help = `${event.commandPath.join(" ")} --help`
    return yield* Console.error(wrong.endsWith("?") ? `${wrong} See ${help}` : `${wrong}; see ${help}`)
  }
  yield* CliOutput.defaultPresenter.present(event)
  if (event._tag !== "Help") return
  for (const line of Context.get(event.helpDoc.annotations, HelpEnd)) yield* Console.log(line)
})

export const Output = Layer.merge(
  CliOutput.layer({
    ...formatter,
    formatHelpDoc: (doc) => formatter.formatHelpDoc(withRequired(doc)),
    formatError: ({ message }) => inOneLine(message)
  }),
  CliOutput.layerPresenter({ present })
)

/** Whether the library has already printed the error. */
const isPrinted = (error: unknown) =>
  CliError.isCliError(error) && (error._tag === "UserError" || error._tag === "ShowHelp")

/** Prints any other error, for example a defect, as one line on standard error; at log level debug with its stack. */
export const reportUnexpected = Effect.tapCause(
  Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    const error = Cause.squash(cause)
    if (Cause.hasInterruptsOnly(cause) || isPrinted(error)) return
    const what = inOneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    const level = yield* Effect.orElseSucceed(logSettings, () => ({ level: "info" }))
    const wantsStack = ["all", "trace", "debug"].includes(level.level)
    yield* Console.error(
      wantsStack
        ? Cause.pretty(cause)
        : `Internal error: ${what}. Set OVERTURE_LOG_LEVEL=debug for the stack, and report it`
    )
  })
)
