// layers/database/migrations/0003_campaigns.ts: campaigns, their selections, and what was built from them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE campaigns (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      target_audience_id TEXT,
      audience TEXT,
      research TEXT NOT NULL,
      research_job TEXT,
      options TEXT NOT NULL,
      options_job TEXT,
      selected INTEGER NOT NULL,
      build TEXT NOT NULL,
      build_job TEXT,
      brief TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX campaigns_by_workspace ON campaigns (workspace_id, created_at DESC, id)`
  yield* sql`
    CREATE TABLE selections (
      campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      items TEXT NOT NULL,
      additional_details TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (campaign_id, type)
    ) STRICT`
  yield* sql`
    CREATE TABLE campaign_documents (
      id TEXT PRIMARY KEY,
      campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      content TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (campaign_id, type)
    ) STRICT`
})
