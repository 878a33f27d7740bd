// test/machine/Model.ts: campaigns, lists and keys as the contract tells of them, and nothing of how they are stored.
import type { AssetType } from "#schema/Assets.ts"
import type { Money } from "./Money.ts"

/** How far background work is that was asked for. */
export type Work = "none" | "running" | "ready" | "failed"

export interface Segment {
  readonly id: string
  readonly segment_name: string
  readonly company_size: string
}

interface Choice {
  readonly names: ReadonlyArray<string>
  /** All that was said, to tell the same again from something else. */
  readonly content: string
}

export interface Campaign {
  /** Unknown until the service has answered. */
  id: string
  name: string
  audience: Segment | null
  research: Work
  options: Work
  build: Work
  /** Whether value propositions were selected since something before them changed. */
  selected: boolean
  readonly chosen: Record<AssetType, Choice | null>
  /** Value propositions to choose from, and those from before they were regenerated. */
  proposals: ReadonlyArray<string>
  stale: ReadonlyArray<string>
}

export type LeadKind = "plain" | "refused" | "slow"

interface Lead {
  readonly kind: LeadKind
  state: "pending" | "completed" | "failed"
  held: boolean
}

export interface Batch {
  /** `waiting` is for the build of its campaign. */
  state: "waiting" | "open" | "parked" | "ended"
  readonly leads: ReadonlyArray<Lead>
}

export type Status = "pending" | "processing" | "in_progress" | "completed" | "failed"

export interface List {
  id: string
  readonly kind: "single" | "batch"
  campaign: Campaign | null
  name: string
  status: Status
  /** Whether it has what it is written from; until then a build that fails is the end of it. */
  briefed: boolean
  readonly steps: number
  /** Credits for each lead that succeeds. */
  readonly cost: number
  readonly batches: ReadonlyArray<Batch>
  /** Two of them want the same credits, and who gets them is open. */
  contested: boolean
}

/** What was answered under an Idempotency-Key. */
interface Kept {
  readonly body: string
  readonly status: number
  readonly text: string
  readonly expires: number
}

export interface Workspace {
  readonly name: string
  readonly money: Money
  readonly campaigns: Array<Campaign>
  readonly lists: Array<List>
  /** Ids of what was deleted. */
  readonly goneCampaigns: Array<string>
  readonly goneLists: Array<string>
  readonly segments: Array<Segment>
  /** The options of the three steps that belong to the workspace. */
  readonly options: Readonly<Record<string, ReadonlyArray<{ readonly id: string; readonly name: string }>>>
  readonly keys: Map<string, Kept>
}

export interface World {
  readonly workspaces: readonly [Workspace, Workspace]
  now: number
}

const batchSize = 25

export const empty = (name: string): Campaign => ({
  id: "",
  name,
  audience: null,
  research: "none",
  options: "none",
  build: "none",
  selected: false,
  chosen: { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null },
  proposals: [],
  stale: []
})

export const overall = ({ build, options, research, selected }: Campaign) => {
  if ([research, options, build].includes("failed")) return "failed"
  if (!selected) return "draft"
  return build === "ready" ? "ready" : "building"
}

export const stages = ({ chosen, options, research, selected }: Campaign) => ({
  target_audience: research === "ready" ? "ready" : "pending",
  social_proof: chosen.social_proof === null ? "pending" : "ready",
  lead_magnet: chosen.lead_magnet === null ? "pending" : "ready",
  risk_reversal: chosen.risk_reversal === null ? "pending" : "ready",
  value_proposition:
    options === "running" ? "processing" : options === "failed" ? "failed" : selected ? "ready" : "pending"
})

/** What was built no longer is what was chosen, and what waited for a build of it rests. */
export const reopen = ({ lists }: Workspace, campaign: Campaign) => {
  if (campaign.build === "running") {
    for (const list of lists) {
      if (list.campaign !== campaign || list.batches.every((batch) => batch.state !== "waiting")) continue
      list.status = "pending"
      for (const batch of list.batches) batch.state = "parked"
      for (const lead of leadsOf(list)) lead.held = false
    }
  }
  campaign.selected = false
  campaign.build = "none"
}

export const link = (workspace: Workspace, campaign: Campaign, segment: Segment) => {
  const same = JSON.stringify(segment) === JSON.stringify(campaign.audience)
  if (same && campaign.research !== "failed") return
  campaign.audience = segment
  campaign.research = "running"
  reopen(workspace, campaign)
}

export const leadsOf = (list: List) => list.batches.flatMap((batch) => batch.leads)

/** Credits that are promised to leads. */
export const held = ({ lists }: Workspace) =>
  lists.reduce((sum, list) => sum + leadsOf(list).filter((lead) => lead.held).length * list.cost, 0)

export const headroom = (workspace: Workspace) => workspace.money.headroom(held(workspace))

export const inWork = ({ status }: List) => status === "processing" || status === "in_progress"

export const count = (list: List, state: Lead["state"]) => leadsOf(list).filter((lead) => lead.state === state).length

/** Takes leads for a campaign that is far enough. */
export const accept = (
  workspace: Workspace,
  campaign: Campaign,
  {
    cost,
    kind,
    leads,
    name,
    steps
  }: Pick<List, "cost" | "kind" | "name" | "steps"> & { readonly leads: ReadonlyArray<LeadKind> }
) => {
  const ready = overall(campaign) === "ready"
  const all = leads.map((of): Lead => ({ kind: of, state: "pending", held: kind === "single" }))
  const list: List = {
    id: "",
    kind,
    campaign,
    name,
    status: "processing",
    briefed: ready,
    steps,
    cost,
    batches: Array.from({ length: Math.ceil(all.length / batchSize) }, (_, i) => ({
      state: ready ? "open" : "waiting",
      leads: all.slice(i * batchSize, (i + 1) * batchSize)
    })),
    contested: false
  }
  workspace.lists.push(list)
  return list
}
