// layers/reviews/Decisions.ts: approves, rejects and reopens leads, one or many at a time.
import { Array as Arr, DateTime, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import { severityRank } from "#layers/lists/LeadColumns.ts"
import { leadsWithReviews } from "#layers/lists/LeadQueries.ts"
import { type LeadPath, type LoadLead, noLead } from "#layers/reviews/LoadLead.ts"
import { Events } from "#layers/webhooks/Events.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Unprocessable } from "#schema/Errors.ts"
import { ReviewStatus } from "#schema/ListLeads.ts"
import type { BulkReviewInput, ReviewInput } from "#schema/Review.ts"

/** Leads per statement. */
const namedAtOnce = 500

const DecidedTogether = Schema.Struct({ status: ReviewStatus, leads: Schema.Int, at: Schema.String })

export const makeDecisions = Effect.fnUntraced(function* ({ locked, showLead, sourcesOf }: LoadLead) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const from = sql.literal(leadsWithReviews)

  /** NOT_FOUND unless all ids are leads of the list. */
  const requireLeadsOfList = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: string,
    ids: ReadonlyArray<string>
  ) {
    for (const part of Arr.chunksOf(ids, namedAtOnce)) {
      const [row] = yield* Effect.orDie(sql<{ readonly n: number }>`
        SELECT count(*) AS n FROM leads
        WHERE ${sql.in("id", part)} AND list_id = ${list} AND workspace_id = ${workspace}`)
      if (row?.n !== part.length) return yield* noLead()
    }
  })

  /** Decides about the matching leads whose status differs, in one statement; returns their number. */
  const decideMatching = (
    workspace: WorkspaceId,
    list: string,
    { status, where }: BulkReviewInput,
    at: string,
    ids: ReadonlyArray<string> | undefined
  ) => {
    const mostSevere = Math.min(
      where?.severity == null ? severityRank("fail") : severityRank(where.severity),
      status === "approved" ? severityRank("warn") : severityRank("fail")
    )
    const conditions = [
      sql`leads.list_id = ${list}`,
      sql`leads.workspace_id = ${workspace}`,
      sql`leads.severity IS NOT NULL`,
      sql`leads.severity <= ${mostSevere}`,
      sql`COALESCE(r.review, 'open') <> ${status}`,
      ...(where?.seen === true ? [sql`r.seen = 1`] : []),
      ...(where?.at == null ? [] : [sql`r.review_at = ${where.at}`]),
      ...(ids === undefined ? [] : [sql.in("leads.id", ids)]),
      // An approval by rule, without ids, skips leads that a person has rejected.
      ...(ids === undefined && status === "approved" ? [sql`COALESCE(r.review, 'open') <> 'rejected'`] : [])
    ]
    return sql`
      INSERT INTO lead_reviews (lead_id, workspace_id, review, review_note, review_at, seen)
      SELECT leads.id, leads.workspace_id, ${status}, r.review_note, ${at}, COALESCE(r.seen, 0) FROM ${from}
      WHERE ${sql.and(conditions)}
      ON CONFLICT (lead_id) DO UPDATE SET review = excluded.review, review_at = excluded.review_at
      RETURNING 1 AS changed`.pipe(
      Effect.map((rows) => rows.length),
      Effect.orDie
    )
  }

  const decide = traced("Reviews.decide")(function* (
    workspace: WorkspaceId,
    at: LeadPath,
    { note, status }: ReviewInput
  ) {
    const row = yield* locked(workspace, at)
    if (row.status !== "completed") {
      return yield* new Unprocessable({ message: "This lead has no emails, so there is nothing to review" })
    }
    const written = note?.trim() || null
    if ((row.review ?? "open") !== status || row.review_note !== written) {
      yield* Effect.orDie(sql`
        INSERT INTO lead_reviews (lead_id, workspace_id, review, review_note, review_at, seen)
        VALUES (${at.lead}, ${workspace}, ${status}, ${written}, ${yield* now}, 1)
        ON CONFLICT (lead_id) DO UPDATE SET review = excluded.review, review_note = excluded.review_note,
          review_at = excluded.review_at, seen = 1`)
      const data = { list_id: at.list, lead_id: at.lead, status, changed: 1 }
      yield* events.record(workspace, "review.changed", data)
    }
    return yield* showLead(workspace, at)
  }, inTransaction(sql))

  const decideAll = traced("Reviews.decideAll")(function* (
    workspace: WorkspaceId,
    list: string,
    decision: BulkReviewInput
  ) {
    yield* sourcesOf(workspace, list)
    const at = yield* now
    const ids = decision.lead_ids == null ? undefined : [...new Set(decision.lead_ids)]
    if (ids !== undefined) yield* requireLeadsOfList(workspace, list, ids)
    let changed = 0
    for (const part of ids === undefined ? [undefined] : Arr.chunksOf(ids, namedAtOnce)) {
      changed += yield* decideMatching(workspace, list, decision, at, part)
    }
    if (changed > 0) {
      const data = { list_id: list, lead_id: null, status: decision.status, changed }
      yield* events.record(workspace, "review.changed", data)
    }
    return { changed, at }
  }, inTransaction(sql))

  // Leads decided by one request have the same `review_at`.
  const decidedTogether = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, since: Schema.String }),
    Result: DecidedTogether,
    execute: ({ list, since, workspace }) => sql`
      SELECT r.review AS status, r.review_at AS at, count(*) AS leads FROM ${from}
      WHERE leads.list_id = ${list} AND leads.workspace_id = ${workspace} AND r.review_at > ${since}
      GROUP BY r.review, r.review_at HAVING count(*) > 1 ORDER BY r.review_at DESC LIMIT 1`
  })

  const lastBulk = traced("Reviews.lastBulk")(function* (workspace: WorkspaceId, list: string) {
    yield* sourcesOf(workspace, list)
    const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    return yield* Effect.orDie(decidedTogether({ workspace, list, since }))
  })

  return { decide, decideAll, lastBulk }
})
