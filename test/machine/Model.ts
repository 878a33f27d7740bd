// test/machine/Model.ts: a simple model of the service's state, against which the machine test compares the API.
import type { AssetType } from "#schema/Assets.ts"
import type { CreditAccount } from "./CreditAccount.ts"

/** The progress of background work. */
export type WorkState = "none" | "running" | "ready" | "failed"

export interface Segment {
  readonly id: string
  readonly segment_name: string
  readonly company_size: string
}

interface Choice {
  readonly names: ReadonlyArray<string>
  /** The choice as text, to recognise the same choice when it is sent again. */
  readonly content: string
}

export interface Campaign {
  /** Empty until the service has answered. */
  id: string
  name: string
  audience: Segment | null
  research: WorkState
  propositionState: WorkState
  build: WorkState
  /** Whether value propositions were selected after the last change of an earlier choice. */
  hasSelectedPropositions: boolean
  readonly chosen: Record<AssetType, Choice | null>
  /** The current value propositions, and those replaced when they were last generated. */
  propositionIds: ReadonlyArray<string>
  replacedPropositionIds: ReadonlyArray<string>
}

export type LeadKind = "plain" | "refused" | "slow"

/** A version of an email. */
interface EmailVersion {
  readonly subject: string
  readonly body: string
  readonly author: "writer" | "person" | "rewrite"
  /** When it replaced the previous version, in milliseconds; undefined for the first version. */
  readonly createdAt?: number
}

export type ReviewStatus = "open" | "approved" | "rejected"

export interface Lead {
  readonly kind: LeadKind
  /** Its index in the list. */
  readonly position: number
  /** Empty until the list's leads have been read. */
  id: string
  state: "pending" | "completed" | "failed" | "skipped"
  hasReservedCredits: boolean
  /** All versions of each email, the oldest first. */
  emails: ReadonlyArray<Array<EmailVersion>>
  review: ReviewStatus
  /** Whether it was read with a key that may approve it. */
  seen: boolean
  /** The rank of its worst finding in the API. */
  severity: number
  /** Whether each email has a failing finding in the API. */
  isFailingByStep: ReadonlyArray<boolean>
  /** Whether its versions have changed and must be compared. */
  needsVersionCheck: boolean
  /** When a file with it was last exported; null if none was. */
  exportedAt: number | null
}

export interface Batch {
  /** `waiting`: for the campaign's build. */
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
  /** Whether the campaign's build has succeeded. Until then a failed build fails the list. */
  isCampaignBuilt: boolean
  readonly steps: number
  /** Credits for each lead that succeeds. */
  readonly cost: number
  readonly batches: ReadonlyArray<Batch>
  /** Whether the outcome depends on which batch runs first: there are too few credits for all, or one parks the others. */
  hasContestedCredits: boolean
  /** Whether its leads have changed and must be compared. */
  needsLeadCheck: boolean
  /** When it was last exported; null if never. */
  exportedAt: number | null
}

/** The stored response for an Idempotency-Key. */
interface KeyedAnswer {
  readonly body: string
  readonly status: number
  readonly text: string
  readonly expiresAt: number
}

export interface Workspace {
  readonly name: string
  readonly creditAccount: CreditAccount
  readonly campaigns: Array<Campaign>
  readonly lists: Array<List>
  /** Ids of deleted resources. */
  readonly deletedCampaignIds: Array<string>
  readonly deletedListIds: Array<string>
  readonly segments: Array<Segment>
  /** The options of the three steps that belong to the workspace. */
  readonly options: Readonly<Record<string, ReadonlyArray<{ readonly id: string; readonly name: string }>>>
  readonly answersByKey: Map<string, KeyedAnswer>
  /** Ids of the suppression entries by their value. */
  readonly suppressionIds: Map<string, string>
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
  propositionState: "none",
  build: "none",
  hasSelectedPropositions: false,
  chosen: { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null },
  propositionIds: [],
  replacedPropositionIds: []
})

export const campaignStatus = ({ build, propositionState, research, hasSelectedPropositions }: Campaign) => {
  if ([research, propositionState, build].includes("failed")) return "failed"
  if (!hasSelectedPropositions) return "draft"
  return build === "ready" ? "ready" : "building"
}

