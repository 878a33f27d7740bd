// test/group-commit.test.ts: concurrent SQLite transactions share one commit, and each behaves as if it ran alone.
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

/** A client, the rows that a second connection reads, and the number of commits. */
const database = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const filename = join(yield* fs.makeTempDirectoryScoped(), "test.db")
  const sql = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
  yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT`
  yield* sql`CREATE TABLE parts (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (other) => Effect.sync(() => other.close())
  )
  const selectNames = reader.prepare("SELECT name FROM items ORDER BY id")
  const prepare = DatabaseSync.prototype.prepare
  let commits = 0
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql) {
        const statement = prepare.call(this, sql)
        const originalAll = statement.all.bind(statement)
        const countedAll = (...values: Parameters<typeof originalAll>) => {
          if (sql === "COMMIT") commits++
          return originalAll(...values)
        }
        return Object.assign(statement, { all: countedAll })
      })
    ),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return { sql, stored: () => selectNames.all().map(({ name }) => name), commits: () => commits }
}).pipe(Effect.provide(NodeFileSystem.layer))

const add = (sql: SqlClient.SqlClient, name: string) => sql`INSERT INTO items (name) VALUES (${name})`
const concurrently = { concurrency: "unbounded" } as const
const tenNames = Array.from({ length: 10 }, (_, i) => String(i))
/** Opens a transaction that holds the connection until the test ends it. */
const holdTransaction = (sql: SqlClient.SqlClient, name: string) =>
  Effect.tap(openTransaction(sql, add(sql, name)), () => letOthersRun)

describe("concurrent transactions", () => {
  it.effect("are committed once, in order, each before it returns", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const afterCommitLog: Array<string> = []
      const durationBefore = yield* Metric.value(transactionDuration)
      yield* Effect.forEach(
        tenNames,
        (name) =>
          add(sql, name).pipe(
            Effect.andThen(Effect.yieldNow),
            Effect.andThen(
              sql.afterCommit(Effect.sync(() => void afterCommitLog.push(`${name} ${stored().includes(name)}`)))
            ),
            sql.withTransaction,
            Effect.andThen(Effect.sync(() => assert.include(stored(), name)))
          ),
        concurrently
      )
      assert.deepStrictEqual(stored(), tenNames)
      assert.deepStrictEqual(
        afterCommitLog.toSorted(),
        tenNames.map((name) => `${name} true`)
      )
      assert.strictEqual(commits(), 1)
      assert.strictEqual((yield* Metric.value(transactionDuration)).count - durationBefore.count, 1)
      yield* add(sql, "alone").pipe(sql.withTransaction)
      assert.strictEqual(commits(), 2)
    })
  )

  it.effect("fail individually, after the commit of what they read", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const outcomes = yield* Effect.forEach(
        tenNames,
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

  it.effect("continue when the first of them fails", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const first = yield* holdTransaction(sql, "first")
      const otherTransactions = yield* Effect.forkChild(
        Effect.forEach(tenNames, (name) => sql.withTransaction(add(sql, name)), concurrently)
      )
      yield* letOthersRun
      yield* Effect.andThen(first.rollBack, Fiber.join(otherTransactions))
      assert.deepStrictEqual(stored(), tenNames)
    })
  )

  it.effect("all fail when their commit fails, and store nothing", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const orphanRow = sql`INSERT INTO parts (item) VALUES (99)`
      const afterCommits: Array<string> = []
      const transactions = [add(sql, "a"), orphanRow, Effect.andThen(add(sql, "b"), Effect.fail("no")), add(sql, "c")]
      const reasons = yield* Effect.forEach(
        transactions,
        (transaction) =>
          Effect.andThen(transaction, sql.afterCommit(Effect.sync(() => void afterCommits.push("committed")))).pipe(
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
      assert.deepStrictEqual(afterCommits, [])
      yield* add(sql, "next").pipe(sql.withTransaction)
      assert.deepStrictEqual(stored(), ["next"])
    })
  )

  it.effect("are retryable when SQLite rolled them back with a failing one", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      yield* add(sql, "taken")
      const rollbackStatement = sql`INSERT OR ROLLBACK INTO items (name) VALUES ('taken')`
      const [a, cause, b, c, hidden, d] = yield* Effect.forEach(
        [
          add(sql, "a"),
          rollbackStatement,
          add(sql, "b"),
          add(sql, "c"),
          Effect.orElseSucceed(rollbackStatement, () => []),
          add(sql, "d")
        ].map(Effect.asVoid),
        (transaction) => Effect.result(sql.withTransaction(transaction)),
        concurrently
      )
      assert.isTrue(a?._tag === "Failure" && a.failure.isRetryable)
      assert.isTrue(cause?._tag === "Failure" && cause.failure.reason._tag === "UniqueViolation")
      for (const rolledBack of [b, c, hidden])
        assert.isTrue(rolledBack?._tag === "Failure" && rolledBack.failure.isRetryable)
      assert.strictEqual(d?._tag, "Success")
      assert.deepStrictEqual(stored(), ["taken", "d"])
    })
  )

  it.effect("are committed if interrupted after their work, and rolled back alone if interrupted during it", () =>
    Effect.gen(function* () {
      const { sql, stored } = yield* database
      const first = yield* holdTransaction(sql, "first")
      const finishedTransaction = yield* Effect.forkChild(sql.withTransaction(add(sql, "done")))
      yield* letOthersRun
      const unfinishedTransaction = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(add(sql, "middle"), Effect.never))
      )
      const waitingTransaction = yield* Effect.forkChild(sql.withTransaction(add(sql, "waiting")))
      yield* letOthersRun
      const commitFiber = yield* Effect.forkChild(first.commit)
      yield* letOthersRun
      assert.isUndefined(finishedTransaction.pollUnsafe())
      assert.deepStrictEqual(stored(), [])
      finishedTransaction.interruptUnsafe()
      yield* Fiber.interrupt(waitingTransaction)
      yield* Fiber.interrupt(unfinishedTransaction)
      yield* Effect.andThen(Fiber.await(finishedTransaction), Fiber.join(commitFiber))
      assert.deepStrictEqual(stored(), ["first", "done"])
    })
  )

  it.effect("do not delay finished transactions for long", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const first = yield* holdTransaction(sql, "first")
      const otherTransactions = yield* Effect.forkChild(
        Effect.forEach(tenNames, (name) => sql.withTransaction(add(sql, name)), concurrently)
      )
      yield* Effect.andThen(letOthersRun, TestClock.adjust("20 millis"))
      assert.isTrue(Exit.isSuccess(yield* first.commit))
      assert.include(stored(), "first")
      yield* Fiber.join(otherTransactions)
      assert.strictEqual(commits(), 2)
    })
  )

  it.effect("are committed before an exclusive transaction or other statements", () =>
    Effect.gen(function* () {
      const { commits, sql, stored } = yield* database
      const snapshots: Array<ReadonlyArray<unknown>> = []
      const exclusive = Effect.sync(() => void snapshots.push(stored())).pipe(
        sql.withTransaction,
        Effect.provideService(SqlClient.BeginTransaction, "BEGIN")
      )
      yield* Effect.all(
        [sql.withTransaction(add(sql, "a")), exclusive, add(sql, "b"), sql.withTransaction(add(sql, "c"))],
        concurrently
      )
      assert.deepStrictEqual(snapshots, [["a"]])
      assert.sameMembers(stored(), ["a", "b", "c"])
      assert.isAtLeast(commits(), 3)
    })
  )
})
