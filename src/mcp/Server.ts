// src/mcp/Server.ts: the tools as a server on standard input and output.
import { Layer } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { version } from "#schema/Api.ts"
import { handlers } from "#src/mcp/Handlers.ts"
import { Tools } from "#src/mcp/Tools.ts"

const instructions =
  "Overture writes personalised cold-email sequences. Find a campaign that is ready with list_campaigns, see how it sounds with preview, and write to a lead with generate. Credits are charged where a tool says so. Nothing is ever sent to a lead."

/** Serves until the client closes its input. */
export const server = (...given: Parameters<typeof handlers>) =>
  McpServer.layerStdio({
    name: "overture",
    version,
    instructions,
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
    registrations: McpServer.toolkit(Tools).pipe(Layer.provide(handlers(...given)))
  })
