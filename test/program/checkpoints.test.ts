// test/program/checkpoints.test.ts: what is committed gets from the log of writes into the database file while a server runs,
// without a commit that has to do it.
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

const workspace = (id: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      INSERT INTO workspaces ${sql.insert({ id, name: id, details: "{}", created_at: "2026", updated_at: "2026" })}`
  )

/** The workspaces that the file alone holds. */
const inFile = (file: string) => {
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
    for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true })
  }
}

const pages = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{ readonly wal_autocheckpoint: number }>`PRAGMA wal_autocheckpoint`,
    ([row]) => row?.wal_autocheckpoint
  )
)

it.live("copies committed pages into the database file, and leaves no write-ahead log", () =>
  Effect.gen(function* () {
    const file = `${yield* temporaryFolder}/overture.db`
    yield* Effect.gen(function* () {
      yield* workspace("a")
      assert.deepStrictEqual(inFile(file), [])
      yield* Effect.gen(function* () {
        yield* until(pages, (found) => found === 16_000)
        for (const ids of [["a"], ["a", "b"], ["a", "b", "c"]]) {
          if (ids.length > 1) yield* workspace(ids.at(-1) ?? "")
          yield* until(
            Effect.sync(() => inFile(file).join()),
            (found) => found === ids.join()
          )
        }
      }).pipe(Effect.provide(Checkpoints.layer))
      // Without the thread commits do it again, when there is enough of it.
      assert.strictEqual(yield* pages, 1000)
      yield* workspace("d")
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(inFile(file), ["a", "b", "c"])
    }).pipe(Effect.provide(Database.layer(file).pipe(Layer.provide(NodeServices.layer))))
    assert.isFalse(existsSync(`${file}-wal`))
    assert.deepStrictEqual(inFile(file), ["a", "b", "c", "d"])
  }).pipe(Effect.scoped)
)

it.live("does nothing for a database in memory", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* pages, 1000)
  }).pipe(Effect.provide(Checkpoints.layer.pipe(Layer.provideMerge(Database.layerMemory))))
)

/** The thread that copies, once there is one. */
const started = Effect.callback<Worker>((resume) => {
  const found = (thread: Worker) => resume(Effect.succeed(thread))
  process.once("worker", found)
  return Effect.sync(() => void process.off("worker", found))
})

/** Does something with the thread of a running server, and returns the log lines of that time. */
const beside = Effect.fnUntraced(function* <E, R>(
  use: (thread: Worker, logs: ReadonlyArray<string>) => Effect.Effect<void, E, R | SqlClient.SqlClient>
) {
  const logs: Array<string> = []
  const logging = Logger.layer([Logger.make(({ message }) => void logs.push(JSON.stringify(message)))])
  const file = `${yield* temporaryFolder}/overture.db`
  yield* Effect.gen(function* () {
    const thread = yield* Effect.forkChild(started, { startImmediately: true })
    yield* Effect.provide(
      Effect.flatMap(Fiber.join(thread), (thread) => use(thread, logs)),
      Checkpoints.layer
    )
    assert.strictEqual(yield* pages, 1000)
    yield* workspace("last")
  }).pipe(Effect.provide([Database.layer(file).pipe(Layer.provide(NodeServices.layer)), logging]))
  assert.isFalse(existsSync(`${file}-wal`))
  assert.include(inFile(file), "last")
  return logs
})

it.live("leaves checkpoints to commits when its thread ends, logs that, and starts another thread after a pause", () =>
  Effect.gen(function* () {
    const logs = yield* beside(
      Effect.fnUntraced(function* (thread, logs) {
        yield* until(pages, (found) => found === 16_000)
        const next = yield* Effect.forkChild(started, { startImmediately: true })
        thread.emit("error", Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" }))
        yield* Effect.promise(() => thread.terminate())
        yield* until(pages, (found) => found === 1000)
        yield* until(
          Effect.sync(() => logs.length),
          (count) => count > 0
        )
        yield* Fiber.join(next)
        yield* until(pages, (found) => found === 16_000)
      })
    )
    assert.lengthOf(logs, 1)
    assert.match(logs[0] ?? "", /commits do it.*ERR_WORKER_OUT_OF_MEMORY/)
  }).pipe(Effect.scoped)
)

it.live("stops without waiting for a thread that does not end", () =>
  Effect.gen(function* () {
    let ended = false
    const logs = yield* beside((thread) =>
      Effect.sync(() => {
        thread.once("exit", () => (ended = true))
        thread.postMessage = () => {}
      })
    )
    assert.isTrue(ended)
    assert.deepStrictEqual(logs, [])
  }).pipe(Effect.scoped)
)
