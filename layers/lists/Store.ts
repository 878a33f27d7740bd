// layers/lists/Store.ts: reads the rows of lists for the API, and keeps the stored numbers of lists.
import { Effect, Option, Schema, Struct } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { WritingSettings } from "#layers/generation/WritingSettings.ts"
import { StoredCheck } from "#layers/lists/LeadColumns.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { makeCountOpenSuppressed } from "#layers/lists/OpenLeads.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Failure, NotFound } from "#schema/Errors.ts"
import { Email } from "#schema/Fields.ts"
import { Sequence } from "#schema/Lead.ts"
import { type List, ListEntry, ListSource, ListTotals, ProcessingStatus } from "#schema/Lists.ts"
import type { Page } from "#schema/Page.ts"

/** The writing options of a list. */
export const ListWriting = Schema.Struct({
  ...WritingSettings.fields,
  /** Whether each lead is researched on the web first. Missing in lists of earlier versions. */
  enriched: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  /** Credits charged for each lead that succeeds. */
  cost: Schema.Int,
  notification_email: Schema.NullOr(Schema.String),
  /**
   * Whether to write to leads at clients, competitors and the sender's own company. Missing, and so true, in lists of
   * earlier versions.
   */
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

const activeStatuses: ReadonlyArray<ProcessingStatus> = ["pending", "processing", "in_progress"]

const listSource = ({ kind }: Pick<ListRow, "kind">) => (kind === "single" ? { source: "api_single" as const } : {})

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

export const toListEntry = (row: typeof EntryRow.Type): ListEntry => ({
  id: row.id,
  campaign_id: row.campaign_id,
  custom_name: row.custom_name,
  processing_status: row.processing_status,
  ...listSource(row),
  created_at: row.created_at,
  completed_at: row.completed_at
})

/**
 * The name under which the API shows a completed list's file. Stable and unique, but not a path on disk: `Files`
 * decides where to store the bytes.
 */
const csvPath = (id: string) => `lists/${id}.csv`

export const toList = (row: ListRow): List => {
  const { completed_at, emails_created, failed_at, leads_count, leads_done, leads_failed, leads_skipped } = row
  const skipped = leads_skipped > 0 ? { leads_skipped } : {}
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    custom_name: row.custom_name,
    processing_status: row.processing_status,
    ...listSource(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.processing_status === "completed" && completed_at !== null
      ? { completed_at, leads_count, ...skipped, emails_created, processed_file_path: csvPath(row.id) }
      : {}),
    ...(row.processing_status === "failed" && failed_at !== null ? { failed_at } : {}),
    ...(activeStatuses.includes(row.processing_status)
      ? { progress: { leads_total: leads_count, leads_done, leads_failed, ...skipped } }
      : {})
  }
}

/** The result of a finished list. */
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
  /** Only lists with a written lead whose review is open. */
  readonly review?: "open" | undefined
}

const orListNotFound = Effect.fromOption(() => NotFound.of("list"))

/** A list that is created or deleted. */
interface CountedList {
  readonly workspace_id: string
  /** Null if the campaign was deleted. */
  readonly campaign_id: string | null
  readonly kind: string
}

/** The campaign_id of the row that counts all lists of a workspace. */
const allCampaigns = ""

