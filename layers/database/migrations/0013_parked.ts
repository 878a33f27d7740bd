// layers/database/migrations/0013_parked.ts: an index of parked jobs, so that finding them does not scan all jobs.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX jobs_parked ON jobs (type) WHERE status = 'parked'`
})
