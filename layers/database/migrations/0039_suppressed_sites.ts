// layers/database/migrations/0039_suppressed_sites.ts: replaces suppressed web servers, for example www.osei.example,
// by their domain.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Such entries matched no mailbox. If the domain is on the list already, the entry is deleted.
  yield* sql`
    DELETE FROM suppressions WHERE kind = 'domain' AND value LIKE 'www.%.%' AND EXISTS (
      SELECT 1 FROM suppressions other
      WHERE other.workspace_id = suppressions.workspace_id AND other.value = substr(suppressions.value, 5)
    )`
  yield* sql`UPDATE suppressions SET value = substr(value, 5) WHERE kind = 'domain' AND value LIKE 'www.%.%'`
})
