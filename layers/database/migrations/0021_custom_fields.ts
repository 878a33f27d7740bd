// layers/database/migrations/0021_custom_fields.ts: custom fields of leads, and the custom field keys of each list.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE leads ADD COLUMN custom_fields TEXT`
  yield* sql`ALTER TABLE lists ADD COLUMN custom_keys TEXT`
})
