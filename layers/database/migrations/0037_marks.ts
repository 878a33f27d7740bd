// layers/database/migrations/0037_marks.ts: which model wrote each version of an email.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = columnTypes(sql)
  // JSON: the model and its prompt version, or the JSON value null if no model wrote the text. SQL NULL if that is
  // unknown. The marks of current emails are in leads.findings.
  yield* sql`ALTER TABLE email_versions ADD COLUMN mark ${text}`
})
