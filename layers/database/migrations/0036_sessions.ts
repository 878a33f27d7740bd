// layers/database/migrations/0036_sessions.ts: browser sessions and sign-in links.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  // A `sign_in` key has no usable secret, because it was discarded; only its links and sessions give access.
  yield* sql`ALTER TABLE api_keys ADD COLUMN kind ${text} NOT NULL DEFAULT 'key'`
  // Sessions, links and keys are stored as hashes only. A session that was signed out has no row.
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
  // A used link has no row. A link without a key is the first-run link of a database without workspaces.
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
