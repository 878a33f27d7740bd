// layers/database/sqlite/Statements.ts: prepared statements, what is bound to them, and the rows they give.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

export interface Prepared {
  readonly statement: StatementSync
  /** The columns of each row, where no change of a table can change them. */
  readonly columns: ReadonlyArray<string> | undefined
}

export const prepare = (db: DatabaseSync, sql: string): Prepared => {
  const statement = db.prepare(sql)
  const isFixed = !star.test(sql)
  return { statement, columns: isFixed ? statement.columns().map(({ name }) => name) : undefined }
}

/** All columns, but for those that are only counted. */
const star = /(?<!\()\*/

/** The last `size` statements asked for, prepared once. A `Map` keeps its keys in the order they were set. */
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

/** Rows as arrays, which to the types of `node:sqlite` are objects whose keys are the numbers of columns. */
const readArrays = ({ statement }: Prepared, values: ReadonlyArray<SQLInputValue>) => {
  statement.setReturnArrays(true)
  return statement.all(...values)
}

export const readValues = (prepared: Prepared, values: ReadonlyArray<SQLInputValue>) =>
  readArrays(prepared, values).map((row) => Object.values(row))

/** Rows as objects. Those that `node:sqlite` makes are dictionaries, which take longer to make and to read. */
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
 * `node:sqlite` binds every number as REAL, which would write 1 as "1.0" into a TEXT column, and takes an object in
 * first place for named parameters.
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
