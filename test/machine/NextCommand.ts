// test/machine/Next.ts: the command that has to come next for a campaign to get further.
import type { AssetType } from "#schema/Assets.ts"
import { order } from "./Building.ts"
import type { Command, On } from "./Commands.ts"
import { count, overall, type World } from "./Model.ts"
import { isFar, parties, pick } from "./Seen.ts"

/** The step that this campaign lacks. */
export const nextOf = (world: World, who: 0 | 1, at: 0 | 1 | 2): Command => {
  const campaign = pick(parties(world, who)[0].campaigns, at)
  const on: On = { of: "own", at }
  const plain = { who, on, key: 0 } as const
  if (campaign === undefined) return { do: "create", who, name: "Spring", key: 0 }
  if (campaign.audience === null || campaign.research === "failed") return { do: "target", ...plain, audience: "first" }
  const type = order.slice(0, 3).find((type: AssetType) => campaign.chosen[type] === null)
  if (type !== undefined) return { do: "select", ...plain, type, pick: "first" }
  if (campaign.options === "none" || campaign.options === "failed") return { do: "propose", ...plain }
  if (campaign.options === "running" || campaign.build === "running") return { do: "rest", mood: "well" }
  if (overall(campaign) === "ready") return { do: "look", who, on }
  return { do: "select", ...plain, type: "value_proposition", pick: "first" }
}

/** What has to be done first so that there is something for this command to be about. */
export const before = (world: World, command: Command): Command | undefined => {
  if (!("on" in command) || (command.on.of !== "own" && command.on.of !== "best")) return undefined
  const { do: what, who } = command
  const [{ campaigns, lists }] = parties(world, who)
  const reviews = what === "review" || what === "rewrite" || what === "bulk"
  const needsBuilt = reviews || what === "batch" || what === "generate" || what === "preview" || what === "list"
  if (campaigns.length === 0) return nextOf(world, who, 0)
  if (!needsBuilt || command.on.of === "own" || (what === "list" && lists.length > 0)) return undefined
  if (!campaigns.some(isFar)) return nextOf(world, who, 0)
  const leads = { plain: 2, refused: 1, slow: 1, many: false, afterwards: "stalling" } as const
  if (reviews && lists.some((list) => count(list, "completed") > 0)) return undefined
  if (reviews)
    return { do: "batch", who, on: command.on, signature: "inline", enriched: false, ...leads, afterwards: "well" }
  return what === "list"
    ? { do: "batch", who, on: command.on, signature: "inline", enriched: false, ...leads }
    : undefined
}
