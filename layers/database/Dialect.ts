// layers/database/Dialect.ts: SQL expressions that differ between SQLite and PostgreSQL.
import { SqlClient } from "effect/sql"

export interface Dialect {
  /** The system column that identifies a row of any table. */
  readonly rowIdColumn: string
  /** The text at `key` of the JSON object in the text column `json`. */
  readonly member: (json: string, key: string) => string
  /** The length of the JSON array in the text column `json`. */
  readonly elements: (json: string) => string
}

const sqlite: Dialect = {
  rowIdColumn: "rowid",
  member: (json, key) => `json_extract(${json}, '$.${key}')`,
  elements: (json) => `json_array_length(${json})`
}

const postgres: Dialect = {
  rowIdColumn: "ctid",
  member: (json, key) => `(CAST(${json} AS JSON) ->> '${key}')`,
  elements: (json) => `json_array_length(CAST(${json} AS JSON))`
}

export const isPostgres = (sql: SqlClient.SqlClient) => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

export const dialectOf = (sql: SqlClient.SqlClient) => (isPostgres(sql) ? postgres : sqlite)

/** Column types for migrations, and the end of a table definition. */
export const columnTypes = (sql: SqlClient.SqlClient) => {
  const type = (sqlite: string, postgres: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(postgres), orElse: () => sql.literal(sqlite) })
  return {
    blob: type("BLOB", "BYTEA"),
    // SQLite's integers have 64 bits.
    integer: type("INTEGER", "BIGINT"),
    real: type("REAL", "DOUBLE PRECISION"),
    // PostgreSQL is always strict.
    strict: type("STRICT", ""),
    // Compares text by bytes, whatever the locale of the database.
    text: type("TEXT", 'TEXT COLLATE "C"')
  }
}
