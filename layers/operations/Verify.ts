// layers/operations/Verify.ts: checks the invariants of a database and its files.
import { Cause, Clock, Duration, Effect, FileSystem, Option, Path, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, isPostgres } from "#layers/database/Dialect.ts"
import { Files } from "#layers/Files.ts"
import { databaseChecks } from "#layers/operations/verify/DatabaseChecks.ts"
import { invariants } from "#layers/operations/verify/Invariants.ts"

/** Partial files of a mail, a backup or a restore. */
const unfinishedFile =
  /^(?:outbox\/\..+\.part|(?:.+\/)?[^/]+\.(?:partial|backup\.database)|\.(?:restore|backup)-[^/]+)$/

/** A partial file of this age is a leftover, because no operation takes as long. */
const abandonedAfterMillis = Duration.toMillis("6 hours")

/** Leftovers of interrupted operations. Files of other programs are ignored. */
const findLeftovers = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const currentMillis = yield* Clock.currentTimeMillis
  const names = (yield* fs.readDirectory(directory, { recursive: true })).filter((name) => unfinishedFile.test(name))
  return yield* Effect.filter(names, (name) =>
    fs.stat(path.join(directory, name)).pipe(
      Effect.map(
        ({ mtime }) => currentMillis - Option.match(mtime, { onNone: () => 0, onSome: Number }) > abandonedAfterMillis
      ),
      // The file was finished meanwhile.
      Effect.catchTag("PlatformError", () => Effect.succeed(false))
    )
  )
}, Effect.orDie)

export const Check = Schema.Struct({ name: Schema.String, ok: Schema.Boolean, detail: Schema.String })
export type Check = typeof Check.Type

/** The first ones are enough to find the cause; a damaged store may have thousands. */
const maxListedBreaches = 5

const toCheck = (name: string, breaches: ReadonlyArray<string>): Check => {
  const listedBreaches = breaches.slice(0, maxListedBreaches)
  const omittedText =
    breaches.length > listedBreaches.length ? ` and ${breaches.length - listedBreaches.length} more` : ""
  return { name, ok: breaches.length === 0, detail: listedBreaches.join(", ") + omittedText }
}

/** One snapshot for all checks; on PostgreSQL, a deferrable transaction waits for a safe snapshot. */
const beginStatement = (sql: SqlClient.SqlClient) =>
  isPostgres(sql) ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE" : "BEGIN"

/** Runs a check. An error is its finding, because a damaged database may fail any query. */
const runCheck = <R>(name: string, check: Effect.Effect<Check, unknown, R>) =>
  Effect.catchCause(check, (cause) => {
    const [error] = Cause.prettyErrors(cause)
    return Effect.succeed(toCheck(name, [`the check failed: ${error?.message ?? "interrupted"}`]))
  })

/** All checks of the database with their findings, on one snapshot, without blocking writers. */
export const verify: Effect.Effect<ReadonlyArray<Check>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The file is checked first, because a damaged file makes the other findings meaningless.
  const checks = { ...(yield* databaseChecks(sql)), ...invariants(dialectOf(sql)) }
  const findings: Array<Check> = []
  const runChecks = Effect.forEach(
    Object.entries(checks),
    ([name, statement]) => {
      const breaches = sql.unsafe<{ readonly id: string }>(statement)
      const check = Effect.map(breaches, (rows) =>
        toCheck(
          name,
          rows.map((row) => row.id)
        )
      )
      // In a savepoint, because PostgreSQL refuses further statements after an error.
      return Effect.map(runCheck(name, sql.withTransaction(check)), (finding) => findings.push(finding))
    },
    { discard: true }
  )
  // Checks read every row, so they need more time than a request.
  const untimedChecks = isPostgres(sql) ? Effect.andThen(sql`SET LOCAL statement_timeout = 0`, runChecks) : runChecks
  const snapshotCheck = "every check saw the same moment"
  const allChecks = untimedChecks.pipe(
    sql.withTransaction,
    Effect.provideService(SqlClient.BeginTransaction, beginStatement(sql))
  )
  const snapshotResult = yield* runCheck(snapshotCheck, Effect.as(allChecks, toCheck(snapshotCheck, [])))
  return snapshotResult.ok ? findings : [...findings, snapshotResult]
}).pipe(Effect.orDie)

/** All checks of a data directory, including its files and those in other backends. */
export const verifyStore = Effect.fnUntraced(function* (directory: string) {
  const databaseFindings = yield* verify
  const filesPresent = "every file is there, and whole"
  const noStrayFiles = "no stored file is without a row"
  const noLeftovers = "no file is left over from what was cut short"
  const files = yield* (yield* Files).inspect.pipe(
    Effect.map(({ lost, stray }) => [toCheck(filesPresent, lost), toCheck(noStrayFiles, stray)]),
    Effect.catchCause((cause) => {
      const [error] = Cause.prettyErrors(cause)
      return Effect.succeed([toCheck(filesPresent, [error?.message ?? "interrupted"])])
    })
  )
  const leftovers = yield* runCheck(
    noLeftovers,
    Effect.map(findLeftovers(directory), (names) => toCheck(noLeftovers, names))
  )
  return [...databaseFindings, ...files, leftovers]
})
