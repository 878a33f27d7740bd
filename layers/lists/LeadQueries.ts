// layers/lists/LeadQueries.ts: queries the leads of a list for the API, filtered and sorted.
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { combineMarks, toMarks, severityRank, StoredFields, StoredCheck } from "#layers/lists/LeadColumns.ts"
import { exportFields, ExportTimes, exportTimesOf } from "#layers/lists/LeadExports.ts"
import { makePossibleCompanies, type PossibleCompanies } from "#layers/lists/PossibleCompanies.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Finding } from "#schema/Findings.ts"
import { Sequence } from "#schema/Lead.ts"
import {
  FoundLead,
  type LeadSort,
  type LeadStatus,
  ListLead,
  Review,
  type ReviewStatus,
  type WorstSeverity
} from "#schema/ListLeads.ts"
import type { Page } from "#schema/Page.ts"

const jsonColumn = <S extends Schema.Top>(schema: S) => Schema.NullOr(Schema.fromJsonString(schema))

const {
  ai_generated: _ai_generated,
  emails: _emails,
  maybe: _maybe,
  model: _model,
  prompt_version: _prompt_version,
  research: _research,
  review: _review,
  skipped: _skipped,
  suppressed: _suppressed,
  ...columns
} = ListLead.fields

export const LeadRow = Schema.Struct({
  ...columns,
  custom_fields: StoredFields,
  edited: Schema.BooleanFromBit,
  skipped: Schema.NullOr(Schema.String),
  review: Schema.NullOr(Review.fields.status),
  review_note: Schema.NullOr(Schema.String),
  review_at: Schema.NullOr(Schema.String),
  sequence: jsonColumn(Sequence),
  findings: jsonColumn(Schema.Array(StoredCheck)),
  facts: jsonColumn(Schema.Array(Fact))
})
export type LeadRow = typeof LeadRow.Type

/** A stored finding, with defaults for fields that earlier versions did not store. */
export const toApiFinding = ({ offset, ...finding }: StoredCheck["findings"][number]): Finding => ({
  ...finding,
  start: finding.start ?? offset ?? null,
  end: finding.end ?? null,
  suggestion: finding.suggestion ?? null
})

/** Everything but the emails. `suppressed` is why the lead is suppressed, if it is. */
export const toListLeadBase = (
  { facts, findings, position, review, review_at, review_note, sequence, skipped, ...row }: LeadRow,
  suppressed: string | undefined,
  companies: PossibleCompanies
) => ({
  ...row,
  suppressed: suppressed ?? null,
  // Suppressed and skipped leads already have a reason.
  maybe: suppressed === undefined && skipped === null ? (companies.get(row.company ?? "") ?? null) : null,
  // Positions are stored from 0 and shown from 1.
  position: position + 1,
  review: { status: review ?? ("open" as const), note: review_note, at: review_at },
  skipped: skipped === null ? null : { reason: skipped },
  ...combineMarks((sequence ?? []).map((_, index) => findings?.[index] ?? {})),
  research: facts ?? []
})

const toListLead = (row: LeadRow, suppressed: string | undefined, companies: PossibleCompanies): ListLead => ({
  ...toListLeadBase(row, suppressed, companies),
  emails: (row.sequence ?? []).map((email, index) => {
    const review = row.findings?.[index]
    return {
      ...email,
      version: review?.version ?? 1,
      score: review?.score ?? null,
      findings: (review?.findings ?? []).map(toApiFinding).map((finding) => ({ ...finding, offset: finding.start })),
      grounds: review?.sources ?? [],
      template_id: review?.template_id ?? null,
      playbook_version: review?.playbook_version ?? null,
      ...toMarks(review?.mark)
    }
  })
})

export interface LeadFilter {
  readonly status?: LeadStatus | undefined
  readonly q?: string | undefined
  readonly review?: ReviewStatus | undefined
  readonly severity?: WorstSeverity | undefined
  readonly persona_id?: string | undefined
  readonly maybe?: "true" | undefined
  readonly sort?: LeadSort | undefined
}

interface ScopedFilter extends LeadFilter {
  readonly workspace: WorkspaceId
  readonly list: string
  /** The companies that `maybe` asks for. */
  readonly companies: PossibleCompanies
}

const sortColumns: { readonly [S in LeadSort]: string } = {
  position: "position",
  email: "lower(email), position",
  // COALESCE, because databases sort null differently.
  findings: "COALESCE(severity, -1) DESC, finding_count DESC, position"
}

const toLowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * The spellings of a text to search for. Databases ignore case for ASCII letters only, so other letters are searched in
 * lower case, upper case and with capital initials.
 */
