// test/program/upgrade.test.ts: a store that another version of the program has written.
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

type Known = Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>

const all = Object.entries<Known[string]>(migrations)
const newest = Math.max(...all.map(([name]) => Number.parseInt(name, 10)))
const previous = Math.max(...all.slice(0, -1).map(([name]) => Number.parseInt(name, 10)))
const first = (count: number): Known => Object.fromEntries(all.slice(0, count))
const future: Known = {
  ...migrations,
  "9000_future": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE future (id TEXT)`)
}

/** Opens the store as a program would that knows these migrations. */
const open = (data: string, known: Known = migrations) =>
  Effect.void.pipe(
    Effect.provide(Database.layer(`${data}/overture.db`).pipe(Layer.provide(NodeServices.layer))),
    Effect.provideService(Migrations, known)
  )

const refusal = (data: string, known?: Known) => Effect.map(Effect.flip(open(data, known)), ({ message }) => message)

const query = (data: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const db = new DatabaseSync(`${data}/overture.db`, { readOnly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const change = (data: string, sql: string) => {
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

/** One row in every table, whatever its columns are. */
const fill = (data: string) => {
  for (const table of tablesOf(data)) {
    const columns = query(data, `SELECT name, type FROM pragma_table_info('${table}')`)
    const value = ({ name, type }: Record<string, unknown>) =>
      type === "TEXT" ? `'${table}.${String(name)} ü'` : type === "BLOB" ? "x'00ff'" : "7"
    change(
      data,
      `PRAGMA foreign_keys = OFF;
       INSERT INTO ${table} (${columns.map(({ name }) => name).join()}) VALUES (${columns.map(value).join()})`
    )
  }
}

const rowsOf = (data: string, tables: ReadonlyArray<string>) =>
  tables.map((table) => [table, query(data, `SELECT * FROM ${table}`)] as const)

/** Every file of the data directory but locks and the shared memory of those who read, as it is. */
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
  it.live.each(all.slice(0, -1).map((_, at) => at + 1))("%i is backed up, and then as new as any", (schema) =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, first(schema))
      const [last = ""] = all[schema - 1] ?? []
      assert.strictEqual(schemaOf(data), Number.parseInt(last, 10))
      assert.notInclude(readdirSync(data), "backups", "a new store needs none")
      fill(data)
      const tables = tablesOf(data)
      const before = rowsOf(data, tables)

      yield* open(data)
      assert.strictEqual(schemaOf(data), newest)
      const after = new Map(rowsOf(data, tablesOf(data)))
      for (const [table, rows] of before) {
        // What lay in an upload's row lies beside it since.
        const moved = (row: Record<string, unknown>) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => table !== "uploads" || column !== "content"))
        for (const [at, row] of rows.entries()) assert.deepInclude(after.get(table)?.[at], moved(row), table)
        const content = table === "uploads" ? rows[0]?.["content"] : undefined
        if (content !== undefined) assert.deepInclude(after.get("file_pieces")?.[0], { content }, "the upload")
      }

      const [name = "", ...more] = backupsOf(data)
      assert.lengthOf(more, 0)
      assert.match(name, new RegExp(`^schema-${last.slice(0, 4)}-\\d{4}-\\d\\d-\\d\\dT[\\d.-]+Z\\.backup$`))
      assert.strictEqual(statSync(`${data}/backups/${name}`).mode & 0o777, 0o600)
      assert.strictEqual(statSync(`${data}/backups`).mode & 0o777, 0o700)
      const other = yield* temporaryFolder
      yield* restore(`${data}/backups/${name}`, other).pipe(Effect.provide(NodeServices.layer))
      assert.strictEqual(schemaOf(other), Number.parseInt(last, 10))
      assert.deepStrictEqual(rowsOf(other, tablesOf(other)), before)

      yield* open(data)
      assert.deepStrictEqual(backupsOf(data), [name], "an up-to-date store needs none")
    })
  )

  it.live("is not read as it was best read while it was small", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, first(19))
      fill(data)
      change(data, "ANALYZE")
      const plan = () =>
        String(query(data, "EXPLAIN QUERY PLAN SELECT email FROM leads WHERE id IN ('a', 'b', 'c')")[0]?.["detail"])
      assert.match(plan(), /^SCAN/)
      yield* open(data)
      assert.match(plan(), /^SEARCH/)
    })
  )

  it.live("stays as it was when a migration fails in the middle, and can be used by the program before", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data)
      fill(data)
      const tables = tablesOf(data)
      const before = rowsOf(data, tables)
      const said = yield* refusal(data, {
        ...migrations,
        "9000_good": Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql`DELETE FROM workspaces`.pipe(Effect.andThen(sql`CREATE TABLE good (id TEXT)`))
        ),
        "9001_bad": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO nowhere VALUES (1)`)
      })
      assert.include(said, "is as it was")
      assert.include(said, "9001_bad")
      assert.notInclude(said, "\n")
      assert.deepStrictEqual(tablesOf(data), tables)
      assert.deepStrictEqual(rowsOf(data, tables), before)
      assert.strictEqual(schemaOf(data), newest)
      assert.lengthOf(backupsOf(data), 1)
      yield* open(data)
    })
  )

  it.live("stays as it was when it cannot be backed up", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, first(all.length - 1))
      writeFileSync(`${data}/backups`, "a file where the folder should be")
      const before = bytesOf(data)
      assert.match(yield* refusal(data), /^[^\n]*left as it was[^\n]*backups[^\n]*$/)
      assert.deepStrictEqual(bytesOf(data), before)

      rmSync(`${data}/backups`)
      const full = yield* Effect.provideService(refusal(data), FreeSpace, () => Effect.succeed(1000))
      assert.match(full, /left as it was.*no room.*another disk$/)
      assert.deepStrictEqual(backupsOf(data), [])
      assert.strictEqual(schemaOf(data), previous)
      yield* open(data)
      assert.lengthOf(backupsOf(data), 1)
    })
  )

  it.live("is not upgraded while an older server works on it", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, first(all.length - 1))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* FileLock.acquireFileLock(`${data}/worker.lock`)
          assert.match(yield* refusal(data), /^An older Overture works on this store .* stop it first, then try again$/)
          assert.strictEqual(schemaOf(data), previous)
        })
      )
      yield* open(data)
      assert.strictEqual(schemaOf(data), newest)
    })
  )

  it.live("keeps the backups of its last three migrations, and whatever else lies beside them", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      mkdirSync(`${data}/backups`)
      writeFileSync(`${data}/backups/mine.backup`, "")
      for (const schema of [1, 2, 3, 4, 5]) yield* open(data, first(schema))
      assert.deepStrictEqual(
        backupsOf(data).map((name) => name.slice(0, 11)),
        ["mine.backup", "schema-0002", "schema-0003", "schema-0004"]
      )
    })
  )

  it.live("is brought up to date once by processes that open it at once", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, first(all.length - 1))
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

