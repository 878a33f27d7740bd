// layers/database/Dialect.ts: SQL expressions that differ between SQLite and PostgreSQL.
import { SqlClient } from "effect/sql"

export interface Dialect {
  /** The system column that identifies a row of any table. */
  readonly row: string
  /** The text at `key` of the JSON object in the text column `json`. */
  readonly member: (json: string, key: string) => string
  /** The length of the JSON array in the text column `json`. */
  readonly elements: (json: string) => string
}

const sqlite: Dialect = {
  row: "rowid",
  member: (json, key) => `json_extract(${json}, '$.${key}')`,
  elements: (json) => `json_array_length(${json})`
}

const postgres: Dialect = {
  row: "ctid",
  member: (json, key) => `(CAST(${json} AS JSON) ->> '${key}')`,
  elements: (json) => `json_array_length(CAST(${json} AS JSON))`
}

export const isPostgres = (sql: SqlClient.SqlClient) => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

export const dialectOf = (sql: SqlClient.SqlClient) => (isPostgres(sql) ? postgres : sqlite)
