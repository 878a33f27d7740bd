// layers/lists/Store.ts: the rows of lists and of their leads, as the API shows them.
import { Effect, Option, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { Writing } from "#layers/generation/Writing.ts"
import { paging } from "#layers/lib/Paging.ts"
import { StoredFields, StoredReview } from "#layers/lists/Lead.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Failure, NotFound } from "#schema/Errors.ts"
import { Email } from "#schema/Fields.ts"
import { Sequence } from "#schema/Lead.ts"
import { type LeadStatus, type ListFinding, ListLead } from "#schema/ListLeads.ts"
import { type List, ListEntry, type ListSource, type ProcessingStatus } from "#schema/Lists.ts"
import type { Page } from "#schema/Page.ts"

/** How the emails of a list are to be written. */
export const ListWriting = Schema.Struct({
  ...Writing.fields,
  /** Whether each lead is researched on the web before it is written to; lists older than the research lack it. */
  enriched: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  /** Credits for each lead that succeeds. */
  cost: Schema.Int,
  notification_email: Schema.NullOr(Schema.String),
  /** Whether leads at clients, competitors and the sender's own company are written to; lists of earlier versions do. */
  include_clients: Schema.optionalKey(Schema.Boolean)
})
export type ListWriting = typeof ListWriting.Type

/** The fields that the API returns. */
export const ListRow = Schema.Struct({
  ...Struct.omit(ListEntry.fields, ["source"]),
  kind: Schema.Literals(["single", "batch"]),
  leads_count: Schema.Int,
  leads_done: Schema.Int,
  leads_failed: Schema.Int,
  leads_skipped: Schema.Int,
  emails_created: Schema.Int,
  updated_at: Schema.String,
  failed_at: Schema.NullOr(Schema.String)
})

export type ListRow = typeof ListRow.Type

const active: ReadonlyArray<ProcessingStatus> = ["pending", "processing", "in_progress"]

const sourceOf = ({ kind }: Pick<ListRow, "kind">) => (kind === "single" ? { source: "api_single" as const } : {})

/** The fields of a list in a page of lists. */
export const EntryRow = Schema.Struct(
  Struct.pick(ListRow.fields, [
    "id",
    "campaign_id",
    "custom_name",
    "processing_status",
    "kind",
    "created_at",
    "completed_at"
  ])
)

export const entryOf = (row: typeof EntryRow.Type): ListEntry => ({
  id: row.id,
  campaign_id: row.campaign_id,
  custom_name: row.custom_name,
  processing_status: row.processing_status,
  ...sourceOf(row),
  created_at: row.created_at,
  completed_at: row.completed_at
})

/**
 * The name of a completed list's file within the service: stable and unique, but no path on a disk. Only a long list has
 * a file, and Files decides where to store it.
 */
const fileOf = (id: string) => `lists/${id}.csv`

export const listOf = (row: ListRow): List => {
  const { completed_at, emails_created, failed_at, leads_count, leads_done, leads_failed, leads_skipped } = row
  const skipped = leads_skipped > 0 ? { leads_skipped } : {}
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    custom_name: row.custom_name,
    processing_status: row.processing_status,
    ...sourceOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.processing_status === "completed" && completed_at !== null
      ? { completed_at, leads_count, ...skipped, emails_created, processed_file_path: fileOf(row.id) }
      : {}),
    ...(row.processing_status === "failed" && failed_at !== null ? { failed_at } : {}),
    ...(active.includes(row.processing_status)
      ? { progress: { leads_total: leads_count, leads_done, leads_failed, ...skipped } }
      : {})
  }
}

/** The outcome of a finished list. */
export const Outcome = Schema.Struct({
  recipient: Email,
  name: Schema.String,
  leads_count: Schema.Int,
  leads_done: Schema.Int,
  leads_failed: Schema.Int,
  leads_skipped: Schema.Int
})
export type Outcome = typeof Outcome.Type

export interface Filter {
  readonly campaign_id?: string | undefined
  readonly status?: ProcessingStatus | undefined
  readonly source?: ListSource | undefined
}

