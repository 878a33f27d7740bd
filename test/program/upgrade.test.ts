// test/program/upgrade.test.ts: opening a store that an older or a newer version of the program has written.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { backup, restore } from "#layers/operations/Backup.ts"
import * as Database from "#layers/Database.ts"
import * as FileLock from "#layers/database/FileLock.ts"
import { Migrations } from "#layers/database/migrations/Version.ts"
import { Credits } from "#layers/Credits.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { migrations } from "#layers/database/migrations.ts"
import type { Brief } from "#layers/Generator.ts"
import { expectBody } from "#test/support/answers.ts"
import { callerWithCampaign } from "#test/support/campaigns.ts"
import { command } from "#test/support/command.ts"
import { movableClock } from "#test/support/clock.ts"
import { balanceOf, waitForList, startBatch, makeLeads } from "#test/support/lists.ts"
import { temporaryFolder, overture } from "#test/support/process.ts"
import * as Server from "#test/support/server.ts"
import { fakeWriter } from "#test/support/writer.ts"

type MigrationSet = Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>

const allMigrations = Object.entries<MigrationSet[string]>(migrations)
const newestSchema = Math.max(...allMigrations.map(([name]) => Number.parseInt(name, 10)))
const previousSchema = Math.max(...allMigrations.slice(0, -1).map(([name]) => Number.parseInt(name, 10)))
const firstMigrations = (count: number): MigrationSet => Object.fromEntries(allMigrations.slice(0, count))
const futureMigrations: MigrationSet = {
  ...migrations,
  "9000_future": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE future (id TEXT)`)
}

/** Opens the store as a program with these migrations does. */
const openStore = (data: string, knownMigrations: MigrationSet = migrations) =>
  Effect.void.pipe(
    Effect.provide(Database.layer(`${data}/overture.db`).pipe(Layer.provide(NodeServices.layer))),
    Effect.provideService(Migrations, knownMigrations)
  )

const readRefusal = (data: string, knownMigrations?: MigrationSet) =>
  Effect.map(Effect.flip(openStore(data, knownMigrations)), ({ message }) => message)

const query = (data: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const db = new DatabaseSync(`${data}/overture.db`, { readOnly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const changeStore = (data: string, sql: string) => {
  const db = new DatabaseSync(`${data}/overture.db`)
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

const schemaOf = (data: string) => query(data, "SELECT max(migration_id) AS id FROM migrations")[0]?.id
const tablesOf = (data: string) =>
  query(
    data,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('migrations', 'sqlite_stat1') ORDER BY name"
  ).map(({ name }) => String(name))

/** Inserts one row into every table. */
const insertRowInEachTable = (data: string) => {
  for (const table of tablesOf(data)) {
    const columns = query(data, `SELECT name, type FROM pragma_table_info('${table}')`)
    const value = ({ name, type }: Record<string, unknown>) =>
      type === "TEXT" ? `'${table}.${String(name)} ü'` : type === "BLOB" ? "x'00ff'" : "7"
    changeStore(
      data,
      `PRAGMA foreign_keys = OFF;
       INSERT INTO ${table} (${columns.map(({ name }) => name).join()}) VALUES (${columns.map(value).join()})`
    )
  }
}

const rowsOf = (data: string, tables: ReadonlyArray<string>) =>
  tables.map((table) => [table, query(data, `SELECT * FROM ${table}`)] as const)

/** A hash of every file of the data directory, without locks and shared memory. */
const bytesOf = (data: string) =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(?:-shm|\.lock)$/.test(entry.name))
    .map(({ name, parentPath }) => [
      `${parentPath}/${name}`,
      createHash("sha256")
        .update(readFileSync(`${parentPath}/${name}`))
        .digest("hex")
    ])
    .filter(([name = ""]) => !name.endsWith("-wal") || statSync(name).size > 0)
    .toSorted()

const backupsOf = (data: string) => readdirSync(`${data}/backups`).toSorted()

describe("a store of an older schema", () => {
  it.live.each(allMigrations.slice(0, -1).map((_, index) => index + 1))(
    "%i is backed up and then migrated to the newest schema",
    (schema) =>
      Effect.gen(function* () {
        const data = yield* temporaryFolder
        yield* openStore(data, firstMigrations(schema))
        const [lastMigration = ""] = allMigrations[schema - 1] ?? []
        assert.strictEqual(schemaOf(data), Number.parseInt(lastMigration, 10))
        assert.notInclude(readdirSync(data), "backups", "a new store needs none")
        insertRowInEachTable(data)
        const tables = tablesOf(data)
        const rowsBefore = rowsOf(data, tables)

        yield* openStore(data)
        assert.strictEqual(schemaOf(data), newestSchema)
        const rowsAfter = new Map(rowsOf(data, tablesOf(data)))
        for (const [table, rows] of rowsBefore) {
          // A migration moved the content of uploads to `file_pieces`.
          const withoutContent = (row: Record<string, unknown>) =>
            Object.fromEntries(Object.entries(row).filter(([column]) => table !== "uploads" || column !== "content"))
          for (const [index, row] of rows.entries())
            assert.deepInclude(rowsAfter.get(table)?.[index], withoutContent(row), table)
          const content = table === "uploads" ? rows[0]?.["content"] : undefined
          if (content !== undefined) assert.deepInclude(rowsAfter.get("file_pieces")?.[0], { content }, "the upload")
        }

        const [name = "", ...otherBackups] = backupsOf(data)
        assert.lengthOf(otherBackups, 0)
        assert.match(name, new RegExp(`^schema-${lastMigration.slice(0, 4)}-\\d{4}-\\d\\d-\\d\\dT[\\d.-]+Z\\.backup$`))
        assert.strictEqual(statSync(`${data}/backups/${name}`).mode & 0o777, 0o600)
        assert.strictEqual(statSync(`${data}/backups`).mode & 0o777, 0o700)
        const restoredData = yield* temporaryFolder
        yield* restore(`${data}/backups/${name}`, restoredData).pipe(Effect.provide(NodeServices.layer))
        assert.strictEqual(schemaOf(restoredData), Number.parseInt(lastMigration, 10))
        assert.deepStrictEqual(rowsOf(restoredData, tablesOf(restoredData)), rowsBefore)

        yield* openStore(data)
        assert.deepStrictEqual(backupsOf(data), [name], "an up-to-date store needs none")
      })
  )

  it.live("gets new query plans for its larger tables", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data, firstMigrations(19))
      insertRowInEachTable(data)
      changeStore(data, "ANALYZE")
      const readQueryPlan = () =>
        String(query(data, "EXPLAIN QUERY PLAN SELECT email FROM leads WHERE id IN ('a', 'b', 'c')")[0]?.["detail"])
      assert.match(readQueryPlan(), /^SCAN/)
      yield* openStore(data)
      assert.match(readQueryPlan(), /^SEARCH/)
    })
  )

  it.live("is unchanged when a migration fails, and the older program can still open it", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data)
      insertRowInEachTable(data)
      const tables = tablesOf(data)
      const rowsBefore = rowsOf(data, tables)
      const message = yield* readRefusal(data, {
        ...migrations,
        "9000_good": Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql`DELETE FROM workspaces`.pipe(Effect.andThen(sql`CREATE TABLE good (id TEXT)`))
        ),
        "9001_bad": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO nowhere VALUES (1)`)
      })
      assert.include(message, "is as it was")
      assert.include(message, "9001_bad")
      assert.notInclude(message, "\n")
      assert.deepStrictEqual(tablesOf(data), tables)
      assert.deepStrictEqual(rowsOf(data, tables), rowsBefore)
      assert.strictEqual(schemaOf(data), newestSchema)
      assert.lengthOf(backupsOf(data), 1)
      yield* openStore(data)
    })
  )

  it.live("is unchanged when it cannot be backed up", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data, firstMigrations(allMigrations.length - 1))
      writeFileSync(`${data}/backups`, "a file where the folder should be")
      const bytesBefore = bytesOf(data)
      assert.match(yield* readRefusal(data), /^[^\n]*left as it was[^\n]*backups[^\n]*$/)
      assert.deepStrictEqual(bytesOf(data), bytesBefore)

      rmSync(`${data}/backups`)
      const fullDiskMessage = yield* Effect.provideService(readRefusal(data), FreeSpace, () => Effect.succeed(1000))
      assert.match(fullDiskMessage, /left as it was.*no room.*another disk$/)
      assert.deepStrictEqual(backupsOf(data), [])
      assert.strictEqual(schemaOf(data), previousSchema)
      yield* openStore(data)
      assert.lengthOf(backupsOf(data), 1)
    })
  )

  it.live("is not upgraded while an older server works on it", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data, firstMigrations(allMigrations.length - 1))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* FileLock.acquireFileLock(`${data}/worker.lock`)
          assert.match(
            yield* readRefusal(data),
            /^An older Overture works on this store .* stop it first, then try again$/
          )
          assert.strictEqual(schemaOf(data), previousSchema)
        })
      )
      yield* openStore(data)
      assert.strictEqual(schemaOf(data), newestSchema)
    })
  )

  it.live("keeps the backups of its last three migrations, and other files beside them", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      mkdirSync(`${data}/backups`)
      writeFileSync(`${data}/backups/mine.backup`, "")
      for (const schema of [1, 2, 3, 4, 5]) yield* openStore(data, firstMigrations(schema))
      assert.deepStrictEqual(
        backupsOf(data).map((name) => name.slice(0, 11)),
        ["mine.backup", "schema-0002", "schema-0003", "schema-0004"]
      )
    })
  )

  it.live("is migrated once by processes that open it at the same time", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data, firstMigrations(allMigrations.length - 1))
      const outcomes = yield* Effect.forEach([1, 2, 3], () => overture(data, "workspace", "list"), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        outcomes.map(({ code, stderr }) => ({ code, stderr })),
        outcomes.map(() => ({ code: 0, stderr: "" }))
      )
      assert.lengthOf(backupsOf(data), 1)
    })
  )
})

