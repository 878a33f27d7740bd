// src/mcp/Server.ts: the tools of agents as a server on standard input and output. Each asks the API over HTTP with the key of its user.
import { Effect, Layer, Schema } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { Client } from "#client/Client.ts"
import { version } from "#schema/Api.ts"
import { BadRequest } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { ToolFailed, Tools } from "#src/mcp/Tools.ts"

/** As many as an agent wants to read at once. */
const usual = 20

const usualHeaders = ["Email", "Name", "Title", "Company"]

type Explained = <A, R>(
  done: Effect.Effect<A, { readonly message: string }, R>
) => Effect.Effect<A, { readonly message: string }, R>

/** A field of a request as the tool calls it: what tools take flat, requests have in `options` and `sample`. */
const argument = (path: string) => path.replace(/^(?:options|sample)\./, "")

/** A refusal of the arguments, with the names that the tool has for them. */
const inArguments = (error: { readonly message: string }) => {
  const issues = Schema.isSchemaError(error)
    ? issuesOf(error.issue)
    : error instanceof BadRequest
      ? (error.detail?.issues ?? [])
      : []
  return issues.length === 0
    ? error
    : new ToolFailed({ message: issues.map(({ message, path }) => `${argument(path)}: ${message}`).join("; ") })
}

const handlers = (client: Client, explained: Explained) => {
  const tell = <A, R>(done: Effect.Effect<A, { readonly message: string }, R>) =>
    Effect.mapError(explained(Effect.mapError(done, inArguments)), ({ message }) => new ToolFailed({ message }))

  return Tools.toLayer({
    list_campaigns: ({ limit = usual, offset = 0 }) =>
      tell(client.campaigns.listCampaigns({ query: { limit, offset } })),

    show_campaign: ({ campaign_id: id }) =>
      tell(
        Effect.all({
          status: client.campaigns.getBuildStatus({ params: { id } }),
          chosen: client.campaigns.getSelections({ params: { id } })
        })
      ),

    chat: (payload) => tell(client.agent.chat({ payload })),

    preview: ({ campaign_id: id, headers = usualHeaders, ...options }) =>
      tell(client.preview.previewCampaign({ params: { id }, headers: {}, payload: { sample: { headers }, options } })),

    generate: ({ campaign_id: id, lead, ...options }) =>
      tell(client.generation.generate({ params: { id }, payload: { lead, options } })),

    list_lists: ({ limit = usual, offset = 0, ...only }) =>
      tell(client.lists.listLists({ query: { limit, offset, ...only } })),

    list_signatures: ({ limit = usual, offset = 0 }) =>
      tell(client.signatures.listSignatures({ query: { limit, offset } })),

    list_status: ({ list_id: id }) => tell(client.lists.getList({ params: { id } })),

    export_emails: ({ limit = usual, list_id: id, offset = 0 }) =>
      tell(
        client.lists.exportList({ params: { id }, query: { format: "json" } }).pipe(
          Effect.map((exported) => {
            const leads = typeof exported === "string" ? [] : exported.leads
            return { leads: leads.slice(offset, offset + limit), total: leads.length }
          })
        )
      )
  })
}

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
