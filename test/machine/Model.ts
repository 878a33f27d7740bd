// test/machine/Model.ts: the state that the contract promises: campaigns, lists and keys, without how they are stored.
import type { AssetType } from "#schema/Assets.ts"
import type { Money } from "./Money.ts"

/** The progress of background work. */
export type Work = "none" | "running" | "ready" | "failed"

export interface Segment {
  readonly id: string
  readonly segment_name: string
  readonly company_size: string
}

interface Choice {
  readonly names: ReadonlyArray<string>
  /** The whole choice as text, to recognise the same choice when it is sent again. */
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

/** A version of an email. */
interface EmailVersion {
  readonly subject: string
  readonly body: string
  readonly by: "writer" | "person" | "rewrite"
}

export type Decision = "open" | "approved" | "rejected"

export interface Lead {
  readonly kind: LeadKind
  /** Its place in the list, from 0. */
  readonly at: number
  /** Unknown until the list's leads have been read. */
  id: string
  state: "pending" | "completed" | "failed" | "skipped"
  held: boolean
  /** All versions of each email, the oldest first. */
  emails: ReadonlyArray<Array<EmailVersion>>
  review: Decision
  /** Whether it was opened with a key that may approve it. */
  seen: boolean
  /** Rank of its worst finding, as its list shows them. */
  severity: number
  /** Whether each email has a failing finding, as its list shows them. */
  failing: ReadonlyArray<boolean>
  /** Whether its versions are to be read again. */
  touched: boolean
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
  /** Two of them want the same credits, or one pauses the others, and which is first is open. */
  contested: boolean
  /** Whether its leads are to be read again. */
  changed: boolean
}

/** What was answered under an Idempotency-Key. */
interface KeyedAnswer {
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
  readonly keys: Map<string, KeyedAnswer>
  /** Ids of the suppression entries by their value. */
  readonly suppressed: Map<string, string>
}

export interface World {
  readonly workspaces: readonly [Workspace, Workspace]
  now: number
}

const batchSize = 25

export const newCampaign = (name: string): Campaign => ({
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
export const reopenCampaign = ({ lists }: Workspace, campaign: Campaign) => {
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

export const setAudience = (workspace: Workspace, campaign: Campaign, segment: Segment) => {
  const same = JSON.stringify(segment) === JSON.stringify(campaign.audience)
  if (same && campaign.research !== "failed") return
  campaign.audience = segment
  campaign.research = "running"
  reopenCampaign(workspace, campaign)
}

export const leadsOf = (list: Pick<List, "batches">) => list.batches.flatMap((batch) => batch.leads)

/** Credits that are promised to leads. */
export const heldCredits = ({ lists }: Workspace) =>
  lists.reduce((sum, list) => sum + leadsOf(list).filter((lead) => lead.held).length * list.cost, 0)

export const headroom = (workspace: Workspace) => workspace.money.headroom(heldCredits(workspace))

export const inWork = ({ status }: List) => status === "processing" || status === "in_progress"

export const addressOf = (at: number) => `lead${at}@lead.example`

/** The company of all leads as it is compared: they work at its branches in one country. */
export const company = "north"

export const isSuppressed = ({ suppressed }: Workspace, at: number) =>
  suppressed.has(addressOf(at)) || suppressed.has("lead.example") || suppressed.has(company)

/** The lead with the emails of the test's writer. */
export const completeLead = (list: List, lead: Lead) => {
  lead.state = "completed"
  lead.touched = list.changed = true
  lead.emails = Array.from({ length: list.steps }, (_, at) => [
    { subject: `subject ${at + 1}`, body: `Hello ${lead.kind}, this is email ${at + 1}.\n\nBo`, by: "writer" as const }
  ])
}

export const countLeads = (list: List, state: Lead["state"]) =>
  leadsOf(list).filter((lead) => lead.state === state).length

/** Takes leads for a campaign that is far enough. */
export const addList = (
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
  const all = leads.map((leadKind, at): Lead => ({
    kind: leadKind,
    at,
    id: "",
    state: isSuppressed(workspace, at) ? "skipped" : "pending",
    held: kind === "single",
    emails: [],
    review: "open",
    seen: false,
    severity: 0,
    failing: [],
    touched: false
  }))
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
    contested: false,
    changed: true
  }
  workspace.lists.push(list)
  return list
}
