// layers/Verify.ts: what must be true of a store at any moment, asked of it directly.
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const Check = Schema.Struct({ name: Schema.String, ok: Schema.Boolean, detail: Schema.String })
export type Check = typeof Check.Type

/** Each statement finds what breaks its invariant: one row a breach, with an `id` that says where. */
const invariants = {
  "balances are the sums of their ledger": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id,
        sum(CASE WHEN bucket = 'monthly' THEN amount ELSE 0 END) AS monthly,
        sum(CASE WHEN bucket = 'rollover' THEN amount ELSE 0 END) AS rollover,
        sum(CASE WHEN bucket = 'addon' THEN amount ELSE 0 END) AS addon
      FROM credit_entries GROUP BY workspace_id) e ON e.workspace_id = a.workspace_id
    WHERE a.monthly <> COALESCE(e.monthly, 0) OR a.rollover <> COALESCE(e.rollover, 0)
       OR a.addon <> COALESCE(e.addon, 0)`,
  "what was used is what was captured": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id, -sum(amount) AS used FROM credit_entries WHERE kind IN ('capture', 'refund')
      GROUP BY workspace_id) e ON e.workspace_id = a.workspace_id
    WHERE a.used_total <> COALESCE(e.used, 0)`,
  "no balance is negative and no cap is passed": `
    SELECT workspace_id AS id FROM credit_accounts
    WHERE monthly < 0 OR rollover < 0 OR addon < 0 OR held < 0
       OR (payg_used > 0 AND payg_used * 10 > payg_cap_cents)`,
  "held credits are the sum of their holds": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id, sum(amount) AS held FROM credit_holds GROUP BY workspace_id) h
      ON h.workspace_id = a.workspace_id
    WHERE a.held <> COALESCE(h.held, 0)`,
  "every hold belongs to a lead that is pending": `
    SELECT h.owner AS id FROM credit_holds h LEFT JOIN leads l ON l.id = h.owner
    WHERE l.id IS NULL OR l.status <> 'pending'`,
  "every completed lead was captured once": `
    SELECT l.id FROM leads l JOIN lists t ON t.id = l.list_id
    LEFT JOIN (SELECT ref, -sum(amount) AS amount FROM credit_entries WHERE kind = 'capture' GROUP BY ref) e
      ON e.ref = l.id
    WHERE l.status = 'completed' AND (e.amount IS NULL OR e.amount <> t.cost)`,
  "no capture is of a lead that is not completed": `
    SELECT e.id FROM credit_entries e JOIN leads l ON l.id = e.ref
    WHERE e.kind = 'capture' AND l.status <> 'completed'`,
  "a preview costs what it wrote, and one in work has a job": `
    SELECT p.id FROM previews p
    LEFT JOIN (SELECT ref, -sum(amount) AS amount FROM credit_entries WHERE kind IN ('capture', 'refund')
      GROUP BY ref) e ON e.ref = p.id
    WHERE p.credits_charged <> COALESCE(e.amount, 0)
       OR (p.status = 'processing' AND NOT EXISTS (
         SELECT 1 FROM jobs j WHERE j.id = p.job AND j.status IN ('pending', 'processing')))`,
  "list counters are what their leads say": `
    SELECT t.id FROM lists t
    LEFT JOIN (SELECT list_id, count(*) AS leads_count,
        sum(CASE WHEN status = 'completed' THEN 1 ELSE 0 END) AS leads_done,
        sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS leads_failed,
        sum(CASE WHEN status = 'completed' THEN emails ELSE 0 END) AS emails_created
      FROM leads GROUP BY list_id) l ON l.list_id = t.id
    WHERE t.leads_count <> COALESCE(l.leads_count, 0) OR t.leads_done <> COALESCE(l.leads_done, 0)
       OR t.leads_failed <> COALESCE(l.leads_failed, 0) OR t.emails_created <> COALESCE(l.emails_created, 0)`,
  "a finished list has no lead left, and one in work has a job": `
    SELECT t.id FROM lists t
    WHERE (t.processing_status IN ('completed', 'failed') AND t.leads_done + t.leads_failed <> t.leads_count)
       OR (t.processing_status IN ('processing', 'in_progress') AND NOT EXISTS (
         SELECT 1 FROM jobs j WHERE j.subject = t.id AND j.status IN ('waiting', 'pending', 'processing')))`,
  "every finished batch tells of itself in one mail, and nothing else does": `
    SELECT t.id FROM lists t
    WHERE (SELECT count(*) FROM jobs j WHERE j.subject = t.id AND j.type = 'mail.completion') <>
      CASE WHEN t.kind = 'batch' AND t.recipient IS NOT NULL AND t.processing_status IN ('completed', 'failed')
        THEN 1 ELSE 0 END`,
  "every job is about something that is there": `
    SELECT j.id FROM jobs j
    WHERE NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = j.subject)
      AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE c.id = j.subject)
      AND NOT EXISTS (SELECT 1 FROM lists t WHERE t.id = j.subject)
      AND j.status NOT IN ('completed', 'failed')`,
  "a conversation counts its messages": `
    SELECT c.id FROM conversations c
    LEFT JOIN (SELECT conversation_id, count(*) AS messages, max(position) AS last FROM messages
      GROUP BY conversation_id) m ON m.conversation_id = c.id
    WHERE c.messages <> COALESCE(m.messages, 0) OR c.messages <> COALESCE(m.last, 0)`,
  "rows point at rows that are there": `SELECT "table" || ' ' || rowid AS id FROM pragma_foreign_key_check`,
  "the file is sound": `SELECT quick_check AS id FROM pragma_quick_check WHERE quick_check <> 'ok'`
} as const

/** Every check with what it found. A reading transaction shows all of them one moment of the store, and stops nobody. */
export const verify: Effect.Effect<ReadonlyArray<Check>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(Object.entries(invariants), ([name, statement]) =>
    Effect.map(sql.unsafe<{ readonly id: string }>(statement), (breaches): Check => {
      const some = breaches.slice(0, 5).map((row) => row.id)
      const more = breaches.length > some.length ? ` and ${breaches.length - some.length} more` : ""
      return { name, ok: breaches.length === 0, detail: some.join(", ") + more }
    })
  ).pipe(sql.withTransaction, Effect.provideService(SqlClient.BeginTransaction, "BEGIN"))
}).pipe(Effect.orDie)
