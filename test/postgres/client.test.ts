// test/postgres/client.test.ts: the PostgreSQL client: transactions, types, errors, migrations, and two programs on one database.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Redacted, Stream } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { writeFileSync } from "node:fs"
import { Credits } from "#layers/Credits.ts"
import * as Database from "#layers/Database.ts"
import { Migrations } from "#layers/database/migrations/Version.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { migrations } from "#layers/database/migrations.ts"
import { ModelCalls, ModelCallSubject } from "#layers/model/ModelCalls.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import { columnTypes } from "#layers/database/Dialect.ts"
import { verify } from "#layers/operations/Verify.ts"
import { Services } from "#src/services.ts"
import { command } from "#test/support/command.ts"
import { dataDirectory } from "#test/support/process.ts"
import * as Stores from "#test/support/store.ts"
import { newWorkspace } from "#test/support/workspace.ts"

const databaseUrl = Effect.map(Stores.emptyDatabase, (url) => url ?? assert.fail("These tests run on PostgreSQL"))

const client = (url: Redacted.Redacted, options = {}) =>
  Effect.map(Layer.build(Layer.fresh(Postgres.layer({ url, ...options }))), (context) =>
    Context.get(context, SqlClient.SqlClient)
  )

/** All services of a separate program. */
const program = (url: Redacted.Redacted) =>
  Layer.build(Layer.fresh(Services.pipe(Layer.provideMerge(Postgres.layer({ url })))))

const createNumbers = (sql: SqlClient.SqlClient) => sql`CREATE TABLE numbers (name TEXT PRIMARY KEY, n BIGINT NOT NULL)`

const reasonOf = (exit: Exit.Exit<unknown, unknown>) => {
  const error = Exit.isFailure(exit)
    ? exit.cause.reasons.map((reason) => ("error" in reason ? reason.error : reason))[0]
    : undefined
  return SqlError.isSqlError(error) ? error.reason : assert.fail(`no SqlError: ${String(error)}`)
}

