// layers/database/migrations/0031_import_texts.ts: texts of imported documents and sites, to answer questions from.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE import_texts (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      source ${text} NOT NULL,
      name ${text} NOT NULL,
      content ${text} NOT NULL,
      created_at ${text} NOT NULL,
      UNIQUE (workspace_id, source)
    ) ${strict}`
})
