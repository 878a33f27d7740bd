// layers/database/migrations/0044_list_sums.ts: the numbers of lists and the model tokens of each list, so that no request counts or
// sums them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  // The row with an empty campaign_id counts all lists of the workspace, also those whose campaign was deleted.
  yield* sql`
    CREATE TABLE list_counts (
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      lists ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, campaign_id, kind)
    ) ${strict}`
  yield* sql`
    INSERT INTO list_counts (workspace_id, campaign_id, kind, lists)
    SELECT t.workspace_id, '', t.kind, count(*) FROM lists t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 3
    UNION ALL
    SELECT t.workspace_id, t.campaign_id, t.kind, count(*) FROM lists t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.campaign_id IS NOT NULL GROUP BY 1, 2, 3`
  yield* sql`
    CREATE TABLE list_usage (
      list_id ${text} PRIMARY KEY REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      calls ${integer} NOT NULL,
      input_tokens ${integer} NOT NULL,
      cached_tokens ${integer} NOT NULL,
      output_tokens ${integer} NOT NULL
    ) ${strict}`
  // Capped, because earlier versions recorded any number that a server reported, and a sum must fit into 64 bits.
  const capped = (column: string) =>
    sql.literal(`SUM(CASE WHEN ${column} > 1000000000 THEN 1000000000 ELSE ${column} END)`)
  yield* sql`
    INSERT INTO list_usage (list_id, workspace_id, calls, input_tokens, cached_tokens, output_tokens)
    SELECT t.id, t.workspace_id, count(*), CAST(${capped("input_tokens")} AS BIGINT),
      CAST(${capped("cached_tokens")} AS BIGINT), CAST(${capped("output_tokens")} AS BIGINT)
    FROM model_calls c
    LEFT JOIN leads l ON l.id = c.subject AND l.workspace_id = c.workspace_id
    JOIN lists t ON t.id = COALESCE(l.list_id, c.subject) AND t.workspace_id = c.workspace_id
    JOIN workspaces w ON w.id = t.workspace_id
    GROUP BY t.id, t.workspace_id`
})