describe("a transaction", () => {
  it.live("with a serialization conflict is retried as a whole", () =>
    Effect.gen(function* () {
      const url = yield* databaseUrl
      const [firstClient, secondClient] = [yield* client(url), yield* client(url)]
      yield* createNumbers(firstClient)
      yield* firstClient`INSERT INTO numbers VALUES ('a', 0), ('b', 0)`
      // Each transaction reads one row and writes the other, which row locks alone do not prevent.
      let runs = 0
      const committed: Array<string> = []
      const add = (sql: SqlClient.SqlClient, from: string, to: string, name: string) =>
        sql.withTransaction(
          Effect.gen(function* () {
            runs++
            yield* sql.afterCommit(Effect.sync(() => void committed.push(name)))
            const [row] = yield* sql<{ readonly n: number }>`SELECT n FROM numbers WHERE name = ${from}`
            yield* sql`UPDATE numbers SET n = ${(row?.n ?? 0) + 1} WHERE name = ${to}`
          })
        )
      const names = Array.from({ length: 40 }, (_, i) => `${i}`)
      yield* Effect.forEach(
        names,
        (name) => (Number(name) % 2 === 0 ? add(firstClient, "a", "b", name) : add(secondClient, "b", "a", name)),
        { concurrency: "unbounded", discard: true }
      )
      const rows = yield* firstClient<{ readonly n: number }>`SELECT n FROM numbers`
      // In any serial order each write is one more than the other row, so the rows differ by at most one.
      const [a = 0, b = 0] = rows.map(({ n }) => n)
      assert.isAtMost(Math.abs(a - b), 1)
      assert.isAbove(runs, names.length)
      assert.deepStrictEqual(committed.toSorted(), names.toSorted())
    }).pipe(Effect.scoped)
  )

  it.live("fails to commit after a failed statement, and stores nothing", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl)
      yield* createNumbers(sql)
      const exit = yield* Effect.exit(
        sql.withTransaction(
          Effect.andThen(
            sql`INSERT INTO numbers VALUES ('a', 1)`,
            Effect.ignore(sql`INSERT INTO numbers VALUES ('a', 2)`)
          )
        )
      )
      assert.strictEqual(reasonOf(exit)._tag, "UnknownError")
      assert.deepStrictEqual(yield* sql`SELECT * FROM numbers`, [])
    }).pipe(Effect.scoped)
  )

  it.live("that is retried records a model call once, without a warning", () => {
    const logs: Array<string> = []
    const logging = Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))])
    return Effect.gen(function* () {
      const context = yield* program(yield* databaseUrl)
      const sql = Context.get(context, SqlClient.SqlClient)
      const { workspace } = yield* Effect.provideContext(newWorkspace(), context)
      // A sequence is not rolled back, so only the first insert fails.
      yield* sql`CREATE SEQUENCE inserts`
      yield* sql.unsafe(`
        CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('inserts') = 1 THEN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END IF;
          RETURN NEW;
        END $$`)
      yield* sql`CREATE TRIGGER losing BEFORE INSERT ON model_calls FOR EACH ROW EXECUTE FUNCTION lose()`
      const calls = Context.get(yield* Layer.build(ModelCalls.layer).pipe(Effect.provideContext(context)), ModelCalls)
      const call = { prompt: "p", version: "1", model: "m", input_tokens: 1, cached_tokens: 0, output_tokens: 1 }
      yield* sql
        .withTransaction(calls.record(call))
        .pipe(Effect.provideService(ModelCallSubject, { workspace: workspace.id, kind: "lead", subject: "l1" }))
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS n FROM model_calls`, [{ n: 1 }])
      assert.deepStrictEqual(yield* sql`SELECT last_value AS n FROM inserts`, [{ n: 2 }])
      assert.deepStrictEqual(logs, [])
    }).pipe(Effect.provide(logging))
  })

  it.live("nested in another fails alone", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl)
      yield* createNumbers(sql)
      yield* sql.withTransaction(
        Effect.andThen(
          sql`INSERT INTO numbers VALUES ('a', 1)`,
          Effect.ignore(sql.withTransaction(sql`INSERT INTO numbers VALUES ('a', 2)`))
        )
      )
      assert.deepStrictEqual(yield* sql`SELECT * FROM numbers`, [{ name: "a", n: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("does not block readers, and a read never writes", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl, { connections: 1 })
      yield* createNumbers(sql)
      const [started, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO numbers VALUES ('a', 1)`
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(end)
          })
        )
      )
      yield* Deferred.await(started)
      assert.deepStrictEqual(yield* sql`SELECT * FROM numbers`, [])
      assert.deepStrictEqual(yield* Stream.runCollect(sql`SELECT * FROM numbers`.stream), [])
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(yield* sql`SELECT * FROM numbers`, [{ name: "a", n: 1 }])
      const exit = yield* Effect.exit(sql`SELECT setval('nothing', 1) FROM numbers`)
      assert.isTrue(Exit.isFailure(exit))
    }).pipe(Effect.scoped)
  )
})

