// layers/database/migrations/0004_jobs.ts: background work, with its leases. Scheduling times are epoch milliseconds.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE jobs (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      subject TEXT NOT NULL,
      status TEXT NOT NULL,
      gate TEXT,
      payload TEXT NOT NULL,
      progress REAL,
      result TEXT,
      error TEXT,
      run_at INTEGER NOT NULL,
      lease TEXT,
      lease_until INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      crashes INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX jobs_ready ON jobs (type, run_at, id) WHERE status = 'pending'`
  yield* sql`CREATE INDEX jobs_running ON jobs (workspace_id, lease_until) WHERE status = 'processing'`
  yield* sql`CREATE INDEX jobs_waiting ON jobs (gate) WHERE status = 'waiting'`
  yield* sql`CREATE INDEX jobs_by_subject ON jobs (subject, status)`
})
