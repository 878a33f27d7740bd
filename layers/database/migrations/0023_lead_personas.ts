// layers/database/migrations/0023_lead_personas.ts: the persona that a lead was written for, and why a lead was
// skipped.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE leads ADD COLUMN persona_id ${text}`
  yield* sql`ALTER TABLE leads ADD COLUMN skipped ${text}`
})
