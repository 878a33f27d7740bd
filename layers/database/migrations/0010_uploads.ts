// layers/database/migrations/0010_uploads.ts: uploaded documents. The file is stored in its row, so neither exists without
// the other.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { blob, integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE uploads (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      content ${blob} NOT NULL,
      created_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX uploads_by_workspace ON uploads (workspace_id, bytes)`
})
