// layers/database/postgres/Migrations.ts: runs the migrations, which are written in SQLite's dialect, on PostgreSQL.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Integers are as large as SQLite's, and text is compared by bytes whatever the locale of the database. */
const words = new Map([
  ["INTEGER", "BIGINT"],
  ["REAL", "DOUBLE PRECISION"],
  ["BLOB", "BYTEA"],
  ["TEXT", 'TEXT COLLATE "C"'],
  // PostgreSQL is always strict.
  ["STRICT", ""]
])

const told = (text: string) =>
  text.replaceAll(/\b(?:INTEGER|REAL|BLOB|TEXT|STRICT)\b/g, (word) => words.get(word) ?? "")

const isTemplate = (argument: unknown): argument is TemplateStringsArray => Array.isArray(argument) && "raw" in argument

/** Runs a migration with a client that translates its statements; parameters are unchanged. */
export const inPostgres = <A, E, R>(migration: Effect.Effect<A, E, R>) =>
  Effect.updateService(
    migration,
    SqlClient.SqlClient,
    (sql) =>
      new Proxy(sql, {
        apply: (client, self, [first, ...rest]) =>
          Reflect.apply(client, self, [
            isTemplate(first) ? Object.assign(first.map(told), { raw: first.raw.map(told) }) : first,
            ...rest
          ])
      })
  )
