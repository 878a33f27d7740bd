// test/machine/ContestedCredits.ts: copies into the model what it cannot predict: which batch got the last credits.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"
import { completeLead, countLeads, isSuppressed, leadsIn, type List, type Workspace, type World } from "./Model.ts"

/** Checks that the list's outcome is possible, and copies it into the model. */
const copyOutcome = Effect.fnUntraced(function* (workspace: Workspace, list: List) {
  const sql = yield* SqlClient.SqlClient
  list.hasContestedCredits = false
  const completedBefore = countLeads(list, "completed")
  const rows = yield* sql<{
    readonly position: number
    readonly status: "pending" | "completed" | "failed" | "skipped"
  }>`
    SELECT position, status FROM leads WHERE list_id = ${list.id} ORDER BY position`
  const creditHolds = yield* sql<{ readonly position: number }>`
    SELECT l.position FROM leads l JOIN credit_holds h ON h.owner = l.id WHERE l.list_id = ${list.id}`
  const jobs = yield* sql<{ readonly batch: number; readonly status: string }>`
    SELECT CAST(${sql.literal(dialectOf(sql).member("payload", "batch"))} AS INTEGER) AS batch, status FROM jobs
    WHERE subject = ${list.id} AND type IN ('list.batch', 'list.single')`
  leadsIn(list).forEach((lead, index) => {
    const state = rows[index]?.status ?? "pending"
    if (lead.state !== "pending") assert.strictEqual(state, lead.state)
    else if (state === "skipped") assert.isTrue(isSuppressed(workspace, lead.position))
    else if (state !== "pending") assert.strictEqual(state, lead.kind === "refused" ? "failed" : "completed")
    if (state === "completed" && lead.state === "pending") completeLead(list, lead)
    lead.state = state
    lead.hasReservedCredits = creditHolds.some((row) => row.position === index)
  })
  for (const { batch, status } of jobs) {
    const modelBatch = list.batches[batch]
    if (modelBatch !== undefined)
      modelBatch.state = status === "completed" ? "ended" : status === "parked" ? "parked" : "open"
  }
  workspace.creditAccount.spend((countLeads(list, "completed") - completedBefore) * list.cost)
  const hasBatchIn = (state: string) => list.batches.some((batch) => batch.state === state)
  const hasResults = countLeads(list, "completed") + countLeads(list, "failed") > 0
  if (hasBatchIn("open")) list.status = hasResults ? "in_progress" : list.status
  else if (hasBatchIn("parked")) list.status = "pending"
  else list.status = countLeads(list, "completed") > 0 ? "completed" : "failed"
}, Effect.orDie)

export const copyContestedOutcomes = Effect.fnUntraced(function* (world: World) {
  for (const workspace of world.workspaces) {
    for (const list of workspace.lists) if (list.hasContestedCredits) yield* copyOutcome(workspace, list)
  }
})
