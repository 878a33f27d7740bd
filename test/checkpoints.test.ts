// test/checkpoints.test.ts: what is committed gets from the log of writes into the database file while a server runs,
// without a commit that has to do it.
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Database from "#layers/Database.ts"
import * as Checkpoints from "#layers/sqlite/Checkpoints.ts"
import { folder } from "./support/process.ts"
import { until } from "./support/server.ts"

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

it.live("copies what is committed into the file, and leaves no log behind", () =>
  Effect.gen(function* () {
    const file = `${yield* folder}/overture.db`
    yield* Effect.gen(function* () {
      yield* workspace("a")
      assert.deepStrictEqual(inFile(file), [])
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* pages, 16_000)
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

it.live("has nothing to do for a database in memory", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* pages, 1000)
  }).pipe(Effect.provide(Checkpoints.layer.pipe(Layer.provideMerge(Database.layerMemory))))
)
