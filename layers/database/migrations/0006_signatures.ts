// layers/database/migrations/0006_signatures.ts: saved email signatures.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE signatures (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      signature_text ${text} NOT NULL,
      signature_name ${text},
      created_by ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX signatures_by_workspace ON signatures (workspace_id, created_at DESC, id)`
})
