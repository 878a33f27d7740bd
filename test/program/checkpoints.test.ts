// test/program/checkpoints.test.ts: a thread copies committed pages from the write-ahead log into the database file, so that
// commits do not have to.
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Worker } from "node:worker_threads"
import * as Database from "#layers/Database.ts"
import * as Checkpoints from "#layers/database/sqlite/Checkpoints.ts"
import { temporaryFolder } from "../support/process.ts"
import { until } from "../support/until.ts"

const insertWorkspace = (id: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      INSERT INTO workspaces ${sql.insert({ id, name: id, details: "{}", created_at: "2026", updated_at: "2026" })}`
  )

/** The workspaces in the database file without its write-ahead log. */
const readWorkspacesInFile = (file: string) => {
  const copy = `${file}.copy`
  copyFileSync(file, copy)
  const db = new DatabaseSync(copy)
  try {
    return db
      .prepare("SELECT id FROM workspaces ORDER BY id")
      .all()
      .map(({ id }) => id)
  } finally {
    db.close()
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true })
  }
}

const readCheckpointPages = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{ readonly wal_autocheckpoint: number }>`PRAGMA wal_autocheckpoint`,
    ([row]) => row?.wal_autocheckpoint
  )
)

it.live("copies committed pages into the database file, and leaves no write-ahead log", () =>
  Effect.gen(function* () {
    const file = `${yield* temporaryFolder}/overture.db`
    yield* Effect.gen(function* () {
      yield* insertWorkspace("a")
      assert.deepStrictEqual(readWorkspacesInFile(file), [])
      yield* Effect.gen(function* () {
        yield* until(readCheckpointPages, (pages) => pages === 16_000)
        for (const ids of [["a"], ["a", "b"], ["a", "b", "c"]]) {
          if (ids.length > 1) yield* insertWorkspace(ids.at(-1) ?? "")
          yield* until(
            Effect.sync(() => readWorkspacesInFile(file).join()),
            (foundIds) => foundIds === ids.join()
          )
        }
      }).pipe(Effect.provide(Checkpoints.layer))
      // Without the thread, a commit makes a checkpoint again once the log is long enough.
      assert.strictEqual(yield* readCheckpointPages, 1000)
      yield* insertWorkspace("d")
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(readWorkspacesInFile(file), ["a", "b", "c"])
    }).pipe(Effect.provide(Database.layer(file).pipe(Layer.provide(NodeServices.layer))))
    assert.isFalse(existsSync(`${file}-wal`))
    assert.deepStrictEqual(readWorkspacesInFile(file), ["a", "b", "c", "d"])
  }).pipe(Effect.scoped)
)

it.live("does nothing for a database in memory", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* readCheckpointPages, 1000)
  }).pipe(Effect.provide(Checkpoints.layer.pipe(Layer.provideMerge(Database.layerMemory))))
)

/** Waits for the checkpoint thread to start, and returns it. */
const awaitWorkerThread = Effect.callback<Worker>((resume) => {
  const resumeWith = (thread: Worker) => resume(Effect.succeed(thread))
  process.once("worker", resumeWith)
  return Effect.sync(() => void process.off("worker", resumeWith))
})

/** Runs `useThread` while checkpoints run, and returns the log lines of that time. */
const runWithCheckpoints = Effect.fnUntraced(function* <E, R>(
  useThread: (thread: Worker, logs: ReadonlyArray<string>) => Effect.Effect<void, E, R | SqlClient.SqlClient>
) {
  const logs: Array<string> = []
  const logging = Logger.layer([Logger.make(({ message }) => void logs.push(JSON.stringify(message)))])
  const file = `${yield* temporaryFolder}/overture.db`
  yield* Effect.gen(function* () {
    const thread = yield* Effect.forkChild(awaitWorkerThread, { startImmediately: true })
    yield* Effect.provide(
      Effect.flatMap(Fiber.join(thread), (thread) => useThread(thread, logs)),
      Checkpoints.layer
    )
    assert.strictEqual(yield* readCheckpointPages, 1000)
    yield* insertWorkspace("last")
  }).pipe(Effect.provide([Database.layer(file).pipe(Layer.provide(NodeServices.layer)), logging]))
  assert.isFalse(existsSync(`${file}-wal`))
  assert.include(readWorkspacesInFile(file), "last")
  return logs
})

it.live("leaves checkpoints to commits when its thread ends, logs that, and starts another thread after a pause", () =>
  Effect.gen(function* () {
    const logs = yield* runWithCheckpoints(
      Effect.fnUntraced(function* (thread, logs) {
        yield* until(readCheckpointPages, (pages) => pages === 16_000)
        const nextThread = yield* Effect.forkChild(awaitWorkerThread, { startImmediately: true })
        thread.emit("error", Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" }))
        yield* Effect.promise(() => thread.terminate())
        yield* until(readCheckpointPages, (pages) => pages === 1000)
        yield* until(
          Effect.sync(() => logs.length),
          (count) => count > 0
        )
        yield* Fiber.join(nextThread)
        yield* until(readCheckpointPages, (pages) => pages === 16_000)
      })
    )
    assert.lengthOf(logs, 1)
    assert.match(logs[0] ?? "", /commits do it.*ERR_WORKER_OUT_OF_MEMORY/)
  }).pipe(Effect.scoped)
)

it.live("stops without waiting for a thread that does not end", () =>
  Effect.gen(function* () {
    let hasEnded = false
    const logs = yield* runWithCheckpoints((thread) =>
      Effect.sync(() => {
        thread.once("exit", () => (hasEnded = true))
        thread.postMessage = () => {}
      })
    )
    assert.isTrue(hasEnded)
    assert.deepStrictEqual(logs, [])
  }).pipe(Effect.scoped)
)
