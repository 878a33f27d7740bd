// layers/database/migrations/0010_uploads.ts: uploaded documents. The file is stored in its row, so neither exists without
// the other.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      content BLOB NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX uploads_by_workspace ON uploads (workspace_id, bytes)`
})
