// test/support/failing-writes.ts: makes the nth write to the database fail, once.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import { testMarker, tables } from "./dump.ts"
import * as Stores from "./store.ts"

const writes = /^\s*(INSERT|UPDATE|DELETE|COMMIT)\b/i

/** An SQLite error that is neither "locked" nor "disk full", so that the service does not retry it. */
const sqlError = () =>
  Object.assign(new Error("SQL logic error"), { code: "ERR_SQLITE_ERROR", errcode: 1, errstr: "SQL logic error" })

let writesUntilFailure = 0
let failedStatement: string | undefined

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (!writes.test(sql) || sql.includes(testMarker)) return statement
  for (const name of ["all", "run"] as const) {
    const run: (...values: Array<never>) => unknown = statement[name]
    Object.defineProperty(statement, name, {
      // Other tests of this process replace it too.
      writable: true,
      configurable: true,
      value: (...values: Array<never>) => {
        if (writesUntilFailure > 0 && --writesUntilFailure === 0) {
          failedStatement = sql.replace(/\s+/g, " ").trim()
          throw sqlError()
        }
        return run.apply(statement, values)
      }
    })
  }
  return statement
}

const clientsWithTrigger = new WeakSet<SqlClient.SqlClient>()

/** Counts writes on PostgreSQL in a sequence, because a rollback does not reset a sequence. COMMIT is not counted. */
const createFailureTrigger = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (clientsWithTrigger.has(sql)) return
  clientsWithTrigger.add(sql)
  const storeTables = yield* tables
  yield* sql`CREATE SEQUENCE written MINVALUE 0`
  yield* sql`CREATE SEQUENCE breaking MINVALUE 0`
  yield* sql`
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('written') = (SELECT last_value FROM breaking) THEN RAISE EXCEPTION 'broken'; END IF;
      RETURN NULL; END $$`
  for (const { name } of storeTables) {
    yield* sql`
      CREATE TRIGGER break BEFORE INSERT OR UPDATE OR DELETE ON ${sql(name)} FOR EACH STATEMENT EXECUTE FUNCTION break()`
  }
})

/** Makes the `nth` write from now on fail, once. On SQLite, COMMIT counts as a write, also in read-only transactions. */
export const failWrite = Effect.fnUntraced(function* (nth: number) {
  if (!Stores.onPostgres) {
    writesUntilFailure = nth
    failedStatement = undefined
    return
  }
  const sql = yield* SqlClient.SqlClient
  yield* createFailureTrigger(sql)
  yield* sql`VALUES (setval('breaking', ${nth}), setval('written', 0))`
}, Effect.orDie)

/** Stops failing writes. Returns the write that failed, or undefined if fewer than `nth` were made. */
export const stopFailing = Effect.gen(function* () {
  writesUntilFailure = 0
  if (!Stores.onPostgres) return failedStatement
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly nth: number; readonly counted: number }>`
    SELECT b.last_value AS nth, w.last_value AS counted FROM breaking b, written w`
  yield* sql`VALUES (setval('breaking', 0))`
  return row !== undefined && row.nth > 0 && row.counted >= row.nth ? `the ${row.nth}th` : undefined
}).pipe(Effect.orDie)
