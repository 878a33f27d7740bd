// layers/database/migrations/0013_parked.ts: finds parked jobs without a look at all that ever were.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX jobs_parked ON jobs (type) WHERE status = 'parked'`
})
