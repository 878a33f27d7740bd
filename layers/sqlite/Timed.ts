// layers/sqlite/Timed.ts: how long the write lock is held, whether by one transaction or by several that share a commit.
import { Clock, Effect } from "effect"
import type { SqlConnection } from "effect/sql"
import { transactionDuration } from "#layers/Metrics.ts"
import { begin } from "#layers/sqlite/WriteConnection.ts"

/** Notes how long the write lock was held each time. */
export const timed = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  let began = 0n
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) => {
    const done = connection.execute(sql, params, transform)
    if (sql !== begin && sql !== "COMMIT" && sql !== "ROLLBACK") return done
    return Effect.tap(done, () =>
      Effect.withFiber((fiber) => {
        const at = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
        if (sql === begin) began = at
        else transactionDuration.updateUnsafe(Number(at - began) / 1e9, fiber.context)
        return Effect.void
      })
    )
  }
  return { ...connection, execute }
}