const orNotFound = Effect.fromOption(() => NotFound.of("list"))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })

  const columns = sql.literal(Object.keys(ListRow.fields).join(", "))
  const one = SqlSchema.findOneOption({
    Request: Key,
    Result: ListRow,
    execute: ({ id, workspace }) => sql`SELECT ${columns} FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const asked = SqlSchema.findOneOption({
    Request: Key,
    Result: Schema.Struct({
      ...ListRow.fields,
      options: Schema.fromJsonString(ListWriting),
      custom_keys: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.String)))
    }),
    execute: ({ id, workspace }) =>
      sql`SELECT ${columns}, options, custom_keys FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  // Literal, because an index on batches alone serves no bound value.
  const isFrom = { batch: sql`kind = 'batch'`, api_single: sql`kind = 'single'` }
  const page = paging(sql, EntryRow, {
    table: "lists",
    matching: ({ campaign_id, source, status, workspace }: Filter & { readonly workspace: WorkspaceId }) => [
      sql`workspace_id = ${workspace}`,
      ...(campaign_id === undefined ? [] : [sql`campaign_id = ${campaign_id}`]),
      ...(status === undefined ? [] : [sql`processing_status = ${status}`]),
      ...(source === undefined ? [] : [isFrom[source]])
    ],
    order: "created_at DESC, id DESC"
  })
  const single = SqlSchema.findOne({
    Request: Key,
    Result: Schema.Struct({
      status: Schema.String,
      error: Schema.NullOr(Schema.String),
      failure: Schema.NullOr(Schema.fromJsonString(Failure)),
      skipped: Schema.NullOr(Schema.String),
      sequence: Schema.NullOr(Schema.fromJsonString(Sequence))
    }),
    execute: ({ id, workspace }) =>
      sql`SELECT status, error, failure, skipped, sequence FROM leads WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const outcome = SqlSchema.findOneOption({
    Request: Key,
    Result: Outcome,
    execute: ({ id, workspace }) => sql`
      SELECT recipient, COALESCE(custom_name, id) AS name, leads_count, leads_done, leads_failed, leads_skipped
      FROM lists
      WHERE id = ${id} AND workspace_id = ${workspace} AND processing_status IN ('completed', 'failed')`
  })
  const owner = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: Schema.Struct({ workspace_id: WorkspaceId }),
    execute: (id) => sql`SELECT workspace_id FROM lists WHERE id = ${id}`
  })

  return {
    inWork: (workspace: WorkspaceId, kind: "single" | "batch") =>
      sql<{ readonly n: number }>`
        SELECT count(*) AS n FROM lists
        WHERE workspace_id = ${workspace} AND kind = ${kind} AND processing_status IN ('processing', 'in_progress')`.pipe(
        Effect.map(([row]) => row?.n ?? 0),
        Effect.orDie
      ),

    inWorkFor: (workspace: WorkspaceId, campaign: string) =>
      sql<{ readonly processing_status: ProcessingStatus }>`
        SELECT processing_status FROM lists
        WHERE workspace_id = ${workspace} AND campaign_id = ${campaign}
          AND processing_status IN ('processing', 'in_progress') LIMIT 1`.pipe(
        Effect.map(([row]) => row?.processing_status),
        Effect.orDie
      ),

    list: (workspace: WorkspaceId, given: Page, filter: Filter) =>
      Effect.map(page({ workspace, ...filter }, given), ({ rows, total }) => ({ rows: rows.map(entryOf), total })),

    find: (workspace: WorkspaceId, id: string) => one({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound)),

    /** With how it was to be written, and the keys of custom fields that its leads have. */
    asked: (workspace: WorkspaceId, id: string) =>
      asked({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound)),

    lead: (workspace: WorkspaceId, id: string) => Effect.orDie(single({ workspace, id })),

    outcome: (workspace: WorkspaceId, id: string) => Effect.orDie(outcome({ workspace, id })),

    owner: (id: string) =>
      Effect.map(
        Effect.orDie(owner(id)),
        Option.map(({ workspace_id }) => workspace_id)
      )
  }
})

const jsonText = <S extends Schema.Top>(schema: S) => Schema.NullOr(Schema.fromJsonString(schema))

const { emails: _emails, research: _research, skipped: _skipped, ...columns } = ListLead.fields

const LeadRow = Schema.Struct({
  ...columns,
  custom_fields: StoredFields,
  skipped: Schema.NullOr(Schema.String),
  sequence: jsonText(Sequence),
  findings: jsonText(Schema.Array(StoredReview)),
  facts: jsonText(Schema.Array(Fact))
})

const findingOf = ({ offset, ...finding }: StoredReview["findings"][number]): ListFinding => {
  const start = finding.start ?? offset ?? null
  return { ...finding, start, end: finding.end ?? null, suggestion: finding.suggestion ?? null, offset: start }
}

const leadOf = ({ facts, findings, position, sequence, skipped, ...row }: typeof LeadRow.Type): ListLead => ({
  ...row,
  // Counted from 0 in the store.
  position: position + 1,
  skipped: skipped === null ? null : { reason: skipped },
  emails: (sequence ?? []).map((email, at) => {
    const review = findings?.[at]
    return {
      ...email,
      score: review?.score ?? null,
      findings: (review?.findings ?? []).map(findingOf),
      grounds: review?.sources ?? [],
      template_id: review?.template_id ?? null,
      playbook_version: review?.playbook_version ?? null
    }
  }),
  research: facts ?? []
})

interface LeadFilter {
  readonly workspace: WorkspaceId
  readonly list: string
  readonly status: LeadStatus | undefined
}

/** A page of a list's leads, in the order they were sent. */
export const makeLeads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const page = paging(sql, LeadRow, {
    table: "leads",
    matching: ({ list, status, workspace }: LeadFilter) => [
      sql`list_id = ${list}`,
      sql`workspace_id = ${workspace}`,
      ...(status === undefined ? [] : [sql`status = ${status}`])
    ],
    order: "position"
  })
  return (filter: LeadFilter, given: Page) =>
    Effect.map(page(filter, given), ({ rows, total }) => ({ rows: rows.map(leadOf), total }))
})
