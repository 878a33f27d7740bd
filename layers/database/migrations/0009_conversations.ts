// layers/database/migrations/0009_conversations.ts: conversations about a campaign, deleted with it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE conversations (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      messages INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      last_message_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX conversations_by_workspace ON conversations (workspace_id, last_message_at DESC, id)`
  yield* sql`CREATE INDEX conversations_by_campaign ON conversations (campaign_id, last_message_at DESC, id)`
  yield* sql`
    CREATE TABLE messages (
      conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      citations TEXT,
      created_at TEXT NOT NULL,
      PRIMARY KEY (conversation_id, position)
    ) STRICT`
})