/** Reverts the migrations after number 20. */
const removeLaterMigrations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["custom_fields", "persona_id", "skipped", "failure"])
    yield* sql.unsafe(`ALTER TABLE leads DROP COLUMN ${column}`)
  yield* sql.unsafe("ALTER TABLE lists DROP COLUMN custom_keys")
  yield* sql.unsafe("ALTER TABLE campaigns DROP COLUMN playbook")
  yield* sql.unsafe("ALTER TABLE previews DROP COLUMN failure")
  for (const table of ["playbook_versions", "playbooks", "credit_days"]) yield* sql.unsafe(`DROP TABLE ${table}`)
})

describe("lists in progress in a store without playbooks", () => {
  /** Turns the store into one of schema 20, the last before playbooks. */
  const downgrade = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lists = yield* sql<{ readonly id: string; readonly brief: string; readonly options: string }>`
      SELECT id, (SELECT content FROM briefs WHERE briefs.id = lists.brief_id) AS brief, options FROM lists`
    for (const { brief, id, options } of lists) {
      const { playbook: _book, ...oldBrief } = JSON.parse(brief)
      const { include_clients: _clients, ...oldOptions } = JSON.parse(options)
      yield* sql`
        UPDATE lists SET brief = ${JSON.stringify(oldBrief)}, options = ${JSON.stringify(oldOptions)} WHERE id = ${id}`
    }
    for (const { brief, id } of yield* sql<{ readonly id: string; readonly brief: string }>`
      SELECT id, brief FROM campaigns`) {
      const { playbook: _book, ...oldBrief } = JSON.parse(brief)
      yield* sql`UPDATE campaigns SET brief = ${JSON.stringify(oldBrief)} WHERE id = ${id}`
    }
    yield* removeLaterMigrations
  })

  it.live("are finished with a playbook that is drafted for them, including leads at clients", () => {
    const briefs: Array<Brief> = []
    const sequence = (brief: Brief) => {
      briefs.push(brief)
      return fakeWriter.sequence(brief)
    }
    return Effect.gen(function* () {
      const competitors = "Heatwise"
      const { campaign, caller } = yield* callerWithCampaign({
        details: { company_name: "Kestrel Pumps", competitors }
      }).pipe(Server.withWorkers())
      const leads = [
        { email: "ida@north.example", name: "Ida", company: "North Quarry" },
        { email: "bo@heatwise.example", name: "Bo", company: "Heatwise" }
      ]
      const list = yield* startBatch(caller, campaign, leads)
      yield* downgrade
      // Run the migrations that `downgrade` reverted.
      for (const [, migration] of allMigrations.slice(20, 25)) yield* migration

      yield* waitForList(caller, list).pipe(Server.withWorkers({ sequence }))
      const { data } = yield* expectBody(200, caller.get(`/lists/${list}/leads`))
      assert.deepStrictEqual(
        data.map(({ skipped, status }: { readonly skipped: unknown; readonly status: string }) => [status, skipped]),
        [
          ["completed", null],
          ["completed", null]
        ]
      )
      for (const { playbook } of briefs) {
        assert.strictEqual(playbook.version, 0)
        assert.strictEqual(playbook.personas.at(-1)?.kind, "everyone_else")
      }
      assert.lengthOf(briefs, 2)
      assert.strictEqual(data[0].emails[0].playbook_version, 0)
      assert.strictEqual(yield* balanceOf(caller), 4998)
      yield* Server.assertConsistent

      // The next list creates the playbook, and then the usual checks apply.
      const secondList = yield* startBatch(caller, campaign, leads)
      const completedList = yield* waitForList(caller, secondList).pipe(Server.withWorkers({ sequence }))
      assert.strictEqual(completedList.emails_created, 1)
      assert.isAbove(briefs.at(-1)?.playbook.version ?? 0, 0)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  })
})

