// console/Campaigns.ts: what the pages of a campaign ask for, and how its steps are called.
import { Effect } from "effect"
import type { AssetType } from "#schema/Assets.ts"
import { type Client, Problem } from "#console/Api.ts"

/** The campaign among all: the API tells names in its list alone. */
export const entryOf = Effect.fnUntraced(function* (api: Client, id: string) {
  for (let offset = 0; ; offset += 100) {
    const { campaigns, has_more } = yield* api.campaigns.listCampaigns({ query: { limit: 100, offset } })
    const found = campaigns.find((campaign) => campaign.id === id)
    if (found !== undefined) return found
    if (!has_more) return yield* Effect.fail(new Problem("NOT_FOUND", "No such campaign in this workspace"))
  }
})

export const campaignOf = (id: string) => (api: Client) =>
  Effect.all(
    {
      entry: entryOf(api, id),
      status: api.campaigns.getBuildStatus({ params: { id } }),
      chosen: api.campaigns.getSelections({ params: { id } })
    },
    { concurrency: 3 }
  )

/** A campaign as its pages know it. */
export type Overall = Effect.Success<ReturnType<ReturnType<typeof campaignOf>>>

/** Where the API is asked anew: something is being made. */
export const isMoving = (status: {
  readonly overall: string
  readonly stages: { readonly value_proposition: string }
}) => status.overall === "building" || status.stages.value_proposition === "processing"

export interface Step {
  readonly type: "audience" | AssetType
  readonly name: string
  readonly question: string
  readonly lead: string
  /** Whether nothing is a choice too. */
  readonly optional: boolean
}

export const steps: ReadonlyArray<Step> = [
  {
    type: "audience",
    name: "Audience",
    question: "Whom does it speak to?",
    lead: "One sort of company and the people who decide there. The narrower, the better the emails.",
    optional: false
  },
  {
    type: "social_proof",
    name: "Social proof",
    question: "Why should they believe you?",
    lead: "What you have done for others. The emails say it in these words, so put it as you would.",
    optional: true
  },
  {
    type: "lead_magnet",
    name: "Lead magnet",
    question: "What can you offer them first?",
    lead: "Something small and useful that costs them nothing, for the second email.",
    optional: true
  },
  {
    type: "risk_reversal",
    name: "Risk reversal",
    question: "What if it does not work out?",
    lead: "What you promise for that case, so that saying yes is easy.",
    optional: true
  },
  {
    type: "value_proposition",
    name: "Value propositions",
    question: "What is in it for them?",
    lead: "Made from what you chose so far. Choose at least one; the build begins with it.",
    optional: false
  }
]
