// layers/database/migrations/0006_signatures.ts: saved email signatures.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signatures (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      signature_text TEXT NOT NULL,
      signature_name TEXT,
      created_by TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX signatures_by_workspace ON signatures (workspace_id, created_at DESC, id)`
})
