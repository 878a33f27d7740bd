// src/mcp/Server.ts: the MCP server: its tools, and its transport over standard input and output.
import { Layer } from "effect"
import { McpProtocol, McpServer, Toolkit } from "effect/ai"
import type { Client } from "#client/Client.ts"
import { version } from "#schema/Version.ts"
import { CheckedStdio } from "#src/mcp/CheckedStdio.ts"
import * as Campaigns from "#src/mcp/tools/Campaigns.ts"
import * as Lists from "#src/mcp/tools/Lists.ts"
import * as Playbook from "#src/mcp/tools/Playbook.ts"
import * as Review from "#src/mcp/tools/Review.ts"
import { type ExplainError, makeCallApi } from "#src/mcp/tools/Shared.ts"

const instructions =
  "Overture writes personalised cold-email sequences. Find a campaign that is ready with list_campaigns, see how it sounds with preview, and write to a lead with generate. Credits are charged where a tool says so. Nothing is ever sent to a lead."

/** The name, version and instructions that clients get from the server. */
export const serverInfo = { name: "overture", version, instructions }

/** Supported versions of the protocol with an `initialize` handshake, the preferred first. */
export const protocols = [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26] as const

/** The tools, which call the API with `client`. `explainError` converts its errors to messages for the user. */
export const registrations = (client: Client, explainError: ExplainError) => {
  const callApi = makeCallApi(explainError)
  const tools = Toolkit.merge(Campaigns.tools, Lists.tools, Review.tools, Playbook.tools)
  const requestLayers = Layer.mergeAll(
    Campaigns.requests(client, callApi),
    Lists.requests(client, callApi),
    Review.requests(client, callApi),
    Playbook.requests(client, callApi)
  )
  return McpServer.toolkit(tools).pipe(Layer.provide(requestLayers))
}

/** Serves on standard input and output until the client closes its input. */
export const server = (...options: Parameters<typeof registrations>) =>
  McpServer.layerStdio({ ...serverInfo, protocols, registrations: registrations(...options) }).pipe(
    Layer.provide(CheckedStdio)
  )
