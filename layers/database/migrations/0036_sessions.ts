// layers/database/migrations/0036_sessions.ts: sessions of browsers, and the links that sign in.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  // `sign_in` for a key whose secret was thrown away when it was made: links and sessions alone stand for it.
  yield* sql`ALTER TABLE api_keys ADD COLUMN kind ${text} NOT NULL DEFAULT 'key'`
  // Of a session and of a link the store has the hash alone, as of a key. A session that was ended has no row.
  yield* sql`
    CREATE TABLE sessions (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      key_id ${text} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      hash ${text} NOT NULL UNIQUE,
      created_at ${text} NOT NULL,
      last_used_at ${text} NOT NULL,
      expires_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX sessions_by_key ON sessions (key_id)`
  // A link that was used has no row. Without a key it is the link of a first run, for a store without workspaces.
  yield* sql`
    CREATE TABLE sign_in_links (
      hash ${text} PRIMARY KEY,
      workspace_id ${text} REFERENCES workspaces (id) ON DELETE CASCADE,
      key_id ${text} REFERENCES api_keys (id) ON DELETE CASCADE,
      created_at ${text} NOT NULL,
      expires_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX sign_in_links_by_key ON sign_in_links (key_id)`
})
