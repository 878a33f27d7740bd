// layers/database/sqlite/Checkpoints.ts: runs checkpoints of SQLite's write-ahead log in a worker thread. Inside a
// commit, a checkpoint syncs the disk twice and blocks every request; during a long batch this took 0.1 s and more.
import { Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Worker } from "node:worker_threads"
import { isPostgres } from "#layers/database/Dialect.ts"
import { elapsed } from "#layers/lib/Time.ts"
import * as Threads from "#layers/threads/StartThread.ts"

export interface CheckpointerOptions {
  readonly filename: string
  /** How often the thread checks for new commits. */
  readonly everyMillis: number
}

/** Short, so that little of the log is left to copy when it grows fast; a check without new commits is cheap. */
const intervalMillis = 500

/** Pages of the log (64 MB) above which commits run checkpoints again, because the thread has ended or is too slow. */
const maxWalPages = 16_000
/** SQLite's default for `wal_autocheckpoint`. */
const normalWalPages = 1000

const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 }

const startCheckpointer = (task: CheckpointerOptions) =>
  Effect.sync(() => Threads.startThread("checkpointer", { workerData: task, resourceLimits }))

/** Asks the thread to close its connection, which copies the rest of the log if no other connection is open. */
const endThread = (thread: Worker) =>
  Effect.callback<void>((resume) => {
    thread.once("exit", () => resume(Effect.void))
    thread.postMessage("end")
  }).pipe(
    Effect.timeoutOrElse({
      duration: "2 seconds",
      orElse: () => Effect.asVoid(Effect.promise(() => thread.terminate()))
    })
  )

/** A running thread. `ended` completes with the reason when the thread ends. */
const watchThread = (task: CheckpointerOptions) =>
  Effect.map(startCheckpointer(task), (thread) => {
    const checkpointer = { thread, ended: Deferred.makeUnsafe<string>(), hasEnded: false }
    const markEnded = (reason: string) => {
      checkpointer.hasEnded = true
      Deferred.doneUnsafe(checkpointer.ended, Effect.succeed(reason))
    }
    thread.once("error", (error: NodeJS.ErrnoException) => markEnded(error.code ?? error.name))
    thread.once("exit", (code) => markEnded(`exit ${code}`))
    return checkpointer
  })

/** Pauses before the thread is restarted: a failing disk may recover soon, or only after hours. */
const restartDelays = { first: Duration.seconds(1), longest: Duration.minutes(1) }

/** After this much time the thread counts as healthy, and the next pause is the shortest again. */
const healthyAfterMillis = Duration.toMillis("1 minute")

/** Runs checkpoints until the layer closes. A database in memory has no log, and PostgreSQL has its own checkpoints. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (isPostgres(sql)) return
    const [row] = yield* sql<{ readonly file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
    if (row === undefined || row.file === "") return
    const task: CheckpointerOptions = { filename: row.file, everyMillis: intervalMillis }
    const setAutocheckpoint = (pages: number) => sql`PRAGMA wal_autocheckpoint = ${sql.literal(String(pages))}`

    const runUntilEnded = Effect.acquireUseRelease(
      watchThread(task),
      ({ ended }) => Effect.andThen(Effect.ignore(setAutocheckpoint(maxWalPages)), Deferred.await(ended)),
      ({ hasEnded, thread }) =>
        Effect.andThen(Effect.ignore(setAutocheckpoint(normalWalPages)), hasEnded ? Effect.void : endThread(thread))
    )
    let pause = restartDelays.first
    const runThread = Effect.gen(function* () {
      const startedAt = yield* elapsed
      const reason = yield* runUntilEnded
      if ((yield* elapsed) - startedAt >= healthyAfterMillis) pause = restartDelays.first
      yield* Effect.logWarning("The thread that copies the log of writes has ended; commits do it", {
        reason,
        restart: Duration.format(pause)
      })
      yield* Effect.sleep(pause)
      pause = Duration.min(Duration.times(pause, 2), restartDelays.longest)
    })
    yield* Effect.forkScoped(Effect.forever(runThread), { startImmediately: true })
  }).pipe(Effect.orDie)
)
