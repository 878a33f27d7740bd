// src/logging.ts: where the log goes and how it looks. Standard output belongs to what commands print.
import { Config, Effect, Layer, Logger, LogLevel, Option, References } from "effect"
import * as Requests from "#src/http/RequestLog.ts"

const format = Config.Literals(["pretty", "json"], "OVERTURE_LOG_FORMAT").pipe(
  Config.option,
  Config.map(Option.getOrElse(() => (process.stderr.isTTY ? ("pretty" as const) : ("json" as const))))
)
const levels = ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] as const
const level = Config.Literals(levels, "OVERTURE_LOG_LEVEL").pipe(
  Config.withDefault("info"),
  Config.map((name) => LogLevel.values.find((value) => value.toLowerCase() === name) ?? "Info")
)

export const Logging = Layer.unwrap(
  Effect.gen(function* () {
    const logger = (yield* format) === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)
    return Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeed(Logger.LogToStderr, true),
      // Nobody collects spans yet, and each statement and service call would make one.
      Layer.succeed(References.TracerEnabled, false),
      Layer.succeed(References.MinimumLogLevel, yield* level)
    )
  })
)

export const RequestLogging = Layer.unwrap(
  Effect.gen(function* () {
    const line = (yield* format) === "pretty" ? Requests.toPretty : Requests.toJson
    const shown = LogLevel.isGreaterThanOrEqualTo("Info", yield* level)
    if (!shown) return Requests.RequestLog.layerNone
    return Requests.RequestLog.layer((lines) => void process.stderr.write(lines.map(line).join("\n") + "\n"))
  })
)
