// layers/database/migrations/0046_lead_exports.ts: which leads were in exported files.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  // A separate table, because the rows of leads are long: an export rewrites no emails. Exports of all leads have no rows here.
  yield* sql`
    CREATE TABLE lead_exports (
      lead_id ${text} PRIMARY KEY REFERENCES leads (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      exported_at ${text} NOT NULL
    ) ${strict}`
  // The last export of all written leads.
  yield* sql`ALTER TABLE lists ADD COLUMN fully_exported_at ${text}`
  // The last export before this migration, whose leads are unknown.
  yield* sql`ALTER TABLE lists ADD COLUMN unmarked_export_at ${text}`
  yield* sql`UPDATE lists SET unmarked_export_at = exported_at WHERE exported_at IS NOT NULL`
})
