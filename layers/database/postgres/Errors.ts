// layers/database/postgres/Errors.ts: removes the values from PostgreSQL's errors, and maps the errors to SqlError.
import { SqlError } from "effect/sql"

const sqlText = (error: unknown, key: "code" | "constraint" | "table") => {
  const value = typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * SQLSTATE classes whose messages are kept, because they quote only names, settings or the server's state, never
 * values.
 */
const safeCodes = /^(?:08|25|28|3D|40|42|53|55|57|58)/

/** The server is full, stopping, or has failed over; a retry may succeed. */
const unreachable = /^(?:08|53|57P|58|25006|25P03|XX000)/

const describeError = (code: string | undefined, { cause, message }: SqlError.SqlErrorReason) => {
  const causeMessage = cause instanceof Error ? cause.message : undefined
  if (code === undefined) return causeMessage ?? message ?? "the connection failed"
  const objects = [sqlText(cause, "table"), sqlText(cause, "constraint")]
    .filter((name) => name !== undefined)
    .join(", ")
  return [safeCodes.test(code) ? causeMessage : "refused", objects, `(${code})`].filter(Boolean).join(" ")
}

/** The same error without parts that may hold personal data: details, hints and the statement's context. */
export const withoutStatementValues = (error: SqlError.SqlError) => {
  const { reason } = error
  const code = sqlText(reason.cause, "code")
  const sqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
  const description = describeError(sqlState, reason)
  const details = {
    cause: Object.assign(new Error(description), { code }),
    message: `PostgreSQL: ${description}`,
    operation: reason.operation
  }
  if (reason._tag === "UniqueViolation") {
    const { constraint } = reason
    return new SqlError.SqlError({ reason: new SqlError.UniqueViolation({ ...details, constraint }) })
  }
  if (sqlState !== undefined && unreachable.test(sqlState)) {
    return new SqlError.SqlError({ reason: new SqlError.ConnectionError(details) })
  }
  const Reason = reasonsByCode[reason._tag]
  return new SqlError.SqlError({ reason: new Reason(details) })
}

const reasonsByCode = {
  AuthenticationError: SqlError.AuthenticationError,
  AuthorizationError: SqlError.AuthorizationError,
  ConnectionError: SqlError.ConnectionError,
  ConstraintError: SqlError.ConstraintError,
  DeadlockError: SqlError.DeadlockError,
  LockTimeoutError: SqlError.LockTimeoutError,
  SerializationError: SqlError.SerializationError,
  SqlSyntaxError: SqlError.SqlSyntaxError,
  StatementTimeoutError: SqlError.StatementTimeoutError,
  UnknownError: SqlError.UnknownError
}

/** The transaction conflicts with another one and can be retried from its start. */
export const isConflict = ({ reason }: SqlError.SqlError) =>
  reason._tag === "SerializationError" || reason._tag === "DeadlockError"
