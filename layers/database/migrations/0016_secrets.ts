// layers/database/migrations/0016_secrets.ts: what machines that share a store must all know and nobody else.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`
})
