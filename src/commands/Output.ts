// src/commands/Output.ts: formats the help, and prints errors as one line on standard error.
import { Cause, Config, Console, Context, Effect, Layer, Option, Schema, SchemaIssue } from "effect"
import { CliError, CliOutput, Command, type HelpDoc } from "effect/cli"
import type { Setting } from "#src/settings/Setting.ts"
import { logSettings } from "#src/settings/Telemetry.ts"

/** Annotation of a command: lines appended to its help. */
const HelpFooter = Context.Reference<ReadonlyArray<string>>("overture/src/HelpFooter", { defaultValue: () => [] })

/** Appends the environment variables that a command reads to its help. */
export const withEnvironment = (settings: ReadonlyArray<Setting<unknown>>) =>
  Command.annotate(HelpFooter, [
    "",
    "ENVIRONMENT (or a .env in the data directory)",
    ...settings.map(({ defaultText, description, name }) => `  ${name.padEnd(30)}${description} (${defaultText})`)
  ])

// External text, for example a file name, must not control the terminal.
const inOneLine = (text: string) => text.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The issues of a schema error, each with its path. */
export const describeSchemaError = ({ issue }: Schema.SchemaError) =>
  format(issue)
    .issues.map(({ message, path = [] }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ")

/** An error that ends the command with a one-line message that says what to do. */
export const userError = (message: string) => new CliError.UserError({ cause: message, userMessage: message })

/** Turns any error into a one-line message for the user. */
export const asUserError = Effect.mapError((error: { readonly message: string }) => {
  if (error instanceof CliError.UserError) return error
  return userError(
    error instanceof Config.ConfigError && Schema.isSchemaError(error.cause)
      ? describeSchemaError(error.cause)
      : error.message
  )
})

/** `a`, `a or b`, `a, b or c`. */
const joinChoices = (words: ReadonlyArray<string>) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

/** The expected value in plain words. */
const expectation = (text: string) => {
  const expected = text.replace(/^Schema validation failed: /, "")
  if (expected === "Expected a string representing a finite number" || expected === "Expected an integer") {
    return "must be a whole number"
  }
  const choices = expected.replace(/^Expected /, "").split(" | ")
  if (choices.every((choice) => /^"[^"]*"$/.test(choice)))
    return `must be ${joinChoices(choices.map((choice) => choice.slice(1, -1)))}`
  return expected.replace(/^Expected/, "expected")
}

const suggestionText = (suggestions: ReadonlyArray<string>) =>
  suggestions.length === 0 ? "" : `. Did you mean ${joinChoices(suggestions)}?`

/** The problem of a command line as one sentence, without a full stop. */
const describeError = (error: CliError.NonShowHelpErrors) => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}${suggestionText(error.suggestions)}`
    case "UnknownSubcommand":
      return `Unknown command "${error.subcommand}"${suggestionText(error.suggestions)}`
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
    const problems = event.errors.map((error) => inOneLine(describeError(error))).join("; ")
    const help = `${event.commandPath.join(" ")} --help`
    return yield* Console.error(problems.endsWith("?") ? `${problems} See ${help}` : `${problems}; see ${help}`)
  }
  yield* CliOutput.defaultPresenter.present(event)
  if (event._tag !== "Help") return
  for (const line of Context.get(event.helpDoc.annotations, HelpFooter)) yield* Console.log(line)
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
    const summary = inOneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    const level = yield* Effect.orElseSucceed(logSettings, () => ({ level: "info" }))
    const wantsStack = ["all", "trace", "debug"].includes(level.level)
    yield* Console.error(
      wantsStack
        ? Cause.pretty(cause)
        : `Internal error: ${summary}. Set OVERTURE_LOG_LEVEL=debug for the stack, and report it`
    )
  })
)
