// layers/database/migrations/0012_model_calls.ts: model calls by purpose, with their tokens. Prompts and answers are not
// stored.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE model_calls (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      prompt TEXT NOT NULL,
      version TEXT NOT NULL,
      model TEXT NOT NULL,
      input_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX model_calls_by_subject ON model_calls (workspace_id, subject)`
})
