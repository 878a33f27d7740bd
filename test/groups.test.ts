// Transactions of SQLite that come at the same time: one commit for all of them, and each as if it were alone.
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, FileSystem, Layer, Metric } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { transactionDuration } from "#layers/Metrics.ts"
import * as Sqlite from "#layers/database/Sqlite.ts"
import { openTransaction, letOthersRun } from "./support/transaction.ts"

/** A client, the rows that another program reads from its file, and the number of its commits. */
const database = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const filename = join(yield* fs.makeTempDirectoryScoped(), "test.db")
  const sql = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
  yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT`
  yield* sql`CREATE TABLE parts (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
  const other = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (other) => Effect.sync(() => other.close())
  )
  const read = other.prepare("SELECT name FROM items ORDER BY id")
  const prepare = DatabaseSync.prototype.prepare
  let commits = 0
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql) {
        const statement = prepare.call(this, sql)
        const all = statement.all.bind(statement)
        const counted = (...values: Parameters<typeof all>) => {
          if (sql === "COMMIT") commits++
          return all(...values)
        }
        return Object.assign(statement, { all: counted })
      })
    ),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return { sql, stored: () => read.all().map(({ name }) => name), commits: () => commits }
}).pipe(Effect.provide(NodeFileSystem.layer))

const add = (sql: SqlClient.SqlClient, name: string) => sql`INSERT INTO items (name) VALUES (${name})`
const concurrently = { concurrency: "unbounded" } as const
const ten = Array.from({ length: 10 }, (_, i) => String(i))
/** A transaction that holds the connection until the test ends it. */
const held = (sql: SqlClient.SqlClient, name: string) =>
  Effect.tap(openTransaction(sql, add(sql, name)), () => letOthersRun)

