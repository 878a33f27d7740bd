// layers/database/migrations/0025_credit_days.ts: credits that each workspace used in its current period, by day, so that
// usage is not summed from the ledger.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE credit_days (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      day TEXT NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, day)
    ) STRICT`
  // Refunds of charges in earlier periods do not count in this one, as in `Credits.refund`.
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
