// layers/database/migrations/0008_previews.ts: previews, and Idempotency-Keys whose request a job is answering.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE previews (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      job TEXT NOT NULL,
      status TEXT NOT NULL,
      credits_charged INTEGER NOT NULL,
      request TEXT NOT NULL,
      answer TEXT,
      error TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX previews_by_campaign ON previews (campaign_id)`
  yield* sql`CREATE INDEX previews_by_job ON previews (job)`
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN job TEXT`
  yield* sql`CREATE INDEX idempotency_keys_by_job ON idempotency_keys (job)`
})
