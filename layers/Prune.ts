// layers/Prune.ts: lets go of what has grown old, beside a server that works: in small steps, and nothing that is in work.
import { Clock, Duration, Effect, FileSystem, Option, Path } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"
import { Files } from "#layers/Files.ts"
import { makeForget } from "#layers/lists/Exports.ts"
import * as File from "#layers/prune/File.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** What may be let go of, and how old it is then unless asked otherwise. The ledger is kept for ever. */
export const ages = {
  lists: Duration.days(180),
  conversations: Duration.days(180),
  previews: Duration.days(30),
  uploads: Duration.days(30),
  mails: Duration.days(30),
  jobs: Duration.days(30),
  "model-calls": Duration.days(365)
}
export type Kind = keyof typeof ages

/** How many of each there are, or were. `answers` are those kept for retries, and always go once they have expired. */
export interface Counts {
  lists: number
  leads: number
  conversations: number
  previews: number
  uploads: number
  mails: number
  jobs: number
  "model-calls": number
  answers: number
}

/** Leads that are deleted at once: a few milliseconds of everybody else's time. */
const leadsAtOnce = 1000
const rowsAtOnce = 200
/** A document may be 10 MB. */
const uploadsAtOnce = 5

const open = "('waiting', 'pending', 'processing', 'parked')"

