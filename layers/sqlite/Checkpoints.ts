// layers/sqlite/Checkpoints.ts: what is committed is in SQLite's log of writes, and has to be copied into the database file
// now and then. SQLite does so within some commit, which then takes as long as two syncs of the disk and stops everybody:
// a long batch stopped them for 0.1 s and more. So a server has a thread that does nothing else.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Worker } from "node:worker_threads"
import { isPostgres } from "#layers/database/Dialect.ts"
import * as Threads from "#layers/threads/Threads.ts"

export interface Task {
  readonly filename: string
  /** How often the thread looks whether something was committed. */
  readonly everyMillis: number
}

const everyMillis = 500

/** Pages of the log, 64 MB, from which on commits copy after all: the thread has ended, or is not up to what is written. */
const most = 16_000
/** SQLite's own choice. */
const usual = 1000

const limits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 }

const start = (task: Task) =>
  Effect.sync(() => Threads.startPart("checkpointer", { workerData: task, resourceLimits: limits }))

/** Lets the thread close its connection: the last to close one copies all that is left. */
const end = (thread: Worker) =>
  Effect.callback<void>((resume) => {
    thread.once("exit", () => resume(Effect.void))
    thread.postMessage("end")
  }).pipe(
    Effect.timeoutOrElse({
      duration: "2 seconds",
      orElse: () => Effect.asVoid(Effect.promise(() => thread.terminate()))
    })
  )

/** Copies for as long as the layer lives. A database in memory has no log, and PostgreSQL sees to its own. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (isPostgres(sql)) return
    const [row] = yield* sql<{ readonly file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
    if (row === undefined || row.file === "") return
    const copying = (pages: number) => sql`PRAGMA wal_autocheckpoint = ${sql.literal(String(pages))}`
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const thread = yield* start({ filename: row.file, everyMillis })
    let over = false
    const ended = (reason: string) => {
      if (over) return
      over = true
      runFork(
        Effect.andThen(
          Effect.logWarning("The thread that copies the log of writes has ended; commits do it", { reason }),
          Effect.ignore(copying(usual))
        )
      )
    }
    thread.once("error", (error: NodeJS.ErrnoException) => ended(error.code ?? error.name))
    thread.once("exit", (code) => ended(`exit ${code}`))
    yield* copying(most)
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        if (over) return Effect.void
        over = true
        return Effect.andThen(Effect.ignore(copying(usual)), end(thread))
      })
    )
  }).pipe(Effect.orDie)
)
