// test/support/dump.ts: all rows of the database as text, so that a test can assert that nothing has changed.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Stores from "./store.ts"

/** A comment in the SQL of tests, which tells their statements from the service's. */
export const testMarker = "/* of the test */"

const bytesAsHex = (_: string, value: unknown) =>
  value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString("hex")}` : value

/** Every table with the column that names its rows' workspace; undefined for tables without one. */
export const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (Stores.onPostgres) {
    return yield* sql<{ readonly name: string; readonly owner: string | null }>`
      SELECT t.table_name AS name, CASE WHEN t.table_name = 'workspaces' THEN 'id' ELSE c.column_name END AS owner
      FROM information_schema.tables t LEFT JOIN information_schema.columns c
        ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'workspace_id'
      WHERE t.table_schema = current_schema() ORDER BY t.table_name`
  }
  return yield* sql.unsafe<{ readonly name: string; readonly owner: string | null }>(`${testMarker}
    SELECT t.name, CASE WHEN t.name = 'workspaces' THEN 'id' ELSE
      (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.name = 'workspace_id') END AS owner
    FROM sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name`)
}).pipe(Effect.orDie)

/** Reads all tables in one statement, because PostgreSQL needs a round trip for each. */
const readPostgres = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const parts = (yield* tables).flatMap(({ name, owner }) => {
    if (workspace !== undefined && owner === null) return []
    const workspaceFilter = workspace === undefined ? "" : `WHERE ${owner} = '${workspace}'`
    return [`SELECT '${name} ' || (to_jsonb(t) - 'last_used_at')::text AS part FROM ${name} t ${workspaceFilter}`]
  })
  const rows = yield* sql.unsafe<{ readonly part: string }>(parts.join(" UNION ALL "))
  return rows
    .map(({ part }) => part)
    .toSorted()
    .join("\n")
})

const readSqlite = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const parts: Array<string> = []
  for (const { name, owner } of yield* tables) {
    if (workspace !== undefined && owner === null) continue
    const workspaceFilter = workspace === undefined ? "" : `WHERE ${owner} = '${workspace}'`
    const rows = yield* sql.unsafe<object>(`${testMarker} SELECT * FROM ${name} ${workspaceFilter} ORDER BY rowid`)
    for (const row of rows) {
      parts.push(
        `${name} ${JSON.stringify({ ...row, ...("last_used_at" in row && { last_used_at: null }) }, bytesAsHex)}`
      )
    }
  }
  return parts.join("\n")
})

interface StoreDump {
  changes: number | string
  readonly textByWorkspace: Map<string | undefined, string>
}
const lastDumps = new WeakMap<SqlClient.SqlClient, StoreDump>()

/**
 * The rows of one workspace, or of all. Leaves out when a key was last used, since every request changes it. Rows are read
 * again only if the database has written since the last dump.
 */
export const dumpWorkspace = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  // PostgreSQL's position in its write-ahead log, which moves with the writes of all connections.
  const versionExpression = Stores.onPostgres ? "pg_current_wal_insert_lsn()::text" : "total_changes()"
  const [row] = yield* sql.unsafe<{ readonly n: number | string }>(`${testMarker} SELECT ${versionExpression} AS n`)
  const changes = row?.n ?? 0
  let last = lastDumps.get(sql)
  if (last?.changes !== changes) {
    last = { changes, textByWorkspace: new Map() }
    lastDumps.set(sql, last)
  }
  const text =
    last.textByWorkspace.get(workspace) ?? (yield* Stores.onPostgres ? readPostgres(workspace) : readSqlite(workspace))
  last.textByWorkspace.set(workspace, text)
  return text
}, Effect.orDie)

export const dump = dumpWorkspace(undefined)

/** SQL: a webhook delivery that waits for its next attempt. */
const postponedDelivery = "type = 'webhook.delivery' AND status = 'pending' AND run_at > 0"

/** Waits until all background work but mail is done. Fails webhook deliveries after one attempt, so that none runs later. */
export const waitUntilIdle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const unfinishedJobs = sql.unsafe(`${testMarker} SELECT id FROM jobs
    WHERE status IN ('waiting', 'pending', 'processing') AND type <> 'mail.completion' AND NOT (${postponedDelivery}) LIMIT 1`)
  for (let i = 0; i < 5000 && (yield* unfinishedJobs).length > 0; i++) yield* Effect.sleep(2)
  if ((yield* unfinishedJobs).length > 0) return yield* Effect.die(new Error("The background work does not end"))
  const postponedJobs = yield* sql.unsafe(`${testMarker} SELECT id FROM jobs WHERE ${postponedDelivery} LIMIT 1`)
  if (postponedJobs.length === 0) return
  yield* sql.unsafe(`${testMarker} UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
    WHERE status = 'pending' AND job IN (SELECT id FROM jobs WHERE ${postponedDelivery})`)
  yield* sql.unsafe(`${testMarker} UPDATE jobs SET status = 'failed' WHERE ${postponedDelivery}`)
}).pipe(Effect.orDie)
