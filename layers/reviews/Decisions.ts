// layers/reviews/Decisions.ts: approves, rejects and reopens leads, one or many at a time.
import { Array as Arr, DateTime, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import { severityRank } from "#layers/lists/LeadColumns.ts"
import { leadConditions, leadsWithReviews } from "#layers/lists/LeadQueries.ts"
import type { PossibleCompanies } from "#layers/lists/PossibleCompanies.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { type LeadPath, type LoadLead, noLead } from "#layers/reviews/LoadLead.ts"
import { currentVersions } from "#layers/reviews/ReviewEmails.ts"
import { Events } from "#layers/webhooks/Events.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Unprocessable } from "#schema/Errors.ts"
import { ReviewStatus } from "#schema/ListLeads.ts"
import { type BulkReviewInput, ReviewConflict, ReviewCounts, type ReviewInput } from "#schema/Review.ts"

/** Leads per statement. */
const leadsPerStatement = 500

/** The fields of a lead that a bulk decision needs. */
interface Candidate {
  readonly id: string
  readonly email: string
  readonly company: string | null
  readonly severity: number
  /** Whether an email was changed since `unchanged_since`. */
  readonly is_changed: number
}

const LastBulkRow = Schema.Struct({ status: ReviewStatus, leads: Schema.Int, at: Schema.String })

export const makeDecisions = Effect.fnUntraced(function* ({
  locked: loadLocked,
  possibleCompanies,
  showLead,
  sourcesOf
}: LoadLead) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const suppressions = yield* Suppressions
  const leadConditionsFor = leadConditions(sql)
  const leadsTable = sql.literal(leadsWithReviews)

  /** NOT_FOUND unless all ids are leads of the list. */
  const requireLeadsOfList = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: string,
    ids: ReadonlyArray<string>
  ) {
    for (const part of Arr.chunksOf(ids, leadsPerStatement)) {
      const [row] = yield* Effect.orDie(sql<{ readonly n: number }>`
        SELECT count(*) AS n FROM leads
        WHERE ${sql.in("id", part)} AND list_id = ${list} AND workspace_id = ${workspace}`)
      if (row?.n !== part.length) return yield* noLead()
    }
  })

  /** SQL for whether no email of a lead was written or changed since `moment`. Leads of early versions have no time of writing. */
  const isUnchangedSince = (moment: string) => sql`
    (leads.written_at IS NULL OR leads.written_at < ${moment}) AND NOT EXISTS (
      SELECT 1 FROM email_versions v
      WHERE v.lead_id = leads.id AND v.workspace_id = leads.workspace_id AND v.at >= ${moment})`

  /** The leads with emails that match a decision and whose review has another status, whatever their findings. */
  const findCandidates = (
    workspace: WorkspaceId,
    list: string,
    { status, where }: BulkReviewInput,
    ids: ReadonlyArray<string> | undefined,
    companies: PossibleCompanies
  ) => {
    const conditions = [
      ...leadConditionsFor({ ...where?.filter, workspace, list, companies }),
      sql`leads.severity IS NOT NULL`,
      sql`COALESCE(r.review, 'open') <> ${status}`,
      ...(where?.seen === true ? [sql`r.seen = 1`] : []),
      ...(where?.at == null ? [] : [sql`r.review_at = ${where.at}`]),
      ...(ids === undefined ? [] : [sql.in("leads.id", ids)]),
      // An approval by rule, without ids, approves open leads only, and none that a person has rejected.
      ...(ids === undefined && status === "approved" ? [sql`COALESCE(r.review, 'open') = 'open'`] : [])
    ]
    const isChanged =
      where?.unchanged_since == null
        ? sql.literal("0")
        : sql`CASE WHEN ${isUnchangedSince(where.unchanged_since)} THEN 0 ELSE 1 END`
    return Effect.orDie(sql<Candidate>`
      SELECT leads.id, leads.email, leads.company, leads.severity, ${isChanged} AS is_changed FROM ${leadsTable}
      WHERE ${sql.and(conditions)} ORDER BY leads.id`)
  }

  /** The leads that the decision changes, and the numbers of leads that it does not approve, by reason. */
  const filterPermitted = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    { lead_ids, status, where }: BulkReviewInput,
    candidates: ReadonlyArray<Candidate>,
    companies: PossibleCompanies
  ) {
    const mostSevere = severityRank(where?.severity ?? "fail")
    const isFailing = ({ severity }: Candidate) => severity >= severityRank("fail")
    const selected = candidates.filter(
      (lead) => lead.severity <= mostSevere && (status !== "approved" || !isFailing(lead))
    )
    const unchanged = selected.filter(({ is_changed }) => is_changed === 0)
    const changes = where?.unchanged_since == null ? {} : { changed_since: selected.length - unchanged.length }
    if (status !== "approved") return { leads: unchanged, failing: 0, suppressed: 0, maybe: 0, ...changes }
    const reasons = (yield* suppressions.isEmpty(workspace))
      ? []
      : yield* suppressions.findReasons(workspace, unchanged)
    const notSuppressed = unchanged.filter((_, index) => reasons[index] === undefined)
    // Leads of possible companies are approved only if the decision gives their ids or filters by `maybe`.
    const includesPossible = lead_ids != null || where?.filter?.maybe !== undefined
    const leads = includesPossible
      ? notSuppressed
      : notSuppressed.filter(({ company }) => !companies.has(company ?? ""))
    return {
      leads,
      failing: candidates.filter(isFailing).length,
      suppressed: unchanged.length - notSuppressed.length,
      maybe: notSuppressed.length - leads.length,
      ...changes
    }
  })

  /** Saves the decision, except for leads whose findings became more severe or whose emails changed since they were read; returns the number saved. */
  const saveDecisions = (
    workspace: WorkspaceId,
    { status, where }: BulkReviewInput,
    timestamp: string,
    leads: ReadonlyArray<Candidate>
  ) => {
    const unchanged = where?.unchanged_since == null ? sql`1 = 1` : isUnchangedSince(where.unchanged_since)
    const mostSevere = Math.max(...leads.map(({ severity }) => severity))
    return sql`
      INSERT INTO lead_reviews (lead_id, workspace_id, review, review_note, review_at, seen)
      SELECT leads.id, leads.workspace_id, ${status}, r.review_note, ${timestamp}, COALESCE(r.seen, 0) FROM ${leadsTable}
      WHERE leads.workspace_id = ${workspace} AND leads.severity <= ${mostSevere} AND ${unchanged}
        AND ${sql.in(
          "leads.id",
          leads.map(({ id }) => id)
        )}
      ON CONFLICT (lead_id) DO UPDATE SET review = excluded.review, review_at = excluded.review_at
      RETURNING 1 AS changed`.pipe(
      Effect.map((rows) => rows.length),
      Effect.orDie
    )
  }

  const decide = traced("Reviews.decide")(function* (
    workspace: WorkspaceId,
    path: LeadPath,
    { note, status, versions }: ReviewInput
  ) {
    const row = yield* loadLocked(workspace, path)
    if (row.status !== "completed") {
      return yield* new Unprocessable({ message: "This lead has no emails, so there is nothing to review" })
    }
    const versionsNow = currentVersions(row)
    const changed = (versions ?? []).find(
      (read) => !versionsNow.some(({ step, version }) => step === read.step && version === read.version)
    )
    if (changed !== undefined) {
      return yield* new ReviewConflict({
        message: `Email ${changed.step} was changed meanwhile; read its new text before you decide`,
        detail: { versions: versionsNow }
      })
    }
    if (status === "approved") {
      const [reason] = yield* suppressions.findReasons(workspace, [row])
      if (reason !== undefined) {
        return yield* new Unprocessable({
          message: `${reason} A lead that must not be written to cannot be approved: reject it, or delete the entry first`
        })
      }
    }
    const noteText = note?.trim() || null
    if ((row.review ?? "open") !== status || row.review_note !== noteText) {
      yield* Effect.orDie(sql`
        INSERT INTO lead_reviews (lead_id, workspace_id, review, review_note, review_at, seen)
        VALUES (${path.lead}, ${workspace}, ${status}, ${noteText}, ${yield* now}, 1)
        ON CONFLICT (lead_id) DO UPDATE SET review = excluded.review, review_note = excluded.review_note,
          review_at = excluded.review_at, seen = 1`)
      const data = { list_id: path.list, lead_id: path.lead, status, changed: 1 }
      yield* events.record(workspace, "review.changed", data)
    }
    return yield* showLead(workspace, path)
  }, inTransaction(sql))

  const decideAll = traced("Reviews.decideAll")(function* (
    workspace: WorkspaceId,
    list: string,
    decision: BulkReviewInput
  ) {
    yield* sourcesOf(workspace, list)
    const timestamp = yield* now
    const ids = decision.lead_ids == null ? undefined : [...new Set(decision.lead_ids)]
    if (ids !== undefined) yield* requireLeadsOfList(workspace, list, ids)
    const companies = yield* possibleCompanies(workspace, list)
    const candidates: Array<Candidate> = []
    for (const part of ids === undefined ? [undefined] : Arr.chunksOf(ids, leadsPerStatement)) {
      candidates.push(...(yield* findCandidates(workspace, list, decision, part, companies)))
    }
    const { leads, ...excluded } = yield* filterPermitted(workspace, decision, candidates, companies)
    if (decision.dry_run === true) return { changed: leads.length, ...excluded, at: timestamp }
    let changed = 0
    for (const part of Arr.chunksOf(leads, leadsPerStatement)) {
      changed += yield* saveDecisions(workspace, decision, timestamp, part)
    }
    if (changed > 0) {
      const data = { list_id: list, lead_id: null, status: decision.status, changed }
      yield* events.record(workspace, "review.changed", data)
    }
    return { changed, ...excluded, at: timestamp }
  }, inTransaction(sql))

  // Leads decided by one request have the same `review_at`.
  const findLastBulkRow = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, since: Schema.String }),
    Result: LastBulkRow,
    execute: ({ list, since, workspace }) => sql`
      SELECT r.review AS status, r.review_at AS at, count(*) AS leads FROM ${leadsTable}
      WHERE leads.list_id = ${list} AND leads.workspace_id = ${workspace} AND r.review_at > ${since}
      GROUP BY r.review, r.review_at HAVING count(*) > 1 ORDER BY r.review_at DESC LIMIT 1`
  })

  const lastBulk = traced("Reviews.lastBulk")(function* (workspace: WorkspaceId, list: string) {
    yield* sourcesOf(workspace, list)
    const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    return yield* Effect.orDie(findLastBulkRow({ workspace, list, since }))
  })

  /** The written leads by review and by whether a person opened them. */
  const countByReview = SqlSchema.findAll({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String }),
    Result: Schema.Struct({
      review: ReviewStatus,
      seen: Schema.BooleanFromBit,
      leads: Schema.Int,
      failing: Schema.Int
    }),
    execute: ({ list, workspace }) => sql`
      SELECT COALESCE(r.review, 'open') AS review, COALESCE(r.seen, 0) AS seen, count(*) AS leads,
        count(CASE WHEN severity >= ${sql.literal(String(severityRank("fail")))} THEN 1 END) AS failing FROM ${leadsTable}
      WHERE leads.list_id = ${list} AND leads.workspace_id = ${workspace} AND leads.severity IS NOT NULL
      GROUP BY COALESCE(r.review, 'open'), COALESCE(r.seen, 0)`
  })

  /** Counts the suppressed and the other leads of a list with this review; with `maybe`, only leads of `companies`. */
  const countSuppressed = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: string,
    review: ReviewStatus,
    companies: PossibleCompanies,
    maybe?: "true"
  ) {
    const leads = yield* Effect.orDie(sql<Pick<Candidate, "email" | "company">>`
      SELECT leads.email, leads.company FROM ${leadsTable}
      WHERE ${sql.and(leadConditionsFor({ workspace, list, review, companies, maybe }))} AND leads.severity IS NOT NULL`)
    const reasons = yield* suppressions.findReasons(workspace, leads)
    const suppressed = reasons.filter((reason) => reason !== undefined).length
    return { suppressed, others: leads.length - suppressed }
  })

  const counts = traced("Reviews.counts")(function* (workspace: WorkspaceId, list: string) {
    const rows = yield* Effect.orDie(countByReview({ workspace, list }))
    const sum = (counts: ReadonlyArray<{ readonly leads: number }>) => counts.reduce((all, { leads }) => all + leads, 0)
    const rowsWith = (status: ReviewStatus) => rows.filter(({ review }) => review === status)
    const companies = yield* possibleCompanies(workspace, list)
    const isEmpty = yield* suppressions.isEmpty(workspace)
    const countSuppressedWith = (status: ReviewStatus) =>
      isEmpty
        ? Effect.succeed(0)
        : Effect.map(countSuppressed(workspace, list, status, companies), ({ suppressed }) => suppressed)
    return ReviewCounts.make({
      open: sum(rowsWith("open")),
      approved: sum(rowsWith("approved")),
      rejected: sum(rowsWith("rejected")),
      open_failing: rowsWith("open").reduce((all, { failing }) => all + failing, 0),
      open_suppressed: yield* countSuppressedWith("open"),
      open_maybe:
        companies.size === 0 ? 0 : (yield* countSuppressed(workspace, list, "open", companies, "true")).others,
      approved_suppressed: yield* countSuppressedWith("approved"),
      approved_unopened: sum(rowsWith("approved").filter(({ seen }) => !seen))
    })
  })

  return { counts, decide, decideAll, lastBulk }
})
