// src/mcp/Handlers.ts: what an agent asks for, done over HTTP with the key that it was given.
import { Effect } from "effect"
import type { Client } from "#schema/Client.ts"
import { ToolFailed, Tools } from "#src/mcp/Tools.ts"

/** As many as an agent wants to read at once. */
const usual = 20

const usualHeaders = ["Email", "Name", "Title", "Company"]

type Explained = <A, R>(
  done: Effect.Effect<A, { readonly message: string }, R>
) => Effect.Effect<A, { readonly message: string }, R>

export const handlers = (client: Client, explained: Explained) => {
  const tell = <A, R>(done: Effect.Effect<A, { readonly message: string }, R>) =>
    Effect.mapError(explained(done), ({ message }) => new ToolFailed({ message }))

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
