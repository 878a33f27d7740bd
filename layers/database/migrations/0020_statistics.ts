// layers/database/migrations/0020_statistics.ts: forgets how many rows tables had when a store was closed last. A store that was closed
// while it was new had all leads read for each batch, however many they were by then.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres(sql)) return
  yield* sql`DROP TABLE IF EXISTS sqlite_stat1`
  yield* sql`DROP TABLE IF EXISTS sqlite_stat4`
  // What this connection has read of it already goes with this.
  yield* sql`ANALYZE sqlite_schema`
})
