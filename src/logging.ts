// src/logging.ts: where the log goes and how it looks. Standard output belongs to what commands print.
import { Effect, Layer, Logger, LogLevel, Option, References } from "effect"
import { GlobalFlag } from "effect/cli"
import * as Requests from "#src/http/RequestLog.ts"
import { logSettings } from "#src/settings/Telemetry.ts"

/** What the environment says of the log, and `--log-level` where it is given. */
const asked = Effect.gen(function* () {
  const { format, level } = yield* logSettings
  return {
    pretty: format === undefined ? process.stderr.isTTY : format === "pretty",
    level: Option.getOrElse(
      yield* GlobalFlag.LogLevel,
      () => LogLevel.values.find((value) => value.toLowerCase() === level) ?? "Info"
    )
  }
})

export const Logging = Layer.unwrap(
  Effect.gen(function* () {
    const { level, pretty } = yield* asked
    return Layer.mergeAll(
      Logger.layer([pretty ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)]),
      Layer.succeed(Logger.LogToStderr, true),
      // Nobody collects spans yet, and each statement and service call would make one.
      Layer.succeed(References.TracerEnabled, false),
      Layer.succeed(References.MinimumLogLevel, level)
    )
  })
)

export const RequestLogging = Layer.unwrap(
  Effect.gen(function* () {
    const { level, pretty } = yield* asked
    if (!LogLevel.isGreaterThanOrEqualTo("Info", level)) return Requests.RequestLog.layerNone
    const line = pretty ? Requests.toPretty : Requests.toJson
    return Requests.RequestLog.layer((lines) => void process.stderr.write(lines.map(line).join("\n") + "\n"))
  })
)