describe("transactions that come together", () => {
  it.effect("are committed once, in the order they came, each before it returns", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const told: Array<string> = []
      const observed = yield* Metric.value(transactionDuration)
      yield* Effect.forEach(
        ten,
        (name) =>
          add(sql, name).pipe(
            Effect.andThen(Effect.yieldNow),
            Effect.andThen(sql.afterCommit(Effect.sync(() => void told.push(`${name} ${stored().includes(name)}`)))),
            sql.withTransaction,
            Effect.andThen(Effect.sync(() => assert.include(stored(), name)))
          ),
        concurrently
      )
      assert.deepStrictEqual(stored(), ten)
      assert.deepStrictEqual(
        told.toSorted(),
        ten.map((name) => `${name} true`)
      )
      assert.strictEqual(commits(), 1)
      assert.strictEqual((yield* Metric.value(transactionDuration)).count - observed.count, 1)
      yield* add(sql, "alone").pipe(sql.withTransaction)
      assert.strictEqual(commits(), 2)
    })
  )

  it.effect("fail alone, after the commit of what they read", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const outcomes = yield* Effect.forEach(
        ten,
        (name) =>
          add(sql, name).pipe(
            Effect.andThen(add(sql, `${name}b`).pipe(Effect.andThen(Effect.fail("inner")), sql.withTransaction)),
            Effect.catch(() => (Number(name) % 3 === 1 ? Effect.fail("no") : Effect.void)),
            sql.withTransaction,
            Effect.match({ onFailure: () => stored().length > 0, onSuccess: () => stored().includes(name) })
          ),
        concurrently
      )
      assert.notInclude(outcomes, false)
      assert.deepStrictEqual(stored(), ["0", "2", "3", "5", "6", "8", "9"])
      assert.strictEqual(commits(), 1)
    })
  )

  it.effect("go on when the first of them fails", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const first = yield* held(sql, "first")
      const others = yield* Effect.forkChild(
        Effect.forEach(ten, (name) => sql.withTransaction(add(sql, name)), concurrently)
      )
      yield* letOthersRun
      yield* Effect.andThen(first.rollBack, Fiber.join(others))
      assert.deepStrictEqual(stored(), ten)
    })
  )

  it.effect("all fail when their commit fails, and leave nothing", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const orphan = sql`INSERT INTO parts (item) VALUES (99)`
      const after: Array<string> = []
      const work = [add(sql, "a"), orphan, Effect.andThen(add(sql, "b"), Effect.fail("no")), add(sql, "c")]
      const reasons = yield* Effect.forEach(
        work,
        (one) =>
          Effect.andThen(one, sql.afterCommit(Effect.sync(() => void after.push("committed")))).pipe(
            sql.withTransaction,
            Effect.sandbox,
            Effect.flip,
            Effect.map(({ reasons }) => reasons.at(-1))
          ),
        concurrently
      )
      for (const reason of reasons) {
        const error = reason?._tag === "Fail" ? reason.error : reason?._tag === "Die" ? reason.defect : undefined
        assert.isTrue(SqlError.isSqlError(error) && error.reason._tag === "ConstraintError")
      }
      assert.deepStrictEqual(stored(), [])
      assert.deepStrictEqual(after, [])
      yield* add(sql, "next").pipe(sql.withTransaction)
      assert.deepStrictEqual(stored(), ["next"])
    })
  )

  it.effect("may try again when SQLite has undone them with one of them", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      yield* add(sql, "taken")
      const undoing = sql`INSERT OR ROLLBACK INTO items (name) VALUES ('taken')`
      const [a, cause, b, c, hidden, d] = yield* Effect.forEach(
        [
          add(sql, "a"),
          undoing,
          add(sql, "b"),
          add(sql, "c"),
          Effect.orElseSucceed(undoing, () => []),
          add(sql, "d")
        ].map(Effect.asVoid),
        (one) => Effect.result(sql.withTransaction(one)),
        concurrently
      )
      assert.isTrue(a?._tag === "Failure" && a.failure.isRetryable)
      assert.isTrue(cause?._tag === "Failure" && cause.failure.reason._tag === "UniqueViolation")
      for (const undone of [b, c, hidden]) assert.isTrue(undone?._tag === "Failure" && undone.failure.isRetryable)
      assert.strictEqual(d?._tag, "Success")
      assert.deepStrictEqual(stored(), ["taken", "d"])
    })
  )

  it.effect("are kept when interrupted after their work, and undone alone when in the middle of it", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const first = yield* held(sql, "first")
      const done = yield* Effect.forkChild(sql.withTransaction(add(sql, "done")))
      yield* letOthersRun
      const middle = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(add(sql, "middle"), Effect.never)))
      const waiting = yield* Effect.forkChild(sql.withTransaction(add(sql, "waiting")))
      yield* letOthersRun
      const committed = yield* Effect.forkChild(first.commit)
      yield* letOthersRun
      assert.isUndefined(done.pollUnsafe())
      assert.deepStrictEqual(stored(), [])
      done.interruptUnsafe()
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(middle)
      yield* Effect.andThen(Fiber.await(done), Fiber.join(committed))
      assert.deepStrictEqual(stored(), ["first", "done"])
    })
  )

  it.effect("do not keep waiting those who are done for long", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const first = yield* held(sql, "first")
      const others = yield* Effect.forkChild(
        Effect.forEach(ten, (name) => sql.withTransaction(add(sql, name)), concurrently)
      )
      yield* Effect.andThen(letOthersRun, TestClock.adjust("20 millis"))
      assert.isTrue(Exit.isSuccess(yield* first.commit))
      assert.include(stored(), "first")
      yield* Fiber.join(others)
      assert.strictEqual(commits(), 2)
    })
  )

  it.effect("are committed before one that is to be alone, or anything else that needs the lane", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const seen: Array<ReadonlyArray<unknown>> = []
      const alone = Effect.sync(() => void seen.push(stored())).pipe(
        sql.withTransaction,
        Effect.provideService(SqlClient.BeginTransaction, "BEGIN")
      )
      yield* Effect.all(
        [sql.withTransaction(add(sql, "a")), alone, add(sql, "b"), sql.withTransaction(add(sql, "c"))],
        concurrently
      )
      assert.deepStrictEqual(seen, [["a"]])
      assert.sameMembers(stored(), ["a", "b", "c"])
      assert.isAtLeast(commits(), 3)
    })
  )
})
