// test/machine/Background.ts: changes the model as the workers change the service, until they have nothing left to do.
import {
  type Batch,
  type Campaign,
  completeLead,
  headroom,
  inWork,
  isSuppressed,
  leadsOf,
  type List,
  type Work,
  type Workspace,
  type World
} from "./Model.ts"

/** Whether the writer works, is unreachable, or never finishes slow leads. */
export type WriterState = "well" | "down" | "stalling"

const settle = (list: List) => {
  const is = (state: Batch["state"]) => list.batches.some((batch) => batch.state === state)
  if (is("waiting") || is("open")) return
  if (is("parked")) list.status = "pending"
  else list.status = leadsOf(list).some((lead) => lead.state === "completed") ? "completed" : "failed"
}

const finishBuild = (workspace: Workspace, campaign: Campaign, writerState: WriterState) => {
  const end = (work: Work): Work => (work !== "running" ? work : writerState === "down" ? "failed" : "ready")
  const built = campaign.build === "running"
  campaign.research = end(campaign.research)
  if (campaign.options === "running") {
    campaign.options = end(campaign.options)
    campaign.stale = campaign.proposals
    campaign.proposals = []
  }
  campaign.build = end(campaign.build)
  if (!built) return
  for (const list of workspace.lists) {
    if (list.campaign !== campaign) continue
    for (const batch of list.batches) {
      if (batch.state !== "waiting") continue
      batch.state = "open"
      list.briefed = campaign.build === "ready"
    }
  }
}

const pending = (batch: Batch) => batch.leads.filter((lead) => lead.state === "pending")

const writeBatch = (workspace: Workspace, list: List, batch: Batch, writerState: WriterState) => {
  if (!list.briefed) {
    for (const lead of pending(batch)) Object.assign(lead, { state: "failed", held: false })
    batch.state = "ended"
    return
  }
  for (const lead of pending(batch)) {
    if (isSuppressed(workspace, lead.at)) Object.assign(lead, { state: "skipped", held: false })
  }
  for (const lead of pending(batch)) {
    if (!lead.held && headroom(workspace) >= list.cost) lead.held = true
  }
  const stalled = writerState === "stalling" && batch.leads.some((lead) => lead.held && lead.kind === "slow")
  if (writerState !== "down") {
    for (const lead of pending(batch)) {
      if (!lead.held || (stalled && lead.kind === "slow")) continue
      if (lead.kind === "refused") lead.state = "failed"
      else {
        completeLead(list, lead)
        workspace.money.spend(list.cost)
      }
      list.status = "in_progress"
      lead.held = false
    }
  }
  if (stalled) return
  batch.state = pending(batch).length === 0 ? "ended" : "parked"
  for (const lead of batch.leads) lead.held = false
}

const openBatches = (list: List) => (inWork(list) ? list.batches.filter((batch) => batch.state === "open") : [])

export const finishWork = (world: World, writerState: WriterState) => {
  for (const workspace of world.workspaces) {
    for (const campaign of workspace.campaigns) finishBuild(workspace, campaign, writerState)
    const listsInWork = workspace.lists.filter((list) => openBatches(list).length > 0)
    const briefed = listsInWork.filter((list) => list.briefed)
    const batches = briefed.flatMap(openBatches)
    const leadsWithoutCredits = (list: List) =>
      openBatches(list)
        .flatMap(pending)
        .filter((lead) => !lead.held)
    const missingCredits = briefed.reduce((sum, list) => sum + leadsWithoutCredits(list).length * list.cost, 0)
    const contested = writerState !== "down" && batches.length > 1 && missingCredits > headroom(workspace)
    for (const list of listsInWork) {
      list.changed = true
      // A batch that is parked takes with it those that were not opened yet, and so their suppressed leads stay pending.
      const mayLeaveSuppressed =
        openBatches(list).length > 1 &&
        openBatches(list)
          .flatMap(pending)
          .some(({ at }) => isSuppressed(workspace, at))
      list.contested = list.briefed && (mayLeaveSuppressed || (contested && leadsWithoutCredits(list).length > 0))
      if (list.contested) continue
      for (const batch of openBatches(list)) writeBatch(workspace, list, batch, writerState)
      settle(list)
    }
  }
}

/** Batches that a slow lead would hold up. */
export const countSlowBatches = (world: World) =>
  world.workspaces
    .flatMap((workspace) => workspace.lists)
    .flatMap((list) => list.batches)
    .filter((batch) => batch.state !== "ended" && pending(batch).some((lead) => lead.kind === "slow")).length
