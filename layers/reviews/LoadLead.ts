// layers/reviews/LoadLead.ts: loads and locks leads for review, with the data that their emails were written from.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { exportFields, ExportTimes, exportTimesOf } from "#layers/lists/LeadExports.ts"
import { LeadRow, leadsWithReviews, toListLeadBase } from "#layers/lists/LeadQueries.ts"
import { makePossibleCompanies } from "#layers/lists/PossibleCompanies.ts"
import { ListWriting } from "#layers/lists/Store.ts"
import { briefOfList, parseBrief, type ReadyBrief } from "#layers/playbooks/CampaignBrief.ts"
import { type EmailSources, toReviewedEmails, storedChecks } from "#layers/reviews/ReviewEmails.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import type { ReviewedLead } from "#schema/Review.ts"

/** A lead of a list. */
export interface LeadPath {
  readonly list: string
  readonly lead: string
}

/** One email of a lead. */
export interface EmailPath extends LeadPath {
  readonly step: number
}

/** A lead with what else its own page shows. */
const OpenedRow = Schema.Struct({
  ...LeadRow.fields,
  ...ExportTimes.fields,
  seen: Schema.NullOr(Schema.BooleanFromBit)
})
type OpenedRow = typeof OpenedRow.Type

/** A lead with the data that its emails were written from. */
export interface OpenedLead {
  readonly row: LeadRow
  readonly basis: EmailSources
  readonly campaign: string | null
}

/** Briefs in the cache. They are large, and all leads of a list share one. */
const maxBriefs = 20

export const noLead = () => NotFound.of("lead")

/** The email of a step with its stored review and its index. NOT_FOUND if there is none. */
export const findEmail = (row: LeadRow, step: number) => {
  const index = (row.sequence ?? []).findIndex((email) => email.step === step)
  const email = row.sequence?.[index]
  const stored = storedChecks(row)[index]
  return email === undefined || stored === undefined
    ? Effect.fail(NotFound.of("email"))
    : Effect.succeed({ email, stored, index })
}

/** The key of a lead in queries. */
export const LeadKey = Schema.Struct({ workspace: Schema.String, list: Schema.String, lead: Schema.String })

export const makeLoadLead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const findPossibleCompanies = yield* makePossibleCompanies

  const columns = sql.literal(Object.keys(LeadRow.fields).join(", "))
  const leadsTable = sql.literal(leadsWithReviews)
  const findRow = SqlSchema.findOneOption({
    Request: LeadKey,
    Result: OpenedRow,
    execute: ({ lead, list, workspace }) => sql`
      SELECT ${columns}, seen, ${sql.literal(exportTimesOf("leads"))} FROM ${leadsTable}
      WHERE leads.id = ${lead} AND leads.list_id = ${list} AND leads.workspace_id = ${workspace}`
  })
  const findList = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String }),
    Result: Schema.Struct({
      campaign_id: Schema.NullOr(Schema.String),
      options: Schema.fromJsonString(ListWriting),
      brief: Schema.NullOr(Schema.String),
      written: Schema.String
    }),
    execute: ({ list, workspace }) => sql`
      SELECT campaign_id, options, ${briefOfList(sql)} AS brief, COALESCE(completed_at, updated_at) AS written FROM lists
      WHERE id = ${list} AND workspace_id = ${workspace}`
  })
  const briefs = new Map<string, ReadyBrief>()
  const parseCached = (text: string): ReadyBrief => {
    const cached = briefs.get(text)
    if (cached !== undefined) return cached
    if (briefs.size >= maxBriefs) briefs.clear()
    const brief = parseBrief(text)
    briefs.set(text, brief)
    return brief
  }

  const loadSources = Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
    const row = yield* Effect.orDie(findList({ workspace, list }))
    if (Option.isNone(row)) return yield* NotFound.of("list")
    const { brief, campaign_id, options, written } = row.value
    const basis: EmailSources = { writing: options, brief: brief === null ? null : parseCached(brief) }
    return { basis, written, campaign: campaign_id }
  })

  const loadLead = Effect.fnUntraced(function* (workspace: WorkspaceId, path: LeadPath) {
    const row = yield* Effect.orDie(findRow({ workspace, ...path }))
    return yield* Effect.mapError(Effect.fromOption(row), noLead)
  })

  const toReviewedLead = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: string,
    row: OpenedRow,
    basis: EmailSources
  ) {
    const [suppressed] = yield* suppressions.findReasons(workspace, [row])
    const companies = yield* findPossibleCompanies(workspace, list)
    const lead: ReviewedLead = {
      ...toListLeadBase(row, suppressed, companies),
      ...exportFields(row),
      emails: toReviewedEmails(row, basis)
    }
    return lead
  })

  const showLead = Effect.fnUntraced(function* (workspace: WorkspaceId, path: LeadPath) {
    const { basis } = yield* loadSources(workspace, path.list)
    return yield* toReviewedLead(workspace, path.list, yield* loadLead(workspace, path), basis)
  })

  // SQLite has a single writer, so reading without a lock is enough.
  const lock = sql.onDialectOrElse({
    pg: () => sql.literal(" FOR UPDATE"),
    orElse: () => sql.literal("")
  })

  /** Locks the lead until the commit, so that the second of two concurrent changes sees the first. */
  const loadLocked = Effect.fnUntraced(function* (workspace: WorkspaceId, path: LeadPath) {
    yield* Effect.orDie(sql`
      SELECT id FROM leads WHERE id = ${path.lead} AND list_id = ${path.list} AND workspace_id = ${workspace}${lock}`)
    return yield* loadLead(workspace, path)
  })

  return {
    sourcesOf: loadSources,
    leadAt: loadLead,
    possibleCompanies: findPossibleCompanies,
    toReviewedLead,
    showLead,
    locked: loadLocked
  }
})

export type LoadLead = Effect.Success<typeof makeLoadLead>
