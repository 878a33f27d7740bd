// layers/database/migrations/0017_list_files.ts: the export files of completed lists.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE list_files (
      list_id ${text} NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      format ${text} NOT NULL,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      file ${text} NOT NULL,
      PRIMARY KEY (list_id, format)
    ) ${strict}`
})
