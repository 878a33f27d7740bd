// layers/operations/prune/File.ts: what becomes of the room that deleted rows had. PostgreSQL sees to it by itself.
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"

const ofSqlite = (sql: SqlClient.SqlClient) => ({
  /** What is deleted is overwritten in the file, and not only forgotten. */
  begin: Effect.asVoid(sql`PRAGMA secure_delete = ON`),
  /** Into the file itself, and out of the log. Waits for readers up to a limit. */
  end: sql<{ readonly busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.pipe(
    Effect.repeat({ until: ([row]) => row?.busy === 0, schedule: Schedule.spaced("50 millis"), times: 100 }),
    Effect.asVoid
  ),
  /** Bytes of the file that new rows will use before it grows. */
  reusable: Effect.orDie(
    Effect.map(
      sql<{
        readonly n: number
      }>`SELECT f.freelist_count * p.page_size AS n FROM pragma_freelist_count() f, pragma_page_size() p`,
      ([row]) => row?.n ?? 0
    )
  )
})

const ofPostgres = { begin: Effect.void, end: Effect.void, reusable: Effect.undefined }

export const make = Effect.map(SqlClient.SqlClient, (sql) => (isPostgres(sql) ? ofPostgres : ofSqlite(sql)))
