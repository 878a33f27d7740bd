// layers/database/migrations/0026_model_connection.ts: lists that wait for the model, when they resume, and the model's
// health.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE jobs ADD COLUMN failure TEXT`
  yield* sql`ALTER TABLE lists ADD COLUMN paused_by TEXT`
  yield* sql`ALTER TABLE lists ADD COLUMN resume_at INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE lists ADD COLUMN resumes INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE lists ADD COLUMN resumed_done INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX lists_paused ON lists (paused_by, resume_at) WHERE paused_by IS NOT NULL`
  // Lists that an earlier version paused are resumed too.
  yield* sql`
    UPDATE lists SET paused_by = 'model'
    WHERE processing_status = 'pending' AND kind = 'batch' AND EXISTS (
      SELECT 1 FROM leads l
      WHERE l.list_id = lists.id AND l.workspace_id = lists.workspace_id AND l.status = 'pending' AND l.failure LIKE '%"model_unreachable"%')`
  yield* sql`
    CREATE TABLE model_health (
      id INTEGER PRIMARY KEY,
      model TEXT NOT NULL,
      answered INTEGER NOT NULL,
      problem TEXT,
      at TEXT NOT NULL,
      failures INTEGER NOT NULL,
      probe_at INTEGER NOT NULL
    ) STRICT`
})
