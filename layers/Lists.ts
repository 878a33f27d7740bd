// layers/Lists.ts: lists of leads, as their owner asks for them, follows them and takes them home.
import { Array as Arr, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Jobs } from "#layers/Jobs.ts"
import { leadColumns } from "#layers/lists/Csv.ts"
import { now } from "#layers/Now.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Conflict, NotFound, NotReady, Unprocessable } from "#schema/Errors.ts"
import { Email } from "#schema/Fields.ts"
import { type Lead, Sequence } from "#schema/Lead.ts"
import { type List, ListEntry, ProcessingStatus } from "#schema/Lists.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** How the emails of a list are to be written. */
export const Writing = Schema.Struct({
  /** 1 to 4. */
  email_count: Schema.Int,
  /** Set under every email, line by line. */
  signature: Schema.String,
  additional_details: Schema.NullOr(Schema.String),
  approved_ctas: Schema.Array(Schema.String),
  /** Whether each lead is researched on the web before it is written to. */
  enriched: Schema.Boolean,
  /** Credits for each lead that succeeds. */
  cost: Schema.Int,
  notification_email: Schema.NullOr(Schema.String)
})
export type Writing = typeof Writing.Type

/** A lead and what was written to it. */
export const WrittenLead = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  linkedin_url: Schema.NullOr(Schema.String),
  company_website: Schema.NullOr(Schema.String),
  sequence: Schema.fromJsonString(Sequence)
})
export type WrittenLead = typeof WrittenLead.Type

/** The emails of a list. */
export interface Written {
  readonly name: string
  readonly steps: number
  readonly pages: Stream.Stream<ReadonlyArray<WrittenLead>>
}

/** What is told of a list once it is finished. */
export const Outcome = Schema.Struct({
  recipient: Email,
  name: Schema.String,
  leads_count: Schema.Int,
  leads_done: Schema.Int,
  leads_failed: Schema.Int
})
export type Outcome = typeof Outcome.Type

/** Leads in one batch, the piece of work that a worker takes at once. */
export const batchSize = 25

/** Leads inserted in one statement: small enough to leave other requests their turn. */
const insertSize = 200
const pageSize = 500

const active: ReadonlyArray<ProcessingStatus> = ["pending", "processing", "in_progress"]

export class Lists extends Context.Service<
  Lists,
  {
    /** Stores a list and queues its batches, which wait for `gate`; answers the ids of the list, its leads and its jobs. */
    readonly accept: (
      workspace: WorkspaceId,
      list: {
        readonly campaign: string
        readonly kind: "single" | "batch"
        readonly name: string
        readonly writing: Writing
        readonly leads: ReadonlyArray<Lead>
        readonly gate: string | undefined
      }
    ) => Effect.Effect<{
      readonly list_id: string
      readonly leads: ReadonlyArray<string>
      readonly jobs: ReadonlyArray<string>
    }>
    /** Lists in work; one that rests does not count. */
    readonly inWork: (workspace: WorkspaceId, kind: "single" | "batch") => Effect.Effect<number>
    /** The status of a list of this campaign that is in work, if there is one. */
    readonly inWorkFor: (workspace: WorkspaceId, campaign: string) => Effect.Effect<ProcessingStatus | undefined>
    readonly list: (
      workspace: WorkspaceId,
      page: Page,
      filter: { readonly campaign_id?: string | undefined; readonly status?: ProcessingStatus | undefined }
    ) => Effect.Effect<Rows<ListEntry>>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<List, NotFound>
    readonly rename: (workspace: WorkspaceId, id: string, name: string) => Effect.Effect<ListEntry, NotFound>
    /** Deletes the list with its leads and batches; what they cost stays in the ledger. CONFLICT while it is in work. */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound | Conflict>
    /** Lets the batches go on that were laid aside. UNPROCESSABLE without any, or without the campaign. */
    readonly reprocess: (
      workspace: WorkspaceId,
      id: string
    ) => Effect.Effect<{ readonly pending: number; readonly total: number }, NotFound | Unprocessable>
    /** The one lead of a `single` list, with what was written to it or why it failed. */
    readonly lead: (
      workspace: WorkspaceId,
      id: string
    ) => Effect.Effect<{ readonly status: string; readonly error: string | null; readonly sequence: Sequence | null }>
    /** What became of a finished list, and who is to be told. */
    readonly outcome: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<Outcome>>
    /** The leads that succeeded, in the order they were sent, read page by page. `steps` is the longest sequence asked for. */
    readonly written: (workspace: WorkspaceId, id: string) => Effect.Effect<Written, NotFound | NotReady>
    /** The same, for whoever holds a valid link to a completed list. */
    readonly linked: (id: string) => Effect.Effect<Written, NotFound>
  }
