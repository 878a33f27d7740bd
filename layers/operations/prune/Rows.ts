// layers/operations/prune/Rows.ts: conditions for old rows that unfinished work does not need.
import { Option } from "effect"
import type { SqlClient } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"

type Kind = "lists" | "conversations" | "previews" | "uploads" | "jobs" | "deliveries" | "model-calls"

/** Conditions for rows from before the oldest time kept of their kind; no row matches for a kind without one. */
export const makeOldRowConditions = (
  sql: SqlClient.SqlClient,
  oldestKept: (kind: Kind) => Option.Option<number>,
  currentMillis: number
) => {
  const { member } = dialectOf(sql)
  const openStatuses = sql.literal("('waiting', 'pending', 'processing', 'parked')")
  /** The oldest time kept, in ISO 8601. Empty if there is none: no stored time sorts before the empty string. */
  const cutoff = (kind: Kind) =>
    Option.match(oldestKept(kind), { onNone: () => "", onSome: (millis) => new Date(millis).toISOString() })

  return {
    lists: sql`
      t.processing_status IN ('completed', 'failed')
      AND COALESCE(t.completed_at, t.failed_at, t.updated_at) < ${cutoff("lists")}
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject = t.id AND j.status IN ${openStatuses})
      AND NOT EXISTS (SELECT 1 FROM credit_holds h JOIN leads l ON l.id = h.owner WHERE l.list_id = t.id)`,
    conversations: sql`last_message_at < ${cutoff("conversations")}`,
    previews: sql`status <> 'processing' AND updated_at < ${cutoff("previews")}`,
    // The row stays, because it counts towards the plan's limit on uploads.
    uploads: sql`
      bytes > 0 AND created_at < ${cutoff("uploads")}
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.type = 'workspace.import.document'
        AND j.status IN ${openStatuses} AND ${sql.literal(member("j.payload", "upload"))} = uploads.id)`,
    // Jobs of a list are deleted with the list; jobs that a campaign or preview refers to are kept.
    jobs: sql`
      type NOT LIKE 'list.%' AND type NOT LIKE 'mail.%' AND status IN ('completed', 'failed')
      AND updated_at < ${cutoff("jobs")}
      AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE jobs.id IN (c.research_job, c.options_job, c.build_job))
      AND NOT EXISTS (SELECT 1 FROM previews p WHERE p.job = jobs.id)`,
    // Pending deliveries are still being sent.
    deliveries: sql`status <> 'pending' AND updated_at < ${cutoff("deliveries")}`,
    calls: sql`at < ${cutoff("model-calls")}`,
    answers: sql`
      expires_at <= ${currentMillis} AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = idempotency_keys.job
        AND j.status IN ${openStatuses})`
  }
}
