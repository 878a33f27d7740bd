// layers/database/migrations/0015_files.ts: files in a table of their own, so that they can be stored outside the database.
// Existing uploads stay in the database, in one piece each.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { blob, integer, strict, text } = columnTypes(sql)
  // No foreign key, because the row stays until the bytes are removed, which may be after its workspace.
  yield* sql`
    CREATE TABLE files (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL,
      place ${text} NOT NULL,
      state ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      changed_at ${integer} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX files_by_workspace ON files (workspace_id)`
  yield* sql`CREATE INDEX files_by_state ON files (state, changed_at)`
  yield* sql`
    CREATE TABLE file_pieces (
      file_id ${text} NOT NULL REFERENCES files (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      content ${blob} NOT NULL,
      PRIMARY KEY (file_id, position)
    ) ${strict}`
  yield* sql`ALTER TABLE uploads ADD COLUMN file ${text}`
  yield* sql`
    INSERT INTO files (id, workspace_id, place, state, bytes, changed_at)
    SELECT id, workspace_id, 'database', 'kept', bytes, 0 FROM uploads WHERE bytes > 0`
  yield* sql`
    INSERT INTO file_pieces (file_id, position, content) SELECT id, 0, content FROM uploads WHERE bytes > 0`
  yield* sql`UPDATE uploads SET file = id WHERE bytes > 0`
  yield* sql`ALTER TABLE uploads DROP COLUMN content`
})