describe("a store of schema 10, from before leads were researched", () => {
  /** Turns the store into one like schema 10. Lists do not need the columns of later migrations. */
  const downgrade = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* removeLaterMigrations
    const lists = yield* sql<{ readonly id: string; readonly options: string }>`SELECT id, options FROM lists`
    for (const { id, options } of lists) {
      const { enriched: _, ...oldOptions } = JSON.parse(options)
      yield* sql`UPDATE lists SET options = ${JSON.stringify(oldOptions)} WHERE id = ${id}`
    }
  })

  it.live("finishes the lists that were in progress, and shows their options", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign().pipe(Server.withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(60))
      yield* downgrade
      for (const [, migration] of allMigrations.slice(20, 25)) yield* migration
      const completedList = yield* waitForList(caller, list).pipe(Server.withWorkers())
      assert.strictEqual(completedList.leads_count, 60)
      assert.strictEqual(completedList.emails_created, 60)
      assert.strictEqual(yield* balanceOf(caller), 4940)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})

describe("a store without daily sums of usage", () => {
  it.live("computes them from its ledger, including refunds and earlier periods", () =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock("2026-03-30T23:00:00.000Z")
      yield* Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign().pipe(Server.withWorkers())
        const writeLeads = (leads: number) =>
          Effect.flatMap(startBatch(caller, campaign, makeLeads(leads)), (list) =>
            waitForList(caller, list).pipe(Server.withWorkers())
          )
        const credits = yield* Credits
        yield* writeLeads(3)
        yield* movable.jumpBy("40 days")
        yield* writeLeads(2)
        yield* credits.charge(caller.workspace, "owner", 5)
        yield* movable.jumpBy("1 day")
        yield* credits.refund(caller.workspace, "owner", 4)
        yield* writeLeads(1)
        const usageBefore = yield* credits.usage(caller.workspace)
        assert.deepStrictEqual(
          usageBefore.days.filter(({ used }) => used !== 0).map(({ used }) => used),
          [3, 1]
        )
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe("DROP TABLE credit_days")
        for (const [, migration] of allMigrations.slice(24, 25)) yield* migration
        assert.deepStrictEqual(yield* credits.usage(caller.workspace), usageBefore)
      }).pipe(Effect.provide(Server.layer({ runsWorkers: false })), Effect.provideService(Clock.Clock, clock))
    })
  )
})

