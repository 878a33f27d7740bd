// layers/database/migrations/0045_shared_briefs.ts: the briefs that lists share. Earlier lists keep the copies that they have.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE briefs (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      content ${text} NOT NULL
    ) ${strict}`
  // No foreign key: `migrate-to` copies tables in the order in which they were made, and lists are from before.
  yield* sql`ALTER TABLE lists ADD COLUMN brief_id ${text}`
  yield* sql`CREATE INDEX lists_of_brief ON lists (brief_id) WHERE brief_id IS NOT NULL`
})
