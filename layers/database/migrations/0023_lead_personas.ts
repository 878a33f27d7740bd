// layers/database/migrations/0023_lead_personas.ts: the persona whose emails a lead got, and why a lead was left out.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE leads ADD COLUMN persona_id TEXT`
  yield* sql`ALTER TABLE leads ADD COLUMN skipped TEXT`
})
