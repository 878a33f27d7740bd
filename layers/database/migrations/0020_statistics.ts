// layers/database/migrations/0020_statistics.ts: deletes the row counts that SQLite stored when a store was last closed.
// Counts of a store that was new then made every batch scan all leads, however many there were.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres(sql)) return
  yield* sql`DROP TABLE IF EXISTS sqlite_stat1`
  yield* sql`DROP TABLE IF EXISTS sqlite_stat4`
  // Reloads the schema, so that this connection drops the statistics that it has read.
  yield* sql`ANALYZE sqlite_schema`
})
