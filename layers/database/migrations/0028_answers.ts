// layers/database/migrations/0028_answers.ts: the nearest passages to a question, and whether a model wrote the answer.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE messages ADD COLUMN nearest TEXT`
  yield* sql`ALTER TABLE messages ADD COLUMN answered_by TEXT`
})