/** Reads and updates the counts. Run an update in the transaction that creates or deletes the list or the campaign. */
export const makeListCounts = Effect.map(SqlClient.SqlClient, (sql) => ({
  countCreated: ({ campaign_id, kind, workspace_id }: CountedList) => sql`
    INSERT INTO list_counts (workspace_id, campaign_id, kind, lists)
    VALUES (${workspace_id}, ${allCampaigns}, ${kind}, 1), (${workspace_id}, ${campaign_id}, ${kind}, 1)
    ON CONFLICT (workspace_id, campaign_id, kind) DO UPDATE SET lists = list_counts.lists + 1`,

  countDeleted: ({ campaign_id, kind, workspace_id }: CountedList) => sql`
    UPDATE list_counts SET lists = lists - 1
    WHERE workspace_id = ${workspace_id} AND kind = ${kind} AND campaign_id IN (${allCampaigns}, ${campaign_id})`,

  /** The number of lists of each campaign, without lists of a single lead. Campaigns without a list have no entry. */
  countBatches: (workspace: string, campaigns: ReadonlyArray<string>) =>
    campaigns.length === 0
      ? Effect.succeed(new Map<string, number>())
      : Effect.map(
          sql<{ readonly campaign_id: string; readonly lists: number }>`
            SELECT campaign_id, lists FROM list_counts
            WHERE workspace_id = ${workspace} AND kind = 'batch' AND lists > 0 AND ${sql.in("campaign_id", campaigns)}`,
          (rows) => new Map(rows.map(({ campaign_id, lists }) => [campaign_id, Number(lists)]))
        ),

  /** The lists of the campaign stay, without a campaign. */
  deleteCampaign: (workspace: string, campaign: string) =>
    sql`DELETE FROM list_counts WHERE workspace_id = ${workspace} AND campaign_id = ${campaign}`
}))

/** The number of lists of a workspace, and of a campaign or a kind if given. */
const storedCount = (
  sql: SqlClient.SqlClient,
  filter: { readonly workspace: string; readonly campaign_id?: string | undefined },
  kind: Statement.Fragment | undefined
) => sql`
  SELECT COALESCE(SUM(lists), 0) FROM list_counts
  WHERE workspace_id = ${filter.workspace} AND campaign_id = ${filter.campaign_id ?? allCampaigns}
    AND ${kind === undefined ? sql`TRUE` : sql`kind = ${kind}`}`

