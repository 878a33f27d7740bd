// layers/database/migrations/0029_option_sentences.ts: the sentence of the profile that a model made an option from.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE asset_options ADD COLUMN sentence ${text}`
})
