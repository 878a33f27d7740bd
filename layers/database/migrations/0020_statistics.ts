// layers/database/migrations/0020_statistics.ts: deletes SQLite's table statistics. Statistics from when the database
// was new made every batch scan all leads.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres(sql)) return
  yield* sql`DROP TABLE IF EXISTS sqlite_stat1`
  yield* sql`DROP TABLE IF EXISTS sqlite_stat4`
  // Reloads the schema, so that this connection drops the statistics it has cached.
  yield* sql`ANALYZE sqlite_schema`
})
