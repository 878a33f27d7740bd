// layers/database/postgres/ListenNotify.ts: messages between the processes on one PostgreSQL database, by LISTEN and NOTIFY.
import type { PgPool } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import type { Channel } from "#layers/database/Channel.ts"
import { withoutStatementValues } from "#layers/database/postgres/Errors.ts"

/** All schemas of a database share this channel, so other schemas notify it too. */
const channelName = "overture"

export const make = (sql: SqlClient.SqlClient, pool: PgPool.PgPool): Channel => ({
  // VALUES instead of SELECT, because statements that start with SELECT go to a read-only connection, which may be a
  // replica.
  notify: (message) => Effect.asVoid(sql`VALUES (pg_notify(${channelName}, ${message}))`),
  listen: pool.reserve.pipe(
    Effect.flatMap((connection) => connection.listen(channelName)),
    Effect.mapBoth({
      onFailure: withoutStatementValues,
      onSuccess: (notifications) =>
        Stream.fromQueue(notifications).pipe(
          Stream.map(({ payload }) => payload),
          Stream.mapError(withoutStatementValues)
        )
    })
  )
})
