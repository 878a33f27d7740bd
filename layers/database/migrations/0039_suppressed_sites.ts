// layers/database/migrations/0039_suppressed_sites.ts: suppresses the domain of entries that name a web server, such as www.osei.example.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // No mailbox is there, so such an entry held nothing back. One whose domain is on the list already adds nothing.
  yield* sql`
    DELETE FROM suppressions WHERE kind = 'domain' AND value LIKE 'www.%.%' AND EXISTS (
      SELECT 1 FROM suppressions other
      WHERE other.workspace_id = suppressions.workspace_id AND other.value = substr(suppressions.value, 5)
    )`
  yield* sql`UPDATE suppressions SET value = substr(value, 5) WHERE kind = 'domain' AND value LIKE 'www.%.%'`
})
