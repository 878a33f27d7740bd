// test/machine/Background.ts: what has become of everything that was asked for once the workers have nothing left to do.
import {
  type Batch,
  type Campaign,
  complete,
  headroom,
  inWork,
  isSuppressed,
  leadsOf,
  type List,
  type Work,
  type Workspace,
  type World
} from "./Model.ts"

/** The writer writes; or is out of reach; or writes, but for slow leads never comes to an end. */
export type Mood = "well" | "down" | "stalling"

const settle = (list: List) => {
  const is = (state: Batch["state"]) => list.batches.some((batch) => batch.state === state)
  if (is("waiting") || is("open")) return
  if (is("parked")) list.status = "pending"
  else list.status = leadsOf(list).some((lead) => lead.state === "completed") ? "completed" : "failed"
}

const advance = (workspace: Workspace, campaign: Campaign, mood: Mood) => {
  const end = (work: Work): Work => (work !== "running" ? work : mood === "down" ? "failed" : "ready")
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

const write = (workspace: Workspace, list: List, batch: Batch, mood: Mood) => {
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
  const stalled = mood === "stalling" && batch.leads.some((lead) => lead.held && lead.kind === "slow")
  if (mood !== "down") {
    for (const lead of pending(batch)) {
      if (!lead.held || (stalled && lead.kind === "slow")) continue
      if (lead.kind === "refused") lead.state = "failed"
      else {
        complete(list, lead)
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

const opened = (list: List) => (inWork(list) ? list.batches.filter((batch) => batch.state === "open") : [])

export const rest = (world: World, mood: Mood) => {
  for (const workspace of world.workspaces) {
    for (const campaign of workspace.campaigns) advance(workspace, campaign, mood)
    const busy = workspace.lists.filter((list) => opened(list).length > 0)
    const briefed = busy.filter((list) => list.briefed)
    const batches = briefed.flatMap(opened)
    const wanting = (list: List) =>
      opened(list)
        .flatMap(pending)
        .filter((lead) => !lead.held)
    const wanted = briefed.reduce((sum, list) => sum + wanting(list).length * list.cost, 0)
    const contested = mood !== "down" && batches.length > 1 && wanted > headroom(workspace)
    for (const list of busy) {
      list.changed = true
      // A batch that is parked takes with it those that were not opened yet, and so their suppressed leads stay pending.
      const leaving =
        opened(list).length > 1 &&
        opened(list)
          .flatMap(pending)
          .some(({ at }) => isSuppressed(workspace, at))
      list.contested = list.briefed && (leaving || (contested && wanting(list).length > 0))
      if (list.contested) continue
      for (const batch of opened(list)) write(workspace, list, batch, mood)
      settle(list)
    }
  }
}

/** Batches that a slow lead would hold up. */
export const slow = (world: World) =>
  world.workspaces
    .flatMap((workspace) => workspace.lists)
    .flatMap((list) => list.batches)
    .filter((batch) => batch.state !== "ended" && pending(batch).some((lead) => lead.kind === "slow")).length
