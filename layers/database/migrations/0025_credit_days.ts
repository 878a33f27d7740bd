// layers/database/migrations/0025_credit_days.ts: credits that each workspace used in its current period, by day, so that
// usage is not summed from the ledger.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE credit_days (
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      day ${text} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, day)
    ) ${strict}`
  // Excludes refunds for charges of an earlier period, like `Credits.refund` does.
  yield* sql`
    INSERT INTO credit_days (workspace_id, day, used)
    SELECT a.workspace_id, substr(COALESCE(c.at, e.at), 1, 10), -sum(e.amount)
    FROM credit_accounts a
    JOIN credit_entries e ON e.workspace_id = a.workspace_id
    LEFT JOIN credit_entries c ON e.kind = 'refund' AND c.workspace_id = e.workspace_id
      AND c.operation = 'capture:' || e.ref || ':' || e.bucket
    WHERE (e.kind = 'capture' AND e.at >= a.period_start) OR (e.kind = 'refund' AND c.at >= a.period_start)
    GROUP BY 1, 2`
})
