// layers/database/migrations/0033_suppressions.ts: suppressed addresses and domains, and the number of skipped leads of
// a list.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE suppressions (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      value ${text} NOT NULL,
      reason ${text},
      created_at ${text} NOT NULL,
      UNIQUE (workspace_id, value)
    ) ${strict}`
  yield* sql`CREATE INDEX suppressions_by_workspace ON suppressions (workspace_id, created_at DESC, id)`
  yield* sql`ALTER TABLE lists ADD COLUMN leads_skipped ${integer} NOT NULL DEFAULT 0`
  // Serves the search for a person by address in all lists, and the check of a new batch against earlier lists.
  yield* sql`CREATE INDEX leads_by_address ON leads (lower(email))`
})
