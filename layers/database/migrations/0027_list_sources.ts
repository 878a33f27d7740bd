// layers/database/migrations/0027_list_sources.ts: finds a workspace's batches among many lists that generate made of one lead each.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Partial, so that a list of one lead costs no more to store.
  yield* sql`CREATE INDEX lists_of_batches ON lists (workspace_id, created_at DESC, id) WHERE kind = 'batch'`
})
