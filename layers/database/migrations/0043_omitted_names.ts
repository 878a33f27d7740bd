// layers/database/migrations/0043_omitted_names.ts: the names of the people in the rows that a list was made without.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  // Null if the row has none, and for rows of before this migration.
  yield* sql`ALTER TABLE omitted_rows ADD COLUMN name ${text}`
})
