// layers/database/migrations/0017_list_files.ts: the files with the emails of a completed list.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE list_files (
      list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      format TEXT NOT NULL,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      file TEXT NOT NULL,
      PRIMARY KEY (list_id, format)
    ) STRICT`
})
