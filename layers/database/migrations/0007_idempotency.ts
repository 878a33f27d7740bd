// layers/database/migrations/0007_idempotency.ts: stored answers for retries with the same Idempotency-Key.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE idempotency_keys (
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      operation ${text} NOT NULL,
      key ${text} NOT NULL,
      fingerprint ${text} NOT NULL,
      answer ${text},
      expires_at ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, operation, key)
    ) ${strict}`
  yield* sql`CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at)`
})
