// layers/operations/Prune.ts: deletes old data in small steps while a server runs, except data that unfinished work
// needs.
import { Clock, Duration, Effect, FileSystem, Option, Path, Schedule } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dialectOf, isPostgres } from "#layers/database/Dialect.ts"
import { Files } from "#layers/Files.ts"
import { makeDeleteListFiles } from "#layers/lists/Exports.ts"
import { makeListCounts } from "#layers/lists/Store.ts"
import { makeSharedBriefs } from "#layers/playbooks/CampaignBrief.ts"
import { makeOldRowConditions } from "#layers/operations/prune/Rows.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

const sqliteReclaim = (sql: SqlClient.SqlClient) => ({
  /** Overwrites deleted data in the file. */
  begin: Effect.asVoid(sql`PRAGMA secure_delete = ON`),
  /** Moves the log into the database file. Waits for readers up to a limit. */
  end: sql<{ readonly busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.pipe(
    Effect.repeat({ until: ([row]) => row?.busy === 0, schedule: Schedule.spaced("50 millis"), times: 100 }),
    Effect.asVoid
  ),
  /** Bytes that new rows can use before the file grows. */
  reusable: Effect.orDie(
    Effect.map(
      sql<{
        readonly n: number
      }>`SELECT f.freelist_count * p.page_size AS n FROM pragma_freelist_count() f, pragma_page_size() p`,
      ([row]) => row?.n ?? 0
    )
  )
})

const postgresReclaim = { begin: Effect.void, end: Effect.void, reusable: Effect.undefined }

/** How the space of deleted rows is reclaimed. PostgreSQL does it by autovacuum. */
const makeReclaim = Effect.map(SqlClient.SqlClient, (sql) => (isPostgres(sql) ? postgresReclaim : sqliteReclaim(sql)))

/** Outbox mails last written before `moment`; none if `moment` is none. */
const findOldMails = Effect.fnUntraced(function* (directory: string, cutoff: Option.Option<number>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const outbox = path.join(directory, "outbox")
  if (Option.isNone(cutoff) || !(yield* fs.exists(outbox))) return []
  const names = (yield* fs.readDirectory(outbox)).filter((name) => name.endsWith(".eml") && !name.startsWith("."))
  const files = names.map((name) => path.join(outbox, name))
  return yield* Effect.filter(files, (file) =>
    fs.stat(file).pipe(
      Effect.map(({ mtime }) => Option.exists(mtime, (modifiedAt) => Number(modifiedAt) < cutoff.value)),
      // The file was deleted meanwhile.
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
    )
  )
})

/** The kinds of data that can be deleted, with their default ages. The ledger is never deleted. */
export const defaultAges = {
  lists: Duration.days(180),
  conversations: Duration.days(180),
  previews: Duration.days(30),
  uploads: Duration.days(30),
  mails: Duration.days(30),
  jobs: Duration.days(30),
  deliveries: Duration.days(30),
  "model-calls": Duration.days(365)
}
export type Kind = keyof typeof defaultAges

/**
 * The number of old or deleted rows of each kind. `answers` are those of Idempotency-Keys, deleted once they expire.
 */
type Counts = Readonly<Record<Kind | "leads" | "answers", number>>

/** Leads per statement; blocks other writers for a few milliseconds. */
const leadsPerStep = 1000
const rowsPerStep = 200
/** Smaller statements, because a document may have 10 MB. */
const uploadsPerStep = 5

export const make = Effect.fnUntraced(function* (
  directory: string,
  ageOf: (kind: Kind) => Duration.Duration | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  const deleteListFiles = yield* makeDeleteListFiles
  const listCounts = yield* makeListCounts
  const briefs = yield* makeSharedBriefs
  const fs = yield* FileSystem.FileSystem
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const currentMillis = yield* Clock.currentTimeMillis
  const { row } = dialectOf(sql)
  const disk = yield* makeReclaim

  const oldestKept = (kind: Kind) =>
    Option.map(Option.fromUndefinedOr(ageOf(kind)), (age) => currentMillis - Duration.toMillis(age))
  const oldRows = makeOldRowConditions(sql, oldestKept, currentMillis)
  const findMails = Effect.provide(findOldMails(directory, oldestKept("mails")), platform)

  const countRows = (from: Statement.Fragment, expression = "count(*)") =>
    Effect.map(
      sql<{ readonly n: number | null }>`SELECT ${sql.literal(expression)} AS n FROM ${from}`,
      ([row]) => row?.n ?? 0
    )

  const count: Effect.Effect<Counts> = Effect.gen(function* () {
    return {
      lists: yield* countRows(sql`lists t WHERE ${oldRows.lists}`),
      leads: yield* countRows(sql`lists t WHERE ${oldRows.lists}`, "sum(leads_count)"),
      conversations: yield* countRows(sql`conversations WHERE ${oldRows.conversations}`),
      previews: yield* countRows(sql`previews WHERE ${oldRows.previews}`),
      uploads: yield* countRows(sql`uploads WHERE ${oldRows.uploads}`),
      mails: (yield* findMails).length,
      jobs: yield* countRows(sql`jobs WHERE ${oldRows.jobs}`),
      deliveries: yield* countRows(sql`webhook_deliveries WHERE ${oldRows.deliveries}`),
      "model-calls": yield* countRows(sql`model_calls WHERE ${oldRows.calls}`),
      answers: yield* countRows(sql`idempotency_keys WHERE ${oldRows.answers}`)
    }
  }).pipe(Effect.orDie)

  /** Repeats `step` until it returns 0, and sums the results. Other requests run between steps. */
  const repeatUntilZero = <E>(step: Effect.Effect<number, E>) =>
    Effect.gen(function* () {
      let sum = 0
      for (;;) {
        const stepCount = yield* step
        if (stepCount === 0) return sum
        sum += stepCount
        yield* Effect.sleep("20 millis")
      }
    })

  const deleteRows = (table: string, where: Statement.Fragment) =>
    repeatUntilZero(
      Effect.map(
        sql`
          DELETE FROM ${sql(table)} WHERE ${sql.literal(row)} IN
            (SELECT ${sql.literal(row)} FROM ${sql(table)} WHERE ${where} LIMIT ${rowsPerStep})
          RETURNING 1 AS gone`,
        (deleted) => deleted.length
      )
    )

  /**
   * Deletes the last leads of an old list, and finally the list. Updates the counters in the same step, so that the
   * list is consistent for readers and after a crash.
   */
  const deleteOldLeads = Effect.gen(function* () {
    const [list] = yield* sql<{
      readonly id: string
      readonly workspace_id: WorkspaceId
      readonly campaign_id: string | null
      readonly kind: string
      readonly leads_count: number
    }>`SELECT id, workspace_id, campaign_id, kind, leads_count FROM lists t WHERE ${oldRows.lists} LIMIT 1`
    if (list === undefined) return { lists: 0, leads: 0 }
    const { id, leads_count, workspace_id } = list
    // Export files would still have the deleted leads.
    yield* deleteListFiles(workspace_id, id)
    if (leads_count <= leadsPerStep) {
      yield* sql`DELETE FROM jobs WHERE subject = ${id}`
      const deletedLists = yield* sql<{ readonly brief_id: string | null }>`
        DELETE FROM lists WHERE id = ${id} RETURNING brief_id`
      yield* briefs.deleteUnused(workspace_id, deletedLists)
      yield* listCounts.countDeleted(list)
      return { lists: 1, leads: leads_count }
    }
    const deletedLeads = yield* sql<{ readonly status: string; readonly emails: number | null }>`
      DELETE FROM leads WHERE list_id = ${id} AND position >= ${leads_count - leadsPerStep} RETURNING status, emails`
    const countByStatus = (status: string) => deletedLeads.filter((lead) => lead.status === status).length
    yield* sql`
      UPDATE lists SET leads_count = leads_count - ${deletedLeads.length}, leads_done = leads_done - ${countByStatus("completed")},
        leads_failed = leads_failed - ${countByStatus("failed")}, leads_skipped = leads_skipped - ${countByStatus("skipped")},
        emails_created = emails_created - ${deletedLeads.reduce((sum, { emails }) => sum + (emails ?? 0), 0)}
      WHERE id = ${id}`
    return { lists: 0, leads: deletedLeads.length }
  }).pipe(sql.withTransaction)

  const emptyUploads = Effect.gen(function* () {
    const oldUploads = yield* sql<{
      readonly id: string
      readonly workspace_id: WorkspaceId
      readonly file: string | null
    }>`
      SELECT id, workspace_id, file FROM uploads WHERE ${oldRows.uploads} LIMIT ${uploadsPerStep}`
    for (const { file, id, workspace_id } of oldUploads) {
      yield* sql`UPDATE uploads SET file = NULL, bytes = 0 WHERE id = ${id} AND workspace_id = ${workspace_id}`
      if (file !== null) yield* files.remove(workspace_id, file)
    }
    return oldUploads.length
  }).pipe(sql.withTransaction)

  const prune: Effect.Effect<Counts> = Effect.gen(function* () {
    yield* disk.begin
    let deletedLists = 0
    const leads = yield* repeatUntilZero(
      Effect.map(deleteOldLeads, (step) => {
        deletedLists += step.lists
        return step.lists + step.leads
      })
    )
    const mailFiles = yield* findMails
    yield* Effect.forEach(mailFiles, (file) => fs.remove(file, { force: true }), { discard: true })
    const counts: Counts = {
      lists: deletedLists,
      leads: leads - deletedLists,
      conversations: yield* deleteRows("conversations", oldRows.conversations),
      previews: yield* deleteRows("previews", oldRows.previews),
      uploads: yield* repeatUntilZero(emptyUploads),
      mails: mailFiles.length,
      jobs: yield* deleteRows("jobs", oldRows.jobs),
      deliveries: yield* deleteRows("webhook_deliveries", oldRows.deliveries),
      "model-calls": yield* deleteRows("model_calls", oldRows.calls),
      answers: yield* deleteRows("idempotency_keys", oldRows.answers)
    }
    yield* files.sweep
    yield* disk.end
    return counts
  }).pipe(Effect.orDie)

  return { count, prune, reusable: disk.reusable }
}, Effect.orDie)
