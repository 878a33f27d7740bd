// test/machine/ContestedCredits.ts: takes over from the service what the model leaves open: which batch got the last credits, or paused the others.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"
import { completeLead, countLeads, isSuppressed, leadsOf, type List, type Workspace, type World } from "./Model.ts"

/** Takes over which batch got the credits, after checking that this outcome is possible. */
const adoptOutcome = Effect.fnUntraced(function* (workspace: Workspace, list: List) {
  const sql = yield* SqlClient.SqlClient
  list.contested = false
  const before = countLeads(list, "completed")
  const rows = yield* sql<{
    readonly position: number
    readonly status: "pending" | "completed" | "failed" | "skipped"
  }>`
    SELECT position, status FROM leads WHERE list_id = ${list.id} ORDER BY position`
  const holds = yield* sql<{ readonly position: number }>`
    SELECT l.position FROM leads l JOIN credit_holds h ON h.owner = l.id WHERE l.list_id = ${list.id}`
  const jobs = yield* sql<{ readonly batch: number; readonly status: string }>`
    SELECT CAST(${sql.literal(dialectOf(sql).member("payload", "batch"))} AS INTEGER) AS batch, status FROM jobs
    WHERE subject = ${list.id} AND type IN ('list.batch', 'list.single')`
  leadsOf(list).forEach((lead, at) => {
    const state = rows[at]?.status ?? "pending"
    if (lead.state !== "pending") assert.strictEqual(state, lead.state)
    else if (state === "skipped") assert.isTrue(isSuppressed(workspace, lead.at))
    else if (state !== "pending") assert.strictEqual(state, lead.kind === "refused" ? "failed" : "completed")
    if (state === "completed" && lead.state === "pending") completeLead(list, lead)
    lead.state = state
    lead.held = holds.some((row) => row.position === at)
  })
  for (const { batch, status } of jobs) {
    const one = list.batches[batch]
    if (one !== undefined) one.state = status === "completed" ? "ended" : status === "parked" ? "parked" : "open"
  }
  workspace.money.spend((countLeads(list, "completed") - before) * list.cost)
  const is = (state: string) => list.batches.some((batch) => batch.state === state)
  const touched = countLeads(list, "completed") + countLeads(list, "failed") > 0
  if (is("open")) list.status = touched ? "in_progress" : list.status
  else if (is("parked")) list.status = "pending"
  else list.status = countLeads(list, "completed") > 0 ? "completed" : "failed"
}, Effect.orDie)

export const adoptContested = Effect.fnUntraced(function* (world: World) {
  for (const workspace of world.workspaces) {
    for (const list of workspace.lists) if (list.contested) yield* adoptOutcome(workspace, list)
  }
})
