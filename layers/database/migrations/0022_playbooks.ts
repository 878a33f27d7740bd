// layers/database/migrations/0022_playbooks.ts: the playbook of each campaign and its past versions.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  // A copy of the current version, so that accepting leads reads no other table. Null until the playbook is drafted.
  yield* sql`ALTER TABLE campaigns ADD COLUMN playbook ${integer}`
  yield* sql`
    CREATE TABLE playbooks (
      campaign_id ${text} PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version ${integer} NOT NULL,
      status ${text} NOT NULL,
      content ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`
    CREATE TABLE playbook_versions (
      campaign_id ${text} NOT NULL REFERENCES playbooks (campaign_id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version ${integer} NOT NULL,
      content ${text} NOT NULL,
      created_at ${text} NOT NULL,
      PRIMARY KEY (campaign_id, version)
    ) ${strict}`
})