/** Takes back the migrations after number 20. */
const undo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["custom_fields", "persona_id", "skipped", "failure"])
    yield* sql.unsafe(`ALTER TABLE leads DROP COLUMN ${column}`)
  yield* sql.unsafe("ALTER TABLE lists DROP COLUMN custom_keys")
  yield* sql.unsafe("ALTER TABLE campaigns DROP COLUMN playbook")
  yield* sql.unsafe("ALTER TABLE previews DROP COLUMN failure")
  for (const table of ["playbook_versions", "playbooks", "credit_days"]) yield* sql.unsafe(`DROP TABLE ${table}`)
})

describe("lists under way in a store without playbooks", () => {
  /** Turns the store into one of schema 20, the last before playbooks. */
  const downgrade = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const written = yield* sql<{ readonly id: string; readonly brief: string; readonly options: string }>`
      SELECT id, (SELECT content FROM briefs WHERE briefs.id = lists.brief_id) AS brief, options FROM lists`
    for (const { brief, id, options } of written) {
      const { playbook: _book, ...before } = JSON.parse(brief)
      const { include_clients: _clients, ...asked } = JSON.parse(options)
      yield* sql`
        UPDATE lists SET brief = ${JSON.stringify(before)}, options = ${JSON.stringify(asked)} WHERE id = ${id}`
    }
    for (const { brief, id } of yield* sql<{ readonly id: string; readonly brief: string }>`
      SELECT id, brief FROM campaigns`) {
      const { playbook: _book, ...before } = JSON.parse(brief)
      yield* sql`UPDATE campaigns SET brief = ${JSON.stringify(before)} WHERE id = ${id}`
    }
    yield* undo
  })

  it.live("are finished from a playbook that is drafted for them, leads at clients included", () => {
    const asked: Array<Brief> = []
    const sequence = (brief: Brief) => {
      asked.push(brief)
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
      // Those that `downgrade` has undone.
      for (const [, migration] of all.slice(20, 25)) yield* migration

      yield* waitForList(caller, list).pipe(Server.withWorkers({ sequence }))
      const { data } = yield* expectBody(200, caller.get(`/lists/${list}/leads`))
      assert.deepStrictEqual(
        data.map(({ skipped, status }: { readonly skipped: unknown; readonly status: string }) => [status, skipped]),
        [
          ["completed", null],
          ["completed", null]
        ]
      )
      for (const { playbook } of asked) {
        assert.strictEqual(playbook.version, 0)
        assert.strictEqual(playbook.personas.at(-1)?.kind, "everyone_else")
      }
      assert.lengthOf(asked, 2)
      assert.strictEqual(data[0].emails[0].playbook_version, 0)
      assert.strictEqual(yield* balanceOf(caller), 4998)
      yield* Server.assertConsistent

      // The next list creates the playbook, and the checks are those of any campaign.
      const again = yield* startBatch(caller, campaign, leads)
      const done = yield* waitForList(caller, again).pipe(Server.withWorkers({ sequence }))
      assert.strictEqual(done.emails_created, 1)
      assert.isAbove(asked.at(-1)?.playbook.version ?? 0, 0)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  })
})

