// layers/database/migrations/0024_failures.ts: the reason of a failed lead or preview, in a form that programs can read.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE leads ADD COLUMN failure TEXT`
  yield* sql`ALTER TABLE previews ADD COLUMN failure TEXT`
})
