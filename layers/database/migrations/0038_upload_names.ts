// layers/database/migrations/0038_upload_names.ts: the file name of each uploaded document, for citations.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  // Null for documents uploaded before this migration.
  yield* sql`ALTER TABLE uploads ADD COLUMN name ${text}`
})
