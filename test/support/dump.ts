// test/support/dump.ts: what the store holds, to the byte, so that a test can say that nothing has changed.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Stores from "./store.ts"

/** Marks statements of the test itself, so that tests can tell them from the service's. */
export const ofTheTest = "/* of the test */"

const shown = (_: string, value: unknown) =>
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
  return yield* sql.unsafe<{ readonly name: string; readonly owner: string | null }>(`${ofTheTest}
    SELECT t.name, CASE WHEN t.name = 'workspaces' THEN 'id' ELSE
      (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.name = 'workspace_id') END AS owner
    FROM sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name`)
}).pipe(Effect.orDie)

/** The same of PostgreSQL: all tables in one statement. */
const readAtOnce = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const parts = (yield* tables).flatMap(({ name, owner }) => {
    if (workspace !== undefined && owner === null) return []
    const whose = workspace === undefined ? "" : `WHERE ${owner} = '${workspace}'`
    return [`SELECT '${name} ' || (to_jsonb(t) - 'last_used_at')::text AS part FROM ${name} t ${whose}`]
  })
  const rows = yield* sql.unsafe<{ readonly part: string }>(parts.join(" UNION ALL "))
  return rows
    .map(({ part }) => part)
    .toSorted()
    .join("\n")
})

const read = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const parts: Array<string> = []
  for (const { name, owner } of yield* tables) {
    if (workspace !== undefined && owner === null) continue
    const whose = workspace === undefined ? "" : `WHERE ${owner} = '${workspace}'`
    const rows = yield* sql.unsafe<object>(`${ofTheTest} SELECT * FROM ${name} ${whose} ORDER BY rowid`)
    for (const row of rows) {
      parts.push(`${name} ${JSON.stringify({ ...row, ...("last_used_at" in row && { last_used_at: null }) }, shown)}`)
    }
  }
  return parts.join("\n")
})

interface Known {
  changes: number | string
  readonly texts: Map<string | undefined, string>
}
const known = new WeakMap<SqlClient.SqlClient, Known>()

/**
 * The rows of one workspace, or all. When a key was last used is left out: every request may change that. Rows are
 * read again only when the database says that it has written since, be it undone.
 */
export const dumpOf = Effect.fnUntraced(function* (workspace: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  // How far PostgreSQL has come in its log of writes, others' writes included.
  const asked = Stores.onPostgres ? "pg_current_wal_insert_lsn()::text" : "total_changes()"
  const [row] = yield* sql.unsafe<{ readonly n: number | string }>(`${ofTheTest} SELECT ${asked} AS n`)
  const changes = row?.n ?? 0
  let last = known.get(sql)
  if (last?.changes !== changes) {
    last = { changes, texts: new Map() }
    known.set(sql, last)
  }
  const text = last.texts.get(workspace) ?? (yield* Stores.onPostgres ? readAtOnce(workspace) : read(workspace))
  last.texts.set(workspace, text)
  return text
}, Effect.orDie)

export const dump = dumpOf(undefined)

/** A delivery whose next attempt would be made later, in the middle of another test. */
const postponed = "type = 'webhook.delivery' AND status = 'pending' AND run_at > 0"

/** Returns once no background work is left, except mail, which no mailer takes here. Deliveries get one attempt. */
export const idle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const busy = sql.unsafe(`${ofTheTest} SELECT id FROM jobs
    WHERE status IN ('waiting', 'pending', 'processing') AND type <> 'mail.completion' AND NOT (${postponed}) LIMIT 1`)
  for (let i = 0; i < 5000 && (yield* busy).length > 0; i++) yield* Effect.sleep(2)
  if ((yield* busy).length > 0) return yield* Effect.die(new Error("The background work does not end"))
  const given = yield* sql.unsafe(`${ofTheTest} SELECT id FROM jobs WHERE ${postponed} LIMIT 1`)
  if (given.length === 0) return
  yield* sql.unsafe(`${ofTheTest} UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
    WHERE status = 'pending' AND job IN (SELECT id FROM jobs WHERE ${postponed})`)
  yield* sql.unsafe(`${ofTheTest} UPDATE jobs SET status = 'failed' WHERE ${postponed}`)
}).pipe(Effect.orDie)
