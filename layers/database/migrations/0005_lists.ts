// layers/database/migrations/0005_lists.ts: lists of leads and their emails.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE lists (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id TEXT REFERENCES campaigns (id) ON DELETE SET NULL,
      kind TEXT NOT NULL,
      custom_name TEXT,
      processing_status TEXT NOT NULL,
      options TEXT NOT NULL,
      cost INTEGER NOT NULL,
      recipient TEXT,
      brief TEXT,
      leads_count INTEGER NOT NULL,
      leads_done INTEGER NOT NULL,
      leads_failed INTEGER NOT NULL,
      emails_created INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      completed_at TEXT,
      failed_at TEXT
    ) STRICT`
  yield* sql`CREATE INDEX lists_by_workspace ON lists (workspace_id, created_at DESC, id)`
  yield* sql`CREATE INDEX lists_by_campaign ON lists (campaign_id)`
  yield* sql`
    CREATE TABLE leads (
      id TEXT PRIMARY KEY,
      list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      email TEXT NOT NULL,
      name TEXT,
      title TEXT,
      company TEXT,
      linkedin_url TEXT,
      company_website TEXT,
      status TEXT NOT NULL,
      suspect INTEGER NOT NULL,
      error TEXT,
      sequence TEXT,
      emails INTEGER,
      score INTEGER,
      findings TEXT,
      UNIQUE (list_id, position)
    ) STRICT`
})
