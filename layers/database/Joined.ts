// layers/database/Joined.ts: transactions that are often part of another.
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * As `sql.withTransaction`, but part of the caller's transaction where there is one, without a savepoint: for work that
 * its caller does not outlive when it fails.
 */
export const joined =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
      Option.isSome(open) ? work : sql.withTransaction(work)
    )
