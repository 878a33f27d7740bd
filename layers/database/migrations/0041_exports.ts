// layers/database/migrations/0041_exports.ts: when a file of a list was last exported.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  // Null if no export is recorded; those before this migration are not.
  yield* sql`ALTER TABLE lists ADD COLUMN exported_at ${text}`
})
