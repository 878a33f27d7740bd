// layers/operations/Readiness.ts: checks whether this process can accept work, without writing anything.
import { Context, Duration, Effect, Fiber, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { elapsed } from "#layers/lib/Time.ts"
import { statSync } from "node:fs"
import { isPostgres } from "#layers/database/Dialect.ts"
import { newestVersion, migrationsTable } from "#layers/database/migrations/Version.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"

/** Bytes; with less free space, the largest batch might not fit. */
export const minFreeBytes = 256_000_000

type Outcome = "ok" | "failed"

/** The result of the checks. */
export interface ReadinessReport {
  readonly status: "ready" | "unavailable" | "draining"
  readonly checks: { readonly store: Outcome; readonly disk: Outcome; readonly migrations: Outcome }
}

/** How long an outcome is cached. */
const cacheMillis = Duration.toMillis("1 second")

/** If `check` was called within this time, a prober counts as active. */
const activeMillis = Duration.toMillis("1 minute")

/** Whether SQLite's open file is still at its path. True in memory and on PostgreSQL. */
const makeLocationCheck = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (isPostgres(sql)) return Effect.succeed(true)
  const [row] = yield* Effect.orDie(
    sql<{ readonly file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  )
  const file = row?.file ?? ""
  if (file === "") return Effect.succeed(true)
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino
  const openedInode = inode()
  let isLostLogged = false
  return Effect.suspend(() => {
    const isInPlace = inode() === openedInode
    if (isInPlace || isLostLogged) return Effect.succeed(isInPlace)
    isLostLogged = true
    const message = `${file} was removed or replaced while the server has it open: stop the server, put the file back, and start it again`
    return Effect.as(Effect.logError(message), false)
  })
})

export class Readiness extends Context.Service<
  Readiness,
  {
    readonly check: Effect.Effect<ReadinessReport>
    /** Reports `draining` from now on. Returns whether a prober is active and needs time to notice. */
    readonly drain: Effect.Effect<boolean>
  }
>()("overture/layers/Readiness") {
  static readonly layer = (directory: string) =>
    Layer.effect(
      Readiness,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const freeSpace = yield* FreeSpace
        const newestSchema = yield* newestVersion
        const semaphore = yield* Semaphore.make(1)
        let isDraining = false
        let lastProbedAtMillis = -Infinity
        let latestResult: { readonly checkedAtMillis: number; readonly checks: ReadinessReport["checks"] } | undefined
        let loggedState = ""

        const runCheck = <E>(check: Effect.Effect<boolean, E>) =>
          // Detached, because a check that waits for a lock cannot be interrupted.
          Effect.forkDetach(check).pipe(
            Effect.flatMap(Fiber.join),
            Effect.timeout("2 seconds"),
            Effect.orElseSucceed(() => false),
            Effect.catchDefect(() => Effect.succeed(false)),
            Effect.map((ok) => (ok ? ("ok" as const) : ("failed" as const)))
          )
        // Checks for write access without writing: by SQLite's write lock, or by whether the PostgreSQL server is
        // read-only.
        const checkWritable = sql.withTransaction(
          sql.onDialectOrElse({
            pg: () =>
              Effect.map(
                sql<{ readonly reads: string }>`SELECT current_setting('transaction_read_only') AS reads`,
                ([row]) => row?.reads === "off"
              ),
            orElse: () => Effect.succeed(true)
          })
        )
        // Writes to a removed or replaced file would be lost.
        const checkLocation = yield* makeLocationCheck(sql)
        const checkMigrations = Effect.map(
          sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(migrationsTable)}`,
          ([row]) => row?.id === newestSchema
        )
        const checkFreeSpace = Effect.map(freeSpace(directory), (freeBytes) => freeBytes >= minFreeBytes)

        /** Cached, because probes need no key and have no rate limit. */
        const runChecks = Effect.gen(function* () {
          if (latestResult !== undefined && (yield* elapsed) - latestResult.checkedAtMillis < cacheMillis)
            return latestResult.checks
          const checks = yield* Effect.all(
            {
              store: runCheck(
                Effect.andThen(checkLocation, (isInPlace) => (isInPlace ? checkWritable : Effect.succeed(false)))
              ),
              disk: runCheck(checkFreeSpace),
              migrations: runCheck(checkMigrations)
            },
            { concurrency: "unbounded" }
          )
          latestResult = { checkedAtMillis: yield* elapsed, checks }
          return checks
        }).pipe(semaphore.withPermit)

        return Readiness.of({
          check: Effect.gen(function* () {
            lastProbedAtMillis = yield* elapsed
            const checks = yield* runChecks
            const isHealthy = Object.values(checks).every((outcome) => outcome === "ok")
            const status = isDraining ? "draining" : isHealthy ? "ready" : "unavailable"
            const state = JSON.stringify({ status, checks })
            if (state !== loggedState) {
              loggedState = state
              yield* status === "unavailable"
                ? Effect.logWarning("The server is not ready", checks)
                : Effect.logInfo(`The server is ${status}`)
            }
            return { status, checks }
          }),
          drain: Effect.map(elapsed, (elapsedMillis) => {
            isDraining = true
            return elapsedMillis - lastProbedAtMillis < activeMillis
          })
        })
      })
    )
}
