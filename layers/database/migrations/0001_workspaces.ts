// layers/database/migrations/0001_workspaces.ts: workspaces, their keys, documents, segments and options.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE workspaces (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      owner_email TEXT,
      details TEXT NOT NULL,
      onboarded_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      name TEXT,
      scopes TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      last_used_at TEXT,
      revoked_at TEXT
    ) STRICT`
  yield* sql`CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id, created_at)`
  yield* sql`
    CREATE TABLE workspace_documents (
      id TEXT NOT NULL UNIQUE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      status TEXT NOT NULL,
      content TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, type)
    ) STRICT`
  yield* sql`
    CREATE TABLE target_audiences (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      segment_name TEXT NOT NULL,
      industry_vertical TEXT NOT NULL,
      company_size TEXT NOT NULL,
      annual_revenue TEXT NOT NULL,
      geographic_location TEXT NOT NULL,
      decision_makers TEXT NOT NULL,
      additional_details TEXT,
      source TEXT NOT NULL,
      search_text TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX target_audiences_by_workspace ON target_audiences (workspace_id, created_at DESC, id)`
  yield* sql`
    CREATE TABLE asset_options (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id TEXT,
      type TEXT NOT NULL,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX asset_options_by_owner ON asset_options (workspace_id, type, campaign_id, position)`
})
