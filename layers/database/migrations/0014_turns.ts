// layers/database/migrations/0014_turns.ts: an index of each workspace's next job, so that finding it does not scan all
// pending jobs.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX jobs_turns ON jobs (workspace_id, type, run_at, id) WHERE status = 'pending'`
  yield* sql`DROP INDEX jobs_ready`
})
