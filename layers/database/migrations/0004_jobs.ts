// layers/database/migrations/0004_jobs.ts: background jobs and their leases. Times for scheduling are epoch
// milliseconds.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, real, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE jobs (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      subject ${text} NOT NULL,
      status ${text} NOT NULL,
      gate ${text},
      payload ${text} NOT NULL,
      progress ${real},
      result ${text},
      error ${text},
      run_at ${integer} NOT NULL,
      lease ${text},
      lease_until ${integer} NOT NULL,
      attempts ${integer} NOT NULL,
      crashes ${integer} NOT NULL,
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX jobs_ready ON jobs (type, run_at, id) WHERE status = 'pending'`
  yield* sql`CREATE INDEX jobs_running ON jobs (workspace_id, lease_until) WHERE status = 'processing'`
  yield* sql`CREATE INDEX jobs_waiting ON jobs (gate) WHERE status = 'waiting'`
  yield* sql`CREATE INDEX jobs_by_subject ON jobs (subject, status)`
})
