// layers/sqlite/Errors.ts: what SQLite's errors mean, told without any value that it quotes.
import { SqlError } from "effect/sql"

export type Operation = "open" | "prepare" | "execute"

/**
 * While it executes, SQLite may quote a bound value (a path into JSON, a full-text query): then the message has only
 * its general description of the error. That of a broken constraint names tables and columns, and is kept.
 */
export const sqlError = (operation: Operation, thrown: unknown) => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const errcode = "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined
  const general = "errstr" in error ? error.errstr : "code" in error ? error.code : error.name
  const tellsAll = operation !== "execute" || (errcode !== undefined && (errcode & 0xff) === constraintViolation)
  const description = tellsAll ? error.message : String(general)

  const errno = errcode === primaryKeyViolation ? uniqueViolation : errcode
  const cause = Object.assign(new Error(description), { errno })
  const about = { message: `SQLite: ${description}`, operation }
  return new SqlError.SqlError({
    reason:
      errcode !== undefined && unreachable.includes(errcode & 0xff)
        ? new SqlError.ConnectionError({ cause, ...about })
        : SqlError.classifySqliteError(cause, about)
  })
}

/** READONLY, IOERR and FULL: it is the file that failed and not the statement, which may succeed when the disk is well. */
const unreachable = [8, 10, 13]
const constraintViolation = 19
const primaryKeyViolation = 1555
const uniqueViolation = 2067

export const isLocked = (error: SqlError.SqlError) => error.reason._tag === "LockTimeoutError"
