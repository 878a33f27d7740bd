// layers/lists/Store.ts: the rows of lists, as others read them.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { entryOf, EntryRow, ListWriting, Row } from "#layers/lists/List.ts"
import { paging } from "#layers/lib/Paging.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Failure, NotFound } from "#schema/Errors.ts"
import { Email } from "#schema/Fields.ts"
import { Sequence } from "#schema/Lead.ts"
import type { ListSource, ProcessingStatus } from "#schema/Lists.ts"
import type { Page } from "#schema/Page.ts"

/** The outcome of a finished list. */
export const Outcome = Schema.Struct({
  recipient: Email,
  name: Schema.String,
  leads_count: Schema.Int,
  leads_done: Schema.Int,
  leads_failed: Schema.Int
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

  const columns = sql.literal(Object.keys(Row.fields).join(", "))
  const one = SqlSchema.findOneOption({
    Request: Key,
    Result: Row,
    execute: ({ id, workspace }) => sql`SELECT ${columns} FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const asked = SqlSchema.findOneOption({
    Request: Key,
    Result: Schema.Struct({
      ...Row.fields,
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
      SELECT recipient, COALESCE(custom_name, id) AS name, leads_count, leads_done, leads_failed FROM lists
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
