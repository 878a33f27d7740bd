// test/support/breaking.ts: a store in which one write of the test's choice fails, and all others are as ever.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import { ofTheTest, tables } from "./dump.ts"
import * as Stores from "./store.ts"

const writes = /^\s*(INSERT|UPDATE|DELETE|COMMIT)\b/i

/** SQLite's own words for what is wrong with a statement: it is neither locked nor out of room, and does not pass. */
const broken = () =>
  Object.assign(new Error("SQL logic error"), { code: "ERR_SQLITE_ERROR", errcode: 1, errstr: "SQL logic error" })

let left = 0
let failed: string | undefined

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (!writes.test(sql) || sql.includes(ofTheTest)) return statement
  for (const name of ["all", "run"] as const) {
    const run: (...values: Array<never>) => unknown = statement[name]
    Object.defineProperty(statement, name, {
      value: (...values: Array<never>) => {
        if (left > 0 && --left === 0) {
          failed = sql.replace(/\s+/g, " ").trim()
          throw broken()
        }
        return run.apply(statement, values)
      }
    })
  }
  return statement
}

const watched = new WeakSet<SqlClient.SqlClient>()

/** Has PostgreSQL count writes, those that are undone too, in a sequence that nothing undoes. A COMMIT is none there. */
const watch = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (watched.has(sql)) return
  watched.add(sql)
  const all = yield* tables
  yield* sql`CREATE SEQUENCE written MINVALUE 0`
  yield* sql`CREATE SEQUENCE breaking MINVALUE 0`
  yield* sql`
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('written') = (SELECT last_value FROM breaking) THEN RAISE EXCEPTION 'broken'; END IF;
      RETURN NULL; END $$`
  for (const { name } of all) {
    yield* sql`
      CREATE TRIGGER break BEFORE INSERT OR UPDATE OR DELETE ON ${sql(name)} FOR EACH STATEMENT EXECUTE FUNCTION break()`
  }
})

/** From now on the `nth` write fails, once. On SQLite transactions that only read come to their end by a COMMIT, too. */
export const breakWrite = Effect.fnUntraced(function* (nth: number) {
  if (!Stores.onPostgres) {
    left = nth
    failed = undefined
    return
  }
  const sql = yield* SqlClient.SqlClient
  yield* watch(sql)
  yield* sql`VALUES (setval('breaking', ${nth}), setval('written', 0))`
}, Effect.orDie)

/** The write that failed, and no other will; undefined where there were not so many. */
export const endBreaking = Effect.gen(function* () {
  left = 0
  if (!Stores.onPostgres) return failed
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly nth: number; readonly counted: number }>`
    SELECT b.last_value AS nth, w.last_value AS counted FROM breaking b, written w`
  yield* sql`VALUES (setval('breaking', 0))`
  return row !== undefined && row.nth > 0 && row.counted >= row.nth ? `the ${row.nth}th` : undefined
}).pipe(Effect.orDie)
