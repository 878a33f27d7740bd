// layers/operations/prune/Rows.ts: conditions for old rows that unfinished work does not need.
import { Option } from "effect"
import type { SqlClient } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"

type Kind = "lists" | "conversations" | "previews" | "uploads" | "jobs" | "deliveries" | "model-calls"

/** Conditions for rows older than the moment of their kind; none match for a kind without a moment. */
export const rowsBefore = (
  sql: SqlClient.SqlClient,
  before: (kind: Kind) => Option.Option<number>,
  currentMillis: number
) => {
  const { member } = dialectOf(sql)
  const open = sql.literal("('waiting', 'pending', 'processing', 'parked')")
  /** The moment as an ISO string; no stored time sorts before the empty string. */
  const moment = (kind: Kind) =>
    Option.match(before(kind), { onNone: () => "", onSome: (millis) => new Date(millis).toISOString() })

  return {
    lists: sql`
      t.processing_status IN ('completed', 'failed')
      AND COALESCE(t.completed_at, t.failed_at, t.updated_at) < ${moment("lists")}
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject = t.id AND j.status IN ${open})
      AND NOT EXISTS (SELECT 1 FROM credit_holds h JOIN leads l ON l.id = h.owner WHERE l.list_id = t.id)`,
    conversations: sql`last_message_at < ${moment("conversations")}`,
    previews: sql`status <> 'processing' AND updated_at < ${moment("previews")}`,
    // The row stays, because it counts towards the plan's limit on uploads.
    uploads: sql`
      bytes > 0 AND created_at < ${moment("uploads")}
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.type = 'workspace.import.document'
        AND j.status IN ${open} AND ${sql.literal(member("j.payload", "upload"))} = uploads.id)`,
    // Jobs of a list are deleted with the list; jobs that a campaign or preview refers to are kept.
    jobs: sql`
      type NOT LIKE 'list.%' AND type NOT LIKE 'mail.%' AND status IN ('completed', 'failed')
      AND updated_at < ${moment("jobs")}
      AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE jobs.id IN (c.research_job, c.options_job, c.build_job))
      AND NOT EXISTS (SELECT 1 FROM previews p WHERE p.job = jobs.id)`,
    // Pending deliveries are still being sent.
    deliveries: sql`status <> 'pending' AND updated_at < ${moment("deliveries")}`,
    calls: sql`at < ${moment("model-calls")}`,
    answers: sql`
      expires_at <= ${currentMillis} AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = idempotency_keys.job
        AND j.status IN ${open})`
  }
}