describe("a store of schema 10, from before leads were researched", () => {
  /** The tables that stand for those of schema 10: what later migrations added to them, no list needs. */
  const downgrade = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* undo
    const lists = yield* sql<{ readonly id: string; readonly options: string }>`SELECT id, options FROM lists`
    for (const { id, options } of lists) {
      const { enriched: _, ...before } = JSON.parse(options)
      yield* sql`UPDATE lists SET options = ${JSON.stringify(before)} WHERE id = ${id}`
    }
  })

  it.live("finishes the lists that were in work, and shows their options", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign().pipe(Server.withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(60))
      yield* downgrade
      for (const [, migration] of all.slice(20, 25)) yield* migration
      const done = yield* waitForList(caller, list).pipe(Server.withWorkers())
      assert.strictEqual(done.leads_count, 60)
      assert.strictEqual(done.emails_created, 60)
      assert.strictEqual(yield* balanceOf(caller), 4940)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})

describe("a store without sums of usage by day", () => {
  it.live("has them summed from its ledger, refunds and earlier periods included", () =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock("2026-03-30T23:00:00.000Z")
      yield* Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign().pipe(Server.withWorkers())
        const write = (leads: number) =>
          Effect.flatMap(startBatch(caller, campaign, makeLeads(leads)), (list) =>
            waitForList(caller, list).pipe(Server.withWorkers())
          )
        const credits = yield* Credits
        yield* write(3)
        yield* movable.jumpBy("40 days")
        yield* write(2)
        yield* credits.charge(caller.workspace, "owner", 5)
        yield* movable.jumpBy("1 day")
        yield* credits.refund(caller.workspace, "owner", 4)
        yield* write(1)
        const before = yield* credits.usage(caller.workspace)
        assert.deepStrictEqual(
          before.days.filter(({ used }) => used !== 0).map(({ used }) => used),
          [3, 1]
        )
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe("DROP TABLE credit_days")
        for (const [, migration] of all.slice(24, 25)) yield* migration
        assert.deepStrictEqual(yield* credits.usage(caller.workspace), before)
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

  it.live("is refused by every command in one line, and nothing in it is changed", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* overture(data, "workspace", "list")
      yield* open(data, future)
      const before = bytesOf(data)
      const modified = statSync(`${data}/overture.db`).mtimeMs
      for (const words of commands) {
        const { code, stderr, stdout } = yield* command(data, ...words)
        assert.strictEqual(code, 1, words.join(" "))
        assert.match(stderr, /^[^\n]*written by a newer version of Overture \(schema 9000, [^\n]*\n$/, words.join(" "))
        assert.strictEqual(stdout, "", words.join(" "))
      }
      assert.deepStrictEqual(bytesOf(data), before)
      assert.strictEqual(statSync(`${data}/overture.db`).mtimeMs, modified)
      // The program that wrote it finds it as it left it.
      yield* open(data, future)
    })
  )

  it.live("is refused as it comes out of a backup, and not left behind", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* open(data, future)
      const file = `${data}/one.backup`
      yield* backup(data, file).pipe(Effect.provide(NodeServices.layer), Effect.provideService(Migrations, future))
      const other = `${yield* temporaryFolder}/data`
      const { code, stderr } = yield* command(other, "restore", file)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^[^\n]*newer version of Overture[^\n]*\n$/)
      assert.deepStrictEqual(readdirSync(other), [])
    })
  )
})

it.live("a file that is no store is refused in one line, and stays as it is", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    writeFileSync(`${data}/overture.db`, "a note that somebody left here ".repeat(100))
    const before = bytesOf(data)
    const exit = yield* Effect.exit(open(data))
    assert.isTrue(Exit.isFailure(exit))
    assert.match(yield* refusal(data), /^The store at [^\n]* cannot be opened: [^\n]*not a database[^\n]*$/)
    assert.deepStrictEqual(bytesOf(data), before)
  })
)