export const stageStatuses = ({ chosen, propositionState, research, hasSelectedPropositions }: Campaign) => ({
  target_audience: research === "ready" ? "ready" : "pending",
  social_proof: chosen.social_proof === null ? "pending" : "ready",
  lead_magnet: chosen.lead_magnet === null ? "pending" : "ready",
  risk_reversal: chosen.risk_reversal === null ? "pending" : "ready",
  value_proposition:
    propositionState === "running"
      ? "processing"
      : propositionState === "failed"
        ? "failed"
        : hasSelectedPropositions
          ? "ready"
          : "pending"
})

/** Discards the build after a choice has changed, and parks the lists that waited for it. */
export const reopenCampaign = ({ lists }: Workspace, campaign: Campaign) => {
  if (campaign.build === "running") {
    for (const list of lists) {
      if (list.campaign !== campaign || list.batches.every((batch) => batch.state !== "waiting")) continue
      list.status = "pending"
      for (const batch of list.batches) batch.state = "parked"
      for (const lead of leadsIn(list)) lead.hasReservedCredits = false
    }
  }
  campaign.hasSelectedPropositions = false
  campaign.build = "none"
}

export const setAudience = (workspace: Workspace, campaign: Campaign, segment: Segment) => {
  const isSameSegment = JSON.stringify(segment) === JSON.stringify(campaign.audience)
  if (isSameSegment && campaign.research !== "failed") return
  campaign.audience = segment
  campaign.research = "running"
  reopenCampaign(workspace, campaign)
}

export const leadsIn = (list: Pick<List, "batches">) => list.batches.flatMap((batch) => batch.leads)

/** Credits reserved for leads. */
export const reservedCredits = ({ lists }: Workspace) =>
  lists.reduce((sum, list) => sum + leadsIn(list).filter((lead) => lead.hasReservedCredits).length * list.cost, 0)

export const spendableCredits = (workspace: Workspace) => workspace.creditAccount.spendable(reservedCredits(workspace))

export const isRunning = ({ status }: List) => status === "processing" || status === "in_progress"

export const addressOf = (index: number) => `lead${index}@lead.example`

/** The company of all leads, normalised as suppressions compare it. */
export const company = "north"

export const isSuppressed = ({ suppressionIds }: Workspace, index: number) =>
  suppressionIds.has(addressOf(index)) || suppressionIds.has("lead.example") || suppressionIds.has(company)

/** Completes the lead with the emails of the fake writer. */
export const completeLead = (list: List, lead: Lead) => {
  lead.state = "completed"
  lead.needsVersionCheck = list.needsLeadCheck = true
  lead.emails = Array.from({ length: list.steps }, (_, index) => [
    {
      subject: `subject ${index + 1}`,
      body: `Hello ${lead.kind}, this is email ${index + 1}.\n\nBo`,
      author: "writer" as const
    }
  ])
}

export const countLeads = (list: List, state: Lead["state"]) =>
  leadsIn(list).filter((lead) => lead.state === state).length

/** Adds a list to a campaign that is built or being built. */
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
  const isReady = campaignStatus(campaign) === "ready"
  const modelledLeads = leads.map((leadKind, index): Lead => ({
    kind: leadKind,
    position: index,
    id: "",
    state: isSuppressed(workspace, index) ? "skipped" : "pending",
    hasReservedCredits: kind === "single",
    emails: [],
    review: "open",
    seen: false,
    severity: 0,
    isFailingByStep: [],
    needsVersionCheck: false,
    exportedAt: null
  }))
  const list: List = {
    id: "",
    kind,
    campaign,
    name,
    status: "processing",
    isCampaignBuilt: isReady,
    steps,
    cost,
    batches: Array.from({ length: Math.ceil(modelledLeads.length / batchSize) }, (_, i) => ({
      state: isReady ? "open" : "waiting",
      leads: modelledLeads.slice(i * batchSize, (i + 1) * batchSize)
    })),
    hasContestedCredits: false,
    needsLeadCheck: true,
    exportedAt: null
  }
  workspace.lists.push(list)
  return list
}
