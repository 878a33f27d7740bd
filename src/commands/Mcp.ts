// src/commands/Mcp.ts: serves MCP tools to agents on standard input and output.
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { connect, remoteEnvironment } from "#src/commands/Remote.ts"
import { Logging } from "#src/logging.ts"

export const mcp = Command.make("mcp", {}, () =>
  Effect.gen(function* () {
    const { client, explainError } = yield* connect
    // Imported here, so that other commands start faster.
    const { server } = yield* Effect.promise(() => import("#src/mcp/Server.ts"))
    return yield* server(client, explainError).pipe(Layer.provide(Logging), Layer.launch)
  })
).pipe(remoteEnvironment)