describe("a store of a newer schema", () => {
  const id = "019a0000-0000-7000-8000-000000000000"
  const commands = [
    ["serve", "--port", "0"],
    ["verify"],
    ["backup", "never.backup"],
    ["workspace", "create", "--name", "New"],
    ["workspace", "list"],
    ["workspace", "show", id],
    ["workspace", "owner", id, "--email", "a@b.example"],
    ["workspace", "delete", id, "--yes"],
    ["key", "create", "--workspace", id],
    ["key", "list", "--workspace", id],
    ["key", "revoke", id],
    ["key", "rotate", id],
    ["plan", "set", "--workspace", id, "--tier", "free"],
    ["credits", "grant", "--workspace", id, "--amount", "1"],
    ["credits", "ledger", "--workspace", id]
  ]

  it.live("is refused by every command in one line, and is not changed", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* overture(data, "workspace", "list")
      yield* openStore(data, futureMigrations)
      const bytesBefore = bytesOf(data)
      const modifiedAt = statSync(`${data}/overture.db`).mtimeMs
      for (const words of commands) {
        const { code, stderr, stdout } = yield* command(data, ...words)
        assert.strictEqual(code, 1, words.join(" "))
        assert.match(stderr, /^[^\n]*written by a newer version of Overture \(schema 9000, [^\n]*\n$/, words.join(" "))
        assert.strictEqual(stdout, "", words.join(" "))
      }
      assert.deepStrictEqual(bytesOf(data), bytesBefore)
      assert.strictEqual(statSync(`${data}/overture.db`).mtimeMs, modifiedAt)
      // The newer program can still open it.
      yield* openStore(data, futureMigrations)
    })
  )

  it.live("is refused when it is restored from a backup, and leaves no files", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* openStore(data, futureMigrations)
      const file = `${data}/one.backup`
      yield* backup(data, file).pipe(
        Effect.provide(NodeServices.layer),
        Effect.provideService(Migrations, futureMigrations)
      )
      const target = `${yield* temporaryFolder}/data`
      const { code, stderr } = yield* command(target, "restore", file)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^[^\n]*newer version of Overture[^\n]*\n$/)
      assert.deepStrictEqual(readdirSync(target), [])
    })
  )
})

it.live("a file that is not a store is refused in one line, and is not changed", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    writeFileSync(`${data}/overture.db`, "a note that somebody left here ".repeat(100))
    const bytesBefore = bytesOf(data)
    const exit = yield* Effect.exit(openStore(data))
    assert.isTrue(Exit.isFailure(exit))
    assert.match(yield* readRefusal(data), /^The store at [^\n]* cannot be opened: [^\n]*not a database[^\n]*$/)
    assert.deepStrictEqual(bytesOf(data), bytesBefore)
  })
)
