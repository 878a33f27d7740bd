// test/support/breaking.ts: a store in which one write of the test's choice fails, and all others are as ever.
import { DatabaseSync } from "node:sqlite"
import { ofTheTest } from "./dump.ts"

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

/** From now on the `nth` write fails, once. Transactions that only read come to their end by a COMMIT, too. */
export const breakWrite = (nth: number) => {
  left = nth
  failed = undefined
}

/** The write that failed, and no other will; undefined where there were not so many. */
export const mended = () => {
  left = 0
  return failed
}
