// layers/database/migrations/0011_research.ts: research of leads: the fetched sites of a list, and the facts used for
// each lead.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE sites (
      list_id ${text} NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      site ${text} NOT NULL,
      facts ${text} NOT NULL,
      PRIMARY KEY (list_id, site)
    ) ${strict}`
  yield* sql`ALTER TABLE leads ADD COLUMN facts ${text}`
})