export const make = Effect.fnUntraced(function* (
  directory: string,
  choose: (kind: Kind) => Duration.Duration | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  const forget = yield* makeForget
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const at = yield* Clock.currentTimeMillis
  const { member, row } = dialectOf(sql)
  const disk = yield* File.make

  /** The moment before which things of this kind are old; none is when they are not asked for. */
  const before = (kind: Kind) => {
    const age = choose(kind)
    return age === undefined ? "" : new Date(at - Duration.toMillis(age)).toISOString()
  }

  const lists = sql`
    t.processing_status IN ('completed', 'failed')
    AND COALESCE(t.completed_at, t.failed_at, t.updated_at) < ${before("lists")}
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject = t.id AND j.status IN ${sql.literal(open)})
    AND NOT EXISTS (SELECT 1 FROM credit_holds h JOIN leads l ON l.id = h.owner WHERE l.list_id = t.id)`
  const conversations = sql`last_message_at < ${before("conversations")}`
  const previews = sql`status <> 'processing' AND updated_at < ${before("previews")}`
  // The row stays, since it counts among all that were ever uploaded.
  const uploads = sql`
    bytes > 0 AND created_at < ${before("uploads")}
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.type = 'workspace.import.document'
      AND j.status IN ${sql.literal(open)} AND ${sql.literal(member("j.payload", "upload"))} = uploads.id)`
  // Those of a list go with it, and a campaign or a preview keeps the one that it names.
  const jobs = sql`
    type NOT LIKE 'list.%' AND type NOT LIKE 'mail.%' AND status IN ('completed', 'failed')
    AND updated_at < ${before("jobs")}
    AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE jobs.id IN (c.research_job, c.options_job, c.build_job))
    AND NOT EXISTS (SELECT 1 FROM previews p WHERE p.job = jobs.id)`
  const calls = sql`at < ${before("model-calls")}`
  const answers = sql`
    expires_at <= ${at} AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = idempotency_keys.job
      AND j.status IN ${sql.literal(open)})`

  const counted = (from: Statement.Fragment, what = "count(*)") =>
    Effect.map(
      sql<{ readonly n: number | null }>`SELECT ${sql.literal(what)} AS n FROM ${from}`,
      ([row]) => row?.n ?? 0
    )

  /** Mail that lies in the outbox, by the time that it was written. */
  const mails = Effect.gen(function* () {
    const age = choose("mails")
    const outbox = path.join(directory, "outbox")
    if (age === undefined || !(yield* fs.exists(outbox))) return []
    const names = (yield* fs.readDirectory(outbox)).filter((name) => name.endsWith(".eml") && !name.startsWith("."))
    const files = names.map((name) => path.join(outbox, name))
    return yield* Effect.filter(files, (file) =>
      fs.stat(file).pipe(
        Effect.map(({ mtime }) => Option.exists(mtime, (written) => Number(written) < at - Duration.toMillis(age))),
        // Gone since.
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
      )
    )
  })

  const count: Effect.Effect<Counts> = Effect.gen(function* () {
    return {
      lists: yield* counted(sql`lists t WHERE ${lists}`),
      leads: yield* counted(sql`lists t WHERE ${lists}`, "sum(leads_count)"),
      conversations: yield* counted(sql`conversations WHERE ${conversations}`),
      previews: yield* counted(sql`previews WHERE ${previews}`),
      uploads: yield* counted(sql`uploads WHERE ${uploads}`),
      mails: (yield* mails).length,
      jobs: yield* counted(sql`jobs WHERE ${jobs}`),
      "model-calls": yield* counted(sql`model_calls WHERE ${calls}`),
      answers: yield* counted(sql`idempotency_keys WHERE ${answers}`)
    }
  }).pipe(Effect.orDie)

  /** Does one small step after the other until there is nothing to do, and lets others have their turn between them. */
  const all = <E>(step: Effect.Effect<number, E>) =>
    Effect.gen(function* () {
      let sum = 0
      for (;;) {
        const done = yield* step
        if (done === 0) return sum
        sum += done
        yield* Effect.sleep("20 millis")
      }
    })

  const rows = (table: string, where: Statement.Fragment) =>
    all(
      Effect.map(
        sql`
          DELETE FROM ${sql(table)} WHERE ${sql.literal(row)} IN
            (SELECT ${sql.literal(row)} FROM ${sql(table)} WHERE ${where} LIMIT ${rowsAtOnce})
          RETURNING 1 AS gone`,
        (gone) => gone.length
      )
    )

  /**
   * The last leads of an old list, and with the first of them the list. Its counters go along, so that whoever looks
   * meanwhile, or after a crash, finds a list that is right and only shorter.
   */
  const shorten = Effect.gen(function* () {
    const [list] = yield* sql<{
      readonly id: string
      readonly workspace_id: WorkspaceId
      readonly leads_count: number
    }>`SELECT id, workspace_id, leads_count FROM lists t WHERE ${lists} LIMIT 1`
    if (list === undefined) return { lists: 0, leads: 0 }
    const { id, leads_count, workspace_id } = list
    // A file would still hold what is deleted here.
    yield* forget(workspace_id, id)
    if (leads_count <= leadsAtOnce) {
      yield* sql`DELETE FROM jobs WHERE subject = ${id}`
      yield* sql`DELETE FROM lists WHERE id = ${id}`
      return { lists: 1, leads: leads_count }
    }
    const gone = yield* sql<{ readonly status: string; readonly emails: number | null }>`
      DELETE FROM leads WHERE list_id = ${id} AND position >= ${leads_count - leadsAtOnce} RETURNING status, emails`
    const of = (status: string) => gone.filter((lead) => lead.status === status).length
    yield* sql`
      UPDATE lists SET leads_count = leads_count - ${gone.length}, leads_done = leads_done - ${of("completed")},
        leads_failed = leads_failed - ${of("failed")},
        emails_created = emails_created - ${gone.reduce((sum, { emails }) => sum + (emails ?? 0), 0)}
      WHERE id = ${id}`
    return { lists: 0, leads: gone.length }
  }).pipe(sql.withTransaction)

  const emptied = Effect.gen(function* () {
    const old = yield* sql<{ readonly id: string; readonly workspace_id: WorkspaceId; readonly file: string | null }>`
      SELECT id, workspace_id, file FROM uploads WHERE ${uploads} LIMIT ${uploadsAtOnce}`
    for (const { file, id, workspace_id } of old) {
      yield* sql`UPDATE uploads SET file = NULL, bytes = 0 WHERE id = ${id} AND workspace_id = ${workspace_id}`
      if (file !== null) yield* files.remove(workspace_id, file)
    }
    return old.length
  }).pipe(sql.withTransaction)

  const prune: Effect.Effect<Counts> = Effect.gen(function* () {
    yield* disk.begin
    let gone = 0
    const leads = yield* all(
      Effect.map(shorten, (step) => {
        gone += step.lists
        return step.lists + step.leads
      })
    )
    const old = yield* mails
    yield* Effect.forEach(old, (file) => fs.remove(file, { force: true }), { discard: true })
    const counts: Counts = {
      lists: gone,
      leads: leads - gone,
      conversations: yield* rows("conversations", conversations),
      previews: yield* rows("previews", previews),
      uploads: yield* all(emptied),
      mails: old.length,
      jobs: yield* rows("jobs", jobs),
      "model-calls": yield* rows("model_calls", calls),
      answers: yield* rows("idempotency_keys", answers)
    }
    yield* files.sweep
    yield* disk.end
    return counts
  }).pipe(Effect.orDie)

  return { count, prune, reusable: disk.reusable }
}, Effect.orDie)
