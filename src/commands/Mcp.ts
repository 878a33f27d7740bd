// src/commands/Mcp.ts: a server of tools for agents, on standard input and output.
import { Effect, Layer } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { Command } from "effect/cli"
import { version } from "#schema/Api.ts"
import { HelpEnd } from "#src/commands/Output.ts"
import { connect, environment } from "#src/commands/Remote.ts"
import { Logging } from "#src/logging.ts"
import { handlers } from "#src/mcp/Handlers.ts"
import { Tools } from "#src/mcp/Tools.ts"

const instructions =
  "Overture writes personalised cold-email sequences. Find a campaign that is ready with list_campaigns, see how it sounds with preview, and write to a lead with generate. Credits are charged where a tool says so. Nothing is ever sent to a lead."

export const mcp = Command.make("mcp", {}, () =>
  Effect.gen(function* () {
    const { client, explained } = yield* connect
    return yield* McpServer.layerStdio({
      name: "overture",
      version,
      instructions,
      protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
      registrations: McpServer.toolkit(Tools).pipe(Layer.provide(handlers(client, explained)))
    }).pipe(Layer.provide(Logging), Layer.launch)
  })
).pipe(
  Command.withDescription("Give an agent tools to work with a server, over MCP on standard input and output"),
  Command.annotate(HelpEnd, environment)
)
