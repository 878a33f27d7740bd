// layers/database/migrations/0022_playbooks.ts: the playbook of each campaign and its past versions.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The current version, so that accepting leads reads no other table. Null until the playbook is drafted.
  yield* sql`ALTER TABLE campaigns ADD COLUMN playbook INTEGER`
  yield* sql`
    CREATE TABLE playbooks (
      campaign_id TEXT PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      status TEXT NOT NULL,
      content TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    CREATE TABLE playbook_versions (
      campaign_id TEXT NOT NULL REFERENCES playbooks (campaign_id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      content TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (campaign_id, version)
    ) STRICT`
})
