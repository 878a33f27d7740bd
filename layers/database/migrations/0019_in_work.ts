// layers/database/migrations/0019_in_work.ts: finds a workspace's lists in work without a look at all that it ever had.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX lists_in_work ON lists (workspace_id, kind, campaign_id)
    WHERE processing_status IN ('processing', 'in_progress')`
})
