// layers/database/migrations/0016_secrets.ts: secrets that the processes of a store share.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`
})
