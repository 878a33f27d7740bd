// test/sqlite.test.ts: the SQLite client: transactions, concurrent fibers, values, errors and several clients of one file.
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Exit, Fiber, FileSystem, Layer, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Sqlite from "#layers/database/Sqlite.ts"
import { movableClock } from "./support/clock.ts"
import { openTransaction } from "./support/transaction.ts"

const temporaryFile = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return join(yield* fs.makeTempDirectoryScoped(), "test.db")
}).pipe(Effect.provide(NodeFileSystem.layer))

const open = (options: Sqlite.Options) =>
  Effect.map(Layer.build(Sqlite.layer(options)), Context.get(SqlClient.SqlClient))

const openWithTable = Effect.fnUntraced(function* (options: Sqlite.Options) {
  const sql = yield* open(options)
  yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INTEGER) STRICT`
  return sql
})

const databases = {
  "a file": Effect.flatMap(temporaryFile, (filename) => openWithTable({ filename })),
  memory: openWithTable({ filename: ":memory:" })
}

const add = (sql: SqlClient.SqlClient, name: string, n = 0) => sql`INSERT INTO items (name, n) VALUES (${name}, ${n})`

/** Adds this number of rows, numbered from 1. */
const addNumbers = (sql: SqlClient.SqlClient, count: number) => sql`
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${count})
  INSERT INTO items (n) SELECT n FROM numbers`

/** A connection of another program. */
const openDirectly = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (other) => Effect.sync(() => other.close())
  )

const names = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ readonly name: string }>`SELECT name FROM items ORDER BY id`, (rows) => rows.map((row) => row.name))

const reasonOf = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.map(Effect.flip(effect), (e) => e.reason)

const steps = (count: number) => Effect.repeat(Effect.yieldNow, { times: count })

/** Forks `effect` and lets it run until it is blocked. */
const forkUntilBlocked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tap(Effect.forkChild(effect), () => steps(20))

for (const [name, database] of Object.entries(databases)) {
  describe(`a database in ${name}`, () => {
    it.effect("keeps the outer transaction when an inner one fails", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* Effect.gen(function* () {
          yield* add(sql, "outer")
          yield* add(sql, "undone").pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction, Effect.ignore)
          yield* add(sql, "inner").pipe(sql.withTransaction)
          yield* add(sql, "deep").pipe(sql.withTransaction, sql.withTransaction)
        }).pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["outer", "inner", "deep"])
      })
    )

    it.effect("undoes the inner transactions when the outer one fails", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const error = yield* add(sql, "inner").pipe(
          sql.withTransaction,
          Effect.andThen(Effect.fail("no")),
          sql.withTransaction,
          Effect.flip
        )
        assert.strictEqual(error, "no")
        assert.deepStrictEqual(yield* names(sql), [])
      })
    )

    it.effect("lets siblings inside one transaction nest without mixing", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const sibling = (i: number) =>
          add(sql, `${i}`).pipe(
            Effect.andThen(steps(3)),
            Effect.andThen(i % 2 === 0 ? Effect.void : Effect.fail("odd")),
            sql.withTransaction,
            Effect.ignore
          )
        yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6, 7], sibling, { concurrency: "unbounded" }).pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["0", "2", "4", "6"])
      })
    )

    it.effect("loses no update of concurrent transactions that read, then write", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* add(sql, "counter")
        const increment = Effect.gen(function* () {
          const [row] = yield* sql<{ readonly n: number }>`SELECT n FROM items`
          yield* Effect.yieldNow
          yield* sql`UPDATE items SET n = ${row!.n + 1}`
        }).pipe(sql.withTransaction)
        yield* Effect.replicateEffect(increment, 200, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* sql`SELECT n FROM items`.values, [[200]])
      })
    )

    it.effect("keeps a statement from outside out of an open transaction", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const transaction = yield* openTransaction(sql, add(sql, "undone"))
        const outsideWrite = yield* forkUntilBlocked(add(sql, "kept"))
        assert.isUndefined(outsideWrite.pollUnsafe())
        yield* transaction.rollBack
        yield* Fiber.join(outsideWrite)
        assert.deepStrictEqual(yield* names(sql), ["kept"])
      })
    )

    it.effect("rolls back an interrupted transaction and continues", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const transaction = yield* openTransaction(sql, add(sql, "undone"))
        yield* transaction.interrupt
        yield* add(sql, "next").pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["next"])
      })
    )

    it.effect("continues after queued transactions were interrupted", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const transaction = yield* openTransaction(sql, add(sql, "kept"))
        const waiting = Array.from({ length: 20 }, (_, i) =>
          i % 2 === 0 ? add(sql, `${i}`) : add(sql, `${i}`).pipe(sql.withTransaction)
        )
        const fibers = yield* Effect.forEach(waiting, (effect) => Effect.forkChild(effect))
        yield* steps(20)
        yield* Fiber.interruptAll(fibers)
        yield* transaction.commit
        yield* add(sql, "next").pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["kept", "next"])
      })
    )

    it.effect("keeps both rows of a pair or none, whenever it is interrupted", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const pair = (i: number) =>
          sql`INSERT INTO items (n) VALUES (${i})`.pipe(
            Effect.andThen(steps(i % 3)),
            Effect.andThen(sql`INSERT INTO items (n) VALUES (${i})`),
            sql.withTransaction
          )
        for (let stepsBeforeInterrupt = 0; stepsBeforeInterrupt < 100; stepsBeforeInterrupt++) {
          const fibers = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (i) =>
            Effect.forkChild(pair(stepsBeforeInterrupt * 10 + i))
          )
          yield* steps(stepsBeforeInterrupt)
          yield* Fiber.interruptAll(fibers)
        }
        const [counts] = yield* sql`SELECT count(*), count(DISTINCT n) FROM items`.values
        const [rowCount, pairCount] = [Number(counts?.[0]), Number(counts?.[1])]
        assert.strictEqual(rowCount, 2 * pairCount)
        assert.isAbove(pairCount, 100, "some were committed")
        assert.isBelow(pairCount, 600, "some were interrupted")
      })
    )

    it.effect("undoes only the inner transaction when that is interrupted", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* Effect.gen(function* () {
          yield* add(sql, "outer")
          const inner = yield* openTransaction(sql, add(sql, "undone"))
          yield* inner.interrupt
          yield* add(sql, "after")
        }).pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["outer", "after"])
      })
    )

    it.effect("runs afterCommit effects only after a commit", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const executed: Array<string> = []
        const recordAfterCommit = (name: string) => sql.afterCommit(Effect.sync(() => void executed.push(name)))
        yield* recordAfterCommit("committed").pipe(
          Effect.andThen(Effect.sync(() => assert.deepStrictEqual(executed, []))),
          sql.withTransaction
        )
        yield* recordAfterCommit("undone").pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction, Effect.ignore)
        assert.deepStrictEqual(executed, ["committed"])
      })
    )

    it.effect("rolls back a transaction whose COMMIT fails and continues", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`CREATE TABLE parts (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
        const reason = yield* reasonOf(sql`INSERT INTO parts (item) VALUES (99)`.pipe(sql.withTransaction))
        assert.strictEqual(reason._tag, "ConstraintError")
        yield* add(sql, "next").pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* sql`SELECT * FROM parts`, [])
        assert.deepStrictEqual(yield* names(sql), ["next"])
      })
    )

    it.effect("reports why a transaction failed that SQLite rolled back", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* add(sql, "a")
        const reason = yield* sql`INSERT OR ROLLBACK INTO items (name) VALUES ('a')`.pipe(sql.withTransaction, reasonOf)
        assert.strictEqual(reason._tag, "UniqueViolation")
        yield* add(sql, "next").pipe(sql.withTransaction)
        assert.deepStrictEqual(yield* names(sql), ["a", "next"])
      })
    )

    it.effect("reads values as they were written", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const date = new Date("2026-01-02T03:04:05.006Z")
        const bytes = new Uint8Array([1, 0, 255])
        const values = [date, 7, -1.5, true, false, undefined, null, "it's", bytes, 2n ** 40n]
        const [row] = yield* sql`SELECT ${sql.csv(values.map((value) => sql`${value}`))}`.values
        assert.deepStrictEqual(row, [date.toISOString(), 7, -1.5, 1, 0, null, null, "it's", bytes, 2 ** 40])
      })
    )

    it.effect("binds a whole number as an integer", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const [row] = yield* sql`SELECT typeof(${1}), ${7} / ${2}, CAST(${1} AS TEXT), typeof(${0.5})`.values
        assert.deepStrictEqual(row, ["integer", 3, "1", "real"])
        yield* sql`INSERT INTO items (name) VALUES (${1})`
        assert.deepStrictEqual(yield* names(sql), ["1"])
        assert.deepStrictEqual(yield* sql`SELECT name FROM items LIMIT ${1} OFFSET ${1}`, [])
      })
    )

    it.effect("rejects a value that SQLite cannot store, at any position", () =>
      Effect.gen(function* () {
        const sql = yield* database
        for (const [first, second] of [
          [{ a: 1 }, 1],
          [1, { a: 1 }],
          [[1], 1],
          [Symbol("a"), 1]
        ]) {
          const reason = yield* reasonOf(sql`SELECT ${first} AS a, ${second} AS b`)
          assert.include(reason.message, "is not a value SQLite can store")
        }
      })
    )

    it.effect("reads integers beyond 2^53 as bigints if asked, and fails if not", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const big = 2n ** 53n + 1n
        const query = sql`SELECT ${big} AS big`
        const exact = Effect.provideService(SqlClient.SafeIntegers, true)
        assert.deepStrictEqual(yield* exact(query.values), [[big]])
        assert.deepStrictEqual(
          yield* exact(
            query.stream.pipe(
              Stream.map((row) => row.big),
              Stream.runCollect
            )
          ),
          [big]
        )
        assert.strictEqual((yield* reasonOf(query))._tag, "UnknownError")
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`.values, [[1]])
      })
    )

    it.effect("gives rows as objects, as arrays and raw, from one statement", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const query = sql`SELECT 1 AS a, 2 AS b`
        for (let i = 0; i < 2; i++) {
          assert.deepEqual(yield* query, [{ a: 1, b: 2 }])
          assert.deepStrictEqual(yield* query.values, [[1, 2]])
          assert.deepEqual(yield* query.unprepared, [{ a: 1, b: 2 }])
          assert.deepEqual(yield* query.raw, [{ a: 1, b: 2 }])
        }
        assert.deepEqual(yield* add(sql, "a").raw, { changes: 1, lastInsertRowid: 1 })
      })
    )

    it.effect("calls a second row of the same key a unique violation", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`INSERT INTO items (id, name) VALUES (1, 'a')`
        const byId = yield* reasonOf(sql`INSERT INTO items (id, name) VALUES (1, 'b')`)
        const byName = yield* reasonOf(sql`INSERT INTO items (id, name) VALUES (2, 'a')`)
        assert.deepInclude(byId, { _tag: "UniqueViolation", constraint: "items.id" })
        assert.deepInclude(byName, { _tag: "UniqueViolation", constraint: "items.name" })
      })
    )

    it.effect("has no bound value in an error", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`CREATE VIRTUAL TABLE search USING fts5 (text)`
        yield* add(sql, "secret")
        const failing = [
          sql`SELECT * FROM search WHERE search MATCH ${"secret:a"}`,
          sql`SELECT json_extract('{}', ${"secret"})`,
          sql`INSERT INTO items (n) VALUES (${"secret"})`,
          add(sql, "secret")
        ]
        for (const statement of failing) {
          const exit = yield* Effect.exit(statement)
          assert.isTrue(Exit.isFailure(exit))
          assert.notInclude(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "secret")
        }
      })
    )

    it.effect("has SQLite's message in the error of an invalid statement", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const error = yield* Effect.flip(sql`SELECT * FROM nowhere`)
        assert.include(error.message, "no such table: nowhere")
      })
    )

    it.effect("streams every row, in order", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* addNumbers(sql, 1234)
        const numbers = yield* sql`SELECT n FROM items ORDER BY n`.stream.pipe(
          Stream.map((row) => row.n),
          Stream.runCollect
        )
        assert.deepStrictEqual(
          numbers,
          Array.from({ length: 1234 }, (_, i) => i + 1)
        )
      })
    )

    it.effect("closes the statement of a stream that is read in part", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* addNumbers(sql, 1234)
        const readInPart = sql`SELECT n FROM items`.stream.pipe(Stream.take(1), Stream.runDrain)
        yield* readInPart
        yield* readInPart.pipe(sql.withTransaction)
        const [checkpoint] = yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`.values
        assert.strictEqual(checkpoint?.[0], 0, "no reader holds the log")
        yield* readInPart.pipe(Effect.andThen(sql`DROP TABLE items`), sql.withTransaction)
      })
    )

    it.effect("runs a streamed write after the open transaction", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const transaction = yield* openTransaction(sql, add(sql, "undone"))
        const stream = sql`INSERT INTO items (name) VALUES ('a'), ('b') RETURNING name`.stream
        const fiber = yield* forkUntilBlocked(Stream.runCollect(stream))
        assert.isUndefined(fiber.pollUnsafe())
        yield* transaction.rollBack
        assert.deepEqual(yield* Fiber.join(fiber), [{ name: "a" }, { name: "b" }])
        assert.deepStrictEqual(yield* names(sql), ["a", "b"])
      })
    )

    it.effect("lets others run between the chunks of a stream", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* addNumbers(sql, 1234)
        const ended: Array<string> = []
        const stream = sql`SELECT n FROM items`.stream.pipe(
          Stream.runDrain,
          Effect.andThen(Effect.sync(() => ended.push("stream")))
        )
        yield* Effect.all([stream, Effect.sync(() => ended.push("other"))], { concurrency: 2 })
        assert.deepStrictEqual(ended, ["other", "stream"])
      })
    )

    it.effect("fails a stream if SQLite fails in the middle", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* addNumbers(sql, 1234)
        const stream = sql`SELECT abs(iif(n < 1000, n, -9223372036854775808)) FROM items ORDER BY n`.stream
        assert.strictEqual((yield* reasonOf(Stream.runDrain(stream)))._tag, "UnknownError")
        yield* add(sql, "next")
      })
    )

    it.effect("prepares a statement once, until it is evicted from the cache", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const prepared = yield* Effect.acquireRelease(
          Effect.sync(() => vi.spyOn(DatabaseSync.prototype, "prepare")),
          (spy) => Effect.sync(() => spy.mockRestore())
        )
        const [first, second] = [sql`SELECT 1`, sql`SELECT 2`]
        yield* first
        yield* second
        for (let i = 0; i < 198; i++) yield* sql.unsafe(`SELECT ${i} AS other`)
        yield* first
        assert.strictEqual(prepared.mock.calls.length, 200)
        yield* sql`SELECT 3`
        yield* first
        assert.strictEqual(prepared.mock.calls.length, 201)
        yield* second
        assert.strictEqual(prepared.mock.calls.length, 202)
      })
    )
  })
}