/** Queries over the lists that match a filter. */
const makeFilteredQueries = (sql: SqlClient.SqlClient) => {
  // Literals, because a partial index on `kind` is not used for a bound parameter.
  const kinds = { batch: sql`'batch'`, api_single: sql`'single'` }
  /** Lists whose written leads are all decided. Not correlated, so that it reads each decided lead once and no other lead. */
  const decidedLists = (workspace: string) => sql`
    SELECT d.list_id FROM lead_reviews v
    JOIN leads d ON d.id = v.lead_id AND d.workspace_id = v.workspace_id
    JOIN lists w ON w.id = d.list_id AND w.workspace_id = d.workspace_id
    WHERE v.workspace_id = ${workspace} AND v.review <> 'open'
    GROUP BY d.list_id, w.leads_done HAVING count(*) >= w.leads_done`
  const filterClause = (
    { campaign_id, review, source, status, workspace }: Filter & { readonly workspace: string },
    table = "lists"
  ) => {
    const tableName = sql(table)
    return [
      sql`${tableName}.workspace_id = ${workspace}`,
      ...(campaign_id === undefined ? [] : [sql`${tableName}.campaign_id = ${campaign_id}`]),
      ...(status === undefined ? [] : [sql`${tableName}.processing_status = ${status}`]),
      ...(source === undefined ? [] : [sql`${tableName}.kind = ${kinds[source]}`]),
      ...(review === undefined
        ? []
        : [sql`${tableName}.leads_done > 0 AND ${tableName}.id NOT IN (${decidedLists(workspace)})`])
    ]
  }
  /** The total of a filter. Derives the number of completed lists from the stored counts, because counting them gets slow. */
  const totalExpression = ({ status, ...filter }: Filter & { readonly workspace: string }) => {
    const totalCount = storedCount(sql, filter, filter.source && kinds[filter.source])
    const filteredCount = sql`SELECT count(*) FROM lists WHERE workspace_id = ${filter.workspace} AND ${sql.and(filterClause(filter))}`
    if (filter.review !== undefined)
      return status === undefined ? filteredCount : sql`${filteredCount} AND processing_status = ${status}`
    if (status === undefined) return totalCount
    return status === "completed"
      ? sql`(${totalCount}) - (${filteredCount} AND processing_status IN ('pending', 'processing', 'in_progress', 'failed'))`
      : sql`${filteredCount} AND processing_status = ${status}`
  }
  const page = makePageQuery(sql, EntryRow, {
    table: "lists",
    matching: filterClause,
    order: "created_at DESC, id DESC",
    total: (filter: Filter & { readonly workspace: string }) => sql`CAST((${totalExpression(filter)}) AS BIGINT)`
  })
  /** Leads with a decided review. Without a filter, an index answers the count without reading leads. */
  const decidedLeads = ({ workspace, ...filter }: Filter & { readonly workspace: string }) => {
    const decidedCondition = sql`r.workspace_id = ${workspace} AND r.review <> 'open'`
    return Object.values(filter).every((value) => value === undefined)
      ? sql`lead_reviews r WHERE ${decidedCondition}`
      : sql`lead_reviews r
          JOIN leads l ON l.id = r.lead_id AND l.workspace_id = r.workspace_id
          JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
          WHERE ${decidedCondition} AND ${sql.and(filterClause({ workspace, ...filter }, "t"))}`
  }
  const findTotals = SqlSchema.findOne({
    Request: Schema.Struct({
      workspace: Schema.String,
      source: Schema.UndefinedOr(ListSource),
      campaign_id: Schema.UndefinedOr(Schema.String),
      status: Schema.UndefinedOr(ProcessingStatus),
      review: Schema.UndefinedOr(Schema.Literal("open"))
    }),
    Result: Schema.Struct(Struct.omit(ListTotals.fields, ["leads_suppressed"])),
    execute: (filter) => sql`
      SELECT CAST(COALESCE(SUM(emails_created), 0) AS INTEGER) AS emails_created,
        CAST(COALESCE(SUM(CASE WHEN processing_status IN ('pending', 'processing', 'in_progress')
          THEN leads_count - leads_done - leads_failed - leads_skipped ELSE 0 END), 0) AS INTEGER) AS leads_waiting,
        CAST(COALESCE(SUM(CASE WHEN processing_status = 'pending' THEN 1 ELSE 0 END), 0) AS INTEGER) AS lists_pending,
        CAST(COALESCE(SUM(leads_done), 0) - (
          SELECT count(*) FROM ${decidedLeads(filter)}
        ) AS INTEGER) AS leads_open
      FROM lists WHERE workspace_id = ${filter.workspace} AND ${sql.and(filterClause(filter))}`
  })
  return { page, totals: findTotals, filterClause }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })

  const columns = sql.literal(Object.keys(ListRow.fields).join(", "))
  const findRow = SqlSchema.findOneOption({
    Request: Key,
    Result: ListRow,
    execute: ({ id, workspace }) => sql`SELECT ${columns} FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const findRowWithOptions = SqlSchema.findOneOption({
    Request: Key,
    Result: Schema.Struct({
      ...ListRow.fields,
      options: Schema.fromJsonString(ListWriting),
      edits: Schema.Int,
      custom_keys: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.String)))
    }),
    execute: ({ id, workspace }) =>
      sql`SELECT ${columns}, options, custom_keys, edits FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const findLastExport = SqlSchema.findOneOption({
    Request: Key,
    Result: Schema.Struct({ exported_at: Schema.String, changed_since_export: Schema.Int }),
    execute: ({ id, workspace }) => sql`
      SELECT exported_at, CAST(CASE WHEN edits = 0 THEN 0 ELSE (
        SELECT count(*) FROM (
          SELECT DISTINCT v.lead_id, v.step FROM leads l
          LEFT JOIN lead_exports e ON e.lead_id = l.id AND e.workspace_id = l.workspace_id
          JOIN email_versions v ON v.lead_id = l.id AND v.workspace_id = l.workspace_id
          WHERE l.list_id = ${id} AND l.workspace_id = ${workspace}
            AND COALESCE(e.exported_at, lists.fully_exported_at, lists.unmarked_export_at) IS NOT NULL
            AND v.at > COALESCE(e.exported_at, '') AND v.at > COALESCE(lists.fully_exported_at, '')
            AND v.at > COALESCE(lists.unmarked_export_at, '')
        ) AS changed
      ) END AS INTEGER) AS changed_since_export
      FROM lists WHERE id = ${id} AND workspace_id = ${workspace} AND exported_at IS NOT NULL`
  })
  const { filterClause, page, totals } = makeFilteredQueries(sql)
  const countOpenSuppressed = yield* makeCountOpenSuppressed
  const findSingle = SqlSchema.findOne({
    Request: Key,
    Result: Schema.Struct({
      status: Schema.String,
      error: Schema.NullOr(Schema.String),
      failure: Schema.NullOr(Schema.fromJsonString(Failure)),
      skipped: Schema.NullOr(Schema.String),
      sequence: Schema.NullOr(Schema.fromJsonString(Sequence)),
      findings: Schema.NullOr(Schema.fromJsonString(Schema.Array(StoredCheck)))
    }),
    execute: ({ id, workspace }) => sql`
      SELECT status, error, failure, skipped, sequence, findings FROM leads
      WHERE id = ${id} AND workspace_id = ${workspace}`
  })
  const findOutcome = SqlSchema.findOneOption({
    Request: Key,
    Result: Outcome,
    execute: ({ id, workspace }) => sql`
      SELECT recipient, COALESCE(custom_name, id) AS name, leads_count, leads_done, leads_failed, leads_skipped
      FROM lists
      WHERE id = ${id} AND workspace_id = ${workspace} AND processing_status IN ('completed', 'failed')`
  })
  const findWorkspace = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: Schema.Struct({ workspace_id: WorkspaceId }),
    execute: (id) => sql`SELECT workspace_id FROM lists WHERE id = ${id}`
  })

  return {
    countInProgress: (workspace: WorkspaceId, kind: "single" | "batch") =>
      sql<{ readonly n: number }>`
        SELECT count(*) AS n FROM lists
        WHERE workspace_id = ${workspace} AND kind = ${kind} AND processing_status IN ('processing', 'in_progress')`.pipe(
        Effect.map(([row]) => row?.n ?? 0),
        Effect.orDie
      ),

    findStatusInProgress: (workspace: WorkspaceId, campaign: string) =>
      sql<{ readonly processing_status: ProcessingStatus }>`
        SELECT processing_status FROM lists
        WHERE workspace_id = ${workspace} AND campaign_id = ${campaign}
          AND processing_status IN ('processing', 'in_progress') LIMIT 1`.pipe(
        Effect.map(([row]) => row?.processing_status),
        Effect.orDie
      ),

    list: (workspace: WorkspaceId, pageQuery: Page, filter: Filter) =>
      Effect.map(page({ workspace, ...filter }, pageQuery), ({ rows, total }) => ({
        rows: rows.map(toListEntry),
        total
      })),

    find: (workspace: WorkspaceId, id: string) =>
      findRow({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orListNotFound)),

    /** The stored row with its writing options and its leads' custom field keys. */
    findStored: (workspace: WorkspaceId, id: string) =>
      findRowWithOptions({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orListNotFound)),

    /** When the list was last exported and how many emails were changed since; none if it was never exported. */
    lastExport: (workspace: WorkspaceId, id: string) => Effect.orDie(findLastExport({ workspace, id })),

    totals: Effect.fnUntraced(function* (
      workspace: WorkspaceId,
      { campaign_id, review, source, status }: Filter
    ): Effect.fn.Return<ListTotals> {
      const filter = { workspace, campaign_id, source, status }
      const found = yield* Effect.orDie(totals({ ...filter, review }))
      const suppressed = yield* countOpenSuppressed(workspace, found.leads_open, filterClause(filter))
      if (suppressed === undefined) return found
      // Leads may be decided about between the two queries.
      return { ...found, leads_open: Math.max(0, found.leads_open - suppressed), leads_suppressed: suppressed }
    }),

    lead: (workspace: WorkspaceId, id: string) => Effect.orDie(findSingle({ workspace, id })),

    outcome: (workspace: WorkspaceId, id: string) => Effect.orDie(findOutcome({ workspace, id })),

    owner: (id: string) =>
      Effect.map(
        Effect.orDie(findWorkspace(id)),
        Option.map(({ workspace_id }) => workspace_id)
      )
  }
})
