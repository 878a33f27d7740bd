// layers/database/migrations/0042_omitted_rows.ts: the rows of a lead file that a list was made without, with the reasons.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  // No name and no other cell of the row: a row is found by its line, and a person's data by the address.
  yield* sql`
    CREATE TABLE omitted_rows (
      list_id ${text} NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      line ${integer},
      email ${text},
      reason ${text} NOT NULL,
      by_hand ${integer} NOT NULL,
      PRIMARY KEY (list_id, position)
    ) ${strict}`
  // Serves the search for an address in all lists: of a person, and of leads that were left out by hand before.
  yield* sql`CREATE INDEX omitted_rows_by_address ON omitted_rows (lower(email))`
})