describe("rows", () => {
  it.live("have numbers for counts, sums and large integers, as on SQLite", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl)
      yield* createNumbers(sql)
      const maxInteger = Number.MAX_SAFE_INTEGER
      yield* sql`INSERT INTO numbers ${sql.insert([
        { name: "é", n: maxInteger },
        { name: "z", n: -1 },
        { name: "Z", n: 0 }
      ])}`
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS count, sum(n) AS sum, max(n) AS max FROM numbers`, [
        { count: 3, sum: maxInteger - 1, max: maxInteger }
      ])
      yield* sql`INSERT INTO numbers VALUES (${"a\0b"}, 1)`
      assert.deepStrictEqual(yield* sql`SELECT name FROM numbers WHERE name = ${"a\0b"}`, [{ name: "a\uFFFDb" }])
      assert.deepStrictEqual(yield* sql`SELECT n, ${null}::text AS none FROM numbers WHERE n = ${maxInteger}`, [
        { n: maxInteger, none: null }
      ])
    }).pipe(Effect.scoped)
  )
})

describe("an error", () => {
  it.live("names the statement and no values", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl)
      yield* createNumbers(sql)
      yield* sql`INSERT INTO numbers VALUES ('geheim', 1)`
      const failures = [
        ["UniqueViolation", sql`INSERT INTO numbers VALUES ('geheim', 2)`],
        ["ConstraintError", sql`INSERT INTO numbers VALUES ('geheim', NULL)`],
        ["UnknownError", sql`INSERT INTO numbers VALUES ('b', ${"geheim"})`],
        ["SqlSyntaxError", sql`SELECT nix FROM numbers WHERE name = ${"geheim"}`]
      ] as const
      for (const [tag, statement] of failures) {
        const reason = reasonOf(yield* Effect.exit(statement))
        assert.strictEqual(reason._tag, tag)
        assert.notInclude(
          JSON.stringify([reason, reason.message, String(reason.cause), Object.entries(reason.cause ?? {})]),
          "geheim"
        )
        assert.match(reason.message ?? "", /\([0-9A-Z]{5}\)$/)
      }
    }).pipe(Effect.scoped)
  )

  it.live("of an unusable server is one line, without the password", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const validUrl = Redacted.value(yield* databaseUrl)
      const urlWith = (change: (url: URL) => void) => {
        const url = new URL(validUrl)
        url.password = "geheim"
        change(url)
        return url.href
      }
      const invalidUrls = [
        [urlWith((url) => (url.port = "1")), "ECONNREFUSED"],
        [urlWith((url) => (url.pathname = "/nix")), 'database "nix" does not exist'],
        [urlWith((url) => (url.search = "?options=-csearch_path%3Dnix")), "has no schema"],
        [urlWith((url) => (url.search = "?sslmode=require")), "TLS"],
        [urlWith((url) => (url.protocol = "mysql:")), "Expected a URL such as postgres://"],
        ["postgres://overture:geheim%zz@127.0.0.1/x", "percent"]
      ] as const
      for (const [url, expected] of invalidUrls) {
        writeFileSync(`${data}/.env`, `DATABASE_URL=${url}`)
        const { code, stderr } = yield* command(data, "verify")
        assert.strictEqual(code, 1, url)
        assert.match(stderr, /^[^\n]+\n$/)
        assert.include(stderr, expected)
        assert.notInclude(stderr, "geheim")
      }
    }).pipe(Effect.scoped)
  )
})

/** Two programs on one database, and a workspace created by the first. */
const twoPrograms = Effect.gen(function* () {
  const url = yield* databaseUrl
  const [first, second] = [yield* program(url), yield* program(url)]
  const { workspace } = yield* Effect.provideContext(newWorkspace({ plan: "free" }), first)
  return { at: (turn: number) => (turn % 2 === 0 ? first : second), first, workspace }
})

describe("two programs on one database", () => {
  it.live("never spend a credit twice", () =>
    Effect.gen(function* () {
      const { at, first, workspace } = yield* twoPrograms
      const charges = Array.from({ length: 40 }, (_, i) => ({ owner: `lead-${i}`, by: at(i) }))
      const charged = yield* Effect.forEach(
        charges,
        ({ by, owner }) => Effect.exit(Context.get(by, Credits).charge(workspace.id, owner, 3)),
        { concurrency: "unbounded" }
      )
      // 50 credits are enough for 16 charges of 3.
      assert.strictEqual(charged.filter(Exit.isSuccess).length, 16)
      const { available } = yield* Context.get(first, Credits).check(workspace.id, 1)
      assert.strictEqual(available, 2)
      const ledger = yield* Context.get(first, Credits).ledger(workspace.id)
      assert.strictEqual(ledger.filter(({ kind }) => kind === "capture").length, 16)
      assert.isTrue((yield* Effect.provide(verify, first)).every(({ ok }) => ok))
    }).pipe(Effect.scoped)
  )

  it.live("execute an idempotency key once, and answer every request", () =>
    Effect.gen(function* () {
      const { at, first, workspace } = yield* twoPrograms
      const attempt = { workspace: workspace.id, operation: "op", key: "key", fingerprint: "body" }
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => at(i)),
        (services) =>
          Context.get(services, Idempotency).once(
            attempt,
            Effect.as(Context.get(services, Credits).charge(workspace.id, "it", 1), { done: true })
          ),
        { concurrency: "unbounded" }
      )
      const answered = answers.filter((answer) => answer !== "in flight")
      assert.strictEqual(answered.filter((answer) => !answer.replayed).length, 1)
      for (const { answer } of answered) assert.deepStrictEqual(answer, { done: true })
      const ledger = yield* Context.get(first, Credits).ledger(workspace.id)
      assert.strictEqual(ledger.filter(({ kind }) => kind === "capture").length, 1)
    }).pipe(Effect.scoped)
  )
})

describe("a database", () => {
  const emptyDatabase = Effect.tap(databaseUrl, (url) =>
    Effect.flatMap(client(url), (sql) =>
      sql`DROP SCHEMA public CASCADE`.pipe(Effect.andThen(sql`CREATE SCHEMA public`))
    )
  )
  const migrate = (url: Redacted.Redacted) => Effect.scoped(Layer.build(Layer.fresh(Database.layerPostgres(url))))
  const migrationCount = (url: Redacted.Redacted) =>
    Effect.flatMap(client(url), (sql) => sql<{ readonly n: number }>`SELECT count(*) AS n FROM migrations`)
  const count = Object.keys(migrations).length

  it.live("that is empty is migrated by one of several programs that open it", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.all([migrate(url), migrate(url), migrate(url)], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* migrationCount(url), [{ n: count }])
    }).pipe(Effect.scoped)
  )

  it.live("of an older schema is migrated completely or not at all", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const olderMigrations = Object.fromEntries(Object.entries(migrations).slice(0, 10))
      yield* Effect.provideService(migrate(url), Migrations, olderMigrations)
      assert.deepStrictEqual(yield* migrationCount(url), [{ n: 10 }])
      const broken = { ...migrations, "9000_broken": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE nothing`) }
      const exit = yield* Effect.exit(Effect.provideService(migrate(url), Migrations, broken))
      assert.include(JSON.stringify(exit), "could not be brought up to date, and is as it was")
      assert.deepStrictEqual(yield* migrationCount(url), [{ n: 10 }])
      yield* migrate(url)
      assert.deepStrictEqual(yield* migrationCount(url), [{ n: count }])
    }).pipe(Effect.scoped)
  )

  it.live("of a newer schema is refused without a change", () =>
    Effect.gen(function* () {
      const url = yield* databaseUrl
      const sql = yield* client(url)
      yield* sql`INSERT INTO migrations (migration_id, name) VALUES (9000, 'later')`
      const exit = yield* Effect.exit(migrate(url))
      assert.include(JSON.stringify(exit), "newer version of Overture (schema 9000")
    }).pipe(Effect.scoped)
  )

  it.live("has 64-bit integers and text that is compared by bytes", () =>
    Effect.gen(function* () {
      const sql = yield* client(yield* databaseUrl)
      const { blob, integer, real, strict, text } = columnTypes(sql)
      yield* sql`CREATE TABLE things (name ${text}, n ${integer}, x ${real}, content ${blob}) ${strict}`
      yield* sql`INSERT INTO things (name, n) VALUES (${"INTEGER TEXT"}, ${3_000_000_000})`
      assert.deepStrictEqual(yield* sql`SELECT * FROM things`, [
        { name: "INTEGER TEXT", n: 3_000_000_000, x: null, content: null }
      ])
      yield* sql`INSERT INTO things (name) VALUES ('a'), ('Z')`
      const sorted = yield* sql`SELECT name FROM things WHERE n IS NULL ORDER BY name`
      assert.deepStrictEqual(sorted, [{ name: "Z" }, { name: "a" }])
    }).pipe(Effect.scoped)
  )

  it.live("is refused by the backup command, which names pg_dump", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      for (const args of [
        ["backup", `${data}/x.backup`],
        ["restore", `${data}/x.backup`]
      ]) {
        const { code, stderr } = yield* command(data, ...args)
        assert.strictEqual(code, 1)
        assert.match(stderr, /^[^\n]*pg_dump[^\n]*\n$/)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
