// layers/database/sqlite/Statements.ts: prepared statements, their parameters and their rows.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

export interface Prepared {
  readonly statement: StatementSync
  /** The columns of each row. Undefined for `SELECT *`, whose columns change with the table. */
  readonly columns: ReadonlyArray<string> | undefined
}

export const prepare = (db: DatabaseSync, sql: string): Prepared => {
  const statement = db.prepare(sql)
  const isFixed = !star.test(sql)
  return { statement, columns: isFixed ? statement.columns().map(({ name }) => name) : undefined }
}

/** Matches `*` as a list of columns, but not `count(*)`. */
const star = /(?<!\()\*/

/** Caches the `size` most recently used statements; a `Map` keeps its keys in insertion order. */
export const keepLatest = (size: number, prepare: (sql: string) => Prepared) => {
  const statements = new Map<string, Prepared>()
  return (sql: string) => {
    const known = statements.get(sql)
    const statement = known ?? prepare(sql)
    if (known !== undefined) statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > size) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
}

/** The rows as arrays, which the types of `node:sqlite` do not describe. */
const readArrays = ({ statement }: Prepared, values: ReadonlyArray<SQLInputValue>) => {
  statement.setReturnArrays(true)
  return statement.all(...values)
}

export const readValues = (prepared: Prepared, values: ReadonlyArray<SQLInputValue>) =>
  readArrays(prepared, values).map((row) => Object.values(row))

/** The rows as plain objects. Those of `node:sqlite` are in dictionary mode, which is slower. */
export const readRows = (prepared: Prepared, values: ReadonlyArray<SQLInputValue>) => {
  const { columns, statement } = prepared
  if (columns === undefined) {
    statement.setReturnArrays(false)
    return statement.all(...values)
  }
  return readArrays(prepared, values).map((row) => {
    const made: Record<string, unknown> = {}
    columns.forEach((name, i) => (made[name] = row[i]))
    return made
  })
}

export const readRaw = (prepared: Prepared, values: ReadonlyArray<SQLInputValue>) =>
  prepared.statement.columns().length > 0 ? readRows(prepared, values) : prepared.statement.run(...values)

/**
 * Converts a parameter. `node:sqlite` binds every number as REAL, which would store 1 as "1.0" in a TEXT column, and
 * takes an object as the first parameter for named parameters.
 */
export const toSqlite = (value: unknown): SQLInputValue => {
  switch (typeof value) {
    case "string":
    case "bigint":
      return value
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case "boolean":
      return value ? 1n : 0n
  }
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return value
  throw new TypeError(`${Object.prototype.toString.call(value)} is not a value SQLite can store`)
}
