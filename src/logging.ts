// src/logging.ts: the format and level of the log. The log goes to standard error, because standard output is for
// results.
import {
  Cause,
  Console,
  Effect,
  Formatter,
  Layer,
  Logger,
  LogLevel,
  Option,
  Predicate,
  References,
  Struct
} from "effect"
import { GlobalFlag } from "effect/cli"
import { PendingLines, RequestLog, type RequestLine } from "#src/http/RequestLog.ts"
import { logSettings } from "#src/settings/Telemetry.ts"

/** The log settings of the environment; `--log-level` takes precedence. */
const logOptions = Effect.gen(function* () {
  const { format, level } = yield* logSettings
  return {
    pretty: format === undefined ? process.stderr.isTTY : format === "pretty",
    level: Option.getOrElse(
      yield* GlobalFlag.LogLevel,
      () => LogLevel.values.find((value) => value.toLowerCase() === level) ?? "Info"
    )
  }
})

type Fields = Record<string, unknown>

/** Errors whose message repeats what was read: a pattern, a JSON text or a value. */
const quotingErrors: ReadonlySet<string> = new Set(["SyntaxError", "SchemaError", "URIError"])

/** The error without what it quotes, which may be the text of a user: 'Cannot read properties of undefined (reading …)'. */
const errorText = ({ message, name }: Error) =>
  quotingErrors.has(name) ? name : `${name}: ${message.replace(/["'`].*["'`]/s, "…")}`

const errorLines = (error: Error): ReadonlyArray<string> => [
  errorText(error),
  // A line of the message may look like one of the stack.
  ...(error.stack ?? "")
    .replace(error.message, () => "")
    .split("\n")
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line)),
  ...(error.cause instanceof Error
    ? errorLines(error.cause).map((line, index) => `  ${index === 0 ? "[cause]: " : ""}${line}`)
    : [])
]

/** The errors of a cause with their stacks. */
export const causeText = (cause: Cause.Cause<unknown>) => Cause.prettyErrors(cause).flatMap(errorLines).join("\n")

/** The message of a log entry as one text, and its other values as fields. */
const toLogEntry = ({ cause, fiber, message }: Logger.Options<unknown>) => {
  const texts: Array<string> = []
  const fields: Fields = { ...fiber.getRef(References.CurrentLogAnnotations) }
  for (const part of Array.isArray(message) ? message : [message]) {
    if (part instanceof Error) fields["error"] = errorText(part)
    else if (Predicate.isObject(part) && !Array.isArray(part)) Object.assign(fields, part)
    else texts.push(typeof part === "string" ? part : Formatter.formatJson(part))
  }
  if (cause.reasons.length > 0) fields["cause"] = causeText(cause)
  return { message: texts.join(": "), fields }
}

const toIsoTime = (millis: number) => new Date(millis).toISOString()

const jsonLine = (millis: number, level: string, message: string, fields: Fields) =>
  Formatter.formatJson({
    timestamp: toIsoTime(millis),
    level,
    message,
    ...Struct.omit(fields, ["timestamp", "level", "message"])
  })

const formatValue = (value: unknown) =>
  typeof value === "string" && /^\S+$/.test(value) ? value : Formatter.formatJson(value)

/** A line for people, with the cause below it. */
const prettyLine = (millis: number, level: string, message: string, { cause, ...fields }: Fields = {}) => {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
  const firstLine = [message, ...pairs.map(([name, value]) => `${name}=${formatValue(value)}`)].join(" ")
  const causeLines = typeof cause === "string" ? cause.split("\n").map((line) => `\n  ${line}`) : []
  return `[${toIsoTime(millis).slice(11, 23)}] ${level.padEnd(5)} ${firstLine}${causeLines.join("")}`
}

const requestJson = ({ endedAt, ...fields }: RequestLine) =>
  JSON.stringify({ timestamp: toIsoTime(endedAt), level: "INFO", message: "request", ...fields })

const requestPretty = ({ endedAt, method, ms, request_id, route, status }: RequestLine) =>
  prettyLine(endedAt, "INFO", `${status} ${method} ${route ?? "(no route)"} ${ms} ms ${request_id}`)

/** Writes a line after the lines of requests that ended before it. */
const makeLogger = (pretty: boolean) =>
  Logger.make((options) => {
    const { date, fiber, logLevel } = options
    for (const flush of fiber.getRef(PendingLines)) flush()
    const { fields, message } = toLogEntry(options)
    const formatLine = pretty ? prettyLine : jsonLine
    fiber.getRef(Console.Console).error(formatLine(date.getTime(), logLevel.toUpperCase(), message, fields))
  })

export const Logging = Layer.unwrap(
  Effect.gen(function* () {
    const { level, pretty } = yield* logOptions
    return Layer.mergeAll(
      Logger.layer([makeLogger(pretty)]),
      // Off until a collector is configured, because each statement and service call would create a span.
      Layer.succeed(References.TracerEnabled, false),
      Layer.succeed(References.MinimumLogLevel, level)
    )
  })
)

export const RequestLogging = Layer.unwrap(
  Effect.gen(function* () {
    const { level, pretty } = yield* logOptions
    if (!LogLevel.isGreaterThanOrEqualTo("Info", level)) return RequestLog.layerNone
    const formatLine = pretty ? requestPretty : requestJson
    return RequestLog.layer((lines) => void process.stderr.write(lines.map(formatLine).join("\n") + "\n"))
  })
)
