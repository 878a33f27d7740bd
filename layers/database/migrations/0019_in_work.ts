// layers/database/migrations/0019_in_work.ts: an index of a workspace's unfinished lists, so that finding them does not
// scan all its lists.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX lists_in_work ON lists (workspace_id, kind, campaign_id)
    WHERE processing_status IN ('processing', 'in_progress')`
})
