// layers/operations/Readiness.ts: whether this process can take work: what that needs, asked for without writing anything.
import { Context, Duration, Effect, Fiber, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { elapsed } from "#layers/lib/Time.ts"
import { statSync } from "node:fs"
import { isPostgres } from "#layers/database/Dialect.ts"
import { newest, table } from "#layers/database/migrations/Version.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"

/** With less than this the largest batch might not be stored any more. */
export const leastFree = 256_000_000

type Outcome = "ok" | "failed"

/** What a check found. */
export interface Found {
  readonly status: "ready" | "unavailable" | "draining"
  readonly checks: { readonly store: Outcome; readonly disk: Outcome; readonly migrations: Outcome }
}

/** An outcome is cached for this long. */
const fresh = Duration.toMillis("1 second")

/** A probe within this time is expected to come again. */
const isTransient = Duration.toMillis("1 minute")

/** Whether the file that SQLite has open is still the one at its path; there is none in memory, or on PostgreSQL. */
const storeLocation = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (isPostgres(sql)) return Effect.succeed(true)
  const [row] = yield* Effect.orDie(
    sql<{ readonly file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  )
  const file = row?.file ?? ""
  if (file === "") return Effect.succeed(true)
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino
  const openedInode = inode()
  let storeLost = false
  return Effect.suspend(() => {
    const there = inode() === openedInode
    if (there || storeLost) return Effect.succeed(there)
    storeLost = true
    const message = `${file} was removed or replaced while the server has it open: stop the server, put the file back, and start it again`
    return Effect.as(Effect.logError(message), false)
  })
})

export class Readiness extends Context.Service<
  Readiness,
  {
    readonly check: Effect.Effect<Found>
    /** Reports `draining` from now on. Returns whether a prober is active, which then needs time to notice. */
    readonly drain: Effect.Effect<boolean>
  }
>()("overture/layers/Readiness") {
  static readonly layer = (directory: string) =>
    Layer.effect(
      Readiness,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const freeSpace = yield* FreeSpace
        const last = yield* newest
        const turn = yield* Semaphore.make(1)
        let draining = false
        let askedAt = -Infinity
        let latest: { readonly at: number; readonly checks: Found["checks"] } | undefined
        let logged = ""

        const passes = <E>(check: Effect.Effect<boolean, E>) =>
          // One that waits for a lock cannot be interrupted, and is not waited for.
          Effect.forkDetach(check).pipe(
            Effect.flatMap(Fiber.join),
            Effect.timeout("2 seconds"),
            Effect.orElseSucceed(() => false),
            Effect.catchDefect(() => Effect.succeed(false)),
            Effect.map((ok) => (ok ? ("ok" as const) : ("failed" as const)))
          )
        // Taking what every write needs, and letting go of it, leaves no trace: the lock of SQLite's file, or a
        // connection to a PostgreSQL that has not become one which only reads.
        const writable = sql.withTransaction(
          sql.onDialectOrElse({
            pg: () =>
              Effect.map(
                sql<{ readonly reads: string }>`SELECT current_setting('transaction_read_only') AS reads`,
                ([row]) => row?.reads === "off"
              ),
            orElse: () => Effect.succeed(true)
          })
        )
        // What is written to a file that was removed or replaced is lost with this process.
        const inPlace = yield* storeLocation(sql)
        const migrated = Effect.map(
          sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`,
          ([row]) => row?.id === last
        )
        const roomy = Effect.map(freeSpace(directory), (free) => free >= leastFree)

        /** Probes need no key and have no limit, so results are cached. */
        const checked = Effect.gen(function* () {
          if (latest !== undefined && (yield* elapsed) - latest.at < fresh) return latest.checks
          const checks = yield* Effect.all(
            {
              store: passes(Effect.andThen(inPlace, (there) => (there ? writable : Effect.succeed(false)))),
              disk: passes(roomy),
              migrations: passes(migrated)
            },
            { concurrency: "unbounded" }
          )
          latest = { at: yield* elapsed, checks }
          return checks
        }).pipe(turn.withPermit)

        return Readiness.of({
          check: Effect.gen(function* () {
            askedAt = yield* elapsed
            const checks = yield* checked
            const healthy = Object.values(checks).every((outcome) => outcome === "ok")
            const status = draining ? "draining" : healthy ? "ready" : "unavailable"
            const now = JSON.stringify({ status, checks })
            if (now !== logged) {
              logged = now
              yield* status === "unavailable"
                ? Effect.logWarning("The server is not ready", checks)
                : Effect.logInfo(`The server is ${status}`)
            }
            return { status, checks }
          }),
          drain: Effect.map(elapsed, (at) => {
            draining = true
            return at - askedAt < isTransient
          })
        })
      })
    )
}
