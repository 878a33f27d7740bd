// layers/database/migrations/0018_shared.ts: state shared by processes: the owner of an Idempotency-Key in use, and the
// addresses that a workspace notified in the last day.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN owner ${text}`
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN owned_until ${integer}`
  yield* sql`
    CREATE TABLE recipients (
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      digest ${text} NOT NULL,
      named_at ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, digest)
    ) ${strict}`
})
