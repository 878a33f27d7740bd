// layers/Verify.ts: what must be true of a store at any moment, asked of it directly.
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, isPostgres } from "#layers/database/Dialect.ts"
import { Files } from "#layers/Files.ts"
import { soundness } from "#layers/verify/Database.ts"
import { leftover } from "#layers/verify/Files.ts"
import { invariants } from "#layers/verify/Invariants.ts"

export const Check = Schema.Struct({ name: Schema.String, ok: Schema.Boolean, detail: Schema.String })
export type Check = typeof Check.Type

const checkOf = (name: string, breaches: ReadonlyArray<string>): Check => {
  const some = breaches.slice(0, 5)
  const more = breaches.length > some.length ? ` and ${breaches.length - some.length} more` : ""
  return { name, ok: breaches.length === 0, detail: some.join(", ") + more }
}

/** One moment is seen: by SQLite in any transaction that reads, by PostgreSQL in one that waits for such a moment. */
const reading = (sql: SqlClient.SqlClient) =>
  isPostgres(sql) ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE" : "BEGIN"

/** Every check of the database with what it found. A reading transaction shows all of them one moment, and stops nobody. */
export const verify: Effect.Effect<ReadonlyArray<Check>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const checks = { ...invariants(dialectOf(sql)), ...(yield* soundness(sql)) }
  const each = Effect.forEach(Object.entries(checks), ([name, statement]) =>
    Effect.map(sql.unsafe<{ readonly id: string }>(statement), (breaches) =>
      checkOf(
        name,
        breaches.map((row) => row.id)
      )
    )
  )
  // Whoever looks at all there is may take longer than others who work.
  const unhurried = isPostgres(sql) ? Effect.andThen(sql`SET LOCAL statement_timeout = 0`, each) : each
  return yield* unhurried.pipe(sql.withTransaction, Effect.provideService(SqlClient.BeginTransaction, reading(sql)))
}).pipe(Effect.orDie)

/** The same of a whole data directory, the files in it and elsewhere included. */
export const verifyStore = Effect.fnUntraced(function* (directory: string) {
  const found = yield* verify
  const files = yield* (yield* Files).inspect.pipe(
    Effect.map(({ lost, stray }) => [
      checkOf("every file is there, and whole", lost),
      checkOf("no file is nobody's", stray)
    ]),
    Effect.catchTag("FilesUnavailable", ({ message }) =>
      Effect.succeed([checkOf("every file is there, and whole", [message])])
    )
  )
  return [...found, ...files, checkOf("no file is left over from what was cut short", yield* leftover(directory))]
})
