// layers/operations/verify/DatabaseChecks.ts: checks of constraints and indexes that the database should enforce
// itself.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"

const foreignKeyCheck = "rows point at rows that are there"

const sqliteChecks = {
  "the file is sound": `SELECT integrity_check AS id FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  [foreignKeyCheck]: `SELECT "table" || ' ' || rowid AS id FROM pragma_foreign_key_check`
}

interface Reference {
  readonly child: string
  readonly column: string
  readonly parent: string
  readonly key: string
}

const postgresChecks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const references = yield* sql<Reference>`
    SELECT c.conrelid::regclass::text AS child, quote_ident(a.attname) AS column,
      c.confrelid::regclass::text AS parent, quote_ident(k.attname) AS key
    FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]
    WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace`
  const referenceChecks = references.map(
    ({ child, column, key, parent }) => `
      SELECT '${child} ' || c.ctid AS id FROM ${child} c
      WHERE c.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE p.${key} = c.${column})`
  )
  return {
    [foreignKeyCheck]: referenceChecks.join(" UNION ALL "),
    "every index is sound": `
      SELECT indexrelid::regclass::text AS id FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)`
  }
})

/** Like the invariants: each statement returns the violations of one check. */
export const databaseChecks = (sql: SqlClient.SqlClient) =>
  isPostgres(sql) ? postgresChecks(sql) : Effect.succeed(sqliteChecks)
