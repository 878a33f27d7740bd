// layers/database/migrations/0021_custom_fields.ts: custom fields of leads, and the custom field keys of each list.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE leads ADD COLUMN custom_fields ${text}`
  yield* sql`ALTER TABLE lists ADD COLUMN custom_keys ${text}`
})
