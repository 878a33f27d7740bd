// layers/database/migrations/0018_shared.ts: state that processes share: the owner of an Idempotency-Key in flight, and the
// addresses that a workspace notified in the last day.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN owner TEXT`
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN owned_until INTEGER`
  yield* sql`
    CREATE TABLE recipients (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      digest TEXT NOT NULL,
      named_at INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, digest)
    ) STRICT`
})
