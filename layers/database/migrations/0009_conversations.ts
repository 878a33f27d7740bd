// layers/database/migrations/0009_conversations.ts: conversations about a campaign, deleted with it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE conversations (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id ${text} NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      title ${text} NOT NULL,
      messages ${integer} NOT NULL,
      created_at ${text} NOT NULL,
      last_message_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX conversations_by_workspace ON conversations (workspace_id, last_message_at DESC, id)`
  yield* sql`CREATE INDEX conversations_by_campaign ON conversations (campaign_id, last_message_at DESC, id)`
  yield* sql`
    CREATE TABLE messages (
      conversation_id ${text} NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      role ${text} NOT NULL,
      content ${text} NOT NULL,
      citations ${text},
      created_at ${text} NOT NULL,
      PRIMARY KEY (conversation_id, position)
    ) ${strict}`
})
