// console/pages/campaign/CampaignOverview.ts: loads a campaign for its pages: its entry, its build status and its choices.
import { Effect } from "effect"
import { type Client, Problem } from "#console/Api.ts"

/** Searches the list of campaigns, because only the list has their names. */
const loadCampaignEntry = Effect.fnUntraced(function* (api: Client, id: string) {
  for (let offset = 0; ; offset += 100) {
    const { campaigns, has_more } = yield* api.campaigns.listCampaigns({ query: { limit: 100, offset } })
    const found = campaigns.find((campaign) => campaign.id === id)
    if (found !== undefined) return found
    if (!has_more) return yield* Effect.fail(new Problem("NOT_FOUND", "No such campaign in this workspace"))
  }
})

export const loadCampaign = (id: string) => (api: Client) =>
  Effect.all(
    {
      entry: loadCampaignEntry(api, id),
      status: api.campaigns.getBuildStatus({ params: { id } }),
      chosen: api.campaigns.getSelections({ params: { id } })
    },
    { concurrency: 3 }
  )

/** A campaign as its pages load it. */
export type CampaignOverview = Effect.Success<ReturnType<ReturnType<typeof loadCampaign>>>

/** Whether something is being generated, so that the page polls the API. */
export const isBuilding = ({ overall, stages }: CampaignOverview["status"]) =>
  overall === "building" || stages.value_proposition === "processing"
