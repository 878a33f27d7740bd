// src/logging.ts: where the log goes and how it looks. Standard output belongs to what commands print.
import { Config, Effect, Layer, Logger, Option, References } from "effect"
import * as Requests from "#src/http/RequestLog.ts"

const format = Config.Literals(["pretty", "json"], "OVERTURE_LOG_FORMAT").pipe(
  Config.option,
  Config.map(Option.getOrElse(() => (process.stderr.isTTY ? ("pretty" as const) : ("json" as const))))
)
const level = Config.LogLevel("OVERTURE_LOG_LEVEL").pipe(Config.withDefault("Info"))

export const Logging = Layer.unwrap(
  Effect.gen(function* () {
    const logger = (yield* format) === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)
    return Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, yield* level)
    )
  })
)

export const RequestLogging = Layer.unwrap(
  Effect.gen(function* () {
    const line = (yield* format) === "pretty" ? Requests.toPretty : Requests.toJson
    const shown =
      (yield* level) === "Info" || (yield* level) === "Debug" || (yield* level) === "Trace" || (yield* level) === "All"
    if (!shown) return Requests.RequestLog.layerNone
    return Requests.RequestLog.layer((lines) => void process.stderr.write(lines.map(line).join("\n") + "\n"))
  })
)
