// test/machine/Background.ts: applies to the model what the background workers do until they are idle.
import {
  type Batch,
  type Campaign,
  completeLead,
  spendableCredits,
  isRunning,
  isSuppressed,
  leadsIn,
  type List,
  type WorkState,
  type Workspace,
  type World
} from "./Model.ts"

/** Whether the writer works, is unreachable, or never finishes slow leads. */
export type WriterState = "well" | "down" | "stalling"

const settleList = (list: List) => {
  const hasBatchIn = (state: Batch["state"]) => list.batches.some((batch) => batch.state === state)
  if (hasBatchIn("waiting") || hasBatchIn("open")) return
  if (hasBatchIn("parked")) list.status = "pending"
  else list.status = leadsIn(list).some((lead) => lead.state === "completed") ? "completed" : "failed"
}

const finishBuild = (workspace: Workspace, campaign: Campaign, writerState: WriterState) => {
  const finish = (work: WorkState): WorkState =>
    work !== "running" ? work : writerState === "down" ? "failed" : "ready"
  const isBuilding = campaign.build === "running"
  campaign.research = finish(campaign.research)
  if (campaign.propositionState === "running") {
    campaign.propositionState = finish(campaign.propositionState)
    campaign.replacedPropositionIds = campaign.propositionIds
    campaign.propositionIds = []
  }
  campaign.build = finish(campaign.build)
  if (!isBuilding) return
  for (const list of workspace.lists) {
    if (list.campaign !== campaign) continue
    for (const batch of list.batches) {
      if (batch.state !== "waiting") continue
      batch.state = "open"
      list.isCampaignBuilt = campaign.build === "ready"
    }
  }
}

const pendingLeads = (batch: Batch) => batch.leads.filter((lead) => lead.state === "pending")

const writeBatch = (workspace: Workspace, list: List, batch: Batch, writerState: WriterState) => {
  if (!list.isCampaignBuilt) {
    for (const lead of pendingLeads(batch)) Object.assign(lead, { state: "failed", hasReservedCredits: false })
    batch.state = "ended"
    return
  }
  for (const lead of pendingLeads(batch)) {
    if (isSuppressed(workspace, lead.position)) Object.assign(lead, { state: "skipped", hasReservedCredits: false })
  }
  for (const lead of pendingLeads(batch)) {
    if (!lead.hasReservedCredits && spendableCredits(workspace) >= list.cost) lead.hasReservedCredits = true
  }
  const stalled =
    writerState === "stalling" && batch.leads.some((lead) => lead.hasReservedCredits && lead.kind === "slow")
  if (writerState !== "down") {
    for (const lead of pendingLeads(batch)) {
      if (!lead.hasReservedCredits || (stalled && lead.kind === "slow")) continue
      if (lead.kind === "refused") lead.state = "failed"
      else {
        completeLead(list, lead)
        workspace.creditAccount.spend(list.cost)
      }
      list.status = "in_progress"
      lead.hasReservedCredits = false
    }
  }
  if (stalled) return
  batch.state = pendingLeads(batch).length === 0 ? "ended" : "parked"
  for (const lead of batch.leads) lead.hasReservedCredits = false
}

const openBatches = (list: List) => (isRunning(list) ? list.batches.filter((batch) => batch.state === "open") : [])

export const finishWork = (world: World, writerState: WriterState) => {
  for (const workspace of world.workspaces) {
    for (const campaign of workspace.campaigns) finishBuild(workspace, campaign, writerState)
    const listsInWork = workspace.lists.filter((list) => openBatches(list).length > 0)
    const listsWithBriefing = listsInWork.filter((list) => list.isCampaignBuilt)
    const batches = listsWithBriefing.flatMap(openBatches)
    const leadsWithoutCredits = (list: List) =>
      openBatches(list)
        .flatMap(pendingLeads)
        .filter((lead) => !lead.hasReservedCredits)
    const missingCredits = listsWithBriefing.reduce(
      (sum, list) => sum + leadsWithoutCredits(list).length * list.cost,
      0
    )
    const areCreditsContested =
      writerState !== "down" && batches.length > 1 && missingCredits > spendableCredits(workspace)
    for (const list of listsInWork) {
      list.needsLeadCheck = true
      // A parked batch also parks the batches that have not started, and the suppressed leads of those stay pending.
      const mayLeaveSuppressed =
        openBatches(list).length > 1 &&
        openBatches(list)
          .flatMap(pendingLeads)
          .some(({ position }) => isSuppressed(workspace, position))
      list.hasContestedCredits =
        list.isCampaignBuilt && (mayLeaveSuppressed || (areCreditsContested && leadsWithoutCredits(list).length > 0))
      if (list.hasContestedCredits) continue
      for (const batch of openBatches(list)) writeBatch(workspace, list, batch, writerState)
      settleList(list)
    }
  }
}

/** The number of batches that wait for a slow lead. */
export const countSlowBatches = (world: World) =>
  world.workspaces
    .flatMap((workspace) => workspace.lists)
    .flatMap((list) => list.batches)
    .filter((batch) => batch.state !== "ended" && pendingLeads(batch).some((lead) => lead.kind === "slow")).length
