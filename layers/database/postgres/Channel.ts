// layers/database/postgres/Channel.ts: what processes on one PostgreSQL tell each other, by LISTEN and NOTIFY.
import type { PgPool } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import type { Channel } from "#layers/database/Channel.ts"
import { discreet } from "#layers/database/postgres/Errors.ts"

/** Includes the schema: stores in other schemas of the database notify too. */
const name = "overture"

export const make = (sql: SqlClient.SqlClient, pool: PgPool.PgPool): Channel => ({
  // It writes, in its way: a connection that only reads, as whatever begins with SELECT gets, may be to a copy.
  tell: (message) => Effect.asVoid(sql`VALUES (pg_notify(${name}, ${message}))`),
  listen: pool.reserve.pipe(
    Effect.flatMap((connection) => connection.listen(name)),
    Effect.mapBoth({
      onFailure: discreet,
      onSuccess: (heard) =>
        Stream.fromQueue(heard).pipe(
          Stream.map(({ payload }) => payload),
          Stream.mapError(discreet)
        )
    })
  )
})
