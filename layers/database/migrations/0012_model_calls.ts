// layers/database/migrations/0012_model_calls.ts: model calls by purpose, with their tokens. Prompts and answers are not
// stored.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE model_calls (
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      subject ${text} NOT NULL,
      prompt ${text} NOT NULL,
      version ${text} NOT NULL,
      model ${text} NOT NULL,
      input_tokens ${integer} NOT NULL,
      cached_tokens ${integer} NOT NULL,
      output_tokens ${integer} NOT NULL,
      at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX model_calls_by_subject ON model_calls (workspace_id, subject)`
})
