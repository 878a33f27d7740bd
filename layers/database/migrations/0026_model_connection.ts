// layers/database/migrations/0026_model_connection.ts: lists paused while the model is unavailable, the time they
// resume, and the model's health.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`ALTER TABLE jobs ADD COLUMN failure ${text}`
  yield* sql`ALTER TABLE lists ADD COLUMN paused_by ${text}`
  yield* sql`ALTER TABLE lists ADD COLUMN resume_at ${integer} NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE lists ADD COLUMN resumes ${integer} NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE lists ADD COLUMN resumed_done ${integer} NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX lists_paused ON lists (paused_by, resume_at) WHERE paused_by IS NOT NULL`
  // Also resumes the lists that an earlier version paused.
  yield* sql`
    UPDATE lists SET paused_by = 'model'
    WHERE processing_status = 'pending' AND kind = 'batch' AND EXISTS (
      SELECT 1 FROM leads l
      WHERE l.list_id = lists.id AND l.workspace_id = lists.workspace_id AND l.status = 'pending' AND l.failure LIKE '%"model_unreachable"%')`
  yield* sql`
    CREATE TABLE model_health (
      id ${integer} PRIMARY KEY,
      model ${text} NOT NULL,
      answered ${integer} NOT NULL,
      problem ${text},
      at ${text} NOT NULL,
      failures ${integer} NOT NULL,
      probe_at ${integer} NOT NULL
    ) ${strict}`
})
