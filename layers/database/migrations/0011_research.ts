// layers/database/migrations/0011_research.ts: research of leads: the sites of a list, each fetched once, and the facts
// used for each lead.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE sites (
      list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      site TEXT NOT NULL,
      facts TEXT NOT NULL,
      PRIMARY KEY (list_id, site)
    ) STRICT`
  yield* sql`ALTER TABLE leads ADD COLUMN facts TEXT`
})
