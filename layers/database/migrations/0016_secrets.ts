// layers/database/migrations/0016_secrets.ts: secrets shared by the processes of a database.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = columnTypes(sql)
  yield* sql`CREATE TABLE secrets (name ${text} PRIMARY KEY, value ${text} NOT NULL) ${strict}`
})