const caseVariants = (text: string): ReadonlyArray<string> => {
  const lowerCase = text.toLowerCase()
  const initials = lowerCase.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([lowerCase, text, text.toUpperCase(), initials].map(toLowerAscii))]
}

const containsPattern = (text: string) => `%${text.replace(/[~%_]/g, "~$&")}%`

/** Leads with their reviews; most leads have none. */
export const leadsWithReviews =
  "leads LEFT JOIN lead_reviews r ON r.lead_id = leads.id AND r.workspace_id = leads.workspace_id"

/** The SQL conditions of a filter on `leadsWithReviews`. */
export const leadConditions = (sql: SqlClient.SqlClient) => {
  const searchCondition = (text: string) =>
    sql.or(
      ["email", "name", "company"].flatMap((column) =>
        caseVariants(text).map(
          (spelling) => sql`lower(${sql.literal(column)}) LIKE ${containsPattern(spelling)} ESCAPE '~'`
        )
      )
    )
  return ({ companies, list, maybe, persona_id, q, review, severity, status, workspace }: ScopedFilter) => [
    sql`leads.list_id = ${list}`,
    sql`leads.workspace_id = ${workspace}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(severity === undefined ? [] : [sql`severity = ${severityRank(severity)}`]),
    ...(review === undefined ? [] : [sql`COALESCE(review, 'open') = ${review}`]),
    ...(persona_id === undefined ? [] : [sql`persona_id = ${persona_id}`]),
    ...(maybe === undefined
      ? []
      : companies.size === 0
        ? [sql`1 = 0`]
        : [sql`leads.status <> 'skipped'`, sql.in("leads.company", [...companies.keys()])]),
    ...(q === undefined || q.trim() === "" ? [] : [searchCondition(q.trim())])
  ]
}

const FoundLeadRow = Schema.Struct({
  ...Struct.omit(FoundLead.fields, ["exported_at", "maybe_exported_at", "suppressed"]),
  ...ExportTimes.fields
})

/** A page of the leads with an address, in all lists of a workspace. The index on the address serves it. */
export const makeFindLeads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const decode = Schema.decodeUnknownEffect(Schema.Array(FoundLeadRow))
  return Effect.fnUntraced(function* (workspace: WorkspaceId, address: string, { limit, offset }: Page) {
    const email = address.toLowerCase()
    const [countRow] = yield* sql<{ readonly total: number }>`
      SELECT count(*) AS total FROM leads WHERE workspace_id = ${workspace} AND lower(email) = ${email}`
    const found = yield* decode(
      yield* sql`
        SELECT leads.list_id, t.custom_name AS list_name, t.campaign_id, leads.id AS lead_id,
          leads.position + 1 AS position, leads.email, leads.name, leads.company, leads.status,
          COALESCE(r.review, 'open') AS review, ${sql.literal(exportTimesOf("leads"))}
        FROM ${sql.literal(leadsWithReviews)}
        JOIN lists t ON t.id = leads.list_id AND t.workspace_id = leads.workspace_id
        WHERE leads.workspace_id = ${workspace} AND lower(leads.email) = ${email}
        ORDER BY t.created_at DESC, t.id DESC, leads.position
        LIMIT (0 + ${limit}) OFFSET (0 + ${offset})`
    )
    const reasons = yield* suppressions.findReasons(workspace, found)
    const rows = found.map(({ fully_exported_at, marked_at, unmarked_export_at, ...lead }, index): FoundLead => ({
      ...lead,
      suppressed: reasons[index] ?? null,
      ...exportFields({ fully_exported_at, marked_at, unmarked_export_at, status: lead.status })
    }))
    return { rows, total: countRow?.total ?? 0 }
  }, Effect.orDie)
})

/** A page of a list's leads. */
export const makeLeadQueries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const findPossibleCompanies = yield* makePossibleCompanies
  const page = makePageQuery(sql, LeadRow, {
    table: leadsWithReviews,
    matching: leadConditions(sql),
    order: ({ sort }: ScopedFilter) => sortColumns[sort ?? "position"]
  })
  return Effect.fnUntraced(function* (filter: Omit<ScopedFilter, "companies">, pageQuery: Page) {
    const companies = yield* findPossibleCompanies(filter.workspace, filter.list)
    const { rows, total } = yield* page({ ...filter, companies }, pageQuery)
    const suppressed = yield* suppressions.findReasons(filter.workspace, rows)
    return { rows: rows.map((row, index) => toListLead(row, suppressed[index], companies)), total }
  })
})
