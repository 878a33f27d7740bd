// layers/database/migrations/0030_document_profiles.ts: a digest of the profile that each document was made from.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE workspace_documents ADD COLUMN profile ${text}`
})