describe("a read outside a transaction", () => {
  it.effect("does not wait for an open transaction, and does not see its writes", () =>
    Effect.gen(function* () {
      const sql = yield* databases["a file"]
      yield* add(sql, "before")
      const transaction = yield* openTransaction(sql, add(sql, "dirty"))
      assert.deepStrictEqual(yield* names(sql), ["before"])
      const streamed = yield* Stream.runCollect(sql`\n  select name FROM items`.stream)
      assert.deepEqual(streamed, [{ name: "before" }])
      yield* transaction.commit
      assert.deepStrictEqual(yield* names(sql), ["before", "dirty"])
    })
  )

  it.effect("waits for an open transaction in memory, where there is one connection", () =>
    Effect.gen(function* () {
      const sql = yield* databases.memory
      const transaction = yield* openTransaction(sql, add(sql, "dirty"))
      const blockedRead = yield* forkUntilBlocked(names(sql))
      assert.isUndefined(blockedRead.pollUnsafe())
      yield* transaction.rollBack
      assert.deepStrictEqual(yield* Fiber.join(blockedRead), [])
    })
  )

  it.effect("sees every earlier write, also while a stream is being read", () =>
    Effect.gen(function* () {
      const sql = yield* databases["a file"]
      yield* addNumbers(sql, 1234)
      let added = 0
      const streamed = yield* sql`SELECT n FROM items`.stream.pipe(
        Stream.rechunk(500),
        Stream.chunks,
        Stream.tap(() =>
          Effect.gen(function* () {
            yield* add(sql, `${++added}`)
            assert.deepStrictEqual(yield* sql`SELECT count(*) FROM items`.values, [[1234 + added]])
          })
        ),
        Stream.runFold(
          () => 0,
          (sum, chunk) => sum + chunk.length
        )
      )
      assert.strictEqual(added, 3)
      assert.strictEqual(streamed, 1234, "the stream keeps to the moment it began")
    })
  )

  it.effect("returns the current columns after the table was altered", () =>
    Effect.gen(function* () {
      const sql = yield* databases["a file"]
      yield* add(sql, "a", 5)
      const query = sql`SELECT * FROM items`
      assert.deepEqual(yield* query, [{ id: 1, name: "a", n: 5 }])
      yield* sql`ALTER TABLE items ADD COLUMN more TEXT`
      yield* sql`ALTER TABLE items DROP COLUMN n`
      assert.deepEqual(yield* query, [{ id: 1, name: "a", more: null }])
    })
  )
})

