// test/machine/NextCommand.ts: chooses commands that advance a campaign. Random commands alone seldom come in an order that builds
// a campaign and writes emails, so most would only be refused.
import type { AssetType } from "#schema/Assets.ts"
import { assetTypes } from "./Building.ts"
import type { Command, ResourceRef } from "./Commands.ts"
import { countLeads, campaignStatus, type World } from "./Model.ts"
import { canWriteFrom, ownAndOther, nthNewest } from "./Lookup.ts"

/** The command for the next step of a campaign. */
export const nextCommand = (world: World, caller: 0 | 1, index: 0 | 1 | 2): Command => {
  const campaign = nthNewest(ownAndOther(world, caller)[0].campaigns, index)
  const resource: ResourceRef = { which: "own", index }
  const commonFields = { caller, resource, key: 0 } as const
  if (campaign === undefined) return { do: "create", caller, name: "Spring", key: 0 }
  if (campaign.audience === null || campaign.research === "failed")
    return { do: "target", ...commonFields, audience: "first" }
  const type = assetTypes.slice(0, 3).find((type: AssetType) => campaign.chosen[type] === null)
  if (type !== undefined) return { do: "select", ...commonFields, type, pick: "first" }
  if (campaign.propositionState === "none" || campaign.propositionState === "failed")
    return { do: "propose", ...commonFields }
  if (campaign.propositionState === "running" || campaign.build === "running")
    return { do: "run jobs", writerState: "well" }
  if (campaignStatus(campaign) === "ready") return { do: "read", caller, resource }
  return { do: "select", ...commonFields, type: "value_proposition", pick: "first" }
}

/** A command that has to come first, so that this one has a resource to work on. */
export const prerequisiteOf = (world: World, command: Command): Command | undefined => {
  if (!("resource" in command) || (command.resource.which !== "own" && command.resource.which !== "best"))
    return undefined
  const { do: name, caller } = command
  const [{ campaigns, lists }] = ownAndOther(world, caller)
  const isReview = name === "review" || name === "rewrite" || name === "bulk"
  const needsBuilt = isReview || name === "batch" || name === "generate" || name === "preview" || name === "list"
  if (campaigns.length === 0) return nextCommand(world, caller, 0)
  if (!needsBuilt || command.resource.which === "own" || (name === "list" && lists.length > 0)) return undefined
  if (!campaigns.some(canWriteFrom)) return nextCommand(world, caller, 0)
  const leadCounts = { plain: 2, refused: 1, slow: 1, many: false, afterwards: "stalling" } as const
  if (isReview && lists.some((list) => countLeads(list, "completed") > 0)) return undefined
  if (isReview)
    return {
      do: "batch",
      caller,
      resource: command.resource,
      signature: "inline",
      enriched: false,
      ...leadCounts,
      afterwards: "well"
    }
  return name === "list"
    ? { do: "batch", caller, resource: command.resource, signature: "inline", enriched: false, ...leadCounts }
    : undefined
}
