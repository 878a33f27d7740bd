// console/pages/campaign/Steps.ts: the steps that build a campaign, with their names on the page.
import type { AssetType } from "#schema/Assets.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { routeTo } from "#console/Route.ts"

export interface Step {
  readonly type: "audience" | AssetType
  readonly name: string
  readonly intro: string
  /** Whether the step may be skipped. */
  readonly optional: boolean
}

export const steps: ReadonlyArray<Step> = [
  {
    type: "audience",
    name: "Audience",
    intro: "One sort of company and the people who decide there. The narrower, the better the emails.",
    optional: false
  },
  {
    type: "social_proof",
    name: "Social proof",
    intro: "What you have done for others. The emails say it in these words, so put it as you would.",
    optional: true
  },
  {
    type: "lead_magnet",
    name: "Lead magnet",
    intro: "Something small and useful that costs them nothing, for the second email.",
    optional: true
  },
  {
    type: "risk_reversal",
    name: "Risk reversal",
    intro: "A guarantee or a trial that takes away the risk of saying yes, such as “You pay nothing if we are late.”",
    optional: true
  },
  {
    type: "value_proposition",
    name: "Value propositions",
    intro: "Made from what you chose so far. Choose at least one; the build begins with it.",
    optional: false
  }
]

/** The address of the previous step; for the first step, that of the campaign. */
export const previousStepAddress = (campaign: string, type: Step["type"]) => {
  const previous = steps[steps.findIndex((step) => step.type === type) - 1]
  return previous === undefined
    ? routeTo("campaigns", campaign)
    : routeTo("campaigns", campaign, "build", previous.type)
}

export const isDone = ({ chosen }: CampaignOverview, { type }: Step) =>
  type === "audience" ? chosen.target_audience !== null : chosen.selections[type] !== null