>()("overture/layers/Lists") {
  static readonly layer = Layer.effect(
    Lists,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const jobs = yield* Jobs

      const Row = Schema.Struct({
        ...ListEntry.fields,
        options: Schema.fromJsonString(Writing),
        leads_count: Schema.Int,
        leads_done: Schema.Int,
        leads_failed: Schema.Int,
        emails_created: Schema.Int,
        updated_at: Schema.String,
        failed_at: Schema.NullOr(Schema.String)
      })
      const one = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Row,
        execute: ({ id, workspace }) => sql`SELECT * FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const select = SqlSchema.findAll({
        Request: Schema.Struct({
          workspace: Schema.String,
          limit: Schema.Int,
          offset: Schema.Int,
          campaign_id: Schema.UndefinedOr(Schema.String),
          status: Schema.UndefinedOr(ProcessingStatus)
        }),
        Result: ListEntry,
        execute: ({ limit, offset, ...filter }) => sql`
          SELECT id, campaign_id, custom_name, processing_status, created_at, completed_at FROM lists
          WHERE ${matching(filter)} ORDER BY created_at DESC, id DESC LIMIT (0 + ${limit}) OFFSET (0 + ${offset})`
      })
      const matching = (filter: {
        readonly workspace: string
        readonly campaign_id: string | undefined
        readonly status: ProcessingStatus | undefined
      }) =>
        sql.and([
          sql`workspace_id = ${filter.workspace}`,
          ...(filter.campaign_id === undefined ? [] : [sql`campaign_id = ${filter.campaign_id}`]),
          ...(filter.status === undefined ? [] : [sql`processing_status = ${filter.status}`])
        ])
      const page = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, after: Schema.Int }),
        Result: WrittenLead,
        execute: ({ after, id, workspace }) => sql`
          SELECT id, position, email, name, title, company, linkedin_url, company_website, sequence FROM leads
          WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'completed' AND position > ${after}
          ORDER BY position LIMIT ${sql.literal(String(pageSize))}`
      })
      const single = SqlSchema.findOne({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({
          status: Schema.String,
          error: Schema.NullOr(Schema.String),
          sequence: Schema.NullOr(Schema.fromJsonString(Sequence))
        }),
        execute: ({ id, workspace }) =>
          sql`SELECT status, error, sequence FROM leads WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const outcome = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Outcome,
        execute: ({ id, workspace }) => sql`
          SELECT recipient, COALESCE(custom_name, id) AS name, leads_count, leads_done, leads_failed FROM lists
          WHERE id = ${id} AND workspace_id = ${workspace} AND processing_status IN ('completed', 'failed')`
      })
      const owner = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ workspace_id: WorkspaceId }),
        execute: (id) => sql`SELECT workspace_id FROM lists WHERE id = ${id}`
      })

      const find = Effect.fn("Lists.find")(function* (workspace: WorkspaceId, id: string) {
        const found = yield* Effect.orDie(one({ workspace, id }))
        return Option.isSome(found) ? found.value : yield* NotFound.of("list")
      })

      /** Who is told when a batch is finished: whoever was named for it, or else the workspace's owner. */
      const recipientOf = Effect.fnUntraced(function* (workspace: WorkspaceId, { notification_email }: Writing) {
        if (notification_email !== null) return notification_email
        const [row] = yield* sql<{ readonly owner_email: string | null }>`
          SELECT owner_email FROM workspaces WHERE id = ${workspace}`
        return row?.owner_email ?? null
      })

      const entryOf = (row: typeof Row.Type): ListEntry => ({
        id: row.id,
        campaign_id: row.campaign_id,
        custom_name: row.custom_name,
        processing_status: row.processing_status,
        created_at: row.created_at,
        completed_at: row.completed_at
      })

      const written = Effect.fn("Lists.written")(function* (workspace: WorkspaceId, id: string) {
        const { custom_name, options, processing_status } = yield* find(workspace, id)
        if (processing_status !== "completed") {
          return yield* new NotReady({
            message: `Only a completed list can be exported; this one is ${processing_status}`,
            detail: { processing_status }
          })
        }
        // The first page is read before anything is answered: what cannot be read is an error then, and no broken file.
        const first = yield* Effect.orDie(page({ workspace, id, after: -1 }))
        const pages = Stream.paginate(first, (rows) => {
          const last = rows.length < pageSize ? undefined : rows.at(-1)
          if (last === undefined) return Effect.succeed([[rows], Option.none()] as const)
          const next = Effect.orDie(page({ workspace, id, after: last.position }))
          return Effect.map(next, (more) => [[rows], Option.some(more)] as const)
        })
        return { name: custom_name ?? id, steps: options.email_count, pages }
      })

      return Lists.of({
        accept: Effect.fn("Lists.accept")(
          function* (workspace, { campaign, gate, kind, leads, name, writing }) {
            const list_id = yield* random.uuidV7()
            const at = yield* now
            const recipient = kind === "batch" ? yield* recipientOf(workspace, writing) : null
            yield* sql`
              INSERT INTO lists ${sql.insert({
                id: list_id,
                workspace_id: workspace,
                campaign_id: campaign,
                kind,
                custom_name: name,
                processing_status: "processing",
                options: JSON.stringify(writing),
                cost: writing.cost,
                recipient,
                leads_count: leads.length,
                leads_done: 0,
                leads_failed: 0,
                emails_created: 0,
                created_at: at,
                updated_at: at
              })}`
            const ids: Array<string> = []
            for (const part of Arr.chunksOf(leads, insertSize)) {
              const rows = yield* Effect.forEach(part, (lead, i) =>
                Effect.map(random.uuidV7(), (id) => ({
                  id,
                  list_id,
                  workspace_id: workspace,
                  position: ids.length + i,
                  status: "pending",
                  suspect: 0,
                  email: lead.email,
                  ...Object.fromEntries(leadColumns.slice(1).map((column) => [column, lead[column] ?? null]))
                }))
              )
              if (!Arr.isArrayNonEmpty(rows)) continue
              yield* sql`INSERT INTO leads ${sql.insert(rows)}`
              ids.push(...rows.map((row) => row.id))
              yield* Effect.yieldNow
            }
            const batches = Array.from({ length: Math.ceil(leads.length / batchSize) }, (_, batch) => batch)
            const type = kind === "single" ? "list.single" : "list.batch"
            const queued = yield* jobs.enqueue(
              batches.map((batch) => ({ workspace, type, subject: list_id, payload: { batch }, gate }))
            )
            return { list_id, leads: ids, jobs: queued }
          },
          sql.withTransaction,
          Effect.orDie
        ),

        inWork: (workspace, kind) =>
          sql<{ readonly n: number }>`
            SELECT count(*) AS n FROM lists
            WHERE workspace_id = ${workspace} AND kind = ${kind} AND processing_status IN ('processing', 'in_progress')`.pipe(
            Effect.map(([row]) => row?.n ?? 0),
            Effect.orDie
          ),

        inWorkFor: (workspace, campaign) =>
          sql<{ readonly processing_status: ProcessingStatus }>`
            SELECT processing_status FROM lists
            WHERE workspace_id = ${workspace} AND campaign_id = ${campaign}
              AND processing_status IN ('processing', 'in_progress') LIMIT 1`.pipe(
            Effect.map(([row]) => row?.processing_status),
            Effect.orDie
          ),

        list: Effect.fn("Lists.list")(function* (workspace, { limit, offset }, { campaign_id, status }) {
          const filter = { workspace, campaign_id, status }
          const rows = yield* select({ ...filter, limit, offset })
          const [count] = yield* sql<{ readonly n: number }>`
            SELECT count(*) AS n FROM lists WHERE ${matching(filter)}`
          return { rows, total: count?.n ?? 0 }
        }, Effect.orDie),

        find: (workspace, id) =>
          Effect.map(find(workspace, id), (row): List => {
            const { completed_at, emails_created, failed_at, leads_count, leads_done, leads_failed } = row
            return {
              id,
              campaign_id: row.campaign_id,
              custom_name: row.custom_name,
              processing_status: row.processing_status,
              created_at: row.created_at,
              updated_at: row.updated_at,
              ...(row.processing_status === "completed" && completed_at !== null
                ? { completed_at, leads_count, emails_created, processed_file_path: null }
                : {}),
              ...(row.processing_status === "failed" && failed_at !== null ? { failed_at } : {}),
              ...(active.includes(row.processing_status)
                ? { progress: { leads_total: leads_count, leads_done, leads_failed } }
                : {})
            }
          }),

        rename: Effect.fn("Lists.rename")(
          function* (workspace, id, name) {
            yield* sql`
              UPDATE lists SET custom_name = ${name}, updated_at = ${yield* now}
              WHERE id = ${id} AND workspace_id = ${workspace}`
            return entryOf(yield* find(workspace, id))
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        remove: Effect.fn("Lists.remove")(
          function* (workspace, id) {
            const { processing_status } = yield* find(workspace, id)
            if (processing_status === "processing" || processing_status === "in_progress") {
              return yield* new Conflict({
                message: `A list in work cannot be deleted; this one is ${processing_status}`,
                detail: { processing_status }
              })
            }
            yield* sql`DELETE FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace}`
            yield* sql`DELETE FROM leads WHERE list_id = ${id} AND workspace_id = ${workspace}`
            yield* sql`DELETE FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        reprocess: Effect.fn("Lists.reprocess")(
          function* (workspace, id) {
            const { campaign_id } = yield* find(workspace, id)
            const [count] = yield* sql<{ readonly pending: number; readonly total: number }>`
              SELECT count(*) AS total, COALESCE(sum(CASE WHEN status = 'parked' THEN 1 ELSE 0 END), 0) AS pending
              FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace}`
            if (campaign_id === null) {
              return yield* new Unprocessable({ message: "The campaign of this list was deleted" })
            }
            if (count === undefined || count.pending === 0) {
              return yield* new Unprocessable({ message: "This list has no pending batch" })
            }
            yield* jobs.resume(workspace, id)
            yield* sql`
              UPDATE lists SET processing_status = 'processing', updated_at = ${yield* now}
              WHERE id = ${id} AND workspace_id = ${workspace}`
            return count
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        lead: (workspace, id) => Effect.orDie(single({ workspace, id })),

        outcome: (workspace, id) => Effect.orDie(outcome({ workspace, id })),

        written,

        linked: Effect.fn("Lists.linked")(function* (id) {
          const none = () => new NotFound({ message: "What this link opened is no longer there" })
          const { workspace_id } = yield* Effect.flatMap(Effect.orDie(owner(id)), (row) => Effect.fromOption(row, none))
          return yield* Effect.catchTag(written(workspace_id, id), "NOT_READY", none)
        })
      })
    })
  )
}
