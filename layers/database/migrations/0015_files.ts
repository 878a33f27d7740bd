// layers/database/migrations/0015_files.ts: files in a table of their own, so that they can be stored outside the database.
// Existing uploads stay in the database, in one piece each.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // No reference to the workspace: the row stays until the bytes are deleted too.
  yield* sql`
    CREATE TABLE files (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL,
      place TEXT NOT NULL,
      state TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX files_by_workspace ON files (workspace_id)`
  yield* sql`CREATE INDEX files_by_state ON files (state, changed_at)`
  yield* sql`
    CREATE TABLE file_pieces (
      file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (file_id, position)
    ) STRICT`
  yield* sql`ALTER TABLE uploads ADD COLUMN file TEXT`
  yield* sql`
    INSERT INTO files (id, workspace_id, place, state, bytes, changed_at)
    SELECT id, workspace_id, 'database', 'kept', bytes, 0 FROM uploads WHERE bytes > 0`
  yield* sql`
    INSERT INTO file_pieces (file_id, position, content) SELECT id, 0, content FROM uploads WHERE bytes > 0`
  yield* sql`UPDATE uploads SET file = id WHERE bytes > 0`
  yield* sql`ALTER TABLE uploads DROP COLUMN content`
})