describe("concurrent writes", () => {
  /** Counts commits of this client from now on, explicit or automatic. */
  const countingCommits = Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const prepare = DatabaseSync.prototype.prepare
        let commits = 0
        const spy = vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql) {
          const statement = prepare.call(this, sql)
          const all = statement.all.bind(statement)
          return Object.assign(statement, {
            all: (...values: Parameters<typeof all>) => {
              if (sql === "COMMIT" || (sql.startsWith("INSERT") && !this.isTransaction)) commits++
              return all(...values)
            }
          })
        })
        return { spy, count: () => commits }
      }),
      ({ spy }) => Effect.sync(() => spy.mockRestore())
    ),
    ({ count }) => count
  )
  const concurrently = { concurrency: "unbounded" } as const
  const tenNames = Array.from({ length: 10 }, (_, i) => String(i))

  it.effect("are committed together, before any of them returns", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const sql = yield* openWithTable({ filename })
      const other = yield* openDirectly(filename)
      const count = yield* countingCommits
      const rowsBefore = yield* Effect.forEach(
        tenNames,
        (name) => Effect.as(add(sql, name), other.prepare("SELECT 1 FROM items WHERE name = ?").all(name).length),
        concurrently
      )
      assert.deepStrictEqual(yield* names(sql), tenNames)
      assert.strictEqual(count(), 1)
      assert.lengthOf(rowsBefore, 10)
      yield* add(sql, "alone")
      assert.strictEqual(count(), 2)
    })
  )

  it.effect("fail individually", () =>
    Effect.gen(function* () {
      const sql = yield* openWithTable({ filename: yield* temporaryFile })
      yield* add(sql, "3")
      const exits = yield* Effect.forEach(tenNames, (name) => Effect.exit(add(sql, name)), concurrently)
      assert.deepStrictEqual(
        exits.map((exit) => exit._tag),
        tenNames.map((name) => (name === "3" ? "Failure" : "Success"))
      )
      assert.deepStrictEqual((yield* names(sql)).toSorted(), tenNames)
    })
  )

  it.effect("are kept, once, if one of them rolls back the transaction", () =>
    Effect.gen(function* () {
      const sql = yield* openWithTable({ filename: yield* temporaryFile })
      yield* sql`CREATE TABLE marks (n INTEGER) STRICT`
      yield* add(sql, "taken")
      const insertMark = (n: number) => sql`INSERT INTO marks VALUES (${n})`
      const [, rollbackError] = yield* Effect.all(
        [
          insertMark(1),
          Effect.flip(sql`INSERT OR ROLLBACK INTO items (name) VALUES ('taken')`),
          insertMark(2),
          insertMark(3)
        ],
        concurrently
      )
      assert.strictEqual(rollbackError.reason._tag, "UniqueViolation")
      assert.deepStrictEqual(yield* sql`SELECT n FROM marks ORDER BY n`, [{ n: 1 }, { n: 2 }, { n: 3 }])
    })
  )

  it.effect("are kept if one of them cannot be committed", () =>
    Effect.gen(function* () {
      const sql = yield* openWithTable({ filename: yield* temporaryFile })
      yield* sql`CREATE TABLE parts (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
      const [, orphan] = yield* Effect.all(
        [add(sql, "a"), reasonOf(sql`INSERT INTO parts (item) VALUES (99)`), add(sql, "b")],
        concurrently
      )
      assert.strictEqual(orphan._tag, "ConstraintError")
      assert.deepStrictEqual(yield* names(sql), ["a", "b"])
      assert.deepStrictEqual(yield* sql`SELECT item FROM parts`, [])
    })
  )

  it.effect("are split into several transactions if there are many, and respect the settings of each caller", () =>
    Effect.gen(function* () {
      const sql = yield* openWithTable({ filename: yield* temporaryFile })
      const count = yield* countingCommits
      const insert = (id: number) => sql`INSERT INTO items (id, n) VALUES (${id}, 9007199254740993 - ${id}) RETURNING n`
      const all = Array.from({ length: 250 }, (_, i) =>
        i === 0 ? Effect.provideService(insert(0), SqlClient.SafeIntegers, true) : insert(i + 1)
      )
      const results = yield* Effect.all(all, concurrently)
      assert.deepStrictEqual(results[0], [{ n: 9007199254740993n }])
      assert.deepStrictEqual(results[1], [{ n: 9007199254740991 }])
      assert.strictEqual(count(), 3)
      const [stored] = yield* sql`SELECT count(*) AS n FROM items`
      assert.deepStrictEqual(stored, { n: 250 })
    })
  )

  it.effect("are skipped for interrupted callers", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const sql = yield* openWithTable({ filename })
      const other = yield* openDirectly(filename)
      other.exec("BEGIN IMMEDIATE")
      const [interruptedWrite, secondWrite, thirdWrite] = [
        yield* forkUntilBlocked(add(sql, "gone")),
        yield* forkUntilBlocked(add(sql, "stays")),
        yield* forkUntilBlocked(add(sql, "too"))
      ]
      yield* Fiber.interrupt(interruptedWrite)
      other.exec("COMMIT")
      yield* TestClock.adjust("10 millis")
      yield* Fiber.joinAll([secondWrite, thirdWrite])
      assert.deepStrictEqual(yield* names(sql), ["stays", "too"])
    })
  )
})

describe("two clients of one file", () => {
  it.effect("see each other's commits", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [client1, client2] = [yield* openWithTable({ filename }), yield* open({ filename })]
      yield* add(client1, "one")
      assert.deepStrictEqual(yield* names(client2), ["one"])
      yield* add(client2, "two").pipe(client2.withTransaction)
      assert.deepStrictEqual(yield* names(client1), ["one", "two"])
    })
  )

  it.effect("wait for each other's transactions, without holding up the process", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [client1, client2] = [yield* openWithTable({ filename }), yield* open({ filename })]
      const transaction = yield* openTransaction(client1, add(client1, "first"))
      const singleWrite = yield* Effect.forkChild(add(client2, "second"))
      const secondTransaction = yield* Effect.forkChild(add(client2, "third").pipe(client2.withTransaction))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(singleWrite.pollUnsafe())
      assert.isUndefined(secondTransaction.pollUnsafe())
      assert.deepStrictEqual(yield* names(client2), [])
      yield* transaction.commit
      yield* TestClock.adjust("10 millis")
      yield* Fiber.joinAll([singleWrite, secondTransaction])
      assert.deepStrictEqual(yield* names(client1), ["first", "second", "third"])
    })
  )

  it.effect("lose no update of transactions that read, then write", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [client1, client2] = [yield* openWithTable({ filename }), yield* open({ filename })]
      yield* add(client1, "counter")
      const increment = (sql: SqlClient.SqlClient) =>
        Effect.gen(function* () {
          const [row] = yield* sql<{ readonly n: number }>`SELECT n FROM items`
          yield* Effect.yieldNow
          yield* sql`UPDATE items SET n = ${row!.n + 1}`
        }).pipe(sql.withTransaction, Effect.repeat({ times: 9 }))
      const fiber = yield* Effect.forkChild(Effect.all([increment(client1), increment(client2)], { concurrency: 2 }))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* client1`SELECT n FROM items`.values, [[20]])
    })
  )

  it.effect("fail at once if a transaction has read outdated data", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [client1, client2] = [yield* openWithTable({ filename }), yield* open({ filename })]
      const reason = yield* Effect.andThen(
        names(client1),
        Effect.andThen(add(client2, "two"), add(client1, "one"))
      ).pipe(client1.withTransaction, Effect.provideService(SqlClient.BeginTransaction, "BEGIN DEFERRED"), reasonOf)
      assert.strictEqual(reason._tag, "LockTimeoutError")
      assert.deepStrictEqual(yield* names(client1), ["two"])
    })
  )

  it.effect("fail after the busy timeout of a lock, and continue afterwards", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const sql = yield* openWithTable({ filename, busyTimeout: "2 seconds" })
      const other = yield* openDirectly(filename)
      other.exec("BEGIN IMMEDIATE")
      for (const write of [add(sql, "a"), add(sql, "b").pipe(sql.withTransaction)]) {
        const fiber = yield* Effect.forkChild(reasonOf(write))
        yield* TestClock.adjust("1900 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("200 millis")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "LockTimeoutError")
      }
      other.exec("ROLLBACK")
      yield* add(sql, "next")
      assert.deepStrictEqual(yield* names(sql), ["next"])
    })
  )

  it.effect("wait for a lock at the same time, not one after the other", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const sql = yield* openWithTable({ filename, busyTimeout: "2 seconds" })
      const other = yield* openDirectly(filename)
      other.exec("BEGIN EXCLUSIVE")
      const write = (name: string) => Effect.forkChild(reasonOf(add(sql, name)))
      const transact = (name: string) => Effect.forkChild(reasonOf(add(sql, name).pipe(sql.withTransaction)))
      const firstWrites = [yield* write("a"), yield* transact("b"), yield* write("c"), yield* transact("d")]
      yield* TestClock.adjust("1900 millis")
      for (const fiber of firstWrites) assert.isUndefined(fiber.pollUnsafe())
      const lateWrite = yield* transact("e")
      yield* TestClock.adjust("200 millis")
      for (const fiber of firstWrites) assert.strictEqual((yield* Fiber.join(fiber))._tag, "LockTimeoutError")
      // A later writer has the full timeout too.
      yield* TestClock.adjust("1600 millis")
      assert.isUndefined(lateWrite.pollUnsafe())
      assert.deepStrictEqual(yield* names(sql), [])
      other.exec("ROLLBACK")
      yield* TestClock.adjust("10 millis")
      yield* Fiber.await(lateWrite)
      assert.deepStrictEqual(yield* names(sql), ["e"])
    })
  )

  it.live("do not wait longer when the clock is set back", () =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock()
      const filename = yield* temporaryFile
      const sql = yield* openWithTable({ filename, busyTimeout: "100 millis" })
      const other = yield* openDirectly(filename)
      other.exec("BEGIN EXCLUSIVE")
      const refusedWrite = yield* Effect.forkChild(
        Effect.provideService(reasonOf(add(sql, "a").pipe(sql.withTransaction)), Clock.Clock, clock)
      )
      yield* Effect.sleep("50 millis")
      yield* movable.jumpBy("-1 day")
      assert.strictEqual((yield* Fiber.join(refusedWrite))._tag, "LockTimeoutError")
    })
  )
})

describe("the file", () => {
  it.effect("is opened after another program releases its lock", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = yield* openDirectly(filename)
      other.exec("BEGIN EXCLUSIVE")
      const refusedOpen = yield* Effect.forkChild(reasonOf(open({ filename, busyTimeout: "1 second" })))
      const opening = yield* Effect.forkChild(openWithTable({ filename }))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(refusedOpen))._tag, "LockTimeoutError")
      assert.isUndefined(opening.pollUnsafe())
      other.exec("COMMIT")
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(yield* names(yield* Fiber.join(opening)), [])
    })
  )

  it.effect("has the settings with which a commit survives a power failure", () =>
    Effect.gen(function* () {
      const sql = yield* databases["a file"]
      const pragma = (name: string) => Effect.map(sql.unsafe(`PRAGMA ${name}`).values, (rows) => rows[0]?.[0])
      assert.strictEqual(yield* pragma("journal_mode"), "wal")
      assert.strictEqual(yield* pragma("synchronous"), 2)
      assert.strictEqual(yield* pragma("foreign_keys"), 1)
      assert.strictEqual(yield* pragma("temp_store"), 2)
    })
  )

  it.effect("is the only file after the client is closed, and can be opened again", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.scoped(
        Effect.flatMap(openWithTable({ filename }), (sql) => Effect.andThen(add(sql, "a"), names(sql)))
      )
      const fs = yield* FileSystem.FileSystem
      assert.deepStrictEqual(yield* fs.readDirectory(dirname(filename)), ["test.db"])
      assert.deepStrictEqual(yield* names(yield* open({ filename })), ["a"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("is read through its indexes, even if it had few rows when it was closed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const some = ["a", "b", "c"]
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* openWithTable({ filename })
          yield* add(sql, "a")
          yield* sql`SELECT n FROM items WHERE ${sql.in("name", some)}`
          yield* sql`UPDATE items SET n = 1 WHERE ${sql.in("name", some)}`
        })
      )
      const sql = yield* open({ filename })
      const plan = yield* sql`EXPLAIN QUERY PLAN UPDATE items SET n = 1 WHERE ${sql.in("name", some)}`
      assert.match(String(plan[0]?.["detail"]), /^SEARCH items USING INDEX/)
    })
  )

  it.effect("that cannot be opened is an error, not a defect", () =>
    Effect.gen(function* () {
      const directory = dirname(yield* temporaryFile)
      const absent = yield* reasonOf(open({ filename: join(directory, "absent", "test.db") }))
      assert.strictEqual(absent._tag, "ConnectionError")

      const filename = join(directory, "text.db")
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(filename, "no database, but long enough to be taken for one".repeat(100))
      const other = yield* Effect.flip(open({ filename }))
      assert.include(other.message, "not a database")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
