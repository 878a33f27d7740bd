// layers/database/migrations/0028_answers.ts: the passages nearest to a question, and whether a model wrote the answer.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE messages ADD COLUMN nearest ${text}`
  yield* sql`ALTER TABLE messages ADD COLUMN answered_by ${text}`
})
