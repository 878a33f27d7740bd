// layers/database/migrations/0007_idempotency.ts: stored answers, which a retry gets again.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotency_keys (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      operation TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      answer TEXT,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, operation, key)
    ) STRICT`
  yield* sql`CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at)`
})
