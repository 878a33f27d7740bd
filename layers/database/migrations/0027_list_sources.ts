// layers/database/migrations/0027_list_sources.ts: an index of a workspace's batches, without the lists of one lead that
// generate makes.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Partial, so that storing a list of one lead costs no more.
  yield* sql`CREATE INDEX lists_of_batches ON lists (workspace_id, created_at DESC, id) WHERE kind = 'batch'`
})
