// layers/database/migrations/0014_turns.ts: finds a workspace's next job without a look at all that wait.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX jobs_turns ON jobs (workspace_id, type, run_at, id) WHERE status = 'pending'`
  yield* sql`DROP INDEX jobs_ready`
})
