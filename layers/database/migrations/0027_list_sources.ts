// layers/database/migrations/0027_list_sources.ts: an index of a workspace's batches, without the lists of single
// leads.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Partial, so that it does not slow down the insert of single leads.
  yield* sql`CREATE INDEX lists_of_batches ON lists (workspace_id, created_at DESC, id) WHERE kind = 'batch'`
})
