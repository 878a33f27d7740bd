// scripts/bench/Store.ts: stores to measure on: made by the program's own commands, copied, and grown.
import { Effect, Schema, type Scope } from "effect"
import { execFile } from "node:child_process"
import { constants, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const root = join(import.meta.dirname, "../..")
export const program = join(root, "src/main.ts")
export const profile = join(root, "src/demo/profile.json")

/** The environment without anybody's settings, so that what is measured is the same everywhere. */
export const surroundings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OVERTURE|OPENAI|OTEL|SMTP|REDIS|DATABASE|FILES|AWS)_/.test(name))
  )

export interface Store {
  readonly dataDir: string
  /** What is written to it is used afterwards, so its server is stopped and not ended. */
  readonly kept?: boolean
}

/** A directory that goes with its scope. */
export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "overture-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
)

/** Copies a store that no process has open. */
export const copy = (store: Store, dataDir: string): Store => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  copyFileSync(join(store.dataDir, "overture.db"), join(dataDir, "overture.db"))
  // Long lists have files, and a store without them does not pass `verify`.
  const files = join(store.dataDir, "files")
  if (existsSync(files)) cpSync(files, join(dataDir, "files"), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return { dataDir }
}

/** A copy that is gone when the scope closes. */
export const borrowed = (store: Store, within: string) =>
  Effect.acquireRelease(
    Effect.sync(() => copy(store, mkdtempSync(join(within, "store-")))),
    ({ dataDir }) => Effect.sync(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  )

/** Runs a command of the program and reads the document it prints. */
export const command = <S extends Schema.ConstraintDecoder<unknown>>(
  answer: S,
  { dataDir }: Store,
  ...args: ReadonlyArray<string>
) =>
  Effect.callback<string>((resume) => {
    const all = [program, ...args, "--json", "--data-dir", dataDir]
    // Half of what a command takes is reading the program, which is the same each time.
    const env = { ...surroundings(), NODE_COMPILE_CACHE: join(dataDir, "../compiled") }
    const options = { encoding: "utf8", env } as const
    const child = execFile(process.execPath, all, options, (error, stdout, stderr) =>
      resume(
        error === null
          ? Effect.succeed(stdout)
          : Effect.die(new Error(`overture ${args.join(" ")} on ${basename(dataDir)}: ${stderr}${stdout.slice(-2000)}`))
      )
    )
    return Effect.sync(() => child.kill())
  }).pipe(Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(answer))), Effect.orDie)

const Verified = Schema.Struct({ ok: Schema.Boolean })

/** Fails unless every invariant of the store holds. */
export const verify = Effect.fnUntraced(function* (store: Store) {
  const { ok } = yield* command(Verified, store, "verify")
  if (!ok) return yield* Effect.die(new Error("A store that was measured on does not pass `overture verify`"))
})

/** Changes a store that no process has open, without waiting for the disk. */
const change = (store: Store, work: (db: DatabaseSync) => void) =>
  Effect.sync(() => {
    const db = new DatabaseSync(join(store.dataDir, "overture.db"))
    db.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")
    work(db)
    db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
  })

/** Whatever columns a table has by now, its copies have the same in all but those that are `changed`. */
const copies = (db: DatabaseSync, table: string, changed: Readonly<Record<string, string>>) => {
  const names = db
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name))
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.map((name) => changed[name] ?? `t.${name}`).join(", ")}`
}

/** The first part of an id is its time: another one makes it another id. */
const idOf = (column: string) => `printf('%08x', :copy) || substr(${column}, 9)`

/** Saves each signature so many times. */
export const signMore = (store: Store, times: number) =>
  change(store, (db) => {
    const insert = db.prepare(
      `${copies(db, "signatures", { id: idOf("t.id") })} FROM signatures t WHERE t.id >= :first`
    )
    const first = String(db.prepare("SELECT min(id) AS first FROM signatures").get()?.["first"])
    for (let copy = 1; copy < times; copy++) insert.run({ copy, first })
  })

/**
 * Makes a completed list `times` as long by writing its leads again, with what was written to them and what that cost: rows
 * of real emails, sooner than they could be written. `overture verify` finds nothing to object to.
 */
export const lengthen = (store: Store, list: string, times: number) =>
  change(store, (db) => {
    const leads = db.prepare(`
      ${copies(db, "leads", {
        id: idOf("t.id"),
        position: "t.position + :copy * :size",
        email: "replace(t.email, '@', '.' || :copy || '@')"
      })} FROM leads t WHERE t.list_id = :list AND t.position < :size`)
    const about = db
      .prepare("SELECT workspace_id, leads_count, leads_done * cost AS cost FROM lists WHERE id = ?")
      .get(list)
    const account = db
      .prepare("SELECT * FROM credit_accounts WHERE workspace_id = ?")
      .get(about?.["workspace_id"] ?? "")
    const size = Number(about?.["leads_count"])
    const cost = Number(about?.["cost"]) * (times - 1)
    const bucket = Number(account?.["monthly"]) >= cost ? "monthly" : "addon"
    // A cross join fixes the order in SQLite: the other order reads all entries for each lead.
    const charges = db.prepare(`
      ${copies(db, "credit_entries", {
        id: idOf("t.id"),
        bucket: `'${bucket}'`,
        ref: idOf("t.ref"),
        operation: `'capture:' || ${idOf("t.ref")} || ':${bucket}'`
      })} FROM credit_entries t CROSS JOIN leads l ON l.id = t.ref
      WHERE t.kind = 'capture' AND l.list_id = :list AND l.position < :size`)
    db.prepare(`
      INSERT INTO credit_days (workspace_id, day, used)
      SELECT e.workspace_id, substr(e.at, 1, 10), -sum(e.amount) * (:times - 1)
      FROM leads l JOIN credit_entries e ON e.ref = l.id
      WHERE l.list_id = :list AND e.kind = 'capture' GROUP BY 1, 2
      ON CONFLICT (workspace_id, day) DO UPDATE SET used = credit_days.used + excluded.used`).run({ list, times })
    // What was exported of it so far is no longer all of it.
    db.prepare("UPDATE files SET state = 'gone' WHERE id IN (SELECT file FROM list_files WHERE list_id = ?)").run(list)
    db.prepare("DELETE FROM list_files WHERE list_id = ?").run(list)
    for (let copy = 1; copy < times; copy++) {
      leads.run({ copy, size, list })
      charges.run({ copy, size, list })
    }
    db.prepare(`
      UPDATE credit_accounts
      SET ${bucket} = ${bucket} - :cost, used_period = used_period + :cost, used_total = used_total + :cost
      WHERE workspace_id = :workspace`).run({ cost, workspace: about?.["workspace_id"] ?? "" })
    db.prepare(`
      UPDATE lists SET leads_count = leads_count * :times, leads_done = leads_done * :times,
        leads_failed = leads_failed * :times, emails_created = emails_created * :times
      WHERE id = :list`).run({ list, times })
  })
