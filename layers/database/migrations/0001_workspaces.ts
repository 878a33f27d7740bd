// layers/database/migrations/0001_workspaces.ts: workspaces, API keys, documents, segments and options.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE workspaces (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL,
      owner_email ${text},
      details ${text} NOT NULL,
      onboarded_at ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`
    CREATE TABLE api_keys (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      hash ${text} NOT NULL UNIQUE,
      prefix ${text} NOT NULL,
      name ${text},
      scopes ${text} NOT NULL,
      created_at ${text} NOT NULL,
      expires_at ${text},
      last_used_at ${text},
      revoked_at ${text}
    ) ${strict}`
  yield* sql`CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id, created_at)`
  yield* sql`
    CREATE TABLE workspace_documents (
      id ${text} NOT NULL UNIQUE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      status ${text} NOT NULL,
      content ${text},
      updated_at ${text} NOT NULL,
      PRIMARY KEY (workspace_id, type)
    ) ${strict}`
  yield* sql`
    CREATE TABLE target_audiences (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      segment_name ${text} NOT NULL,
      industry_vertical ${text} NOT NULL,
      company_size ${text} NOT NULL,
      annual_revenue ${text} NOT NULL,
      geographic_location ${text} NOT NULL,
      decision_makers ${text} NOT NULL,
      additional_details ${text},
      source ${text} NOT NULL,
      search_text ${text} NOT NULL,
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX target_audiences_by_workspace ON target_audiences (workspace_id, created_at DESC, id)`
  yield* sql`
    CREATE TABLE asset_options (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id ${text},
      type ${text} NOT NULL,
      position ${integer} NOT NULL,
      name ${text} NOT NULL,
      description ${text} NOT NULL,
      created_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX asset_options_by_owner ON asset_options (workspace_id, type, campaign_id, position)`
})
