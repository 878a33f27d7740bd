// layers/database/migrations/0034_review.ts: the review of each lead, its worst finding, and past versions of edited emails.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`ALTER TABLE leads ADD COLUMN edited ${integer} NOT NULL DEFAULT 0`
  // Null until the lead has emails, and for leads written before this migration.
  yield* sql`ALTER TABLE leads ADD COLUMN written_at ${text}`
  // 0 without a finding, 1 for a hint, 2 for a warning, 3 for a failure. Null until the lead has emails.
  yield* sql`ALTER TABLE leads ADD COLUMN severity ${integer}`
  yield* sql`ALTER TABLE leads ADD COLUMN finding_count ${integer} NOT NULL DEFAULT 0`
  // Counts edits of emails, so that export files of an earlier state are not used.
  yield* sql`ALTER TABLE lists ADD COLUMN edits ${integer} NOT NULL DEFAULT 0`
  // `JSON.stringify` escapes quotes inside of texts, so these patterns match only the findings' own fields.
  yield* sql`
    UPDATE leads SET
      severity = CASE WHEN findings LIKE '%"severity":"fail"%' THEN 3 WHEN findings LIKE '%"severity":"warn"%' THEN 2
        WHEN findings LIKE '%"severity":"hint"%' THEN 1 ELSE 0 END,
      finding_count = (length(COALESCE(findings, '')) - length(replace(COALESCE(findings, ''), '"severity":', ''))) / 11
    WHERE status = 'completed'`
  // Partial, so that it does not slow down the insert of leads.
  yield* sql`
    CREATE INDEX leads_by_severity ON leads (list_id, severity, finding_count, position) WHERE severity IS NOT NULL`
  // A separate table, because the rows of leads are long: a bulk decision rewrites no emails. Without a row, a lead is
  // open and was not seen.
  yield* sql`
    CREATE TABLE lead_reviews (
      lead_id ${text} PRIMARY KEY REFERENCES leads (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      review ${text} NOT NULL,
      review_note ${text},
      review_at ${text},
      seen ${integer} NOT NULL
    ) ${strict}`
  yield* sql`
    CREATE TABLE email_versions (
      lead_id ${text} NOT NULL REFERENCES leads (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      step ${integer} NOT NULL,
      version ${integer} NOT NULL,
      subject ${text} NOT NULL,
      body ${text} NOT NULL,
      author ${text} NOT NULL,
      template_id ${text},
      playbook_version ${integer},
      rewrite ${text},
      at ${text} NOT NULL,
      PRIMARY KEY (lead_id, step, version)
    ) ${strict}`
})
