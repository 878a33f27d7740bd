// layers/database/migrations/0024_failures.ts: the reason of a failed lead or preview, for programs.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE leads ADD COLUMN failure ${text}`
  yield* sql`ALTER TABLE previews ADD COLUMN failure ${text}`
})
