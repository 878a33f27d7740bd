// layers/lists/ListEvents.ts: the webhook events of a list and its leads.
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { PendingLead, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { findingColumns } from "#layers/lists/LeadColumns.ts"
import { Events, type RecordedEvent } from "#layers/webhooks/Events.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Failure } from "#schema/Errors.ts"
import { leadFields } from "#schema/Lead.ts"
import { severities } from "#schema/ListLeads.ts"
import type { EventType } from "#schema/Webhooks.ts"

interface ListCountsRow {
  readonly campaign_id: string | null
  readonly kind: "single" | "batch"
  readonly paused_by: string | null
  readonly leads_count: number
  readonly leads_done: number
  readonly leads_failed: number
  readonly leads_skipped: number
  readonly emails_created: number
}

const eventContent = (lead: PendingLead) => ({ lead: Struct.pick(lead, [...leadFields, "custom_fields"]) })

export const leadWrittenEvent = (
  list: string,
  lead: PendingLead,
  { judged, sequence }: WrittenEmails
): RecordedEvent => {
  const { finding_count, severity } = findingColumns(judged)
  return {
    lead: lead.id,
    data: {
      list_id: list,
      lead_id: lead.id,
      emails_created: sequence.length,
      findings: finding_count,
      worst_finding: severities[severity] ?? "none"
    },
    content: { ...eventContent(lead), emails: sequence }
  }
}

export const leadFailedEvent = (
  list: string,
  lead: PendingLead,
  {
    failure,
    message,
    skipped
  }: { readonly failure: Failure | null; readonly message: string; readonly skipped: boolean }
): RecordedEvent => ({
  lead: lead.id,
  data: { list_id: list, lead_id: lead.id, reason: skipped ? "skipped" : (failure?.reason ?? "fault") },
  content: { ...eventContent(lead), message }
})

/** Records an event of a list with its counts, in the transaction that changes the list. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events

  return Effect.fnUntraced(function* (workspace: WorkspaceId, type: EventType & `list.${string}`, list: string) {
    if (!(yield* events.hasSubscriber(workspace, type))) return
    const [row] = yield* sql<ListCountsRow>`
      SELECT campaign_id, kind, paused_by, leads_count, leads_done, leads_failed, leads_skipped, emails_created
      FROM lists WHERE id = ${list} AND workspace_id = ${workspace}`
    if (row === undefined) return
    const { kind, paused_by, ...counts } = row
    yield* events.record(workspace, type, {
      list_id: list,
      ...counts,
      source: kind === "single" ? "api_single" : "batch",
      // A list that waits for the model resumes automatically.
      ...(type === "list.paused" ? { resumes_automatically: paused_by === "model" } : {})
    })
  }, Effect.orDie)
})
