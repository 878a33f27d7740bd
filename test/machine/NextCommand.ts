// test/machine/NextCommand.ts: the command that a campaign needs next.
import type { AssetType } from "#schema/Assets.ts"
import { order } from "./Building.ts"
import type { Command, Subject } from "./Commands.ts"
import { countLeads, overall, type World } from "./Model.ts"
import { isFar, ownAndOther, pick } from "./Lookup.ts"

/** The command for the next step of a campaign. */
export const nextCommand = (world: World, caller: 0 | 1, at: 0 | 1 | 2): Command => {
  const campaign = pick(ownAndOther(world, caller)[0].campaigns, at)
  const on: Subject = { of: "own", at }
  const plain = { caller, on, key: 0 } as const
  if (campaign === undefined) return { do: "create", caller, name: "Spring", key: 0 }
  if (campaign.audience === null || campaign.research === "failed") return { do: "target", ...plain, audience: "first" }
  const type = order.slice(0, 3).find((type: AssetType) => campaign.chosen[type] === null)
  if (type !== undefined) return { do: "select", ...plain, type, pick: "first" }
  if (campaign.options === "none" || campaign.options === "failed") return { do: "propose", ...plain }
  if (campaign.options === "running" || campaign.build === "running") return { do: "rest", writerState: "well" }
  if (overall(campaign) === "ready") return { do: "look", caller, on }
  return { do: "select", ...plain, type: "value_proposition", pick: "first" }
}

/** A command that has to come first, so that this one has a resource to work on. */
export const prerequisiteOf = (world: World, command: Command): Command | undefined => {
  if (!("on" in command) || (command.on.of !== "own" && command.on.of !== "best")) return undefined
  const { do: what, caller } = command
  const [{ campaigns, lists }] = ownAndOther(world, caller)
  const reviews = what === "review" || what === "rewrite" || what === "bulk"
  const needsBuilt = reviews || what === "batch" || what === "generate" || what === "preview" || what === "list"
  if (campaigns.length === 0) return nextCommand(world, caller, 0)
  if (!needsBuilt || command.on.of === "own" || (what === "list" && lists.length > 0)) return undefined
  if (!campaigns.some(isFar)) return nextCommand(world, caller, 0)
  const leads = { plain: 2, refused: 1, slow: 1, many: false, afterwards: "stalling" } as const
  if (reviews && lists.some((list) => countLeads(list, "completed") > 0)) return undefined
  if (reviews)
    return { do: "batch", caller, on: command.on, signature: "inline", enriched: false, ...leads, afterwards: "well" }
  return what === "list"
    ? { do: "batch", caller, on: command.on, signature: "inline", enriched: false, ...leads }
    : undefined
}
